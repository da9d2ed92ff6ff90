/// The longest increasing subsequence: as many as can keep their order.
package enum LongestIncreasing {
  /// The indices of the elements of one of the longest increasing subsequences, ascending.
  ///
  /// - Complexity: O(*n* log *n*).
  package static func indices(of values: [Int]) -> [Int] {
    // `ends[n]` is the index of the smallest value that ends a subsequence of n + 1 elements.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
      let length = ends.partitionPoint { values[$0] >= value }
      before[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var found: [Int] = []
    var next = ends.last
    while let index = next {
      found.append(index)
      next = before[index]
    }
    return found.reversed()
  }
}
