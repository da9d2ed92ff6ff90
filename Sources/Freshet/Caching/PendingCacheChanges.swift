/// The changes of one persistent cache that are not carried out yet, and the uses of its entries by loads: a
/// pure value.
///
/// Changes are carried out one after another, in the order in which they were asked for. A load that uses
/// an entry, from its beginning to its end, applies to what it reads all that became of the entry by then. A
/// removal that the program asks for revokes the uses that began before: their responses are of the time
/// before it, and are not stored.
///
/// However slow the cache is, what waits for it is limited. There is one change for each entry. A response
/// for which there is no room is not stored: its older entry is removed instead. If even the keys are too
/// many, or the removals of many entries, all of the cache is removed: no removal is lost.
struct PendingCacheChanges {
  /// The number of a change, counted from 1.
  typealias ChangeID = Int
  typealias UseID = EntryUses.UseID

  /// What may wait.
  struct Limits: Sendable {
    /// The bytes of responses. Two changes may wait whatever their size: one of them is being carried out.
    var byteCount = 64 << 20
    /// The bytes of the keys, with what is needed for each.
    var keyByteCount = 128 << 20
    /// The removals of many entries.
    var sweepCount = 256
  }

  /// A change that was accepted.
  struct Accepted {
    let id: ChangeID
    /// The changes that it makes superfluous.
    var superseded: [ChangeID] = []
    /// What is lost, because too much waits; nil for nothing.
    var loss: CacheBacklogError?
  }

  /// What to do for a change.
  enum Work: Sendable {
    case change(CacheChange, of: ResourceKey)
    /// Removes all entries whose URL matches; all of them if `matches` is nil.
    case removeAll(where: Matches?)

    /// About how many bytes it stores.
    var byteCount: Int { if case .change(let change, _) = self { change.byteCount } else { 0 } }
  }

  typealias Matches = @Sendable (_ url: String) -> Bool

  /// The result of all pending changes of an entry.
  private struct Pending {
    let change: CacheChange
    /// The newest of them.
    let newest: ChangeID
    let byteCount: Int
    let keyByteCount: Int
    /// Whether one of them removes the entry.
    let isRemoval: Bool
  }

  /// A removal of many entries.
  private struct Sweep {
    /// Nil for all.
    let matches: Matches?

    func includes(_ key: ResourceKey) -> Bool { matches?(key.url) ?? true }
  }

  private let limits: Limits
  private var uses: [ResourceKey: EntryUses] = [:]
  private var pending: [ResourceKey: Pending] = [:]
  /// The pending removals of many entries. Of an entry in `pending` they are older.
  private var sweeps: [ChangeID: Sweep] = [:]
  /// The removals that were carried out without success.
  private var failed = FailedCacheRemovals()
  /// The bytes of the responses, and of the keys, in `pending`.
  private(set) var byteCount = 0
  private(set) var keyByteCount = 0
  /// The number of the newest change.
  private(set) var newest: ChangeID = 0

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether there is nothing to remember.
  var isEmpty: Bool { uses.isEmpty && pending.isEmpty && sweeps.isEmpty && !hasFailures }
  /// Whether entries count as removed that the cache may still have.
  var hasFailures: Bool { !failed.isEmpty }

  private func change(of key: ResourceKey) -> CacheChange? {
    if let known = pending[key] { return known.change }
    return sweeps.values.contains { $0.includes(key) } || failed.contains(key) ? .remove : nil
  }

  // MARK: Uses

  /// A load begins to use an entry.
  mutating func begin(_ use: UseID, of key: ResourceKey) {
    uses[key, default: EntryUses()].begin(use, pending: change(of: key))
  }

  /// The change of the entry since the use began, with what was pending then; nil if it stays.
  func change(since use: UseID, of key: ResourceKey) -> CacheChange? {
    uses[key]?.change(since: use)
  }

  /// A load does not use an entry any more.
  mutating func end(_ use: UseID, of key: ResourceKey) {
    uses[key]?.end(use)
    if uses[key]?.isEmpty == true { uses[key] = nil }
  }

  // MARK: Changes

  /// A load asks for a change.
  ///
  /// - Returns: nil if it is not to be made, because the use was revoked.
  mutating func append(
    _ change: CacheChange, of key: ResourceKey, by use: UseID
  ) -> Accepted? {
    guard uses[key]?.mayChange(use) == true else { return nil }
    uses[key]?.append(change)
    return put(change.following(self.change(of: key)), of: key)
  }

  /// The program asks for the removal of an entry.
  mutating func remove(_ key: ResourceKey) -> Accepted {
    uses[key]?.revoke()
    return put(.remove, of: key)
  }

  /// The program asks for the removal of all entries whose URL matches; of all if `matches` is nil.
  mutating func removeAll(where matches: Matches?) -> Accepted {
    let sweep = Sweep(matches: matches)
    for key in uses.keys where sweep.includes(key) { uses[key]?.revoke() }
    newest += 1
    guard matches != nil else { return clear(loss: nil) }
    guard sweeps.count < limits.sweepCount else { return clear(loss: .all) }
    var accepted = Accepted(id: newest)
    for key in pending.keys where sweep.includes(key) {
      if let known = withdraw(key) { accepted.superseded.append(known.newest) }
    }
    sweeps[newest] = sweep
    return accepted
  }

  /// Puts a change in the place of what is pending for its entry.
  private mutating func put(_ change: CacheChange, of key: ResourceKey) -> Accepted {
    newest += 1
    var accepted = Accepted(id: newest)
    let older = withdraw(key)
    if let older { accepted.superseded.append(older.newest) }
    var change = change
    if pending.count > 1, change.byteCount > max(0, limits.byteCount - byteCount) {
      change = .remove
      accepted.loss = .entry
    }
    var isRemoval = older?.isRemoval == true
    if case .remove = change { isRemoval = true }
    let known = Pending(
      change: change, newest: newest, byteCount: change.byteCount, keyByteCount: key.byteCount,
      isRemoval: isRemoval)
    pending[key] = known
    byteCount += known.byteCount
    keyByteCount += known.keyByteCount
    if pending.count > 2, keyByteCount > limits.keyByteCount { return clear(loss: .all) }
    return accepted
  }

  private mutating func withdraw(_ key: ResourceKey) -> Pending? {
    guard let known = pending.removeValue(forKey: key) else { return nil }
    byteCount -= known.byteCount
    keyByteCount -= known.keyByteCount
    return known
  }

  /// Makes the newest change the removal of everything, in the place of all others.
  private mutating func clear(loss: CacheBacklogError?) -> Accepted {
    let others = pending.values.map(\.newest) + sweeps.keys
    (pending, byteCount, keyByteCount) = ([:], 0, 0)
    sweeps = [newest: Sweep(matches: nil)]
    return Accepted(id: newest, superseded: others.filter { $0 != newest }, loss: loss)
  }

  /// What to do for a change when its turn has come: it, and all before it that had none. Nil if a later
  /// change does that: so a cache that is slower than the changes carries out one for each entry, and nothing
  /// else is held in memory.
  func work(of id: ChangeID, on key: ResourceKey?) -> Work? {
    if let key, let known = pending[key], known.newest == id {
      return .change(known.change, of: key)
    }
    return sweeps[id].map { .removeAll(where: $0.matches) }
  }

  /// A change was carried out, or has failed.
  ///
  /// - Parameters:
  ///   - id: its number.
  ///   - key: the entry that it was asked for; nil for the removal of many.
  ///   - isFailure: whether it has failed. What it was to remove counts as removed all the same.
  mutating func finish(_ id: ChangeID, of key: ResourceKey?, isFailure: Bool = false) {
    if let key, let known = pending[key], known.newest == id {
      _ = withdraw(key)
      if !isFailure { failed.remove(key) } else if known.isRemoval { failed.insert(key) }
    }
    if let sweep = sweeps.removeValue(forKey: id) {
      isFailure ? failed.insertAll(where: sweep.matches) : failed.removeAll(where: sweep.matches)
    }
  }
}

extension PendingCacheChanges {
  /// Stops the program if an invariant does not hold. For tests; O(*n*) in the uses and changes.
  func checkInvariants() {
    for (key, users) in uses {
      precondition(!users.isEmpty, "\(key): no use")
      users.checkInvariants()
    }
    let ids = pending.values.map(\.newest) + sweeps.keys
    precondition(Set(ids).count == ids.count && ids.allSatisfy { 1...newest ~= $0 }, "\(ids)")
    for (key, known) in pending {
      precondition(
        sweeps.allSatisfy { $0.key < known.newest || !$0.value.includes(key) },
        "\(key): before its removal")
    }
    precondition(byteCount == pending.values.reduce(0) { $0 + $1.byteCount }, "\(byteCount)")
    precondition(
      keyByteCount == pending.values.reduce(0) { $0 + $1.keyByteCount }, "\(keyByteCount)")
    let largest = pending.values.map(\.byteCount).sorted().suffix(2).reduce(0, +)
    precondition(byteCount - largest <= limits.byteCount, "\(byteCount) bytes wait")
    precondition(pending.count <= 2 || keyByteCount <= limits.keyByteCount, "\(keyByteCount)")
    precondition(sweeps.count <= max(limits.sweepCount, 1), "\(sweeps.count) removals wait")
  }
}
