/// Counts in a row whose running totals are asked for and changed all the time: a Fenwick tree.
///
/// One element more or less at the end, a changed count, and the total before any element cost
/// O(log *n*); a change in the middle costs O(*n*).
struct PrefixCounts {
  /// `tree[i]` is the sum of the `i & -i` counts that end at the `i`-th, counted from 1.
  private var tree: [Int] = [0]
  private var counts: [Int] = []

  var count: Int { counts.count }
  /// The sum of all counts.
  var total: Int { sum(before: counts.count) }

  subscript(index: Int) -> Int {
    get { counts[index] }
    set {
      let difference = newValue - counts[index]
      guard difference != 0 else { return }
      counts[index] = newValue
      var node = index + 1
      while node < tree.count {
        tree[node] += difference
        node += node & -node
      }
    }
  }

  /// The sum of the counts before an index.
  func sum(before index: Int) -> Int {
    var sum = 0
    var node = index
    while node > 0 {
      sum += tree[node]
      node -= node & -node
    }
    return sum
  }

  mutating func append(_ count: Int) {
    counts.append(count)
    let node = counts.count
    // The children of the new node are complete already.
    tree.append(count + sum(before: node - 1) - sum(before: node - node & -node))
  }

  /// The element that a running total falls into: the one of which there is something behind the first
  /// `total`. Where there is nothing behind them, the number of elements.
  func index(containing total: Int) -> Int {
    var index = 0
    var rest = total
    var step = counts.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - counts.count.leadingZeroBitCount)
    while step > 0 {
      let node = index + step
      if node < tree.count, tree[node] <= rest {
        index = node
        rest -= tree[node]
      }
      step /= 2
    }
    return index
  }

  mutating func insert(_ count: Int, at index: Int) {
    let moved = counts[index...]
    counts.removeSubrange(index...)
    tree.removeSubrange((index + 1)...)
    append(count)
    for count in moved { append(count) }
  }

  mutating func removeSubrange(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let kept = counts[range.upperBound...]
    counts.removeSubrange(range.lowerBound...)
    tree.removeSubrange((range.lowerBound + 1)...)
    for count in kept { append(count) }
  }
}
