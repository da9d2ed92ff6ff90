/// The pages of one list in chain order, and the merged array of their items: a pure value.
///
/// A chain is a row of slots. The leading ones are linked: each holds a loaded page, and is what the
/// page before it names as the next. The first slot that is not so is the frontier, where the walk
/// goes on. Behind it there may be a stale suffix: slots of an older chain, whose items stay visible
/// until the new chain replaces them page by page, rejoins them, or ends.
///
/// Invariants, checked by ``checkInvariants()`` in tests: `items` is the concatenation of the slots'
/// items; no page is in two slots; a slot that is not loaded is a break.
struct PageChain<Item, Page: Identifiable> {
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

  private struct Slot {
    var page: Page
    /// The newest items, which the counts and the merged array hold too. They are kept here to
    /// find out what changed; the array shares its storage with the page's own.
    var items: [Item] = []
    var next: Next?
  }

  /// The merged array: the items of all slots in chain order, stale ones included.
  private(set) var items: [Item] = []

  private var slots: [Slot] = []
  private var counts = PrefixCounts()
  private var positions: [Page.ID: Int] = [:]
  /// The slots that are not loaded or not what the page before them names, in ascending order. There
  /// are seldom more than one or two, but after a wipe of all pages every slot is one.
  private var breaks: [Int] = []
  private let areEqual: ((Item, Item) -> Bool)?

  /// Makes the chain that begins with a page, which is not loaded yet.
  ///
  /// - Parameter areEqual: where given, items of a changed page that are equal to the older ones stay
  ///   out of the splices.
  init(first: Page, areEqual: ((Item, Item) -> Bool)? = nil) {
    self.areEqual = areEqual
    append(first)
  }

  /// How many slots there are, the frontier and the stale suffix included.
  var count: Int { slots.count }
  /// How many leading slots are loaded and linked.
  var linkedCount: Int { breaks.first ?? slots.count }
  /// How many items the linked slots have.
  var linkedItemCount: Int { counts.sum(before: linkedCount) }
  /// Whether items of an older chain are still visible.
  var hasStaleItems: Bool { items.count > linkedItemCount }
  /// What follows the last linked slot; nil before the first page is loaded.
  var nextAfterLinked: Next? { linkedCount == 0 ? nil : slots[linkedCount - 1].next }

  /// The page in a slot.
  func page(at index: Int) -> Page { slots[index].page }

  /// The slot of a page, or nil where it is not in the chain.
  ///
  /// - Complexity: O(1).
  func position(of id: Page.ID) -> Int? { positions[id] }

  /// Where the items of a slot are in `items`.
  ///
  /// - Complexity: O(log *p*) in the number of slots.
  func range(at index: Int) -> Range<Int> {
    let start = counts.sum(before: index)
    return start..<(start + counts[index])
  }
}

// MARK: - Changes

extension PageChain {
  /// Takes in what a page holds now.
  ///
  /// - Complexity: O(*k* + log *p*) in the items that changed and the slots, beside moving the items
  ///   behind them where their number changes; slots that go cost O(*p*).
  mutating func update(at index: Int, items new: [Item], next: Next) -> Change {
    var change = Change()
    if let splice = replaceItems(at: index, with: new) { change.splices.append(splice) }
    if isNamedByPrevious(index) { removeBreak(at: index) }
    slots[index].next = checked(next, at: index)
    relink(after: index, &change)
    return change
  }

  /// Takes in what a page names as the next one, where that may have changed and its items have not.
  mutating func relink(at index: Int, next: Next) -> Change {
    var change = Change()
    slots[index].next = checked(next, at: index)
    relink(after: index, &change)
    return change
  }

  /// Takes the content away from a slot: the page has none any more. What is behind it stays, stale.
  mutating func unload(at index: Int) -> Change {
    var change = Change()
    if let splice = replaceItems(at: index, with: []) { change.splices.append(splice) }
    slots[index].next = nil
    addBreak(at: index)
    if index + 1 < slots.count { addBreak(at: index + 1) }
    return change
  }

  /// A page that is in an earlier slot already would make the walk go round for ever.
  private func checked(_ next: Next, at index: Int) -> Next {
    guard case .page(let page) = next, let known = positions[page.id], known <= index else {
      return next
    }
    return .refused(IncompleteWalk(.loop(backTo: known), page: index))
  }

  private mutating func relink(after index: Int, _ change: inout Change) {
    let following = index + 1
    switch slots[index].next {
    case .end:
      removeSlots(following..<slots.count, &change)
    case .page(let page):
      if let rejoined = positions[page.id], rejoined > index {
        // The new chain comes back to a page that it has: those between are no part of it any more.
        removeSlots(following..<rejoined, &change)
        if slots[following].next != nil { removeBreak(at: following) }
      } else if following < slots.count {
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

  /// Lets a new page take the place of an older one, whose items stay until the new one is loaded.
  private mutating func replacePage(at index: Int, with page: Page, _ change: inout Change) {
    let old = slots[index].page
    change.dropped.append(old)
    change.added.append(page)
    positions[old.id] = nil
    positions[page.id] = index
    slots[index].page = page
    slots[index].next = nil
    addBreak(at: index)
    // What the older page named is not linked to the new one, which is not loaded.
    if index + 1 < slots.count { addBreak(at: index + 1) }
  }

  /// After a suffix was rejoined, its last page may name one that has no slot yet.
  private mutating func restoreFrontier(_ change: inout Change) {
    guard breaks.isEmpty, case .page(let page)? = slots.last?.next else { return }
    if let known = positions[page.id] {
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
    positions[page.id] = slots.count
    breaks.append(slots.count)
    slots.append(Slot(page: page))
    counts.append(0)
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
      items.removeSubrange(start..<end)
      change.splices.append(Splice(removed: start..<end, inserted: []))
    }
    for slot in slots[range] {
      positions[slot.page.id] = nil
      change.dropped.append(slot.page)
    }
    slots.removeSubrange(range)
    counts.removeSubrange(range)
    for index in range.lowerBound..<slots.count { positions[slots[index].page.id] = index }
    breaks = breaks.filter { !range.contains($0) }
      .map { $0 < range.lowerBound ? $0 : $0 - range.count }
  }

  /// Replaces the items of a slot, those at both ends excepted that are equal to the older ones.
  private mutating func replaceItems(at index: Int, with new: [Item]) -> Splice<Item>? {
    let old = slots[index].items
    slots[index].items = new
    var prefix = 0
    var suffix = 0
    if let areEqual {
      let shorter = min(old.count, new.count)
      while prefix < shorter, areEqual(old[prefix], new[prefix]) { prefix += 1 }
      while suffix < shorter - prefix,
        areEqual(old[old.count - 1 - suffix], new[new.count - 1 - suffix])
      {
        suffix += 1
      }
    }
    let inserted = new[prefix..<(new.count - suffix)]
    let start = counts.sum(before: index)
    let removed = (start + prefix)..<(start + old.count - suffix)
    counts[index] = new.count
    guard !removed.isEmpty || !inserted.isEmpty else { return nil }
    items.replaceSubrange(removed, with: inserted)
    return Splice(removed: removed, inserted: inserted)
  }
}

extension PageChain {
  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(counts.count == slots.count && positions.count == slots.count)
    precondition(counts.total == items.count && breaks == breaks.sorted())
    for (index, slot) in slots.enumerated() {
      precondition(positions[slot.page.id] == index, "slot \(index): position")
      precondition(counts[index] == slot.items.count, "slot \(index): count")
      precondition(
        slot.next != nil || breaks.contains(index), "slot \(index): not loaded, no break")
      let isLinked = slot.next != nil && isNamedByPrevious(index)
      precondition(isLinked || breaks.contains(index), "slot \(index): not linked, no break")
    }
  }
}
