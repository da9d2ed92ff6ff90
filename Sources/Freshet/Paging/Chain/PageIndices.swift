/// Where each page of a chain is. Not generic, like ``PageSlot``.
struct PagePlaces {
  /// Counted from `origin`.
  private var places: [ObjectIdentifier: Int] = [:]
  /// The place of the first page; smaller by one with every page that comes before it.
  private var origin = 0

  var count: Int { places.count }

  /// The index of a page, nil where it is not in the chain.
  ///
  /// - Complexity: O(1).
  subscript(page: ObjectIdentifier) -> Int? {
    get { places[page].map { $0 - origin } }
    set { places[page] = newValue.map { $0 + origin } }
  }

  /// Pages came before all others, or went there: the index of each of these changes by as much.
  ///
  /// - Complexity: O(1).
  mutating func shift(by count: Int) { origin -= count }
}
