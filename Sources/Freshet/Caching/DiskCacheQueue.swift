import Foundation

/// The changes that a ``DiskCache`` has not written yet, one for each file: a pure value.
struct DiskCacheQueue: Sendable {
  /// A change of the entry of a resource.
  enum Change: Sendable {
    case store(CachedEntry, head: [UInt8])
    case remove

    var isRemoval: Bool { if case .remove = self { true } else { false } }

    var byteCount: Int {
      guard case .store(let entry, let head) = self else { return 0 }
      return head.count + entry.response.body.count
    }
  }

  /// The continuation of a caller that waits for a change.
  typealias Waiter = CheckedContinuation<Void, any Error>

  struct Pending: Sendable {
    var key: ResourceKey
    var change: Change
    var waiters: [Waiter] = []
  }

  /// The removal of all entries whose URL matches, or of all.
  struct Sweep: Sendable {
    let matches: (@Sendable (_ url: String) -> Bool)?
    var waiters: [Waiter]

    func includes(_ key: ResourceKey) -> Bool { matches?(key.url) ?? true }
  }

  /// Changes that are carried out together: first the removals of many entries, and then the others.
  struct Batch: Sendable {
    var sweeps: [Sweep] = []
    var changes: [String: Pending] = [:]
    /// The names of the changes, in order.
    var names: [String] = []

    var isEmpty: Bool { sweeps.isEmpty && changes.isEmpty }

    /// The change of an entry; nil if it stays.
    func change(of key: ResourceKey, _ name: String) -> Change? {
      if let pending = changes[name] { return pending.key == key ? pending.change : .remove }
      return sweeps.contains { $0.includes(key) } ? .remove : nil
    }
  }

  private(set) var waiting = Batch()
  private var running = Batch()
  /// The bytes that wait.
  private(set) var byteCount = 0

  /// The bytes that wait, without those of the change of one file, which another one would replace.
  func byteCount(without name: String) -> Int {
    byteCount - (waiting.changes[name]?.change.byteCount ?? 0)
  }

  /// The pending change of an entry; nil if it stays.
  func change(of key: ResourceKey, _ name: String) -> Change? {
    waiting.change(of: key, name) ?? running.change(of: key, name)
  }

  /// Adds a change, in place of one of the same file that has not begun.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - key: the key of its entry.
  ///   - name: the name of the file.
  ///   - waiter: the caller that waits for it; nil for none.
  mutating func append(
    _ change: Change, of key: ResourceKey, name: String, waiter: Waiter?
  ) {
    let older = waiting.changes[name]?.change
    byteCount += change.byteCount - (older?.byteCount ?? 0)
    if older == nil {
      waiting.names.append(name)
      waiting.changes[name] = Pending(key: key, change: change)
    }
    // In place: a copy of the waiters for each would be quadratic.
    waiting.changes[name]?.key = key
    waiting.changes[name]?.change = change
    if let waiter { waiting.changes[name]?.waiters.append(waiter) }
  }

  /// Adds the removal of many entries; what is to be stored among them is not stored any more.
  mutating func append(_ sweep: Sweep) {
    var sweep = sweep
    waiting.names.removeAll { name in
      guard let pending = waiting.changes[name], sweep.includes(pending.key) else { return false }
      sweep.waiters += pending.waiters
      byteCount -= pending.change.byteCount
      waiting.changes[name] = nil
      return true
    }
    waiting.sweeps.append(sweep)
  }

  /// Begins to carry out what waits; nil for nothing.
  mutating func begin() -> Batch? {
    guard !waiting.isEmpty else { return nil }
    running = waiting
    waiting = Batch()
    byteCount = 0
    return running
  }

  /// Ends what was begun: the disk has it.
  mutating func end() {
    running = Batch()
  }

  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    for batch in [waiting, running] {
      precondition(
        batch.names.count == batch.changes.count && Set(batch.names) == Set(batch.changes.keys),
        "names without changes, or changes without names: \(batch.names)")
    }
    let bytes = waiting.changes.values.reduce(0) { $0 + $1.change.byteCount }
    precondition(byteCount == bytes, "\(byteCount) bytes, counted as \(bytes)")
  }
}
