/// The loads that the state of a resource counts, with their requests, oldest first.
struct LoadsInFlight {
  struct Load {
    let request: AnyRequest
    /// Whether the request was made elsewhere, so that cancelling the load leaves it alone.
    let isAdopted: Bool
    /// How many users want it: those that began or joined it, less those that have released it.
    var userCount = 1
  }

  private var loads = LoadList<ResourceState.LoadID, Load>()

  /// Whether releasing these ended loads may end a request beside the one that has just ended.
  var mayEndOthers: Bool {
    guard let last = loads.last else { return false }
    return loads.slotCount > 1 || last.value.isAdopted
  }
  /// The request of the newest load.
  var newestRequest: AnyRequest? { loads.last?.value.request }

  /// Joins a load.
  ///
  /// - Parameter isKnown: whether the user has begun or joined it before.
  /// - Returns: its request.
  mutating func join(_ id: ResourceState.LoadID, isKnown: Bool) -> AnyRequest? {
    if !isKnown { loads.update(id) { $0.userCount += 1 } }
    return loads[id]?.request
  }

  /// Records that a user of a load no longer wants it.
  ///
  /// - Returns: whether that was the last one.
  mutating func release(_ id: ResourceState.LoadID) -> Bool {
    loads.update(id) { $0.userCount -= 1 }
    return loads[id]?.userCount == 0
  }

  /// The loads whose outcome nothing but the resource receives.
  var unawaited: [ResourceState.LoadID] {
    loads.all.compactMap { id, load in load.isAdopted || load.request.isAwaited ? nil : id }
  }

  /// Whether a load receives what this request brings.
  func contains(_ request: AnyRequest) -> Bool {
    loads.all.contains { $0.value.request === request }
  }

  /// The newest load that is about to take over the response to a request which was made elsewhere and has
  /// ended.
  var adopting: ResourceState.LoadID? {
    loads.all.last { $0.value.isAdopted && $0.value.request.hasSucceeded }?.id
  }

  /// Adds a load, also where a newer one has begun before it is added.
  mutating func insert(_ load: Load, for id: ResourceState.LoadID) { loads.insert(load, for: id) }

  /// Removes the loads with these numbers.
  ///
  /// - Returns: the removed loads.
  mutating func remove(_ ids: [ResourceState.LoadID]) -> LoadsInFlight {
    var removed = LoadsInFlight()
    for id in ids { if let load = loads.remove(id) { removed.insert(load, for: id) } }
    return removed
  }

  /// Removes the oldest loads as far as they have ended.
  ///
  /// - Returns: the removed loads.
  mutating func removeEnded(_ hasEnded: (ResourceState.LoadID) -> Bool) -> LoadsInFlight {
    var removed = LoadsInFlight()
    removed.loads = loads.removeFirst(while: hasEnded)
    return removed
  }

  /// Removes all loads.
  mutating func take() -> LoadsInFlight {
    var removed = LoadsInFlight()
    removed.loads = loads.take()
    return removed
  }

  /// Cancels the requests, but for those that were made elsewhere.
  func cancel() {
    for (_, load) in loads.all where !load.isAdopted { load.request.cancel() }
  }
}

/// Values in the order of their numbers, which are added mostly at the end and removed anywhere.
///
/// A removed value leaves an empty slot. Those at the ends are freed, the ones at the front not before
/// there are as many as others, and those in between when the memory would have to grow: so each value is
/// moved a constant number of times. Mostly there is one value at most.
struct LoadList<ID: Comparable, Value> {
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
  mutating func removeFirst(while isRemoved: (ID) -> Bool) -> LoadList {
    guard let last = slots.last else { return LoadList() }
    if isRemoved(last.id) { return take() }
    var removed = LoadList()
    while isRemoved(slots[head].id) {
      let index = head
      if let value = slots[index].value.take() { removed.insert(value, for: slots[index].id) }
      removeEmptyEnds()
    }
    return removed
  }

  /// Removes all values.
  mutating func take() -> LoadList {
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
    var (low, high) = (head, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
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

  /// Stops the program where an invariant does not hold. For tests; O(*n*).
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
