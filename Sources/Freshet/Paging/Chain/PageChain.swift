/// The loaded pages of one list in chain order: a pure value.
///
/// The leading pages are linked: each is the next page of the one before it. After them there may
/// be a stale suffix: pages of an older chain, whose items stay visible until new pages cover them,
/// lead back to one of them, or end the list.
///
/// With an identity, an item that several pages hold is shown once; the merged array is the
/// concatenation of the items that each page shows. The chain knows how many items there are and
/// where; ``takeEdits()`` returns the edits of the array itself.
///
/// Here are the pages, each in its slot, and what they show; `PageChain+Links.swift` decides which pages there are.
struct PageChain {
  /// The pages, the linked ones first.
  private(set) var slots: [LoadedPage] = []

  // Changed by the methods in `PageChain+Links.swift` alone.

  var linkedCount = 0
  /// The index of the first item, counted from the first item when the list was loaded: negative
  /// when items were added before it, positive when pages were dropped there.
  var firstItemIndex = 0
  /// The index of the first page, counted in the same way.
  var firstPageIndex = 0

  /// How many items are hidden.
  private(set) var duplicateCount = 0
  /// Which one of several copies of an item is shown, if items have an identity.
  let choice: ItemChoice

  /// The edits of the merged array that were not taken yet.
  private var edits: [ItemEdit] = []
  /// The pages that were removed, to be taken by the owner of the chain.
  private var removedPages: [AnyObject] = []
  /// Content that was removed from its slot, unless an edit holds it. The owner of the chain
  /// releases it outside of the access that changes the chain: deallocating an item may run code
  /// that reads the list.
  private var removedContent: [AnyObject] = []

  /// The index of each page, counted from `origin`.
  private var indices: [ObjectIdentifier: Int] = [:]
  /// The stored index of the first page; smaller by one with every page that is added before it, so
  /// that no other index changes.
  private var origin = 0
  private var copies = ItemCopies()
  /// The newest of ``LoadedPage/sequence``.
  private var sequence = 0

  init(showing choice: ItemChoice = .first) {
    self.choice = choice
  }
}

// MARK: - Reading

extension PageChain {
  /// How many items the linked pages show.
  var linkedItemCount: Int { itemCount(before: linkedCount) }

  /// How many items the slots before an index show.
  func itemCount(before index: Int) -> Int { index == 0 ? 0 : slots[index - 1].itemsEnd }

  /// The slot of a page; nil if it has none.
  func index(of page: ObjectIdentifier) -> Int? { indices[page].map { $0 - origin } }

  /// The range of a page's items in the merged array.
  func items(of index: Int) -> Range<Int> {
    itemCount(before: index)..<slots[index].itemsEnd
  }

  /// The slot that shows the item at an offset, and the item's offset among those the slot shows.
  ///
  /// - Complexity: O(log *p*) in the number of pages.
  func index(showing offset: Int) -> (index: Int, offset: Int) {
    let index = slots.partitionPoint { $0.itemsEnd > offset }
    return (index, offset - itemCount(before: index))
  }

  /// The slots that hold an item: first the one that shows it, then the others in chain order.
  ///
  /// - Complexity: O(*c* log *c*) in the number of them.
  func indices(holding id: AnyHashable) -> [Int] {
    guard let owner = copies.page(showing: id).flatMap(index(of:)) else { return [] }
    return [owner] + copies.pages(hiding: id).compactMap(index(of:)).sorted()
  }

  /// The slot of the only page other than this one that holds an item.
  func onlyIndex(holding id: AnyHashable, otherThan page: ObjectIdentifier) -> Int? {
    copies.onlyPage(holding: id, otherThan: page).flatMap(index(of:))
  }

  /// The offset of an item in the merged array, by its identity.
  ///
  /// - Complexity: O(*m*) in the items of its page.
  func offset(of id: AnyHashable) -> Int? {
    guard let index = copies.page(showing: id).flatMap(index(of:)),
      let item = slots[index].ids?.firstIndex(of: id)
    else { return nil }
    let hidden = slots[index].isHidden?.prefix(item).count { $0 } ?? 0
    return itemCount(before: index) + item - hidden
  }
}

// MARK: - Slots

// For `PageChain+Links.swift` alone: these link nothing.

extension PageChain {
  /// Puts a page into a slot of its own.
  ///
  /// - Returns: the growth of the front by items of other slots; see ``updateHidden(in:)``.
  @discardableResult
  mutating func insertSlot(_ page: LoadedPage, at index: Int) -> Int {
    if index == 0, !slots.isEmpty {
      origin -= 1
    } else {
      for moved in index..<slots.count { indices[slots[moved].id] = moved + 1 + origin }
    }
    indices[page.id] = index + origin
    let offset = itemCount(before: index)
    if index == slots.count { slots.append(page) } else { slots.insert(page, at: index) }
    slots[index].itemsEnd = offset
    return show(index, instead: nil, releasing: [])
  }

  /// Replaces the page in a slot by another page, or by new content of the same page.
  mutating func fillSlot(_ index: Int, with page: LoadedPage) {
    let old = slots[index].shown
    let isSame = slots[index].id == page.id
    var others: [ObjectIdentifier] = []
    if let known = slots[index].ids {
      let kept = Set((isSame ? page.ids ?? [] : []).lazy.compactMap { $0 })
      others = release(
        known.filter { id in id.map { !kept.contains($0) } ?? false }, of: slots[index].id)
    }
    if !isSame {
      removedPages.append(slots[index].page)
      indices[slots[index].id] = nil
      indices[page.id] = index + origin
    }
    slots[index].replace(by: page)
    show(index, instead: old, releasing: others)
  }

  /// Shows the items of a slot.
  ///
  /// - Parameters:
  ///   - old: what the slot showed until now.
  ///   - others: pages that from now on show items which the slot has held.
  /// - Returns: the growth of the front by items of other slots; see ``updateHidden(in:)``.
  @discardableResult
  private mutating func show(
    _ index: Int, instead old: ItemRun?, releasing others: [ObjectIdentifier]
  ) -> Int {
    var frontGrowth = 0
    if let ids = slots[index].ids {
      sequence += 1
      slots[index].sequence = sequence
      let others = others + claim(ids, for: slots[index].id)
      setHidden(hidden(in: index), at: index)
      frontGrowth = updateHidden(in: others)
    }
    let range = items(of: index)
    let shownCount = slots[index].itemCount - slots[index].hiddenCount
    moveItems(by: shownCount - range.count, from: index)
    // One for an empty page too: content that is replaced is released with it.
    if old != nil || shownCount > 0 {
      edits.append(ItemEdit(range: range, removed: old, inserted: slots[index].shown))
    }
    return frontGrowth
  }

  /// Removes slots with their pages.
  ///
  /// - Returns: the growth of the front by items of other slots; see ``updateHidden(in:)``.
  @discardableResult
  mutating func removeSlots(_ range: Range<Int>) -> Int {
    guard !range.isEmpty else { return 0 }
    let removed = itemCount(before: range.lowerBound)..<itemCount(before: range.upperBound)
    removeItems(removed)
    var others: [ObjectIdentifier] = []
    // From the last one, so that an item on every page passes from page to page at no cost.
    for slot in slots[range].reversed() {
      removedPages.append(slot.page)
      removedContent.append(slot.content)
      duplicateCount -= slot.hiddenCount
      if let ids = slot.ids { others += release(ids, of: slot.id) }
    }
    for slot in slots[range] { indices[slot.id] = nil }
    slots.removeSubrange(range)
    moveItems(by: -removed.count, from: range.lowerBound)
    if range.lowerBound == 0 {
      origin += range.count
    } else {
      for index in range.lowerBound..<slots.count { indices[slots[index].id] = index + origin }
    }
    return updateHidden(in: others)
  }

  private mutating func removeItems(_ range: Range<Int>) {
    if !range.isEmpty { edits.append(ItemEdit(range: range)) }
  }

  /// Moves the ends of the items of a page and of those after it, because the number of its items has changed.
  ///
  /// - Complexity: O(*p*) in the pages from that one on: less than moving the items.
  private mutating func moveItems(by difference: Int, from index: Int) {
    guard difference != 0 else { return }
    for index in index..<slots.count { slots[index].itemsEnd += difference }
  }

  /// Replaces the content of a page, and its next page, which links nothing yet.
  mutating func updateSlot(at index: Int, _ page: LoadedPage) {
    let old = (load: slots[index].load, change: slots[index].changingLoad)
    if page.comparison == .same {
      removedContent.append(slots[index].content)
      slots[index].replace(by: page)
    } else {
      fillSlot(index, with: page)
    }
    slots[index].changingLoad = old.change
    // A local write makes the page no newer.
    if page.comparison == .edited { slots[index].load = old.load }
  }

  /// Makes the page in the next slot the next page of a page that it names as its previous one.
  mutating func assumeNext(at index: Int) {
    slots[index].next = .page(slots[index + 1].page)
    slots[index].isNextAssumed = true
  }

  /// Records that the server has confirmed a page: its copies are the newest again.
  mutating func confirm(at index: Int, by load: ResourceState.LoadID) {
    slots[index].load = load
    guard choice == .newest, let ids = slots[index].ids else { return }
    sequence += 1
    slots[index].sequence = sequence
    guard copies.hiddenCount > 0 else { return }
    let page = slots[index].id
    updateHidden(in: claim(ids, for: page) + [page])
  }

  /// Records that the last load of a page has changed it.
  mutating func noteChange(at index: Int) {
    slots[index].changingLoad = slots[index].load
  }

  /// Records that all pages are of one state of the server.
  mutating func forgetChanges() {
    for index in slots.indices { slots[index].changingLoad = 0 }
  }

  /// The edits of the merged array since the last call, in order.
  mutating func takeEdits() -> [ItemEdit] { edits.take() }

  /// The pages that were removed since the last call.
  mutating func takeRemovedPages() -> [AnyObject] { removedPages.take() }

  /// The content that was removed since the last call, to be released.
  mutating func takeRemovedContent() -> [AnyObject] { removedContent.take() }
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

  /// The rank of each page: of several pages, the one of the smallest rank shows an item.
  private var ranking: (ObjectIdentifier) -> Int {
    let (slots, indices, origin, choice) = (slots, indices, origin, choice)
    return { page in
      guard let index = indices[page].map({ $0 - origin }) else { return .max }
      return choice == .newest ? -slots[index].sequence : index
    }
  }

  /// Which items of a page are hidden; nil if none is.
  private func hidden(in index: Int) -> [Bool]? {
    guard let ids = slots[index].ids else { return nil }
    let page = slots[index].id
    var seen: Set<AnyHashable> = []
    let isHidden = ids.map { id in
      id.map { copies.page(showing: $0) != page || !seen.insert($0).inserted } ?? false
    }
    return isHidden.contains(true) ? isHidden : nil
  }

  private mutating func setHidden(_ isHidden: [Bool]?, at index: Int) {
    duplicateCount -= slots[index].hiddenCount
    slots[index].isHidden = isHidden
    duplicateCount += slots[index].hiddenCount
  }

  /// Shows and hides items of pages whose copies have changed.
  ///
  /// - Returns: by how many items the front of the array has grown: those that were shown, minus those that were
  ///   hidden, before the first item that stays.
  @discardableResult
  private mutating func updateHidden(in pages: [ObjectIdentifier]) -> Int {
    guard !pages.isEmpty else { return 0 }
    var (frontGrowth, front) = (0, 0)
    // In ascending order, so that removals at the front are known to be at the front.
    for index in Set(pages.compactMap(index(of:))).sorted() {
      updateHidden(at: index) { offset, count in
        guard offset == front else { return }
        frontGrowth += count
        front += max(count, 0)
      }
    }
    return frontGrowth
  }

  /// - Parameter note: called with an offset and how many items were inserted there; negative for
  ///   removed ones.
  private mutating func updateHidden(at index: Int, _ note: (_ offset: Int, _ count: Int) -> Void) {
    let old = slots[index]
    guard old.ids != nil else { return }
    setHidden(hidden(in: index), at: index)
    let new = slots[index]
    var offset = itemCount(before: index)
    var item = 0
    while item < old.itemCount {
      // Items that are shown or hidden together are one edit.
      let start = item
      let wasHidden = old.hides(start)
      while item < old.itemCount, old.hides(item) == wasHidden, new.hides(item) != wasHidden {
        item += 1
      }
      if item == start {
        item += 1
        if !wasHidden { offset += 1 }
      } else if wasHidden {
        let run = ItemRun(content: old.content, range: start..<item)
        edits.append(ItemEdit(range: offset..<offset, inserted: run))
        note(offset, item - start)
        offset += item - start
      } else {
        removeItems(offset..<(offset + item - start))
        note(offset, start - item)
      }
    }
    moveItems(by: old.hiddenCount - new.hiddenCount, from: index)
  }
}

// MARK: - Invariants

extension PageChain {
  func checkInvariants() {
    precondition(indices.count == slots.count)
    for (index, slot) in slots.enumerated() {
      precondition(self.index(of: slot.id) == index, "page \(index): index")
      precondition(
        items(of: index).count == slot.itemCount - slot.hiddenCount, "page \(index): count")
      precondition(
        slot.isHidden.map { $0.count == slot.itemCount } ?? true,
        "page \(index): hidden")
      precondition(slot.sequence <= sequence, "page \(index): sequence")
    }
    precondition(duplicateCount == slots.reduce(0) { $0 + $1.hiddenCount })
    let ids = slots.map { ($0.id, ($0.ids ?? []).compactMap(\.self)) }
    copies.checkInvariants(ids: Dictionary(uniqueKeysWithValues: ids), rank: ranking)
    precondition(linkedCount >= 0 && linkedCount <= slots.count)
    for index in slots.indices.dropFirst() where index < linkedCount {
      precondition(
        slots[index - 1].next.isPage(slots[index].page), "page \(index): not linked")
    }
  }
}
