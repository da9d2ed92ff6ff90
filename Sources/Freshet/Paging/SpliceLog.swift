/// Splices in the order in which they were made, each to be applied to the array that the one before it
/// left.
///
/// Kept with their number: a generic array that is asked for its count looks up its type at run time,
/// which takes longer than most changes.
struct SpliceLog<Item: Sendable> {
  private(set) var inOrder: [Splice<Item>] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  init() {}

  init(_ splices: [Splice<Item>]) {
    inOrder = splices
    count = splices.count
  }

  mutating func append(_ splice: Splice<Item>) {
    inOrder.append(splice)
    count += 1
  }

  mutating func append(_ log: SpliceLog) {
    guard !isEmpty else { return self = log }
    inOrder += log.inOrder
    count += log.count
  }
}
