/// One loaded page of a chain, and what it shows.
struct PageSlot {
  var page: AnyObject
  var loaded: LoadedPage
  /// Whether the next page is known only because it names this one as its previous page. True until
  /// the page is visited the next time.
  var isNextAssumed = false
  /// Which items are hidden, because another page shows them or the page repeats them; empty for none.
  var isHidden: [Bool] = []
  /// When the page was received or confirmed, as a number that grows.
  var sequence = 0

  var id: ObjectIdentifier { ObjectIdentifier(page) }

  var hiddenCount: Int { isHidden.isEmpty ? 0 : isHidden.count { $0 } }

  func hides(_ item: Int) -> Bool { !isHidden.isEmpty && isHidden[item] }

  /// The index in the page of the item shown at an offset; the page's item count or more for an
  /// offset past the shown items.
  ///
  /// - Complexity: O(1) where none is hidden, otherwise O(*m*) in the items of the page.
  func itemIndex(shownAt offset: Int) -> Int {
    guard !isHidden.isEmpty else { return offset }
    return isHidden.indices.lazy.filter { !isHidden[$0] }.dropFirst(offset).first ?? isHidden.count
  }

  var shown: ItemRun {
    ItemRun(content: loaded.content, range: 0..<loaded.itemCount, isHidden: isHidden)
  }
}
