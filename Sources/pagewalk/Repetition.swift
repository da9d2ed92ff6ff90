import Freshet

/// Finds a server that ignores the page number or the offset, and sends one page again and again.
///
/// Two equal pages may come from items that were inserted between both requests; three in a row, of
/// objects, are taken for one page.
@MainActor
struct Repetition {
  /// The index of the first page with the items of the two before it; nil for none.
  private(set) var page: Int?
  private var comparedCount = 0
  private var equalCount = 0

  /// Compares the pages that are new at the end of a list with those before them.
  ///
  /// - Complexity: O(*n*) in the bytes of the new pages.
  mutating func look(at list: PagedCollection<JSONText>) {
    while page == nil, comparedCount < list.pageCount {
      let index = comparedCount
      comparedCount += 1
      if index > 0, isCopy(list.page(at: index).content, of: list.page(at: index - 1).content) {
        equalCount += 1
        if equalCount == 2 { page = index }
      } else {
        equalCount = 0
      }
    }
  }

  private func isCopy(_ page: Page<JSONText>?, of other: Page<JSONText>?) -> Bool {
    guard let page, let other else { return false }
    return page.style.isCounting && page.items.first?.kind == .object && page.items == other.items
  }
}
