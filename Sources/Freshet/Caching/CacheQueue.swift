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

  enum Change: Sendable {
    case make(CacheChange, ResourceKey, by: PendingCacheChanges.UseID)
    case remove(ResourceKey)
    /// All of them if `matches` is nil.
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
  enum Step: Sendable {
    /// Too much waits.
    case loss(CacheBacklogError)
    /// Its turn has come.
    case begin(PendingCacheChanges.ChangeID, PendingCacheChanges.Work)
  }

  /// The turn of a change; it ends without having begun where nothing is to be done, at once.
  typealias Turn = AsyncStream<Step>.Continuation

  enum Message: Sendable {
    case begin(PendingCacheChanges.UseID, ResourceKey)
    /// The change since the use began; none if the entry stays.
    case look(PendingCacheChanges.UseID, ResourceKey, AsyncStream<CacheChange>.Continuation)
    case end(PendingCacheChanges.UseID, ResourceKey)
    /// With how many changes of the cache may be under way at once.
    case change(Change, Int, Turn)
    /// With the cache, if that has failed.
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
      var storages: [Storage: CacheOperations] = [:]
      for await (storage, message) in stream {
        storages[storage, default: CacheOperations()].receive(message)
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

  /// Removes the entries whose URL matches; all of them if `matches` is nil.
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
    // Nothing cancels it: what was asked for is done, even when the store goes.
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
  /// - Parameter decode: receives the entry; nil for none. It is called again if the entry has changed.
  /// - Throws: `CancellationError` if the task is cancelled, because the changes are not known then; the
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
    counter = clock.workCounter
    self.failed = failed
  }
}

/// The error of a change that is not carried out, because too many are waiting for a slow persistent cache.
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
