/// Values in the order of their numbers, which are added mostly at the end and removed anywhere.
///
/// A removed value leaves an empty slot. Those at the ends are freed, the ones at the front not before
/// there are as many as others, and those in between when the memory would have to grow: so each value is
/// moved a constant number of times. Mostly there is one value at most.
struct NumberedList<ID: Comparable, Value> {
  private struct Slot {
    let id: ID
    /// Nil once it was removed.
    var value: Value?
    /// In the first slot: how many slots are empty from there on.
    var emptyCount: Int32 = 0
  }

  /// Neither the last slot is empty nor the one at `head`.
  private var slots: [Slot] = []
  private var head: Int { Int(slots.first?.emptyCount ?? 0) }

  var isEmpty: Bool { slots.isEmpty }
  /// The value with the greatest number.
  var last: (id: ID, value: Value)? {
    guard let slot = slots.last, let value = slot.value else { return nil }
    return (slot.id, value)
  }

  /// All values, in order.
  ///
  /// - Complexity: O(*n*).
  var all: [(id: ID, value: Value)] {
    slots.compactMap { slot in slot.value.map { (slot.id, $0) } }
  }

  /// The value with the greatest number that satisfies the predicate.
  ///
  /// - Complexity: O(*n*).
  func last(where isWanted: (Value) -> Bool) -> (id: ID, value: Value)? {
    for slot in slots.reversed() {
      if let value = slot.value, isWanted(value) { return (slot.id, value) }
    }
    return nil
  }

  /// Calls a closure with each value, in order.
  func forEach(_ body: (Value) -> Void) {
    for slot in slots { if let value = slot.value { body(value) } }
  }

  /// The value with that number.
  ///
  /// - Complexity: O(log *n*).
  subscript(id: ID) -> Value? { index(of: id).flatMap { slots[$0].value } }

  /// Adds a value.
  ///
  /// - Complexity: amortized O(1) at the end, O(*n*) elsewhere.
  mutating func insert(_ value: Value, for id: ID) {
    if let last = slots.last, id < last.id {
      removeEmptySlots()
      slots.insert(Slot(id: id, value: value), at: firstIndex(from: id))
    } else {
      if slots.count > 1, slots.count == slots.capacity { removeEmptySlots() }
      slots.append(Slot(id: id, value: value))
    }
  }

  /// Changes the value with that number, if there is one.
  mutating func update(_ id: ID, _ change: (inout Value) -> Void) {
    guard let index = index(of: id), var value = slots[index].value else { return }
    change(&value)
    slots[index].value = value
  }

  /// Removes the value with that number, if there is one.
  ///
  /// - Complexity: amortized O(log *n*).
  @discardableResult
  mutating func remove(_ id: ID) -> Value? {
    guard let index = index(of: id) else { return nil }
    let value = slots[index].value.take()
    if index == slots.count - 1 || index == head { removeEmptyEnds() }
    return value
  }

  /// Removes the values from the first on whose numbers satisfy the predicate.
  ///
  /// - Returns: the removed values.
  /// - Complexity: amortized O(1) for each of them.
  mutating func removeFirst(while isRemoved: (ID) -> Bool) -> NumberedList {
    guard let last = slots.last else { return NumberedList() }
    if isRemoved(last.id) { return take() }
    var removed = NumberedList()
    while isRemoved(slots[head].id) {
      let index = head
      if let value = slots[index].value.take() { removed.insert(value, for: slots[index].id) }
      removeEmptyEnds()
    }
    return removed
  }

  /// Removes all values.
  mutating func take() -> NumberedList {
    defer { slots = [] }
    return self
  }

  private func index(of id: ID) -> Int? {
    let index = firstIndex(from: id)
    guard index < slots.count, slots[index].value != nil, slots[index].id == id else { return nil }
    return index
  }

  /// The first slot whose number is at least this one.
  private func firstIndex(from id: ID) -> Int {
    (head..<slots.count).partitionPoint { slots[$0].id >= id }
  }

  private mutating func removeEmptyEnds() {
    while let last = slots.last, last.value == nil { slots.removeLast() }
    // Without its memory: most resources are not loading.
    guard !slots.isEmpty else { return slots = [] }
    var head = head
    while slots[head].value == nil { head += 1 }
    if head * 2 >= slots.count {
      slots.removeFirst(head)
    } else {
      slots[0].emptyCount = Int32(clamping: head)
    }
  }

  private mutating func removeEmptySlots() {
    slots.removeAll { $0.value == nil }
  }

  /// Stops the program if an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(zip(slots, slots.dropFirst()).allSatisfy { $0.id < $1.id })
    guard let last = slots.last else { return }
    precondition(last.value != nil && slots[head].value != nil && head * 2 < slots.count)
    precondition(slots[..<head].allSatisfy { $0.value == nil })
    precondition(slots.dropFirst().allSatisfy { $0.emptyCount == 0 })
  }

  /// How many slots there are, empty ones included: what the memory is measured by.
  var slotCount: Int { slots.count }
}
