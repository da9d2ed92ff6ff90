/// Which pages a chain has, and which of them are linked.
extension PageChain {
  /// The number of items that the server has sent in the linked pages before a slot, hidden duplicates too.
  ///
  /// - Complexity: O(*p*) in the pages.
  func receivedCount(before slot: Int) -> Int {
    slots[..<min(slot, linkedCount)].reduce(0) { $0 + $1.receivedCount }
  }

  /// Whether the chain still has pages of an older chain.
  var hasStalePages: Bool { slots.count > linkedCount }

  /// Whether pages may be of different states of the server: one has changed since one after it was loaded or
  /// confirmed, and what has moved between them may be missing.
  ///
  /// - Parameter slot: the first of those pages.
  /// - Complexity: O(*p*) in the pages.
  func isMixed(from slot: Int = 0) -> Bool {
    var newestChange = 0
    return slots.dropFirst(max(slot, 0)).contains { slot in
      let isOlder = slot.load < newestChange
      newestChange = max(newestChange, slot.changingLoad)
      return isOlder
    }
  }

  /// Whether the linked pages end with a page that has no next page.
  var isComplete: Bool {
    guard linkedCount > 0, !hasStalePages, case .end = slots[linkedCount - 1].next
    else {
      return false
    }
    return true
  }

  /// How far the linked pages reach.
  var linkedExtent: ListExtent {
    let count = linkedItemCount
    return ListExtent(
      itemCount: count, itemEnd: firstItemIndex + count, pageEnd: firstPageIndex + linkedCount)
  }
}

/// How far the linked pages of a list reach.
struct ListExtent {
  /// How many items they show.
  var itemCount: Int
  /// The index after the last of these, counted as ``PageChain/firstItemIndex`` counts them.
  var itemEnd: Int
  /// The index after the last page, counted as ``PageChain/firstPageIndex`` counts them.
  var pageEnd: Int
}

// MARK: - Changes

extension PageChain {
  /// Adds a loaded page after the linked ones.
  ///
  /// Stale pages are removed for it: those before the page that it leads back to; all of them, if
  /// the list ends with it; those whose items it covers, by their identities; or else one.
  ///
  /// - Complexity: O(*m*) in the items of the page; O(*p*) in the pages if slots move.
  mutating func append(_ page: LoadedPage) {
    let index = linkedCount
    let room = coveredCount(by: page)
    if room == 0 {
      insertSlot(page, at: index)
    } else {
      // One slot serves the new page, so that nothing moves if pages are replaced one by one.
      removeSlots((index + 1)..<(index + room))
      fillSlot(index, with: page)
    }
    linkedCount = index + 1
    joinStalePages()
  }

  /// Adds a loaded page before the first one.
  ///
  /// If it does not lead to the former first page, all pages that it does not lead to become
  /// stale.
  ///
  /// - Parameter isNamed: whether the former first page names it as its previous page; then it
  ///   leads to that page.
  /// - Complexity: O(*n*) in the items, which move.
  mutating func prepend(_ page: LoadedPage, isNamed: Bool) {
    let frontGrowth = insertSlot(page, at: 0)
    firstPageIndex -= 1
    linkedCount += 1
    // The first item that stays keeps its index, even if hidden copies were removed with the
    // change.
    firstItemIndex -= items(of: 0).count + frontGrowth
    if isNamed { assumeNext(at: 0) }
    relink(0)
  }

  /// Replaces the content of a page, and its next page.
  ///
  /// - Returns: whether other pages follow than before.
  /// - Complexity: O(*m*) in the items of the page, plus moving the items after them if their
  ///   number changes; pages that are removed cost O(*p*).
  mutating func update(at index: Int, _ page: LoadedPage) -> Bool {
    let (pages, linked) = (slots.count, linkedCount)
    // After the last one none may be loaded yet.
    let leadsElsewhere = index < linked && !slots[index].next.leads(as: page.next)
    updateSlot(at: index, page)
    relink(index)
    return leadsElsewhere || slots.count != pages || linkedCount != linked
  }

  /// Removes a page that has no content any more. Those after it become stale.
  mutating func remove(at index: Int) {
    removeSlots(index..<(index + 1))
    linkedCount = min(linkedCount, index)
  }

  /// Removes the first page.
  ///
  /// - Complexity: O(*n*) in the items, which move.
  mutating func removeFirst() {
    let count = items(of: 0).count
    firstPageIndex += 1
    let frontGrowth = removeSlots(0..<1)
    firstItemIndex += count - frontGrowth
    linkedCount -= 1
  }

  mutating func removeAll(from index: Int) {
    removeSlots(index..<slots.count)
    linkedCount = min(linkedCount, index)
  }

  /// Makes all pages stale, except those that are linked with the new first page.
  mutating func restart(at page: AnyObject) {
    (linkedCount, firstItemIndex, firstPageIndex) = (0, 0, 0)
    guard let first = index(of: ObjectIdentifier(page)) else { return }
    removeSlots(0..<first)
    linkedCount = 1
    joinStalePages()
  }

  /// Removes all pages, and counts from 0 again.
  mutating func reset() {
    removeAll(from: 0)
    (firstItemIndex, firstPageIndex) = (0, 0)
  }
}

// MARK: - Links

extension PageChain {
  /// Links what follows a page whose next page may have changed.
  private mutating func relink(_ index: Int) {
    guard index < linkedCount else { return }
    if index + 1 < linkedCount,
      slots[index].next.isPage(slots[index + 1].page)
    {
      return
    }
    linkedCount = index + 1
    joinStalePages()
  }

  /// Links the stale pages that the linked ones lead to, and removes those that they skip.
  private mutating func joinStalePages() {
    while linkedCount < slots.count {
      switch slots[linkedCount - 1].next {
      case .end:
        removeSlots(linkedCount..<slots.count)
      case .page(let page):
        guard let index = index(of: ObjectIdentifier(page)), index >= linkedCount else {
          return removeCovered()
        }
        removeSlots(linkedCount..<index)
        linkedCount += 1
      case .refused:
        // The pages after it stay visible, stale.
        return
      }
    }
  }

  /// Removes the stale pages whose items the last linked page covers.
  private mutating func removeCovered() {
    let last = slots[linkedCount - 1]
    guard let ids = last.ids,
      let end = endOfCoverage(by: ids, of: last.id, from: linkedCount)
    else { return }
    removeSlots(linkedCount..<end)
  }

  /// How many stale pages a new page replaces.
  private func coveredCount(by page: LoadedPage) -> Int {
    let stale = linkedCount
    guard stale < slots.count else { return 0 }
    switch page.next {
    case .end: return slots.count - stale
    case .page(let next):
      if let index = index(of: ObjectIdentifier(next)), index >= stale {
        return index - stale
      }
    case .refused: break
    }
    guard let ids = page.ids else { return 1 }
    return endOfCoverage(by: ids, of: page.id, from: stale).map { $0 - stale } ?? 1
  }

  /// How far the items of an earlier page cover the stale pages: the first page that has more items
  /// after the last common one. Nil if there are no common items.
  ///
  /// An item that several other pages hold is ignored: one that is on every page would keep the
  /// older chain, and the walk, forever.
  private func endOfCoverage(
    by ids: [AnyHashable?], of page: ObjectIdentifier, from stale: Int
  ) -> Int? {
    var last: Int?
    var isCovered = false
    for case let id? in ids {
      guard let other = onlyIndex(holding: id, otherThan: page),
        other >= last ?? stale
      else { continue }
      if other != last { isCovered = false }
      last = other
      isCovered = isCovered || slots[other].ids?.last == id
    }
    return last.map { isCovered ? $0 + 1 : $0 }
  }
}
