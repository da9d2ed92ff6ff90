/// A hash table of the positions that objects have in an array, by identity.
///
/// It stores no objects: the caller checks whether an object is at a position. Nothing is ever
/// removed, but a new position may take the slot of a position that is no longer in use; when positions have
/// moved the table is made again.
struct IdentityTable {
  private static let none: Int32 = -1

  /// Open addressing: a position is in the first free slot from the one that the identity hashes to.
  /// The number of slots is a power of two.
  private var slots: [Int32]
  /// How many slots are used.
  private(set) var count = 0

  /// Makes a table with room for that many positions.
  init(capacity: Int) {
    var size = 16
    while size * 3 < capacity * 4 { size *= 2 }
    slots = Array(repeating: IdentityTable.none, count: size)
  }

  /// Whether there is room for another position.
  var hasRoom: Bool { (count + 1) * 4 <= slots.count * 3 }

  /// Adds a position. There has to be room.
  ///
  /// It takes the first slot in its probe sequence whose position is not in use: otherwise an object
  /// that is added and removed many times would use up a slot each time, all of them before the
  /// next one. No slot becomes free by that, so every other position is found as before.
  ///
  /// - Parameter isInUse: whether a position still belongs to an object; if not, it never will again.
  /// - Complexity: O(1) on average.
  mutating func insert(
    _ position: Int, of identity: ObjectIdentifier, whereNot isInUse: (Int) -> Bool
  ) {
    precondition(hasRoom, "IdentityTable.insert: it is full; make one with a larger capacity")
    var slot = firstSlot(of: identity)
    while slots[slot] != IdentityTable.none, isInUse(Int(slots[slot])) { slot = following(slot) }
    if slots[slot] == IdentityTable.none { count += 1 }
    slots[slot] = Int32(position)
  }

  /// The first position with that hash that satisfies the predicate.
  ///
  /// - Complexity: O(1) on average.
  func first(of identity: ObjectIdentifier, where isSought: (Int) -> Bool) -> Int? {
    var slot = firstSlot(of: identity)
    while slots[slot] != IdentityTable.none {
      let position = Int(slots[slot])
      if isSought(position) { return position }
      slot = following(slot)
    }
    return nil
  }

  private func firstSlot(of identity: ObjectIdentifier) -> Int {
    identity.quickHash & (slots.count - 1)
  }

  private func following(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }
}
