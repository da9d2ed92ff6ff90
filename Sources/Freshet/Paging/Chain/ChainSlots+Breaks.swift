/// Where a chain is broken: the slots that are not loaded, or not what the page before them names.
extension ChainSlots {
  /// Whether a slot is what the one before it leads to.
  func isNamedByPrevious(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    guard case .page(let page)? = slots[index - 1].next else { return false }
    return page === slots[index].page
  }

  mutating func addBreak(at index: Int) {
    let place = breakPlace(of: index)
    if place == breaks.count || breaks[place] != index { breaks.insert(index, at: place) }
  }

  mutating func removeBreak(at index: Int) {
    let place = breakPlace(of: index)
    if place < breaks.count, breaks[place] == index { breaks.remove(at: place) }
  }

  /// Where a slot is among the breaks, or would be: after a log-out every slot is one.
  private func breakPlace(of index: Int) -> Int {
    var range = breaks.startIndex..<breaks.endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = breaks[middle] < index ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(counts.count == slots.count && places.count == slots.count)
    precondition(breaks == breaks.sorted())
    for (index, slot) in slots.enumerated() {
      precondition(position(of: slot.id) == index, "slot \(index): position")
      precondition(
        slot.next != nil || breaks.contains(index), "slot \(index): not loaded, no break")
      let isLinked = slot.next != nil && isNamedByPrevious(index)
      precondition(isLinked || breaks.contains(index), "slot \(index): not linked, no break")
    }
  }
}
