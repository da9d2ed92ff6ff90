/// The removals that a persistent cache has failed to carry out: a pure value.
///
/// The entries count as removed until something later is stored for them. What is remembered is limited: beyond
/// that, all entries count as removed that are not known to be newer.
struct FailedCacheRemovals {
  typealias Matches = PendingCacheChanges.Matches

  private static let limit = 4096

  /// The entries that could not be removed one by one.
  private var keys: Set<ResourceKey> = []
  /// The removals of many that failed; nil for all entries.
  private var sweeps: [Matches?] = []
  /// The entries that were stored or removed after `sweeps`.
  private var changed: Set<ResourceKey> = []

  var isEmpty: Bool { keys.isEmpty && sweeps.isEmpty }

  /// Whether an entry counts as removed.
  func contains(_ key: ResourceKey) -> Bool {
    guard !isEmpty else { return false }
    return keys.contains(key)
      || !changed.contains(key) && sweeps.contains { $0?(key.url) ?? true }
  }

  /// An entry could not be removed.
  mutating func insert(_ key: ResourceKey) {
    keys.insert(key)
    changed.remove(key)
    if keys.count > Self.limit { insertAll(where: nil) }
  }

  /// The entries whose URL matches could not be removed; all if `matches` is nil.
  mutating func insertAll(where matches: Matches?) {
    guard let matches, sweeps.count < PendingCacheChanges.Limits().sweepCount else {
      (keys, sweeps, changed) = ([], [nil], [])
      return
    }
    sweeps.append(matches)
    changed = changed.filter { !matches($0.url) }
  }

  /// An entry was stored or removed.
  mutating func remove(_ key: ResourceKey) {
    keys.remove(key)
    if !sweeps.isEmpty, changed.count < Self.limit { changed.insert(key) }
  }

  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(keys.count <= Self.limit && changed.count <= Self.limit, "more than is remembered")
    precondition(keys.isDisjoint(with: changed), "an entry was removed, and could not be")
    precondition(!sweeps.isEmpty || changed.isEmpty, "newer than what removal")
  }

  /// The entries whose URL matches were removed; all if `matches` is nil.
  mutating func removeAll(where matches: Matches?) {
    guard let matches else { return self = FailedCacheRemovals() }
    keys = keys.filter { !matches($0.url) }
  }
}
