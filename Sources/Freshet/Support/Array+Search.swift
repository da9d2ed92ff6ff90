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

extension Array where Element: Comparable {
  /// Whether an array in ascending order has an element.
  ///
  /// - Complexity: O(log *n*) in the number of elements.
  func containsInOrder(_ element: Element) -> Bool {
    let position = partitionPoint { $0 >= element }
    return position < count && self[position] == element
  }
}
