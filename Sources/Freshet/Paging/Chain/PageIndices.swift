/// The slot index of each page of a chain. Not generic, like ``PageSlot``.
struct PageIndices {
  /// Counted from `origin`.
  private var indices: [ObjectIdentifier: Int] = [:]
  /// The stored index of the first page; smaller by one with every page that is added before it.
  private var origin = 0

  var count: Int { indices.count }

  /// The index of a page, nil where it is not in the chain.
  ///
  /// - Complexity: O(1).
  subscript(page: ObjectIdentifier) -> Int? {
    get { indices[page].map { $0 - origin } }
    set { indices[page] = newValue.map { $0 + origin } }
  }

  /// Shifts the index of every page, after pages were added or removed before all others.
  ///
  /// - Complexity: O(1).
  mutating func shift(by count: Int) { origin -= count }
}
