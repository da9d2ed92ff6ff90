/// The merged array of a list, and the splices that changed it.
///
/// Comparing items may run code of the program that reads the list, so the change of an edit is
/// computed by ``splice(for:_:areEqual:)``, which only reads, and ``apply(_:_:_:)`` only writes.
struct MergedItems<Item: Sendable> {
  /// The items that all pages show, in chain order.
  private(set) var items: [Item] = []
  /// The changes of `items` since the splices were taken last.
  private(set) var splices = SpliceLog<Item>()

  /// The splice that observers receive for an edit: without items that are equal to those they
  /// replace.
  ///
  /// - Parameter new: the inserted items.
  func splice(
    for edit: ItemEdit, _ new: ArraySlice<Item>, areEqual: ((Item, Item) -> Bool)?
  ) -> PagedChange<Item>.Splice {
    var old: ArraySlice<Item> = []
    if let removed = edit.removed {
      old = removed.items()
    } else if edit.removedCount > 0 {
      // Copied: a slice of the whole array would make its next change copy all of it.
      old = Array(items[edit.range])[...]
    }
    return PagedChange.Splice(at: edit.offset, replacing: old, with: new, areEqual: areEqual)
  }

  /// - Parameters:
  ///   - range: the items that go.
  ///   - new: the items that come.
  ///   - splice: what ``splice(for:_:areEqual:)`` found.
  mutating func apply(
    _ range: Range<Int>, _ new: ArraySlice<Item>, _ splice: PagedChange<Item>.Splice
  ) {
    // All of them: items that are equal need not be the same, where `==` compares only some members.
    items.replace(range, with: new)
    if !splice.isEmpty { splices.append(splice) }
  }

  /// Puts earlier splices, which have yet to be taken, before these.
  mutating func prepend(_ earlier: SpliceLog<Item>) {
    guard !earlier.isEmpty else { return }
    let later = takeSplices()
    splices = earlier
    splices.append(later)
  }

  /// The splices since they were taken last.
  mutating func takeSplices() -> SpliceLog<Item> {
    guard !splices.isEmpty else { return splices }
    defer { splices = SpliceLog() }
    return splices
  }
}
