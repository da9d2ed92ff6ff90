/// Items of one page that are shown together.
struct ItemRun {
  /// A ``ContentBox`` of a ``Page`` of the list's items.
  let content: AnyObject
  /// Where they are among the items of the page.
  let range: Range<Int>
  /// Which items of the page are left out; empty for none.
  var isHidden: [Bool] = []

  /// The items.
  ///
  /// - Complexity: O(1) where none is left out.
  func items<Item: Sendable>() -> ArraySlice<Item> {
    let items = unsafeDowncast(content, to: ContentBox<Page<Item>>.self).value.items
    // By numbers: `[...]` is not specialized, and takes as long as all the rest.
    guard !isHidden.isEmpty else { return items[range] }
    return ArraySlice(range.lazy.filter { !isHidden[$0] }.map { items[$0] })
  }
}

/// One step that the chain of pages asks of the merged array.
struct ItemEdit {
  /// Where the step begins.
  let offset: Int
  /// How many items go.
  let removedCount: Int
  /// What these are, where they are of one page.
  var removed: ItemRun?
  /// What comes in their place.
  var inserted: ItemRun?

  /// The items that go.
  var range: Range<Int> { offset..<(offset + removedCount) }
}
