/// Where in an array objects are, by their identity: a hash table of places alone.
///
/// It keeps no objects: who asks looks whether an object is at a place. Nothing is ever taken out, but
/// what is put in may take the slot of a place that is out of use; when places have moved the table is
/// made anew.
struct IdentityTable {
  private static let none: Int32 = -1

  /// Open addressing: a place is in the first free slot from the one that the identity hashes to. Their
  /// number is a power of two.
  private var slots: [Int32]
  /// How many slots are taken.
  private(set) var count = 0

  /// Makes a table with room for that many places.
  init(capacity: Int) {
    var size = 16
    while size * 3 < capacity * 4 { size *= 2 }
    slots = Array(repeating: IdentityTable.none, count: size)
  }

  /// Whether there is room for another place.
  var hasRoom: Bool { (count + 1) * 4 <= slots.count * 3 }

  /// Adds a place. There has to be room.
  ///
  /// It takes the first slot on its way whose place is out of use: otherwise an object that is added and
  /// removed many times would leave a slot each time, all of them on the way to the next. No slot
  /// becomes free by that, so every other place is found as before.
  ///
  /// - Parameter isInUse: whether a place is still one of an object; what is not never will be again.
  /// - Complexity: O(1) on average.
  mutating func insert(
    _ place: Int, of identity: ObjectIdentifier, whereNot isInUse: (Int) -> Bool
  ) {
    precondition(hasRoom, "IdentityTable.insert: it is full; make one with a larger capacity")
    var slot = firstSlot(of: identity)
    while slots[slot] != IdentityTable.none, isInUse(Int(slots[slot])) { slot = following(slot) }
    if slots[slot] == IdentityTable.none { count += 1 }
    slots[slot] = Int32(place)
  }

  /// The first place with that hash that satisfies the predicate.
  ///
  /// - Complexity: O(1) on average.
  func first(of identity: ObjectIdentifier, where isSought: (Int) -> Bool) -> Int? {
    var slot = firstSlot(of: identity)
    while slots[slot] != IdentityTable.none {
      let place = Int(slots[slot])
      if isSought(place) { return place }
      slot = following(slot)
    }
    return nil
  }

  private func firstSlot(of identity: ObjectIdentifier) -> Int {
    identity.quickHash & (slots.count - 1)
  }

  private func following(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }
}
