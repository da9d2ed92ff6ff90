extension Array where Element: Comparable {
  /// Whether an array whose elements grow has this one.
  ///
  /// - Complexity: O(log *n*) in the number of elements.
  func containsInOrder(_ element: Element) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == element
  }
}
