/// The deadlines of work in progress, the earliest first: a pure value.
///
/// A binary heap that knows the position of every element. Deadlines mostly come in order, because
/// most have the same distance, so a new element mostly stays where it is added.
struct DeadlineQueue {
  /// Identifies a deadline: a small number, reused once it is free.
  typealias ID = Int

  private struct Entry {
    let deadline: Duration
    let id: ID
  }

  private var heap: [Entry] = []
  /// The position of each deadline in the heap, by its number.
  private var positions: [Int?] = []

  /// Whether there are no deadlines.
  var isEmpty: Bool { heap.isEmpty }
  /// How many there are.
  var count: Int { heap.count }

  /// The earliest deadline; nil if there is none.
  var earliest: Duration? { heap.first?.deadline }

  /// Whether that number has a deadline.
  func contains(_ id: ID) -> Bool { positions.indices.contains(id) && positions[id] != nil }

  /// Sets a deadline under a number that has none.
  ///
  /// - Complexity: O(log *d*) in the number of deadlines; O(1) for one that is not before the others.
  mutating func insert(_ id: ID, at deadline: Duration) {
    if id >= positions.count {
      positions += repeatElement(nil, count: id + 1 - positions.count)
    }
    precondition(positions[id] == nil, "DeadlineQueue.insert: \(id) has a deadline already")
    heap.append(Entry(deadline: deadline, id: id))
    positions[id] = heap.count - 1
    rise(from: heap.count - 1)
  }

  /// Removes a deadline, if there is one.
  ///
  /// - Complexity: O(log *d*).
  mutating func remove(_ id: ID) {
    guard positions.indices.contains(id), let position = positions[id] else { return }
    positions[id] = nil
    let last = heap.removeLast()
    guard position < heap.count else { return }
    put(last, at: position)
    rise(from: position)
    sink(from: position)
  }

  /// Removes the earliest deadline, if it has passed.
  ///
  /// - Complexity: O(log *d*).
  mutating func popExpired(at now: Duration) -> ID? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    remove(first.id)
    return first.id
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
    positions[entry.id] = position
  }
}

extension DeadlineQueue {
  /// Stops the program if an invariant does not hold. For tests; O(*d*).
  func checkInvariants() {
    for (position, entry) in heap.enumerated() {
      precondition(positions[entry.id] == position, "deadline \(entry.id): position")
      precondition(
        position == 0 || heap[(position - 1) / 2].deadline <= entry.deadline,
        "deadline \(entry.id): before its parent")
    }
    precondition(positions.count { $0 != nil } == heap.count, "a number without a deadline")
  }
}
