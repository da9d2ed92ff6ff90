/// Which pages hold each item, and which of these pages shows it.
struct ItemCopies {
  typealias PageID = ObjectIdentifier

  private struct Holders {
    var shown: PageID
    /// A set, because every page may hold a copy.
    var hidden: Set<PageID> = []
  }

  private var holders: [AnyHashable: Holders] = [:]
  /// How many copies are hidden because another page shows the item.
  private(set) var hiddenCount = 0

  func page(showing id: AnyHashable) -> PageID? { holders[id]?.shown }

  /// The pages that hold an item without showing it, in no order.
  func pages(hiding id: AnyHashable) -> Set<PageID> {
    hiddenCount == 0 ? [] : holders[id]?.hidden ?? []
  }

  /// The only page other than this one that holds an item.
  func onlyPage(holding id: AnyHashable, otherThan page: PageID) -> PageID? {
    guard let holders = holders[id] else { return nil }
    if holders.shown != page {
      return holders.hidden.isEmpty || holders.hidden == [page] ? holders.shown : nil
    }
    return holders.hidden.count == 1 ? holders.hidden.first : nil
  }

  /// Records that a page holds an item, perhaps not for the first time.
  ///
  /// - Parameter rank: the page of the smallest rank shows the item.
  /// - Returns: the page that no longer shows it.
  mutating func claim(_ id: AnyHashable, _ page: PageID, rank: (PageID) -> Int) -> PageID? {
    guard let owner = holders[id]?.shown else {
      holders[id] = Holders(shown: page)
      return nil
    }
    guard owner != page else { return nil }
    guard rank(page) < rank(owner) else {
      hide(id, page)
      return nil
    }
    unhide(id, page)
    hide(id, owner)
    holders[id]?.shown = page
    return owner
  }

  /// Records that a page no longer holds an item.
  ///
  /// - Returns: the other page that shows it now.
  mutating func release(_ id: AnyHashable, _ page: PageID, rank: (PageID) -> Int) -> PageID? {
    guard let known = holders[id] else { return nil }
    guard known.shown == page else {
      unhide(id, page)
      return nil
    }
    guard let next = known.hidden.min(by: { rank($0) < rank($1) }) else {
      holders[id] = nil
      return nil
    }
    unhide(id, next)
    holders[id]?.shown = next
    return next
  }

  private mutating func hide(_ id: AnyHashable, _ page: PageID) {
    if holders[id]?.hidden.insert(page).inserted == true { hiddenCount += 1 }
  }

  private mutating func unhide(_ id: AnyHashable, _ page: PageID) {
    if holders[id]?.hidden.remove(page) != nil { hiddenCount -= 1 }
  }
}

extension ItemCopies {
  func checkInvariants(ids: [PageID: [AnyHashable]], rank: (PageID) -> Int) {
    var pages: [AnyHashable: Set<PageID>] = [:]
    for (page, ids) in ids { for id in ids { pages[id, default: []].insert(page) } }
    precondition(pages.count == holders.count, "items that no page holds")
    for (id, pages) in pages {
      guard let holders = holders[id] else { preconditionFailure("\(id): unknown") }
      precondition(holders.hidden.union([holders.shown]) == pages, "\(id): pages")
      precondition(!holders.hidden.contains(holders.shown), "\(id): shown and hidden")
      precondition(holders.hidden.allSatisfy { rank($0) >= rank(holders.shown) }, "\(id): rank")
    }
    precondition(hiddenCount == holders.values.reduce(0) { $0 + $1.hidden.count }, "hidden")
  }
}
