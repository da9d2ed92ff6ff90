/// How many items each page of a list shows, with their running totals.
///
/// A plain array of totals: summing ten thousand of them again takes less time than moving the items
/// of one page, which is what a change in the middle does anyway.
struct PrefixCounts {
  /// The total of all counts up to and including each element.
  private var ends: [Int] = []

  var count: Int { ends.count }
  var total: Int { ends.last ?? 0 }

  /// A count. Setting one is O(*n*) in the elements after it if it changes, and O(1) for the last.
  subscript(index: Int) -> Int {
    get { ends[index] - sum(before: index) }
    set { move(from: index, by: newValue - self[index]) }
  }

  /// The sum of the counts before an index.
  func sum(before index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

  mutating func append(_ count: Int) { ends.append(total + count) }

  /// The element that a running total falls into: the first one whose items end after `total`; the
  /// number of elements if there is none.
  ///
  /// - Complexity: O(log *n*).
  func index(containing total: Int) -> Int { ends.partitionPoint { $0 > total } }

  /// - Complexity: O(*n*) in the elements after it.
  mutating func insert(_ count: Int, at index: Int) {
    ends.insert(sum(before: index), at: index)
    move(from: index, by: count)
  }

  /// - Complexity: O(*n*) in the elements after the range.
  mutating func removeSubrange(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let removed = sum(before: range.upperBound) - sum(before: range.lowerBound)
    ends.removeSubrange(range)
    move(from: range.lowerBound, by: -removed)
  }

  private mutating func move(from index: Int, by difference: Int) {
    guard difference != 0 else { return }
    for index in index..<ends.count { ends[index] += difference }
  }
}

extension PrefixCounts {
  func checkInvariants() {
    precondition(
      zip([0] + ends, ends).allSatisfy { $0 <= $1 }, "totals that become smaller: \(ends)")
  }
}
