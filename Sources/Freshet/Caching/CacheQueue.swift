/// The order of everything that services, on any actor, do to the persistent caches.
///
/// One for the program, because services may share a cache, which they know by its identity. What is asked
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
    case removeAll(where: @Sendable (_ url: String) -> Bool)

    /// The entry; nil for many.
    var key: ResourceKey? {
      switch self {
      case .make(_, let key, _), .remove(let key): key
      case .removeAll: nil
      }
    }
  }

  /// The turn of a change, which receives its number, and for one entry what is to be done; it ends without
  /// them if nothing is.
  fileprivate typealias Turn = AsyncStream<(PendingCacheChanges.ChangeID, CacheChange?)>
    .Continuation

  fileprivate enum Message: Sendable {
    case begin(PendingCacheChanges.UseID, ResourceKey)
    case look(PendingCacheChanges.UseID, ResourceKey, CheckedContinuation<CacheChange?, Never>)
    case end(PendingCacheChanges.UseID, ResourceKey)
    case change(Change, Turn)
    case finish(PendingCacheChanges.ChangeID, ResourceKey?)
    case flush(CheckedContinuation<Void, Never>)
  }

  private let messages: AsyncStream<(ObjectIdentifier, Message)>.Continuation

  private init() {
    let stream: AsyncStream<(ObjectIdentifier, Message)>
    (stream, messages) = AsyncStream.makeStream()
    // Never ends. Its priority is not that of the first load: all others wait for it too.
    Task(priority: .high) { @concurrent in
      var caches: [ObjectIdentifier: Operations] = [:]
      for await (cache, message) in stream {
        caches[cache, default: Operations()].receive(message)
        if caches[cache]?.isEmpty == true { caches[cache] = nil }
      }
    }
  }

  fileprivate func send(_ message: Message, to cache: any EntityCache) {
    messages.yield((ObjectIdentifier(cache), message))
  }

  /// Removes an entry.
  func remove(_ key: ResourceKey, from cache: any EntityCache, _ work: CacheWork) {
    carryOut(.remove(key), of: key, in: cache, work)
  }

  /// Removes the entries whose URL matches; all of them where `matches` is nil.
  func removeAll(
    from cache: any EntityCache, where matches: (@Sendable (_ url: String) -> Bool)?,
    _ work: CacheWork
  ) {
    carryOut(.removeAll(where: matches ?? { _ in true }), of: nil, in: cache, work) { _ in
      if let matches {
        try await cache.removeAll(where: matches)
      } else {
        try await cache.removeAll()
      }
    }
  }

  /// Carries out a change of one entry.
  fileprivate func carryOut(
    _ change: Change, of key: ResourceKey, in cache: any EntityCache, _ work: CacheWork
  ) {
    carryOut(change, of: key, in: cache, work) { change in
      if let change { try await cache.make(change, of: key) }
    }
  }

  /// Waits until all changes that were asked for by now are carried out.
  func flush(_ cache: any EntityCache) async {
    await withCheckedContinuation { send(.flush($0), to: cache) }
  }

  fileprivate func carryOut(
    _ change: Change, of key: ResourceKey?, in cache: any EntityCache, _ work: CacheWork,
    _ operation: @escaping @Sendable @concurrent (CacheChange?) async throws -> Void
  ) {
    let (turns, turn) = AsyncStream.makeStream(
      of: (PendingCacheChanges.ChangeID, CacheChange?).self)
    work.counter?.workBegan()
    send(.change(change, turn), to: cache)
    // Nothing cancels it: what was asked for is done, also when the store goes.
    Task { @concurrent in
      for await (id, change) in turns {
        do {
          try await operation(change)
        } catch {
          work.failed(error)
        }
        send(.finish(id, key), to: cache)
      }
      work.counter?.workEnded()
    }
  }

  /// The operations of one cache, in the order in which they were requested.
  private struct Operations {
    private var pending = PendingCacheChanges()
    /// The changes that wait for their turn, with their entries.
    private var turns: [PendingCacheChanges.ChangeID: (turn: Turn, key: ResourceKey?)] = [:]
    /// The change that was carried out last, and whether the next one is under way.
    private var finished: PendingCacheChanges.ChangeID = 0
    private var isBusy = false
    /// The callers that wait until a change is carried out.
    private var flushes: [(PendingCacheChanges.ChangeID, CheckedContinuation<Void, Never>)] = []

    var isEmpty: Bool { !isBusy && pending.isEmpty }

    mutating func receive(_ message: Message) {
      switch message {
      case .begin(let use, let key): pending.begin(use, of: key)
      case .look(let use, let key, let reply):
        reply.resume(returning: pending.change(since: use, of: key))
      case .end(let use, let key): pending.end(use, of: key)
      case .change(let change, let turn):
        if let id = append(change) { turns[id] = (turn, change.key) } else { turn.finish() }
        if !isBusy { next() }
      case .finish(let id, let key):
        pending.finish(id, of: key)
        finished = id
        next()
      case .flush(let reply):
        if isBusy { flushes.append((pending.newest, reply)) } else { reply.resume() }
      }
    }

    private mutating func append(_ change: Change) -> PendingCacheChanges.ChangeID? {
      switch change {
      case .make(let change, let key, let use): pending.append(change, of: key, by: use)
      case .remove(let key): pending.remove(key)
      case .removeAll(let matches): pending.removeAll(where: matches)
      }
    }

    /// Gives the next change its turn that is not a part of a later one.
    private mutating func next() {
      isBusy = false
      while !isBusy, let (turn, key) = turns.removeValue(forKey: finished + 1) {
        let change = key.flatMap { pending.change(finished + 1, of: $0) }
        if key == nil || change != nil {
          isBusy = true
          turn.yield((finished + 1, change))
        } else {
          finished += 1
        }
        turn.finish()
      }
      while let (last, reply) = flushes.first, last <= finished {
        flushes.removeFirst()
        reply.resume()
      }
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

  /// The entry with all changes that were asked for by now; nil for none.
  @concurrent
  func entry() async throws -> CachedEntry? {
    let found: Result<CachedEntry?, any Error>
    do { found = .success(try await cache.entry(for: key)) } catch { found = .failure(error) }
    // Once, after the read: what was pending before it is a part of what became of the entry. Each look
    // takes two switches of threads.
    guard let change = await change() else { return try found.get() }
    guard case .confirm = change else { return change.applied(to: nil) }
    return change.applied(to: try found.get())
  }

  /// The change of the entry since the use began; nil for none.
  private func change() async -> CacheChange? {
    await withCheckedContinuation {
      CacheQueue.shared.send(.look(ObjectIdentifier(self), key, $0), to: cache)
    }
  }

  /// Changes the entry, unless the program has removed it since the use began.
  func append(_ change: CacheChange) {
    CacheQueue.shared.carryOut(
      .make(change, key, by: ObjectIdentifier(self)), of: key, in: cache, work)
  }
}
