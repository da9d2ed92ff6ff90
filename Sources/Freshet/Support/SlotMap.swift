/// Values at small numbers, which are reused once their values were removed.
struct SlotMap<Value> {
  /// The number of a value.
  typealias Slot = Int

  private var slots: [Value?] = []
  /// The slots without a value.
  private var free: [Slot] = []

  init() {}

  /// How many values there are.
  var count: Int { slots.count - free.count }

  /// All values.
  ///
  /// - Complexity: O(*n*) in the most that there were at one time.
  var values: [Value] { slots.compactMap { $0 } }

  /// The value in a slot; nil for none.
  subscript(slot: Slot) -> Value? { slots.indices.contains(slot) ? slots[slot] : nil }

  /// Adds a value in any slot that has none.
  ///
  /// - Complexity: amortized O(1).
  mutating func insert(_ value: consuming Value) -> Slot {
    guard let slot = free.popLast() else {
      slots.append(value)
      return slots.count - 1
    }
    slots[slot] = value
    return slot
  }

  /// Removes the value of a slot, which must have one.
  ///
  /// - Complexity: amortized O(1).
  mutating func remove(at slot: Slot) {
    slots[slot] = nil
    free.append(slot)
  }
}

extension SlotMap where Value: AnyObject {
  /// Removes an object that the caller holds, if it is in that slot.
  mutating func remove(_ object: Value, at slot: Slot) {
    guard slots.indices.contains(slot), slots[slot] === object else { return }
    remove(at: slot)
  }
}

extension SlotMap {
  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(Set(free).count == free.count, "a slot is free twice: \(free)")
    precondition(free.allSatisfy { slots[$0] == nil }, "a free slot has a value")
    precondition(slots.count { $0 == nil } == free.count, "a slot is lost")
  }
}
