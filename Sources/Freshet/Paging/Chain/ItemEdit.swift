/// Items of one page that are shown together.
struct ItemRun {
  /// A ``ContentBox`` of a ``Page`` of the list's items.
  let content: AnyObject
  let range: Range<Int>
  /// Which items of the page are hidden; nil for none.
  var isHidden: [Bool]?

  func items<Item: Sendable>() -> ArraySlice<Item> {
    let items = unsafeDowncast(content, to: ContentBox<Page<Item>>.self).value.items
    guard let isHidden else { return items[range] }
    return ArraySlice(range.lazy.filter { !isHidden[$0] }.map { items[$0] })
  }
}

/// One edit of the merged array that the chain of pages asks for.
struct ItemEdit {
  /// The items in the array that are removed.
  let range: Range<Int>
  /// The same items, where they are of one page.
  var removed: ItemRun?
  /// The items that are inserted in their place.
  var inserted: ItemRun?
}
