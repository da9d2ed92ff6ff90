/// The pages of a chain in their slots, which items each of them shows, and where these are in the
/// merged array: a pure value. ``PageChain`` decides which pages there are.
struct PageSlots {
  /// The slots in chain order.
  private(set) var inOrder: [PageSlot] = []
  /// How many items are hidden.
  private(set) var duplicateCount = 0
  /// Which one of several copies of an item is shown, where items have an identity.
  let choice: ItemChoice

  /// The edits of the merged array that were not taken yet.
  private var edits: [ItemEdit] = []
  /// The pages that were removed from their slots, to be taken by the owner of the chain.
  private var removedPages: [AnyObject] = []
  /// Content that was removed from its slot, unless an edit holds it. The owner of the chain
  /// releases it outside of the access that changes the chain: deallocating an item may run code
  /// that reads the list.
  private var removedContent: [AnyObject] = []

  private var counts = PrefixCounts()
  /// The index of each page, counted from `origin`.
  private var indices: [ObjectIdentifier: Int] = [:]
  /// The stored index of the first page; smaller by one with every page that is added before it, so
  /// that no other index changes.
  private var origin = 0
  private var copies = ItemCopies<ObjectIdentifier>()
  /// The newest of ``PageSlot/sequence``.
  private var sequence = 0

  init(showing choice: ItemChoice) {
    self.choice = choice
  }
}

// MARK: - Reading

extension PageSlots {
  var count: Int { inOrder.count }

  /// How many items the slots before an index show.
  func itemCount(before index: Int) -> Int { counts.sum(before: index) }

  /// The slot of a page; nil if it has none.
  ///
  /// - Complexity: O(1).
  func index(of page: ObjectIdentifier) -> Int? { indices[page].map { $0 - origin } }

  /// The range of a page's items in the merged array.
  ///
  /// - Complexity: O(1).
  func items(of index: Int) -> Range<Int> {
    counts.sum(before: index)..<counts.sum(before: index + 1)
  }

  /// The slot that shows the item at an offset, and the item's offset among those the slot shows.
  ///
  /// - Complexity: O(log *p*) in the number of pages.
  func index(showing offset: Int) -> (index: Int, offset: Int) {
    let index = counts.index(containing: offset)
    return (index, offset - counts.sum(before: index))
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
      let item = inOrder[index].loaded.ids?.firstIndex(of: id)
    else { return nil }
    return counts.sum(before: index) + item - inOrder[index].isHidden.prefix(item).count { $0 }
  }
}

// MARK: - Changes

extension PageSlots {
  /// Puts a page into a slot of its own.
  ///
  /// - Returns: by how many items of other slots the front of the array has grown: those that were shown, minus those
  ///   that were hidden, before the first item that stays.
  @discardableResult
  mutating func insert(_ page: AnyObject, _ loaded: LoadedPage, at index: Int) -> Int {
    if index == 0, !inOrder.isEmpty {
      origin -= 1
    } else {
      for moved in index..<inOrder.count { indices[inOrder[moved].id] = moved + 1 + origin }
    }
    indices[ObjectIdentifier(page)] = index + origin
    if index == inOrder.count {
      inOrder.append(PageSlot(page: page, loaded: loaded))
      counts.append(0)
    } else {
      inOrder.insert(PageSlot(page: page, loaded: loaded), at: index)
      counts.insert(0, at: index)
    }
    return show(index, instead: nil, releasing: [])
  }

  /// Replaces the page in a slot by another page, or by new content of the same page.
  mutating func fill(_ index: Int, with loaded: LoadedPage, of page: AnyObject) {
    let old = inOrder[index].shown
    var others: [ObjectIdentifier] = []
    if let known = inOrder[index].loaded.ids {
      let kept = Set((inOrder[index].page === page ? loaded.ids ?? [] : []).lazy.compactMap { $0 })
      others = release(
        known.filter { id in id.map { !kept.contains($0) } ?? false }, of: inOrder[index].id)
    }
    if inOrder[index].page !== page {
      removedPages.append(inOrder[index].page)
      indices[inOrder[index].id] = nil
      indices[ObjectIdentifier(page)] = index + origin
      inOrder[index].page = page
    }
    inOrder[index].loaded = loaded
    show(index, instead: old, releasing: others)
  }

  /// Shows the items of a slot.
  ///
  /// - Parameters:
  ///   - old: what the slot showed until now.
  ///   - others: pages that from now on show items which the slot has held.
  /// - Returns: by how many items of other slots the front of the array has grown: those that were shown, minus those
  ///   that were hidden, before the first item that stays.
  @discardableResult
  private mutating func show(
    _ index: Int, instead old: ItemRun?, releasing others: [ObjectIdentifier]
  ) -> Int {
    var frontGrowth = 0
    if let ids = inOrder[index].loaded.ids {
      sequence += 1
      inOrder[index].sequence = sequence
      let others = others + claim(ids, for: inOrder[index].id)
      setHidden(hidden(in: index), at: index)
      frontGrowth = updateHidden(in: others)
    }
    let (offset, count) = (counts.sum(before: index), counts[index])
    counts[index] = inOrder[index].loaded.itemCount - inOrder[index].hiddenCount
    // One for an empty page too: content that is replaced is released with it.
    if old != nil || counts[index] > 0 {
      edits.append(
        ItemEdit(
          offset: offset, removedCount: count, removed: old, inserted: inOrder[index].shown))
    }
    return frontGrowth
  }

  /// Removes slots with their pages.
  ///
  /// - Returns: by how many items of other slots the front of the array has grown: those that were shown, minus those
  ///   that were hidden, before the first item that stays.
  @discardableResult
  mutating func remove(_ range: Range<Int>) -> Int {
    guard !range.isEmpty else { return 0 }
    removeItems(counts.sum(before: range.lowerBound)..<counts.sum(before: range.upperBound))
    var others: [ObjectIdentifier] = []
    // From the last one, so that an item on every page passes from page to page at no cost.
    for slot in inOrder[range].reversed() {
      removedPages.append(slot.page)
      removedContent.append(slot.loaded.content)
      duplicateCount -= slot.hiddenCount
      if let ids = slot.loaded.ids { others += release(ids, of: slot.id) }
    }
    for slot in inOrder[range] { indices[slot.id] = nil }
    inOrder.removeSubrange(range)
    counts.removeSubrange(range)
    if range.lowerBound == 0 {
      origin += range.count
    } else {
      for index in range.lowerBound..<inOrder.count { indices[inOrder[index].id] = index + origin }
    }
    return updateHidden(in: others)
  }

  private mutating func removeItems(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    edits.append(ItemEdit(offset: range.lowerBound, removedCount: range.count))
  }

  /// Replaces the content of a page, and its next page.
  mutating func update(at index: Int, _ loaded: LoadedPage) {
    let old = (load: inOrder[index].loaded.load, change: inOrder[index].loaded.changingLoad)
    if loaded.comparison == .same {
      removedContent.append(inOrder[index].loaded.content)
      inOrder[index].loaded = loaded
    } else {
      fill(index, with: loaded, of: inOrder[index].page)
    }
    inOrder[index].loaded.changingLoad = old.change
    // A local write makes the page no newer.
    if loaded.comparison == .edited { inOrder[index].loaded.load = old.load }
    inOrder[index].isNextAssumed = false
  }

  /// Makes the page in the next slot the next page of a page that it names as its previous one.
  mutating func assumeNext(at index: Int) {
    inOrder[index].loaded.next = .page(inOrder[index + 1].page)
    inOrder[index].isNextAssumed = true
  }

  /// Records that the server has confirmed a page: its copies are the newest again.
  mutating func confirm(at index: Int, by load: ResourceState.LoadID) {
    inOrder[index].loaded.load = load
    guard choice == .newest, let ids = inOrder[index].loaded.ids else { return }
    sequence += 1
    inOrder[index].sequence = sequence
    guard copies.hiddenCount > 0 else { return }
    let page = inOrder[index].id
    updateHidden(in: claim(ids, for: page) + [page])
  }

  /// Records that the last load of a page has changed it.
  mutating func noteChange(at index: Int) {
    inOrder[index].loaded.changingLoad = inOrder[index].loaded.load
  }

  /// Records that all pages are of one state of the server.
  mutating func forgetChanges() {
    for index in inOrder.indices { inOrder[index].loaded.changingLoad = 0 }
  }

  /// The edits of the merged array since the last call, in order.
  mutating func takeEdits() -> [ItemEdit] { edits.take() }

  /// The pages that were removed since the last call.
  mutating func takeRemovedPages() -> [AnyObject] { removedPages.take() }

  /// The content that was removed since the last call, to be released.
  mutating func takeRemovedContent() -> [AnyObject] { removedContent.take() }
}

// MARK: - Copies of items

extension PageSlots {
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
    let (slots, indices, origin, choice) = (inOrder, indices, origin, choice)
    return { page in
      guard let index = indices[page].map({ $0 - origin }) else { return .max }
      return choice == .newest ? -slots[index].sequence : index
    }
  }

  /// Which items of a page are hidden; empty where none is.
  private func hidden(in index: Int) -> [Bool] {
    guard let ids = inOrder[index].loaded.ids else { return [] }
    let page = inOrder[index].id
    var seen: Set<AnyHashable> = []
    let isHidden = ids.map { id in
      id.map { copies.page(showing: $0) != page || !seen.insert($0).inserted } ?? false
    }
    return isHidden.contains(true) ? isHidden : []
  }

  private mutating func setHidden(_ isHidden: [Bool], at index: Int) {
    duplicateCount -= inOrder[index].hiddenCount
    inOrder[index].isHidden = isHidden
    duplicateCount += inOrder[index].hiddenCount
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
    let old = inOrder[index]
    guard old.loaded.ids != nil else { return }
    setHidden(hidden(in: index), at: index)
    let new = inOrder[index]
    var offset = counts.sum(before: index)
    var item = 0
    while item < old.loaded.itemCount {
      // Items that are shown or hidden together are one edit.
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

extension PageSlots {
  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(counts.count == inOrder.count && indices.count == inOrder.count)
    for (index, slot) in inOrder.enumerated() {
      precondition(self.index(of: slot.id) == index, "page \(index): index")
      precondition(
        items(of: index).count == slot.loaded.itemCount - slot.hiddenCount, "page \(index): count")
      precondition(
        slot.isHidden.isEmpty || slot.isHidden.count == slot.loaded.itemCount,
        "page \(index): hidden")
      precondition(slot.sequence <= sequence, "page \(index): sequence")
    }
    precondition(duplicateCount == inOrder.reduce(0) { $0 + $1.hiddenCount })
    counts.checkInvariants()
    let ids = inOrder.map { ($0.id, ($0.loaded.ids ?? []).compactMap(\.self)) }
    copies.checkInvariants(ids: Dictionary(uniqueKeysWithValues: ids), rank: ranking)
  }
}
