import Freshet

/// Finds a server that ignores the page number, the offset or the token, and sends one page again and
/// again.
///
/// Two equal pages may come from items that were inserted between both requests, where these are counted,
/// or from items that have no identity; three in a row, of objects, are taken for one page. With tokens,
/// two equal pages of several different objects are.
@MainActor
struct Repetition {
  /// A page that came again.
  struct Copy {
    /// Its index.
    let page: Int
    /// The index of its first item, if none of it has to be printed; nil for one that is known too late.
    let firstItem: Int?
    let style: PageStyle
  }

  /// The first page that is a copy; nil for none.
  private(set) var copy: Copy?
  private var comparedCount = 0
  private var equalCount = 0

  /// Compares the pages that are new at the end of a list with those before them.
  ///
  /// - Complexity: O(*n*) in the bytes of the new pages.
  mutating func look(at list: PagedCollection<JSONText>) {
    while copy == nil, comparedCount < list.pageCount {
      let index = comparedCount
      comparedCount += 1
      guard index > 0, let page = list.page(at: index).content,
        isCopy(page, of: list.page(at: index - 1).content)
      else {
        equalCount = 0
        continue
      }
      equalCount += 1
      if page.style.sendsToken, page.areItemsDistinct {
        let firstItem = list.itemRange(ofPage: index).lowerBound
        copy = Copy(page: index, firstItem: firstItem, style: page.style)
      } else if equalCount == 2 {
        copy = Copy(page: index, firstItem: nil, style: page.style)
      }
    }
  }

  private func isCopy(_ page: Page<JSONText>, of other: Page<JSONText>?) -> Bool {
    (page.style.isCounting || page.style.sendsToken) && page.items.first?.kind == .object
      && page.items == other?.items
  }
}

extension Page<JSONText> {
  /// Whether there are several items, and no two are equal.
  fileprivate var areItemsDistinct: Bool { items.count > 1 && Set(items).count == items.count }
}
