extension Array {
  /// The index of the first element after a point, in an array in which these are at the end.
  ///
  /// - Complexity: O(log *n*).
  func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        isAfter(self[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }
}
