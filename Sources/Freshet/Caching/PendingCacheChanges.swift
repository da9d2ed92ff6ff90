/// The changes of one persistent cache that are not carried out yet, and the uses of its entries by loads: a
/// pure value.
///
/// Changes are carried out one after the other, in the order in which they were asked for. A load that uses
/// an entry, from its beginning to its end, applies to what it reads all that became of the entry by then. A
/// removal that the program asks for revokes the uses that began before: their responses are of the time
/// before it, and are not stored.
struct PendingCacheChanges {
  /// The number of a change, counted from 1.
  typealias ChangeID = Int
  /// Identifies a use among those that have not ended.
  typealias UseID = ObjectIdentifier

  private struct Use {
    /// The change of the entry since the use began; nil where it stays.
    var change: CacheChange?
    var isRevoked = false

    mutating func revoke() {
      change = .remove
      isRevoked = true
    }
  }

  private var uses: [ResourceKey: [UseID: Use]] = [:]
  /// The result of all pending changes of each entry, and the newest of them.
  private var pending: [ResourceKey: (change: CacheChange, newest: ChangeID)] = [:]
  /// The pending removals of many entries, by their URLs. Of an entry in `pending` they are older.
  private var sweeps: [ChangeID: @Sendable (_ url: String) -> Bool] = [:]
  /// The number of the newest change.
  private(set) var newest: ChangeID = 0

  /// Whether there is nothing to remember.
  var isEmpty: Bool { uses.isEmpty && pending.isEmpty && sweeps.isEmpty }

  private func change(of key: ResourceKey) -> CacheChange? {
    if let known = pending[key] { return known.change }
    return sweeps.values.contains { $0(key.url) } ? .remove : nil
  }

  // MARK: Uses

  /// A load begins to use an entry.
  mutating func begin(_ use: UseID, of key: ResourceKey) {
    uses[key, default: [:]][use] = Use(change: change(of: key))
  }

  /// The change of the entry since the use began, with what was pending then; nil where it stays.
  func change(since use: UseID, of key: ResourceKey) -> CacheChange? { uses[key]?[use]?.change }

  /// A load does not use an entry any more.
  mutating func end(_ use: UseID, of key: ResourceKey) {
    uses[key]?[use] = nil
    if uses[key]?.isEmpty == true { uses[key] = nil }
  }

  // MARK: Changes

  /// A load asks for a change.
  ///
  /// - Returns: the number of the change; nil if it is not to be made, because the use was revoked.
  mutating func append(
    _ change: CacheChange, of key: ResourceKey, by use: UseID
  ) -> ChangeID? {
    guard uses[key]?[use]?.isRevoked == false else { return nil }
    for (other, known) in uses[key] ?? [:] where other != use {
      uses[key]?[other]?.change = change.following(known.change)
    }
    newest += 1
    pending[key] = (change.following(self.change(of: key)), newest)
    return newest
  }

  /// The program asks for the removal of an entry.
  mutating func remove(_ key: ResourceKey) -> ChangeID {
    if let users = uses[key] { for use in users.keys { uses[key]?[use]?.revoke() } }
    newest += 1
    pending[key] = (.remove, newest)
    return newest
  }

  /// The program asks for the removal of all entries whose URL matches.
  mutating func removeAll(where matches: @escaping @Sendable (_ url: String) -> Bool) -> ChangeID {
    for (key, users) in uses where matches(key.url) {
      for use in users.keys { uses[key]?[use]?.revoke() }
    }
    newest += 1
    pending = pending.filter { !matches($0.key.url) }
    sweeps[newest] = matches
    return newest
  }

  /// What to do for a change when its turn has come: it, and all before it that had none. Nil where a later
  /// change of the entry, or of many, does that: so a cache that is slower than the changes carries out one
  /// for each entry, and nothing else is held in memory.
  func change(_ id: ChangeID, of key: ResourceKey) -> CacheChange? {
    pending[key].flatMap { $0.newest == id ? $0.change : nil }
  }

  /// A change was carried out, or has failed.
  ///
  /// - Parameter key: its entry; nil for the removal of many.
  mutating func finish(_ change: ChangeID, of key: ResourceKey?) {
    if let key {
      if pending[key]?.newest == change { pending[key] = nil }
    } else {
      sweeps[change] = nil
    }
  }
}

extension PendingCacheChanges {
  /// Stops the program where an invariant does not hold. For tests; O(*n*) in the uses and changes.
  func checkInvariants() {
    for (key, users) in uses {
      precondition(!users.isEmpty, "\(key): no use")
      for use in users.values where use.isRevoked {
        precondition(use.change != nil, "\(key): revoked without a change")
      }
    }
    let ids = pending.values.map(\.newest) + sweeps.keys
    precondition(Set(ids).count == ids.count && ids.allSatisfy { 1...newest ~= $0 }, "\(ids)")
    for (key, (_, id)) in pending {
      precondition(
        sweeps.allSatisfy { $0.key < id || !$0.value(key.url) }, "\(key): before its removal")
    }
  }
}
