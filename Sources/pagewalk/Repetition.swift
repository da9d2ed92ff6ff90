import Freshet

/// Finds a server that ignores the page number, the offset or the token, and sends one page again and
/// again.
///
/// Two equal pages may come from items that were inserted between both requests, if these are counted,
/// or from items that have no identity; three in a row, of objects, are taken for one page. With tokens,
/// two equal pages of several different objects are. A list is whole if the page that comes again is shorter
/// than the first one, or all items that the server counts came before.
///
/// If items have identities, as many pages in a row as may be empty are a loop if all their items equal earlier
/// ones: the list may have begun again. Items of known identities that differ are a log, whose identity is coarse.
@MainActor
struct Repetition {
  /// How many pages without new items there may be in a row.
  let limit: Int
  /// Whether items have identities.
  let hasIdentities: Bool
  /// A page that came again.
  struct Copy {
    /// The index of the last copy.
    let page: Int
    /// How many copies of one page came.
    let count: Int
    /// The index of the first item of the first copy.
    let firstItem: Int
    /// Whether other pages came before.
    let isAfterOthers: Bool
    /// Whether the page that came again is the last one of the list: for some servers each later number is
    /// that of the last page.
    let isEnd: Bool
    let style: PageStyle

    /// The number of pages without the copies.
    var originalCount: Int { page + 1 - count }
  }

  /// The page that came again; nil for none.
  private(set) var copy: Copy?
  /// The index of the first item of pages that may be copies: they are printed once it is known that they are
  /// not.
  private(set) var firstDoubtfulItem: Int?
  /// The index of the page at which too many in a row have brought no new items; nil for none.
  private(set) var pageWithoutNewItems: Int?
  private var comparedCount = 0
  private var equalCount = 0
  private var knownCount = 0
  /// The hashes of the items of the pages, if they have identities.
  private var hashes: Set<Int> = []

  init(_ options: Options) {
    limit = options.maximumEmptyPages
    hasIdentities = options.identity != nil
  }

  /// Whether a page or the whole list came again.
  var isFound: Bool { copy != nil || pageWithoutNewItems != nil }

  /// Compares the pages that are new at the end of a list with those before them.
  ///
  /// - Complexity: O(*n*) in the bytes of the new pages.
  mutating func look(at list: PagedCollection<JSONText>) {
    while !isFound, comparedCount < list.pageCount {
      let index = comparedCount
      comparedCount += 1
      let isKnown = hasEarlierItems(list.page(at: index).content)
      knownCount = isKnown && list.itemRange(ofPage: index).isEmpty ? knownCount + 1 : 0
      // Pages that are all empty are counted by the list.
      if knownCount >= limit, let page = list.page(at: index).content, page.next != nil,
        !page.items.isEmpty
      {
        pageWithoutNewItems = index
      }
      guard index > 0, let page = list.page(at: index).content,
        isCopy(page, of: list.page(at: index - 1).content)
      else {
        (equalCount, firstDoubtfulItem) = (0, nil)
        continue
      }
      // For some servers each later number in a link is that of the last page, which says that it is that.
      let isAfterLast = list.page(at: index - 1).content?.hasStatedEnd == true
      equalCount += 1
      let firstItem = firstDoubtfulItem ?? list.itemRange(ofPage: index).lowerBound
      firstDoubtfulItem = firstItem
      guard equalCount == 2 || isAfterLast || page.style.sendsToken && page.areItemsDistinct else {
        continue
      }
      let isAfterOthers = index > equalCount
      let isShort = page.items.count < list.page(at: 0).content?.items.count ?? 0
      copy = Copy(
        page: index, count: equalCount, firstItem: firstItem, isAfterOthers: isAfterOthers,
        isEnd: isAfterLast
          || isAfterOthers && page.style.isCounting
            && (isShort || page.totalCount.map { firstItem >= $0 } ?? false),
        style: page.style)
    }
  }

  /// Whether all items of a page equal items of the pages before it.
  private mutating func hasEarlierItems(_ page: Page<JSONText>?) -> Bool {
    guard hasIdentities else { return true }
    let new = (page?.items ?? []).map(\.compact.hashValue)
    defer { hashes.formUnion(new) }
    return hashes.isSuperset(of: new)
  }

  private func isCopy(_ page: Page<JSONText>, of other: Page<JSONText>?) -> Bool {
    (page.style.isCounting || page.style.sendsToken || other?.hasStatedEnd == true)
      && page.items.first?.kind == .object && page.items == other?.items
  }
}

extension Page<JSONText> {
  /// Whether there are several items, and no two are equal.
  fileprivate var areItemsDistinct: Bool { items.count > 1 && Set(items).count == items.count }
}
