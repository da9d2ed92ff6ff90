/// Values with deadlines, the earliest first: a pure value.
///
/// A binary heap that knows the position of every element. Deadlines mostly come in order, because
/// most have the same distance, so a new element mostly stays where it is added.
struct DeadlineQueue<Value> {
  /// Identifies a deadline: its slot, and how often that was used before.
  ///
  /// A deadline that has passed may still be removed by its owner: the slot may belong to another one by then.
  struct ID: Equatable {
    fileprivate let slot: Int
    fileprivate let use: Int
  }

  private struct Entry {
    let deadline: Duration
    let slot: Int
  }

  /// The value of an entry, which is not moved with it.
  private struct Slot {
    /// Nil if the slot is free.
    var value: Value?
    /// The position of its entry in the heap.
    var position: Int
    /// How often it was released.
    var use = 0
  }

  private var heap: [Entry] = []
  private var slots: [Slot] = []
  /// The slots without a value.
  private var free: [Int] = []

  /// Whether there are no deadlines.
  var isEmpty: Bool { heap.isEmpty }
  /// How many there are.
  var count: Int { heap.count }

  /// The earliest deadline; nil if there is none.
  var earliest: Duration? { heap.first?.deadline }

  /// Sets the deadline of a value.
  ///
  /// - Complexity: O(log *d*) in the number of deadlines; O(1) for one that is not before the others.
  mutating func insert(_ value: consuming Value, at deadline: Duration) -> ID {
    let slot: Int
    if let unused = free.popLast() {
      slot = unused
      slots[slot].value = value
      slots[slot].position = heap.count
    } else {
      slot = slots.count
      slots.append(Slot(value: value, position: heap.count))
    }
    heap.append(Entry(deadline: deadline, slot: slot))
    rise(from: heap.count - 1)
    return ID(slot: slot, use: slots[slot].use)
  }

  /// Removes a deadline; does nothing if it has passed or was removed.
  ///
  /// - Complexity: O(log *d*).
  mutating func remove(_ id: ID) {
    if slots.indices.contains(id.slot), slots[id.slot].use == id.use { removeValue(in: id.slot) }
  }

  /// Removes the earliest deadline, if it has passed, and returns its value.
  ///
  /// - Complexity: O(log *d*).
  mutating func popExpired(at now: Duration) -> Value? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    return removeValue(in: first.slot)
  }

  @discardableResult
  private mutating func removeValue(in slot: Int) -> Value? {
    let (value, position) = (slots[slot].value.take(), slots[slot].position)
    slots[slot].use += 1
    free.append(slot)
    let last = heap.removeLast()
    guard position < heap.count else { return value }
    put(last, at: position)
    rise(from: position)
    sink(from: position)
    return value
  }

  private mutating func rise(from position: Int) {
    var position = position
    while position > 0 {
      let parent = (position - 1) / 2
      guard heap[position].deadline < heap[parent].deadline else { return }
      swap(position, parent)
      position = parent
    }
  }

  private mutating func sink(from position: Int) {
    var position = position
    while true {
      var least = 2 * position + 1
      guard least < heap.count else { return }
      if least + 1 < heap.count, heap[least + 1].deadline < heap[least].deadline { least += 1 }
      guard heap[least].deadline < heap[position].deadline else { return }
      swap(position, least)
      position = least
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    let entry = heap[left]
    put(heap[right], at: left)
    put(entry, at: right)
  }

  private mutating func put(_ entry: Entry, at position: Int) {
    heap[position] = entry
    slots[entry.slot].position = position
  }
}

extension DeadlineQueue {
  /// Stops the program if an invariant does not hold. For tests; O(*d*).
  func checkInvariants() {
    for (position, entry) in heap.enumerated() {
      let slot = slots[entry.slot]
      precondition(slot.value != nil && slot.position == position, "slot \(entry.slot): position")
      precondition(
        position == 0 || heap[(position - 1) / 2].deadline <= entry.deadline,
        "slot \(entry.slot): before its parent")
    }
    precondition(Set(free).count == free.count, "a slot is free twice: \(free)")
    precondition(free.allSatisfy { slots[$0].value == nil }, "a free slot has a value")
    precondition(free.count + heap.count == slots.count, "a slot is lost")
  }
}
