/// The pages of one list in chain order, and the merged array of their items: a pure value.
///
/// A chain is a row of slots. The leading ones are linked: each holds a loaded page, and is what the
/// page before it names as the next. The first slot that is not so is the frontier, where the walk
/// goes on. Behind it there may be a stale suffix: slots of an older chain, whose items stay visible
/// until the new chain replaces them, rejoins them, or ends.
///
/// With an identity, an item that several pages have is shown once; the array is the concatenation of
/// what each page shows.
///
/// Invariants, checked by ``checkInvariants()`` in tests: `items` is the concatenation of the items
/// that the slots show; no page is in two slots; a slot that is not loaded is a break.
struct PageChain<Item: Sendable, Page: Identifiable> {
  /// What a page names as the next one.
  enum Next {
    /// Nothing: the chain ends here.
    case end
    /// This page.
    case page(Page)
    /// Something that is not to be followed.
    case refused(IncompleteWalk)
  }

  /// What a change did.
  struct Change {
    /// What happened to `items`, in order.
    var splices: [Splice<Item>] = []
    /// The pages that are not in the chain any more.
    var dropped: [Page] = []
    /// The pages that have come into the chain, to be loaded.
    var added: [Page] = []
  }

  struct Slot {
    var page: Page
    /// What the page has, each identity once. Kept to find out what changed; the storage is shared
    /// with the page's own array.
    var items: [Item] = []
    var next: Next?
    /// What is needed with an identity only.
    var identities: Identities?
  }

  /// The identities of a slot's items.
  struct Identities {
    var ids: [AnyHashable?]
    /// Which items another page shows; empty where there are none.
    var isHidden: [Bool] = []
    /// How many items of the page are left out of the slot, because they are in it already.
    var repeatedCount = 0
    /// When the page was sent or confirmed, as a number that grows.
    var sequence = 0
  }

  /// The merged array: the items of all slots in chain order, stale ones included.
  var items: [Item] = []
  /// How many items came in front of those that were there first, negative; or how many were dropped
  /// there.
  private(set) var firstItemIndex = 0

  /// The number of the first page, counted from the one that was first when the list was loaded.
  private(set) var firstPageIndex = 0

  var slots: [Slot] = []
  var counts = PrefixCounts()
  var copies = ItemCopies<Page.ID>()
  var sequence = 0
  /// How many items are left out because their own page has them already.
  var repeatedCount = 0
  /// Where each page is, counted from `origin`.
  private var places: [Page.ID: Int] = [:]
  /// The place of the first slot; smaller by one with every page that comes before it.
  private var origin = 0
  /// The slots that are not loaded or not what the page before them names, in ascending order. There
  /// are seldom more than one or two, but after a wipe of all pages every slot is one.
  private var breaks: [Int] = []
  let areEqual: ((Item, Item) -> Bool)?
  let identity: ItemIdentity<Item>?

  /// Makes the chain that begins with a page, which is not loaded yet.
  ///
  /// - Parameters:
  ///   - identity: what makes an item the same as another; nil where each is shown.
  ///   - areEqual: where given, items of a changed page that are equal to the older ones stay out of
  ///     the splices.
  init(
    first: Page, identity: ItemIdentity<Item>? = nil, areEqual: ((Item, Item) -> Bool)? = nil
  ) {
    self.identity = identity
    self.areEqual = areEqual
    append(first)
  }

  /// How many slots there are, the frontier and the stale suffix included.
  var count: Int { slots.count }
  /// How many leading slots are loaded and linked.
  var linkedCount: Int { breaks.first ?? slots.count }
  /// How many items the linked slots show.
  var linkedItemCount: Int { counts.sum(before: linkedCount) }
  /// Whether items of an older chain are still visible.
  var hasStaleItems: Bool { items.count > linkedItemCount }
  /// What follows the last linked slot; nil before the first page is loaded.
  var nextAfterLinked: Next? { linkedCount == 0 ? nil : slots[linkedCount - 1].next }
  /// How many items are not shown because another copy is.
  var duplicateCount: Int { copies.spareCount + repeatedCount }

  /// The page in a slot.
  func page(at index: Int) -> Page { slots[index].page }

  /// The slot of a page, or nil where it is not in the chain.
  ///
  /// - Complexity: O(1).
  func position(of id: Page.ID) -> Int? { places[id].map { $0 - origin } }

  /// Where the items of a slot are in `items`.
  ///
  /// - Complexity: O(log *p*) in the number of slots.
  func range(at index: Int) -> Range<Int> {
    let start = counts.sum(before: index)
    return start..<(start + counts[index])
  }

  /// The slot that shows the item at an offset, and which of the slot's shown items it is.
  ///
  /// - Complexity: O(log *p*) in the number of slots.
  func slot(showing offset: Int) -> (index: Int, offset: Int) {
    let index = counts.index(containing: offset)
    return (index, offset - counts.sum(before: index))
  }
}

// MARK: - Changes

extension PageChain {
  /// Takes in what a page holds now.
  ///
  /// - Complexity: O(*k* + log *p*) in the items that changed and the slots, beside moving the items
  ///   behind them where their number changes; slots that go cost O(*p*). With an identity, O(*m*) in
  ///   the items of the page.
  mutating func update(at index: Int, items new: [Item], next: Next) -> Change {
    var change = Change()
    let isNew = slots[index].next == nil
    setItems(new, at: index, isNewest: true, &change)
    if isNamedByPrevious(index) { removeBreak(at: index) }
    slots[index].next = checked(next, at: index)
    relink(after: index, isNew: isNew, &change)
    compose(&change)
    return change
  }

  /// Takes in what a page names as the next one, where that may have changed and its items have not.
  mutating func relink(at index: Int, next: Next) -> Change {
    var change = Change()
    slots[index].next = checked(next, at: index)
    relink(after: index, isNew: false, &change)
    compose(&change)
    return change
  }

  /// Takes the content away from a slot: the page has none any more. What is behind it stays, stale.
  mutating func unload(at index: Int) -> Change {
    var change = Change()
    setItems([], at: index, isNewest: true, &change)
    slots[index].next = nil
    addBreak(at: index)
    if index + 1 < slots.count { addBreak(at: index + 1) }
    compose(&change)
    return change
  }

  /// Puts a loaded page before the first one, and takes it for what leads there.
  ///
  /// - Complexity: O(*n*) in the items, which move.
  mutating func prepend(_ page: Page, items new: [Item]) -> Change {
    var change = Change()
    origin -= 1
    firstPageIndex -= 1
    places[page.id] = origin
    breaks = breaks.map { $0 + 1 }
    let next = slots.first.map { Next.page($0.page) } ?? .end
    slots.insert(Slot(page: page, next: next), at: 0)
    counts.insert(0, at: 0)
    setItems(new, at: 0, isNewest: true, &change)
    keepNumbers(&change)
    change.added.append(page)
    return change
  }

  /// Lets the first page go, which must not be the only one.
  ///
  /// - Complexity: O(*n*) in the items, which move.
  mutating func dropFirst() -> Change {
    precondition(linkedCount > 1, "PageChain.dropFirst: \(linkedCount) linked pages")
    var change = Change()
    firstPageIndex += 1
    removeSlots(0..<1, &change)
    keepNumbers(&change)
    return change
  }

  /// Lets all pages go from a slot on; the one in the slot stays as the one to be loaded next.
  mutating func drop(from index: Int) -> Change {
    precondition(index > 0, "PageChain.drop: the first page cannot be dropped from the end")
    var change = Change()
    removeSlots((index + 1)..<slots.count, &change)
    setItems([], at: index, isNewest: true, &change)
    slots[index].next = nil
    addBreak(at: index)
    compose(&change)
    return change
  }

  /// Lets everything go and begins again with a page.
  mutating func reset(to page: Page) -> Change {
    var change = Change()
    if !items.isEmpty {
      change.splices = [Splice(at: 0, removing: items[...], inserting: [])]
    }
    change.dropped = slots.map(\.page)
    change.added = [page]
    self = PageChain(first: page, identity: identity, areEqual: areEqual)
    return change
  }

  /// A page that is in an earlier slot already would make the walk go round for ever.
  private func checked(_ next: Next, at index: Int) -> Next {
    guard case .page(let page) = next, let known = position(of: page.id), known <= index else {
      return next
    }
    return .refused(IncompleteWalk(.loop(backTo: known), page: index))
  }

  private mutating func relink(after index: Int, isNew: Bool, _ change: inout Change) {
    let following = index + 1
    switch slots[index].next {
    case .end:
      removeSlots(following..<slots.count, &change)
    case .page(let page):
      if let rejoined = position(of: page.id), rejoined > index {
        // The new chain comes back to a page that it has: those between are no part of it any more.
        removeSlots(following..<rejoined, &change)
        if slots[following].next != nil { removeBreak(at: following) }
      } else if following < slots.count {
        makeRoom(at: following, isNew: isNew, &change)
        replacePage(at: following, with: page, &change)
      } else {
        append(page)
        change.added.append(page)
      }
      restoreFrontier(&change)
    case .refused, nil:
      // What was behind stays visible, stale.
      if following < slots.count { addBreak(at: following) }
    }
  }

  /// With an identity, makes the slot behind a page one for the page that it names: the stale pages
  /// before the last one that has an item of the page are covered, and go; so does that one, if it is
  /// covered to its end.
  ///
  /// Without an identity nobody knows what is covered: the stale pages are replaced one by one. So
  /// they are if a new page has nothing in common with them.
  private mutating func makeRoom(at following: Int, isNew: Bool, _ change: inout Change) {
    guard identity != nil else { return }
    // A page that is not loaded shows nothing: the new one can take its place.
    let isPending = slots[following].next == nil
    let stale = isPending ? following + 1 : following
    guard stale < slots.count else { return }
    let end = endOfCoverage(by: following - 1, from: stale) ?? (isNew ? stale + 1 : stale)
    if isPending {
      removeSlots(stale..<end, &change)
    } else if end > stale {
      // One of the slots serves the new page.
      removeSlots((stale + 1)..<end, &change)
      setItems([], at: stale, isNewest: false, &change)
    } else {
      insertSlot(at: following)
    }
  }

  /// Lets a new page take the place of an older one, whose items stay until the new one is loaded.
  private mutating func replacePage(at index: Int, with page: Page, _ change: inout Change) {
    let old = slots[index].page
    if position(of: old.id) == index {
      change.dropped.append(old)
      places[old.id] = nil
    }
    change.added.append(page)
    places[page.id] = index + origin
    slots[index].page = page
    slots[index].next = nil
    addBreak(at: index)
    // What the older page named is not linked to the new one, which is not loaded.
    if index + 1 < slots.count { addBreak(at: index + 1) }
  }

  /// After a suffix was rejoined, its last page may name one that has no slot yet.
  private mutating func restoreFrontier(_ change: inout Change) {
    guard breaks.isEmpty, case .page(let page)? = slots.last?.next else { return }
    if let known = position(of: page.id) {
      let last = slots.count - 1
      slots[last].next = .refused(IncompleteWalk(.loop(backTo: known), page: last))
    } else {
      append(page)
      change.added.append(page)
    }
  }

  private func isNamedByPrevious(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    guard case .page(let page)? = slots[index - 1].next else { return false }
    return page.id == slots[index].page.id
  }

  private mutating func append(_ page: Page) {
    places[page.id] = slots.count + origin
    breaks.append(slots.count)
    slots.append(Slot(page: page))
    counts.append(0)
  }

  /// Makes a slot for ``replacePage(at:with:_:)``, which still has the page of the one behind it.
  private mutating func insertSlot(at index: Int) {
    slots.insert(Slot(page: slots[index].page), at: index)
    counts.insert(0, at: index)
    for moved in (index + 1)..<slots.count { places[slots[moved].page.id] = moved + origin }
    breaks = breaks.map { $0 < index ? $0 : $0 + 1 }
  }

  private mutating func addBreak(at index: Int) {
    let place = breakPlace(of: index)
    if place == breaks.count || breaks[place] != index { breaks.insert(index, at: place) }
  }

  private mutating func removeBreak(at index: Int) {
    let place = breakPlace(of: index)
    if place < breaks.count, breaks[place] == index { breaks.remove(at: place) }
  }

  /// Where a slot is among the breaks, or would be: after a log-out every slot is one.
  private func breakPlace(of index: Int) -> Int {
    var range = breaks.startIndex..<breaks.endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = breaks[middle] < index ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  private mutating func removeSlots(_ range: Range<Int>, _ change: inout Change) {
    guard !range.isEmpty else { return }
    let start = counts.sum(before: range.lowerBound)
    let end = counts.sum(before: range.upperBound)
    if start < end {
      // Copied: a slice of the whole array would make the removal copy all of it.
      let removed = Array(items[start..<end])
      items.removeSubrange(start..<end)
      change.splices.append(Splice(at: start, removing: removed[...], inserting: []))
    }
    let heirs = releaseItems(of: range)
    for slot in slots[range] {
      places[slot.page.id] = nil
      change.dropped.append(slot.page)
    }
    slots.removeSubrange(range)
    counts.removeSubrange(range)
    if range.lowerBound == 0 { origin += range.count }
    for index in range.lowerBound..<(range.lowerBound == 0 ? 0 : slots.count) {
      places[slots[index].page.id] = index + origin
    }
    breaks = breaks.filter { !range.contains($0) }
      .map { $0 < range.lowerBound ? $0 : $0 - range.count }
    refilter(heirs, &change)
  }

  /// Composes what came or went in front, and numbers the items so that the first one that stays keeps
  /// its number, also where copies of other items came or went with a page.
  private mutating func keepNumbers(_ change: inout Change) {
    let composition = SpliceComposition(change.splices)
    if let front = composition.pieces.first, front.oldOffset == 0 {
      firstItemIndex += front.old.count - front.new.count
    }
    change.splices = composition.splices(areEqual: areEqual)
  }

  private func compose(_ change: inout Change) {
    guard change.splices.count > 1 else { return }
    change.splices = SpliceComposition(change.splices).splices(areEqual: areEqual)
  }
}

extension PageChain {
  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(counts.count == slots.count && places.count == slots.count)
    precondition(counts.total == items.count && breaks == breaks.sorted())
    for (index, slot) in slots.enumerated() {
      precondition(position(of: slot.page.id) == index, "slot \(index): position")
      precondition(counts[index] == slot.shown.count, "slot \(index): count")
      precondition(
        slot.next != nil || breaks.contains(index), "slot \(index): not loaded, no break")
      let isLinked = slot.next != nil && isNamedByPrevious(index)
      precondition(isLinked || breaks.contains(index), "slot \(index): not linked, no break")
    }
  }
}
