/// The loaded pages of one list in chain order: a pure value.
///
/// The leading pages are linked: each is what the page before it names as the next. After them there
/// may be a stale suffix: pages of an older chain, whose items stay visible until new pages cover them,
/// lead back to one of them, or end the list.
///
/// With an identity, an item that several pages hold is shown once; the merged array is the concatenation
/// of what each page shows. The chain knows how many items that is and where they are; ``takeEdits()``
/// says what is to be done to the array itself.
struct PageChain {
  /// The pages, the linked ones first.
  private(set) var slots: [PageSlot] = []
  /// How many leading pages are linked.
  private(set) var linkedCount = 0
  /// The number of the first item, counted from the one that was first when the list was loaded:
  /// negative when items came before it, positive when pages were dropped there.
  private(set) var firstItemIndex = 0
  /// The number of the first page, counted in the same way.
  private(set) var firstPageIndex = 0
  /// How many items are hidden.
  private(set) var duplicateCount = 0

  /// Which one of several copies of an item is shown, where items have an identity.
  let choice: ItemChoice

  /// What is to be done to the merged array.
  private var edits: [ItemEdit] = []
  /// The pages that are no longer in the chain, to be taken by the owner of the chain.
  private var removedPages: [AnyObject] = []
  /// Content that is no longer in the chain, but for what is in an edit. It is released by the owner of
  /// the chain, outside of the access that changes the chain: the end of an item may run code that reads
  /// the list.
  private var removedContent: [AnyObject] = []

  private var counts = PrefixCounts()
  private var places = PagePlaces()
  private var copies = ItemCopies<ObjectIdentifier>()
  /// The newest of ``PageSlot/sequence``.
  private var sequence = 0

  init(showing choice: ItemChoice = .first) {
    self.choice = choice
  }
}

// MARK: - Reading

extension PageChain {
  /// How many items the linked pages show.
  var linkedItemCount: Int { counts.sum(before: linkedCount) }
  /// Whether pages of an older chain are still there.
  var hasStalePages: Bool { slots.count > linkedCount }
  /// Whether the linked pages lead to a page that names no other.
  var isComplete: Bool {
    guard linkedCount > 0, !hasStalePages, case .end = slots[linkedCount - 1].loaded.next else {
      return false
    }
    return true
  }

  /// The slot of a page; nil where it is not in the chain.
  ///
  /// - Complexity: O(1).
  func position(of page: ObjectIdentifier) -> Int? { places[page] }

  /// Where the items of a page are in the merged array.
  ///
  /// - Complexity: O(1).
  func items(of index: Int) -> Range<Int> {
    counts.sum(before: index)..<counts.sum(before: index + 1)
  }

  /// The slot that shows the item at an offset, and which of the page's shown items it is.
  ///
  /// - Complexity: O(log *p*) in the number of pages.
  func slot(showing offset: Int) -> (index: Int, offset: Int) {
    let index = counts.index(containing: offset)
    return (index, offset - counts.sum(before: index))
  }

  /// The slots that hold an item, the one that shows it first, and the others in chain order.
  ///
  /// - Complexity: O(*c* log *c*) in the number of them.
  func slots(holding id: AnyHashable) -> [Int] {
    guard let owner = copies.page(showing: id).flatMap(position) else { return [] }
    return [owner] + copies.pages(hiding: id).compactMap(position).sorted()
  }

  /// Where the item of an identity is in the merged array.
  ///
  /// - Complexity: O(*m*) in the items of its page.
  func offset(of id: AnyHashable) -> Int? {
    guard let index = copies.page(showing: id).flatMap(position),
      let item = slots[index].loaded.ids?.firstIndex(of: id)
    else { return nil }
    return counts.sum(before: index) + item - slots[index].isHidden.prefix(item).count { $0 }
  }
}

// MARK: - Changes

extension PageChain {
  /// Adds a loaded page after the linked ones.
  ///
  /// Stale pages make room for it: those before the page that it leads back to; all of them, if the
  /// list ends with it; those that its items cover, by their identities; or else one.
  ///
  /// - Complexity: O(*m*) in the items of the page; O(*p*) in the pages where slots move.
  mutating func append(_ page: AnyObject, _ loaded: LoadedPage) {
    let index = linkedCount
    let room = coveredCount(by: page, loaded)
    if room == 0 {
      insertSlot(page, loaded, at: index)
    } else {
      // One slot serves the new page, so that nothing moves where pages are replaced one by one.
      removeSlots((index + 1)..<(index + room))
      fill(index, with: loaded, of: page)
    }
    linkedCount = index + 1
    joinStalePages()
  }

  /// Adds a loaded page before the first one.
  ///
  /// Where it does not lead to the page that was the first, all pages that it does not lead to become
  /// stale.
  ///
  /// - Parameter isNamed: whether the page that was the first names it as the previous one; then that is
  ///   what it leads to.
  /// - Complexity: O(*n*) in the items, which move.
  mutating func prepend(_ page: AnyObject, _ loaded: LoadedPage, isNamed: Bool) {
    let lead = insertSlot(page, loaded, at: 0)
    firstPageIndex -= 1
    linkedCount += 1
    // The first item that stays keeps its number, also where copies of others went with the change.
    firstItemIndex -= counts[0] + lead
    if isNamed { slots[0].loaded.next = .page(slots[1].page) }
    slots[0].isNextAssumed = isNamed
    relink(0)
  }

  /// Replaces what a page holds, and what it names as the next one.
  ///
  /// - Returns: whether other pages follow than before.
  /// - Complexity: O(*m*) in the items of the page, beside moving the items after them where their
  ///   number changes; pages that are removed cost O(*p*).
  mutating func update(at index: Int, _ loaded: LoadedPage) -> Bool {
    let (pages, linked) = (slots.count, linkedCount)
    if loaded.hasSameItems {
      removedContent.append(slots[index].loaded.content)
      slots[index].loaded = loaded
    } else {
      fill(index, with: loaded, of: slots[index].page)
    }
    slots[index].isNextAssumed = false
    relink(index)
    return slots.count != pages || linkedCount != linked
  }

  /// Records that the server has confirmed a page: its copies are the newest again.
  mutating func confirm(at index: Int) {
    guard choice == .newest, let ids = slots[index].loaded.ids else { return }
    sequence += 1
    slots[index].sequence = sequence
    guard copies.hiddenCount > 0 else { return }
    let page = slots[index].id
    filter(claim(ids, for: page) + [page])
  }

  /// Removes a page that holds nothing any more. Those after it become stale.
  mutating func remove(at index: Int) {
    removeSlots(index..<(index + 1))
    linkedCount = min(linkedCount, index)
  }

  /// Removes the first page.
  ///
  /// - Complexity: O(*n*) in the items, which move.
  mutating func removeFirst() {
    let count = counts[0]
    firstPageIndex += 1
    let lead = removeSlots(0..<1)
    firstItemIndex += count - lead
    linkedCount -= 1
  }

  /// Removes all pages from a slot on.
  mutating func removeAll(from index: Int) {
    removeSlots(index..<slots.count)
    linkedCount = min(linkedCount, index)
  }

  /// Makes all pages stale, but those that are linked with a page that is to be the first.
  mutating func restart(at page: AnyObject) {
    (linkedCount, firstItemIndex, firstPageIndex) = (0, 0, 0)
    guard let first = position(of: ObjectIdentifier(page)) else { return }
    removeSlots(0..<first)
    linkedCount = 1
    joinStalePages()
  }

  /// Removes all pages, and numbers from 0 again.
  mutating func reset() {
    removeAll(from: 0)
    (firstItemIndex, firstPageIndex) = (0, 0)
  }

  /// What is to be done to the merged array since this was asked last, in order.
  mutating func takeEdits() -> [ItemEdit] { edits.take() }

  /// The pages that were removed since this was asked last.
  mutating func takeRemovedPages() -> [AnyObject] { removedPages.take() }

  /// The content that was removed since this was asked last, to be released.
  mutating func takeRemovedContent() -> [AnyObject] { removedContent.take() }
}

// MARK: - Links

extension PageChain {
  /// Finds out what follows a page that may name another one than before.
  private mutating func relink(_ index: Int) {
    guard index < linkedCount else { return }
    if index + 1 < linkedCount, slots[index].loaded.next.isPage(slots[index + 1].page) { return }
    linkedCount = index + 1
    joinStalePages()
  }

  /// Links the stale pages that the linked ones lead to, and removes those that they pass by.
  private mutating func joinStalePages() {
    while linkedCount < slots.count {
      switch slots[linkedCount - 1].loaded.next {
      case .end:
        removeSlots(linkedCount..<slots.count)
      case .page(let page):
        guard let place = position(of: ObjectIdentifier(page)), place >= linkedCount else {
          return removeCovered()
        }
        removeSlots(linkedCount..<place)
        linkedCount += 1
      case .refused:
        // What follows stays visible, stale.
        return
      }
    }
  }

  /// Removes the stale pages that the last linked one covers with its items.
  private mutating func removeCovered() {
    let last = slots[linkedCount - 1]
    guard let ids = last.loaded.ids,
      let end = endOfCoverage(by: ids, of: last.id, from: linkedCount)
    else { return }
    removeSlots(linkedCount..<end)
  }

  /// How many stale pages a new page takes the place of.
  private func coveredCount(by page: AnyObject, _ loaded: LoadedPage) -> Int {
    let stale = linkedCount
    guard stale < slots.count else { return 0 }
    switch loaded.next {
    case .end: return slots.count - stale
    case .page(let next):
      if let place = position(of: ObjectIdentifier(next)), place >= stale { return place - stale }
    case .refused: break
    }
    guard let ids = loaded.ids else { return 1 }
    return endOfCoverage(by: ids, of: ObjectIdentifier(page), from: stale).map { $0 - stale } ?? 1
  }

  /// How far the stale pages are covered by the items of a page before them: the first one that has
  /// more items after the last that both have. Nil where they have none in common.
  ///
  /// An item that several other pages hold says nothing: one that is on every page would keep the
  /// older chain, and the walk, for ever.
  private func endOfCoverage(
    by ids: [AnyHashable?], of page: ObjectIdentifier, from stale: Int
  ) -> Int? {
    var last: Int?
    var isCovered = false
    for case let id? in ids {
      guard let other = copies.onlyPage(holding: id, otherThan: page).flatMap(position),
        other >= last ?? stale
      else { continue }
      if other != last { isCovered = false }
      last = other
      isCovered = isCovered || slots[other].loaded.ids?.last == id
    }
    return last.map { isCovered ? $0 + 1 : $0 }
  }
}

// MARK: - Slots

extension PageChain {
  /// - Returns: what ``filter(_:)`` returns.
  @discardableResult
  private mutating func insertSlot(_ page: AnyObject, _ loaded: LoadedPage, at index: Int) -> Int {
    if index == 0, !slots.isEmpty {
      places.shift(by: 1)
    } else {
      for moved in index..<slots.count { places[slots[moved].id] = moved + 1 }
    }
    places[ObjectIdentifier(page)] = index
    slots.insert(PageSlot(page: page, loaded: loaded), at: index)
    if index == counts.count { counts.append(0) } else { counts.insert(0, at: index) }
    return show(index, instead: nil, releasing: [])
  }

  /// Shows a page in a slot, instead of what the slot holds: another page, or the same one.
  private mutating func fill(_ index: Int, with loaded: LoadedPage, of page: AnyObject) {
    let old = slots[index].shown
    var others: [ObjectIdentifier] = []
    if let known = slots[index].loaded.ids {
      let kept = Set((slots[index].page === page ? loaded.ids ?? [] : []).lazy.compactMap { $0 })
      others = release(
        known.filter { id in id.map { !kept.contains($0) } ?? false }, of: slots[index].id)
    }
    if slots[index].page !== page {
      removedPages.append(slots[index].page)
      places[slots[index].id] = nil
      places[ObjectIdentifier(page)] = index
      slots[index].page = page
    }
    slots[index].loaded = loaded
    show(index, instead: old, releasing: others)
  }

  /// Shows the items of a slot.
  ///
  /// - Parameters:
  ///   - old: what the slot showed until now.
  ///   - others: pages that show items from now on which the slot has held.
  /// - Returns: what ``filter(_:)`` returns.
  @discardableResult
  private mutating func show(
    _ index: Int, instead old: ItemRun?, releasing others: [ObjectIdentifier]
  ) -> Int {
    var lead = 0
    if let ids = slots[index].loaded.ids {
      sequence += 1
      slots[index].sequence = sequence
      let others = others + claim(ids, for: slots[index].id)
      setHidden(hidden(in: index), at: index)
      lead = filter(others)
    }
    let (offset, count) = (counts.sum(before: index), counts[index])
    counts[index] = slots[index].loaded.itemCount - slots[index].hiddenCount
    // One for an empty page too: content that is replaced is released with it.
    if old != nil || counts[index] > 0 {
      edits.append(
        ItemEdit(
          offset: offset, removedCount: count, removed: old, inserted: slots[index].shown))
    }
    return lead
  }

  /// - Returns: what ``filter(_:)`` returns.
  @discardableResult
  private mutating func removeSlots(_ range: Range<Int>) -> Int {
    guard !range.isEmpty else { return 0 }
    removeItems(counts.sum(before: range.lowerBound)..<counts.sum(before: range.upperBound))
    var others: [ObjectIdentifier] = []
    // From the last one, so that an item which is on every page passes from page to page at no cost.
    for slot in slots[range].reversed() {
      removedPages.append(slot.page)
      removedContent.append(slot.loaded.content)
      duplicateCount -= slot.hiddenCount
      if let ids = slot.loaded.ids { others += release(ids, of: slot.id) }
    }
    for slot in slots[range] { places[slot.id] = nil }
    slots.removeSubrange(range)
    counts.removeSubrange(range)
    if range.lowerBound == 0 {
      places.shift(by: -range.count)
    } else {
      for index in range.lowerBound..<slots.count { places[slots[index].id] = index }
    }
    return filter(others)
  }

  private mutating func removeItems(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    edits.append(ItemEdit(offset: range.lowerBound, removedCount: range.count))
  }
}

// MARK: - Copies of items

extension PageChain {
  /// Records that a page no longer holds items.
  ///
  /// - Returns: the pages that show one of them from now on.
  private mutating func release(
    _ ids: [AnyHashable?], of page: ObjectIdentifier
  ) -> [ObjectIdentifier] {
    let rank = ranking
    return ids.compactMap { id in id.flatMap { copies.release($0, page, rank: rank) } }
  }

  /// Records that a page holds items.
  ///
  /// - Returns: the pages that no longer show one of them.
  private mutating func claim(
    _ ids: [AnyHashable?], for page: ObjectIdentifier
  ) -> [ObjectIdentifier] {
    let rank = ranking
    return ids.compactMap { id in id.flatMap { copies.claim($0, page, rank: rank) } }
  }

  /// Which of several pages shows an item: the one of the smallest number.
  private var ranking: (ObjectIdentifier) -> Int {
    let (slots, places, choice) = (slots, places, choice)
    return { page in
      guard let place = places[page] else { return .max }
      return choice == .newest ? -slots[place].sequence : place
    }
  }

  /// Which items of a page are hidden; empty where none is.
  private func hidden(in index: Int) -> [Bool] {
    guard let ids = slots[index].loaded.ids else { return [] }
    let page = slots[index].id
    var seen: Set<AnyHashable> = []
    let isHidden = ids.map { id in
      id.map { copies.page(showing: $0) != page || !seen.insert($0).inserted } ?? false
    }
    return isHidden.contains(true) ? isHidden : []
  }

  private mutating func setHidden(_ isHidden: [Bool], at index: Int) {
    duplicateCount -= slots[index].hiddenCount
    slots[index].isHidden = isHidden
    duplicateCount += slots[index].hiddenCount
  }

  /// Shows and hides items of pages whose copies have changed.
  ///
  /// - Returns: how many items came, less those that went, before the first one that stays.
  @discardableResult
  private mutating func filter(_ pages: [ObjectIdentifier]) -> Int {
    guard !pages.isEmpty else { return 0 }
    var (lead, front) = (0, 0)
    // In ascending order, so that what goes from the front is seen to be at the front.
    for index in Set(pages.compactMap(position)).sorted() {
      filter(index) { offset, count in
        guard offset == front else { return }
        lead += count
        front += max(count, 0)
      }
    }
    return lead
  }

  /// - Parameter note: called with the place of items and how many came; negative where they went.
  private mutating func filter(_ index: Int, _ note: (_ offset: Int, _ count: Int) -> Void) {
    let old = slots[index]
    guard old.loaded.ids != nil else { return }
    setHidden(hidden(in: index), at: index)
    let new = slots[index]
    var offset = counts.sum(before: index)
    var item = 0
    while item < old.loaded.itemCount {
      // Together what is shown or hidden together.
      let start = item
      let wasHidden = old.hides(start)
      while item < old.loaded.itemCount, old.hides(item) == wasHidden, new.hides(item) != wasHidden
      {
        item += 1
      }
      if item == start {
        item += 1
        if !wasHidden { offset += 1 }
      } else if wasHidden {
        let run = ItemRun(content: old.loaded.content, range: start..<item)
        edits.append(ItemEdit(offset: offset, removedCount: 0, inserted: run))
        note(offset, item - start)
        offset += item - start
      } else {
        removeItems(offset..<(offset + item - start))
        note(offset, start - item)
      }
    }
    counts[index] = new.loaded.itemCount - new.hiddenCount
  }
}

// MARK: - Invariants

extension PageChain {
  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(counts.count == slots.count && places.count == slots.count)
    precondition(linkedCount >= 0 && linkedCount <= slots.count)
    for (index, slot) in slots.enumerated() {
      precondition(position(of: slot.id) == index, "page \(index): position")
      precondition(
        index == 0 || index >= linkedCount || slots[index - 1].loaded.next.isPage(slot.page),
        "page \(index): not linked")
      precondition(
        items(of: index).count == slot.loaded.itemCount - slot.hiddenCount, "page \(index): count")
    }
    precondition(duplicateCount == slots.reduce(0) { $0 + $1.hiddenCount })
  }
}
