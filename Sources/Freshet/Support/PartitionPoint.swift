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
