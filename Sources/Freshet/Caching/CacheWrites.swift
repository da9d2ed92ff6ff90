import Foundation

/// A change of one entry of the persistent cache.
enum CacheChange: Sendable {
  case store(CachedEntry)
  case remove
  /// A 304 has confirmed the response with these validators: its entry gets these header fields and this
  /// timestamp. An entry of another response is removed.
  case confirm(HTTPValidators, HTTPHeaders, date: Date)

  /// The same change where an older one has not been carried out yet.
  func following(_ older: CacheChange) -> CacheChange {
    guard case .confirm(let validators, let headers, let date) = self else { return self }
    switch older {
    case .store(let entry):
      return entry.confirmed(validators, headers, date: date).map(CacheChange.store) ?? .remove
    case .remove: return .remove
    case .confirm(let old, let oldHeaders, _):
      // The older one may change the validators of the entry that this one is about.
      return HTTPValidators(oldHeaders) == validators
        ? .confirm(old, headers, date: date) : .remove
    }
  }
}

extension CachedEntry {
  /// The entry after a 304 to a request with these validators; nil where the entry has others, so that the
  /// 304 is about another response.
  func confirmed(
    _ validators: HTTPValidators, _ headers: HTTPHeaders, date: Date
  ) -> CachedEntry? {
    guard HTTPValidators(response.headers) == validators else { return nil }
    var entry = self
    entry.response.headers = headers
    entry.timestamp = date
    return entry
  }
}

/// The changes to the persistent cache that a store has asked for, carried out one after the other
/// and off its actor, so that a removal is never made before an earlier write.
///
/// A reader of an entry applies the ``pendingChange(of:)`` to it: what was stored is found at once, and
/// what was removed is not found any more, however slow the cache is.
final class CacheWrites {
  /// A change and how it is made.
  final class Write: Sendable {
    let key: ResourceKey
    let change: CacheChange
    let perform: @Sendable () async -> Void

    init(_ change: CacheChange, of key: ResourceKey, perform: @escaping @Sendable () async -> Void)
    {
      self.key = key
      self.change = change
      self.perform = perform
    }
  }

  private let isolation: StoreIsolation
  private var waiting: [Write] = []
  private var isWriting = false
  /// What all pending changes of each entry come to, and how many they are.
  private var pending: [ResourceKey: (change: CacheChange, count: Int)] = [:]

  init(isolation: StoreIsolation) {
    self.isolation = isolation
  }

  func append(_ write: Write) {
    waiting.append(write)
    let older = pending[write.key]
    pending[write.key] = (
      older.map { write.change.following($0.change) } ?? write.change, (older?.count ?? 0) + 1
    )
    if !isWriting { writeAll() }
  }

  /// What will become of an entry by the changes that are not carried out yet; nil where it stays.
  func pendingChange(of key: ResourceKey) -> CacheChange? { pending[key]?.change }

  private func writeAll() {
    let writes = waiting.take()
    isWriting = !writes.isEmpty
    guard isWriting else { return }
    let task = isolation.launch(keepingActor: true) {
      for write in writes { await write.perform() }
    } completion: {
      // Keeps itself, and the actor, until all is written: what was asked for is done, also when the
      // store goes.
      self.finish(writes)
    }
    guard task == nil else { return }
    // The actor is being deallocated, so nothing is being written, and nothing comes but removals: in
    // whatever order, and nothing waits for them.
    isWriting = false
    Task { for write in writes { await write.perform() } }
  }

  private func finish(_ writes: [Write]) {
    for write in writes {
      let left = (pending[write.key]?.count ?? 1) - 1
      if left > 0 { pending[write.key]?.count = left } else { pending[write.key] = nil }
    }
    writeAll()
  }
}
