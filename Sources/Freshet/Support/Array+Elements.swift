extension Array {
  /// Removes and returns all elements.
  mutating func take() -> Self {
    defer { self = [] }
    return self
  }

  /// Changes each element that satisfies a condition.
  mutating func edit(where isWanted: (Element) -> Bool, _ change: (inout Element) -> Void) {
    for index in indices where isWanted(self[index]) { change(&self[index]) }
  }

  /// Replaces elements: in place, if their number stays the same.
  ///
  /// - Complexity: O(*k*) in the new elements if their number stays the same; otherwise as
  ///   `replaceSubrange`.
  // Into lists, for the reason of ``ShownItems``.
  @inline(__always)
  mutating func replace(_ range: Range<Int>, with new: ArraySlice<Element>) {
    if range.lowerBound == count { return append(contentsOf: new) }
    guard range.count == new.count else { return replaceSubrange(range, with: new) }
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "Array.replace: \(range) of \(count)")
    withUnsafeMutableBufferPointer { target in
      new.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        (to + range.lowerBound).update(from: from, count: range.count)
      }
    }
  }
}

extension Range<Int> {
  /// The first number after a point, in a range in which these are at the end; the upper bound where there is none.
  ///
  /// - Complexity: O(log *n*).
  func partitionPoint(_ isAfter: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array {
  /// The index of the first element after a point, in an array in which these are at the end.
  ///
  /// - Complexity: O(log *n*).
  func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
    indices.partitionPoint { isAfter(self[$0]) }
  }
}
