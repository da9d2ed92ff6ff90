/// The slot of each page of a chain. Not generic, like ``PageSlot``.
struct PageIndices {
  /// Counted from `origin`.
  private var indices: [ObjectIdentifier: Int] = [:]
  /// What the first page has there; smaller by one with every page that comes before it.
  private var origin = 0

  var count: Int { indices.count }

  /// The index of a page, nil where it is not in the chain.
  ///
  /// - Complexity: O(1).
  subscript(page: ObjectIdentifier) -> Int? {
    get { indices[page].map { $0 - origin } }
    set { indices[page] = newValue.map { $0 + origin } }
  }

  /// Pages came before all others, or went there: the index of each of these changes by as much.
  ///
  /// - Complexity: O(1).
  mutating func shift(by count: Int) { origin -= count }
}
