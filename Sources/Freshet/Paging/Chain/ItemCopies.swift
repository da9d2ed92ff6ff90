/// Which page shows each item, where several pages have a copy of it.
struct ItemCopies<PageID: Hashable> {
  private var shown: [AnyHashable: PageID] = [:]
  /// The pages that have a copy which is not shown. Sets, because every page may have one.
  private var spare: [AnyHashable: Set<PageID>] = [:]
  /// How many copies are not shown.
  private(set) var spareCount = 0

  /// The page that shows the item.
  func page(showing id: AnyHashable) -> PageID? { shown[id] }

  /// The pages that have a copy of the item which is not shown, in no order.
  func pages(hiding id: AnyHashable) -> Set<PageID> { spareCount == 0 ? [] : spare[id] ?? [] }

  /// Takes note that a page has the item, perhaps not for the first time.
  ///
  /// - Returns: the page that shows it no more.
  mutating func claim(
    _ id: AnyHashable, _ page: PageID, outranks: (PageID, PageID) -> Bool
  ) -> PageID? {
    guard let owner = shown[id] else {
      shown[id] = page
      return nil
    }
    guard owner != page else { return nil }
    guard outranks(page, owner) else {
      hide(id, page)
      return nil
    }
    removeSpare(id, page)
    hide(id, owner)
    shown[id] = page
    return owner
  }

  /// Takes note that a page has the item no more.
  ///
  /// - Returns: the page that shows it now, if that is another one.
  mutating func release(
    _ id: AnyHashable, _ page: PageID, outranks: (PageID, PageID) -> Bool
  ) -> PageID? {
    guard shown[id] == page else {
      removeSpare(id, page)
      return nil
    }
    let heir = spareCount == 0 ? nil : spare[id]?.min { outranks($0, $1) }
    shown[id] = heir
    if let heir { removeSpare(id, heir) }
    return heir
  }

  private mutating func hide(_ id: AnyHashable, _ page: PageID) {
    if spare[id, default: []].insert(page).inserted { spareCount += 1 }
  }

  private mutating func removeSpare(_ id: AnyHashable, _ page: PageID) {
    guard spareCount > 0, spare[id]?.remove(page) != nil else { return }
    if spare[id]?.isEmpty == true { spare[id] = nil }
    spareCount -= 1
  }
}
