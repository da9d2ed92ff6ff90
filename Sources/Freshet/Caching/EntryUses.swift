/// The uses of one entry of the persistent cache by loads, and what has become of the entry since each began:
/// a pure value.
///
/// A change costs the same however many uses there are: all uses that still see an entry see it as the newest
/// change has left it, so changes are kept once. A use stores only what was pending when it began. The first
/// confirmation since, which names the response that it is about, is shared by the uses of one age; the newest
/// one is added to it when the change since a use began is asked for.
struct EntryUses {
  /// Identifies a use among those that have not ended.
  typealias UseID = ObjectIdentifier

  private struct Use {
    /// Counted from 1.
    let number: Int
    /// The change that was pending when it began; nil for none.
    let start: CacheChange?
    /// The number of changes before it began.
    let age: Int
  }

  /// The first change since some uses began when nothing was pending.
  private struct First {
    var useCount = 1
    /// Nil as long as there is none.
    var change: CacheChange?
  }

  private var uses: [UseID: Use] = [:]
  private var newestUse = 0
  /// How many changes there were.
  private var age = 0
  /// The newest change; before the first, the one that was pending when a use began.
  private var newest: CacheChange?
  /// The change that has replaced the entry last, and the newest use that sees it.
  private var replacement = (change: CacheChange.remove, newestUse: 0)
  /// The newest use that began before a removal by the program.
  private var newestRevoked = 0
  /// For those that do not see the replacement, by ``Use/age``.
  private var firsts: [Int: First] = [:]
  /// The newest use that began before the newest change, or when one was pending. Of the later ones each
  /// sees the entry as it is, or removed.
  private var newestChanged = 0

  /// Whether there are none.
  var isEmpty: Bool { uses.isEmpty }

  /// Whether a use has not ended and is not revoked.
  func mayChange(_ use: UseID) -> Bool { uses[use].map { $0.number > newestRevoked } ?? false }

  /// A use begins.
  ///
  /// - Parameter pending: the change of the entry that is pending; nil for none.
  mutating func begin(_ use: UseID, pending: CacheChange?) {
    newestUse += 1
    uses[use] = Use(number: newestUse, start: pending, age: age)
    switch pending {
    case nil: firsts[age, default: First(useCount: 0)].useCount += 1
    case .remove: break
    case .store, .confirm:
      newestChanged = newestUse
      if newest == nil { newest = pending }
    }
  }

  /// A use has ended.
  mutating func end(_ use: UseID) {
    guard let ended = uses.removeValue(forKey: use), ended.start == nil else { return }
    firsts[ended.age]?.useCount -= 1
    if firsts[ended.age]?.useCount == 0 { firsts[ended.age] = nil }
  }

  /// The change of the entry since a use began, with what was pending then; nil if it stays.
  func change(since use: UseID) -> CacheChange? {
    guard let use = uses[use] else { return nil }
    let change =
      use.number <= replacement.newestUse
      ? replacement.change : use.start ?? firsts[use.age]?.change
    guard case .confirm(let confirmation) = newest else { return change }
    return change?.updated(by: confirmation)
  }

  /// The entry changes, for all uses.
  mutating func append(_ change: CacheChange) {
    switch change {
    case .store, .remove:
      replacement = (change, newestUse)
      firsts = [:]
    case .confirm:
      let fresh = firsts[age]
      if case .remove = change.following(newest) {
        // It is about another response than all of those uses see.
        replacement = (.remove, newestChanged)
        firsts = [:]
      }
      if let fresh { firsts[age] = First(useCount: fresh.useCount, change: change) }
    }
    newest = change
    newestChanged = newestUse
    age += 1
  }

  /// The program asks for the removal of the entry.
  mutating func revoke() {
    append(.remove)
    newestRevoked = newestUse
  }
}

extension EntryUses {
  /// Stops the program if an invariant does not hold. For tests; O(*u*) in the uses.
  func checkInvariants() {
    let numbers = uses.values.map(\.number)
    precondition(Set(numbers).count == numbers.count && numbers.allSatisfy { 1...newestUse ~= $0 })
    precondition(
      [replacement.newestUse, newestRevoked, newestChanged].allSatisfy { 0...newestUse ~= $0 })
    precondition(newestRevoked <= replacement.newestUse, "revoked without a change")
    let waiting = uses.values.filter { $0.start == nil && $0.number > replacement.newestUse }
    precondition(
      Dictionary(grouping: waiting, by: \.age).mapValues(\.count) == firsts.mapValues(\.useCount))
    for (firstAge, first) in firsts {
      precondition((first.change == nil) == (firstAge == age), "\(firstAge): its first change")
    }
  }
}
