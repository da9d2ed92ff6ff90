/// The merged array of a list, and the splices that changed it.
struct MergedItems<Item: Sendable> {
  /// The items that all pages show, in chain order.
  private(set) var items: [Item] = []
  /// The changes of `items` since the splices were taken last.
  private(set) var splices = SpliceLog<Item>()

  /// Applies an edit.
  ///
  /// No item is compared or released, because that may run code of the program that reads the list:
  /// the splice holds what is removed.
  ///
  /// - Parameter new: the inserted items.
  mutating func apply(_ edit: ItemEdit, _ new: ArraySlice<Item>) {
    var old: ArraySlice<Item> = []
    if let removed = edit.removed {
      old = removed.items()
    } else if edit.removedCount > 0 {
      // Copied: a slice of the whole array would make this change copy all of it.
      old = Array(items[edit.range])[...]
    }
    items.replace(edit.range, with: new)
    let splice = PagedChange.Splice(at: edit.offset, removing: old, inserting: new)
    if !splice.isEmpty { splices.append(splice) }
  }

  /// Inserts items without a splice.
  @inline(__always)
  mutating func insert(_ new: ArraySlice<Item>, at offset: Int) {
    items.replace(offset..<offset, with: new)
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
