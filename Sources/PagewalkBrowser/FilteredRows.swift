import Freshet

/// The rows of a list of which only some items are shown: the indices of these items, in order.
struct FilteredRows: Equatable {
  private(set) var items: [Int]

  /// - Complexity: O(*n*) in the items.
  init(itemCount: Int, where isShown: (Int) -> Bool) {
    items = (0..<itemCount).filter(isShown)
  }

  /// Follows a change of the list; only inserted items are compared with the filter.
  ///
  /// - Complexity: for each splice, O(*m*) in the rows and the inserted items.
  mutating func apply<Item>(_ change: PagedChange<Item>, where isShown: (Item) -> Bool) {
    for splice in change.splices {
      let removed = splice.removedRange
      let rows = row(ofItem: removed.lowerBound)..<row(ofItem: removed.upperBound)
      let shift = splice.insertedItems.count - removed.count
      if shift != 0 {
        for row in rows.upperBound..<items.count { items[row] += shift }
      }
      let inserted = zip(splice.insertedRange, splice.insertedItems)
        .filter { isShown($0.1) }.map(\.0)
      items.replaceSubrange(rows, with: inserted)
    }
  }

  /// The row of an item, or of the first one after it that is shown.
  ///
  /// - Complexity: O(log *m*) in the rows.
  func row(ofItem index: Int) -> Int {
    var range = 0..<items.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = items[middle] < index ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
