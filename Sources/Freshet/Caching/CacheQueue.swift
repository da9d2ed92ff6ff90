/// The order of everything that services, on any actor, do to the persistent caches.
///
/// One for the program, because services may share a cache, or have several for one directory. What is asked
/// for goes through a stream, which receives it at once and in one order on whatever actor that is: so
/// what one service has removed is not found by any other, from then on. (A lock would do the same; the
/// store has none.) The task that reads the stream decides, and runs no code of a cache: that runs in
/// tasks of those that asked for it.
///
/// A read that has returned to its load by the time of a removal counts as made before that.
struct CacheQueue: Sendable {
  static let shared = CacheQueue()

  fileprivate enum Change: Sendable {
    case make(CacheChange, ResourceKey, by: PendingCacheChanges.UseID)
    case remove(ResourceKey)
    /// All of them where `matches` is nil.
    case removeAll(where: PendingCacheChanges.Matches?)

    /// The entry; nil for many.
    var key: ResourceKey? {
      switch self {
      case .make(_, let key, _), .remove(let key): key
      case .removeAll: nil
      }
    }
  }

  /// What the task that asked for a change receives.
  fileprivate enum Step: Sendable {
    /// Too much waits.
    case loss(CacheBacklogError)
    /// Its turn has come.
    case begin(PendingCacheChanges.ChangeID, PendingCacheChanges.Work)
  }

  /// The turn of a change; it ends without having begun where nothing is to be done, at once.
  fileprivate typealias Turn = AsyncStream<Step>.Continuation

  fileprivate enum Message: Sendable {
    case begin(PendingCacheChanges.UseID, ResourceKey)
    /// The change since the use began; none where the entry stays.
    case look(PendingCacheChanges.UseID, ResourceKey, AsyncStream<CacheChange>.Continuation)
    case end(PendingCacheChanges.UseID, ResourceKey)
    /// With how many changes of the cache may be under way at once.
    case change(Change, Int, Turn)
    /// With the cache, where that has failed.
    case finish(PendingCacheChanges.ChangeID, ResourceKey?, failed: (any EntityCache)?)
    case flush(AsyncStream<Void>.Continuation)
  }

  /// What has an order of its own.
  private enum Storage: Hashable, Sendable {
    case object(ObjectIdentifier)
    case identified(String)

    init(of cache: any EntityCache) {
      self = cache.storageIdentifier.map(Storage.identified) ?? .object(ObjectIdentifier(cache))
    }
  }

  private let messages: AsyncStream<(Storage, Message)>.Continuation

  private init() {
    let stream: AsyncStream<(Storage, Message)>
    (stream, messages) = AsyncStream.makeStream()
    // Never ends. Its priority is not that of the first load: all others wait for it too.
    Task(priority: .high) { @concurrent in
      var storages: [Storage: Operations] = [:]
      for await (storage, message) in stream {
        storages[storage, default: Operations()].receive(message)
        if storages[storage]?.isEmpty == true { storages[storage] = nil }
      }
    }
  }

  fileprivate func send(_ message: Message, to cache: any EntityCache) {
    messages.yield((Storage(of: cache), message))
  }

  /// Removes an entry.
  func remove(_ key: ResourceKey, from cache: any EntityCache, _ work: CacheWork) {
    carryOut(.remove(key), in: cache, work)
  }

  /// Removes the entries whose URL matches; all of them where `matches` is nil.
  func removeAll(
    from cache: any EntityCache, where matches: PendingCacheChanges.Matches?, _ work: CacheWork
  ) {
    carryOut(.removeAll(where: matches), in: cache, work)
  }

  /// Waits until all changes that were asked for by now are carried out, or the waiting task is cancelled.
  func flush(_ cache: any EntityCache) async {
    let (end, reply) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(0))
    send(.flush(reply), to: cache)
    for await _ in end {}
  }

  fileprivate func carryOut(_ change: Change, in cache: any EntityCache, _ work: CacheWork) {
    let (turns, turn) = AsyncStream.makeStream(of: Step.self)
    work.counter?.workBegan()
    send(.change(change, cache.maximumConcurrentChangeCount, turn), to: cache)
    // Nothing cancels it: what was asked for is done, also when the store goes.
    Task { @concurrent in
      for await step in turns {
        switch step {
        case .loss(let error): await work.failed(error)
        case .begin(let id, let changes):
          var failed: (any EntityCache)?
          do {
            try await cache.carryOut(changes)
          } catch {
            failed = cache
            await work.failed(error)
          }
          send(.finish(id, change.key, failed: failed), to: cache)
        }
      }
      work.counter?.workEnded()
    }
  }

  /// The operations of one cache, in the order in which they were requested.
  private struct Operations {
    private var pending = PendingCacheChanges()
    /// The changes that wait for their turn, with their entries, and how many may be under way with each.
    private var turns: [PendingCacheChanges.ChangeID: (turn: Turn, key: ResourceKey?, limit: Int)] =
      [:]
    /// The changes that are carried out now, with their entries and bytes.
    private var running: [PendingCacheChanges.ChangeID: (key: ResourceKey?, byteCount: Int)] = [:]
    /// The newest change that has had its turn, and the newest that was carried out with all before it.
    private var begun: PendingCacheChanges.ChangeID = 0
    private var finished: PendingCacheChanges.ChangeID = 0
    /// The callers that wait until a change is carried out with all before it.
    private var flushes: [PendingCacheChanges.ChangeID: [AsyncStream<Void>.Continuation]] = [:]
    private var flushCount = 0
    private var flushLimit = 16
    /// The cache, once it has failed to remove something: another one at its address would be taken for it.
    private var failedCache: (any EntityCache)?

    /// The bytes of changes that are carried out together: what a batch saves counts for small ones only.
    private static let byteLimit = 1 << 20

    var isEmpty: Bool { running.isEmpty && pending.isEmpty }

    mutating func receive(_ message: Message) {
      switch message {
      case .begin(let use, let key): pending.begin(use, of: key)
      case .look(let use, let key, let reply):
        if let change = pending.change(since: use, of: key) { reply.yield(change) }
        reply.finish()
      case .end(let use, let key): pending.end(use, of: key)
      case .change(let change, let limit, let turn):
        if let accepted = append(change) {
          for id in accepted.superseded { turns.removeValue(forKey: id)?.turn.finish() }
          if let loss = accepted.loss { turn.yield(.loss(loss)) }
          turns[accepted.id] = (turn, change.key, limit)
        } else {
          turn.finish()
        }
        next()
      case .finish(let id, let key, let failed):
        pending.finish(id, of: key, isFailure: failed != nil)
        if pending.hasFailures { failedCache = failedCache ?? failed }
        running[id] = nil
        next()
      case .flush(let reply):
        guard !running.isEmpty else { return reply.finish() }
        if flushCount == flushLimit { removeCancelledFlushes() }
        flushes[pending.newest, default: []].append(reply)
        flushCount += 1
      }
    }

    private mutating func append(_ change: Change) -> PendingCacheChanges.Accepted? {
      switch change {
      case .make(let change, let key, let use): pending.append(change, of: key, by: use)
      case .remove(let key): pending.remove(key)
      case .removeAll(let matches): pending.removeAll(where: matches)
      }
    }

    /// Gives their turn to the next changes that are not superseded by a later one, as far as they may be
    /// carried out beside those that are.
    private mutating func next() {
      while begun < pending.newest {
        let id = begun + 1
        if let (turn, key, limit) = turns[id], let work = pending.work(of: id, on: key) {
          guard mayBegin(work, of: key, limit) else { break }
          running[id] = (key, work.byteCount)
          turn.yield(.begin(id, work))
          turn.finish()
        }
        turns[id] = nil
        begun = id
      }
      let oldest = running.keys.min() ?? begun + 1
      while finished + 1 < oldest {
        finished += 1
        guard let replies = flushes.removeValue(forKey: finished) else { continue }
        flushCount -= replies.count
        for reply in replies { reply.finish() }
      }
    }

    /// Whether a change has not to wait for what is carried out now: two of one entry keep their order, and
    /// the removal of many has nothing beside it.
    private func mayBegin(
      _ work: PendingCacheChanges.Work, of key: ResourceKey?, _ limit: Int
    ) -> Bool {
      guard !running.isEmpty else { return true }
      let byteCount = running.values.reduce(work.byteCount) { $0 + $1.byteCount }
      return running.count < limit && byteCount <= Self.byteLimit && key != nil
        && running.values.allSatisfy { $0.key != nil && $0.key != key }
    }

    /// A cache that hangs would otherwise collect the callers that were cancelled. It is done when there are
    /// twice as many as the last time: each costs the same however many there are.
    private mutating func removeCancelledFlushes() {
      flushes = flushes.compactMapValues { replies in
        let waiting = replies.filter { if case .terminated = $0.yield() { false } else { true } }
        return waiting.isEmpty ? nil : waiting
      }
      flushCount = flushes.values.reduce(0) { $0 + $1.count }
      flushLimit = max(16, 2 * flushCount)
    }
  }
}

/// The use of an entry by one load, from its beginning to its end.
final class CacheUse: Sendable {
  private let cache: any EntityCache
  private let key: ResourceKey
  private let work: CacheWork

  init(of key: ResourceKey, in cache: any EntityCache, _ work: CacheWork) {
    (self.cache, self.key, self.work) = (cache, key, work)
    CacheQueue.shared.send(.begin(ObjectIdentifier(self), key), to: cache)
  }

  deinit {
    CacheQueue.shared.send(.end(ObjectIdentifier(self), key), to: cache)
  }

  /// Reads the entry with all changes that were asked for by the end of the read.
  ///
  /// - Parameter decode: receives the entry; nil for none. It is called again where the entry has changed.
  /// - Throws: `CancellationError` where the task is cancelled, because the changes are not known then; the
  ///   errors of the cache and of `decode`.
  @concurrent
  func entry<Value>(_ decode: @Sendable (CachedEntry?) throws -> Value) async throws -> Value {
    let found: Result<CachedEntry?, any Error>
    do { found = .success(try await cache.entry(for: key)) } catch { found = .failure(error) }
    // Once, after the read: what was pending before it is a part of what became of the entry. Each look
    // takes two switches of threads, during which the entry is decoded.
    let (changes, reply) = AsyncStream.makeStream(of: CacheChange.self)
    CacheQueue.shared.send(.look(ObjectIdentifier(self), key, reply), to: cache)
    let value = Result { try decode(try found.get()) }
    for await change in changes {
      guard case .confirm = change else { return try decode(change.applied(to: nil)) }
      return try decode(change.applied(to: try found.get()))
    }
    // That ends the stream too: what it would have said is not known.
    guard !Task.isCancelled else { throw CancellationError() }
    return try value.get()
  }

  /// Changes the entry, unless the program has removed it since the use began.
  func append(_ change: CacheChange) {
    CacheQueue.shared.carryOut(
      .make(change, key, by: ObjectIdentifier(self)), in: cache, work)
  }
}

extension EntityCache {
  @concurrent
  fileprivate func carryOut(_ work: PendingCacheChanges.Work) async throws {
    switch work {
    case .change(let change, let key): try await make(change, of: key)
    case .removeAll(let matches?): try await removeAll(where: matches)
    case .removeAll(nil): try await removeAll()
    }
  }
}

/// The service's part in a change of its persistent cache: counting it as work, and receiving failures.
struct CacheWork: Sendable {
  /// Counts the change as work.
  let counter: (any WorkCounter)?
  /// Receives why the cache could not make the change.
  let failed: @Sendable (_ error: any Error) async -> Void

  init(
    for clock: any StoreClock, failed: @escaping @Sendable (_ error: any Error) async -> Void
  ) {
    counter = clock as? any WorkCounter
    self.failed = failed
  }
}

/// The error of a change for which there is no room, because too much waits for a slow persistent cache.
enum CacheBacklogError: QuotableError, Hashable {
  /// The response is not stored, and an older one is removed.
  case entry
  /// Everything is removed from the cache.
  case all

  /// What happened and what is lost.
  var description: String {
    let what = "the cache is slower than the network, and too much waits for it: "
    return switch self {
    case .entry: what + "this response is not stored, and an older one is removed"
    case .all: what + "all of its entries are removed"
    }
  }
}
