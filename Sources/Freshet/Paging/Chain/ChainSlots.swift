/// The slots of a page chain: which page is where, what links them, and how many items each shows; all
/// but the items themselves. A pure value, and written once for every type of item.
///
/// Invariants, checked by ``checkInvariants()`` in tests: no page is in two slots; a slot that is not
/// loaded, or not what the page before it names, is a break.
///
/// Not copyable, because a copy would cost more than most changes.
struct ChainSlots: ~Copyable {
  /// What a page names as the next one.
  enum Next {
    /// Nothing: the chain ends here.
    case end
    /// This page.
    case page(AnyObject)
    /// Something that is not to be followed.
    indirect case refused(IncompleteWalk)
  }

  struct Slot {
    var page: AnyObject
    var next: Next?
    /// What the page has, for who knows the type of its items: see ``PageChain``. Nil for nothing.
    var row: AnyObject?
    /// What is needed with an identity only.
    var identities: Identities?

    var id: ObjectIdentifier { ObjectIdentifier(page) }
  }

  /// What is to be done with the items, in this order. Offsets are those of the merged array as the
  /// step before has left it.
  enum Step {
    /// Items are shown no more.
    case hide(items: Range<Int>)
    /// Items of a slot's row are shown.
    case show(items: Range<Int>, of: AnyObject, offset: Int)
  }

  /// What a change did, beside the links.
  struct Change {
    var steps: [Step] = []
    /// The pages that are not in the chain any more.
    var dropped: [AnyObject] = []
    /// The pages that have come into the chain, to be loaded.
    var added: [AnyObject] = []
  }

  /// How many items came in front of those that were there first, negative; or how many were dropped
  /// there.
  private(set) var firstItemIndex = 0
  /// The number of the first page, counted from the one that was first when the list was loaded.
  private(set) var firstPageIndex = 0

  var slots: [Slot] = []
  /// How many items each slot shows.
  var counts = PrefixCounts()
  var copies = ItemCopies<ObjectIdentifier>()
  /// The newest of ``Identities/sequence``.
  var sequence = 0
  /// How many items are left out because their own page has them already.
  var repeatedCount = 0
  /// Which of several copies is shown; nil where items are not told apart.
  let choice: ItemChoice?
  /// Where each page is, counted from `origin`.
  private(set) var places: [ObjectIdentifier: Int] = [:]
  /// The place of the first slot; smaller by one with every page that comes before it.
  private(set) var origin = 0
  /// The slots that are not loaded or not what the page before them names, in ascending order. There
  /// are seldom more than one or two, but after a wipe of all pages every slot is one.
  var breaks: [Int] = []

  init(first: AnyObject, choice: ItemChoice?) {
    self.choice = choice
    append(first)
  }

  /// How many slots there are, the frontier and the stale suffix included.
  var count: Int { slots.count }
  /// How many leading slots are loaded and linked.
  var linkedCount: Int { breaks.first ?? slots.count }

  /// How many items the linked slots show.
  var linkedItemCount: Int { counts.sum(before: linkedCount) }
  /// Whether items of an older chain are still visible.
  var hasStaleItems: Bool { counts.total > linkedItemCount }
  /// What follows the last linked slot; nil before the first page is loaded.
  var nextAfterLinked: Next? { linkedCount == 0 ? nil : slots[linkedCount - 1].next }

  /// The page in a slot.
  func page(at index: Int) -> AnyObject { slots[index].page }

  /// The slot that shows the item at an offset, and which of the slot's shown items it is.
  ///
  /// - Complexity: O(log *p*) in the number of slots.
  func slot(showing offset: Int) -> (index: Int, offset: Int) {
    let index = counts.index(containing: offset)
    return (index, offset - counts.sum(before: index))
  }

  /// The slot of a page, or nil where it is not in the chain.
  ///
  /// - Complexity: O(1).
  func position(of id: ObjectIdentifier) -> Int? { places[id].map { $0 - origin } }

  /// Where the items of slots are in the merged array.
  ///
  /// - Complexity: O(log *p*) in the number of slots.
  func items(of range: Range<Int>) -> Range<Int> {
    counts.sum(before: range.lowerBound)..<counts.sum(before: range.upperBound)
  }

  /// Where the items of a slot are in the merged array.
  func items(of index: Int) -> Range<Int> { items(of: index..<(index + 1)) }
}

// MARK: - Links

extension ChainSlots {
  /// Takes in what the page in a slot names as the next one.
  ///
  /// - Parameter isNew: whether the page has just been loaded for the first time.
  mutating func link(_ index: Int, to next: Next, isNew: Bool, _ change: inout Change) {
    if isNamedByPrevious(index) { removeBreak(at: index) }
    slots[index].next = checked(next, at: index)
    relink(after: index, isNew: isNew, &change)
  }

  /// The page in a slot has no content any more. What is behind it stays, stale.
  mutating func unload(_ index: Int) {
    slots[index].next = nil
    addBreak(at: index)
    if index + 1 < slots.count { addBreak(at: index + 1) }
  }

  /// Makes a slot for a loaded page before the first one, and takes it for what leads there.
  mutating func prepend(_ page: AnyObject) {
    origin -= 1
    firstPageIndex -= 1
    places[ObjectIdentifier(page)] = origin
    breaks = breaks.map { $0 + 1 }
    let next = slots.first.map { Next.page($0.page) } ?? .end
    slots.insert(Slot(page: page, next: next), at: 0)
    counts.insert(0, at: 0)
  }

  /// Numbers the items anew: so many more came in front than went there.
  mutating func shiftNumbers(by count: Int) {
    firstItemIndex -= count
  }

  /// Lets the first page go.
  mutating func dropFirst(_ change: inout Change) {
    firstPageIndex += 1
    removeSlots(0..<1, &change)
  }

  /// Lets all pages go from a slot on; the one in the slot stays as the one to be loaded next.
  mutating func drop(from index: Int, _ change: inout Change) {
    removeSlots((index + 1)..<slots.count, &change)
    empty(index, &change)
    unload(index)
  }

  /// A page that is in an earlier slot already would make the walk go round for ever.
  func checked(_ next: Next, at index: Int) -> Next {
    guard case .page(let page) = next, let known = position(of: ObjectIdentifier(page)),
      known <= index
    else { return next }
    return .refused(IncompleteWalk(.loop(backTo: known), page: index))
  }

  private mutating func relink(after index: Int, isNew: Bool, _ change: inout Change) {
    let following = index + 1
    switch slots[index].next {
    case .end:
      removeSlots(following..<slots.count, &change)
    case .page(let page):
      if let rejoined = position(of: ObjectIdentifier(page)), rejoined > index {
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
    guard choice != nil else { return }
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
      empty(stale, &change)
    } else {
      insertSlot(at: following)
    }
  }

  /// Lets a new page take the place of an older one, whose items stay until the new one is loaded.
  private mutating func replacePage(at index: Int, with page: AnyObject, _ change: inout Change) {
    let old = slots[index].page
    if position(of: ObjectIdentifier(old)) == index {
      change.dropped.append(old)
      places[ObjectIdentifier(old)] = nil
    }
    change.added.append(page)
    places[ObjectIdentifier(page)] = index + origin
    slots[index].page = page
    slots[index].next = nil
    addBreak(at: index)
    // What the older page named is not linked to the new one, which is not loaded.
    if index + 1 < slots.count { addBreak(at: index + 1) }
  }

  /// After a suffix was rejoined, its last page may name one that has no slot yet.
  private mutating func restoreFrontier(_ change: inout Change) {
    guard breaks.isEmpty, case .page(let page)? = slots.last?.next else { return }
    if let known = position(of: ObjectIdentifier(page)) {
      let last = slots.count - 1
      slots[last].next = .refused(IncompleteWalk(.loop(backTo: known), page: last))
    } else {
      append(page)
      change.added.append(page)
    }
  }

  private mutating func append(_ page: AnyObject) {
    places[ObjectIdentifier(page)] = slots.count + origin
    breaks.append(slots.count)
    slots.append(Slot(page: page))
    counts.append(0)
  }

  /// Makes a slot for ``replacePage(at:with:_:)``, which still has the page of the one behind it.
  private mutating func insertSlot(at index: Int) {
    slots.insert(Slot(page: slots[index].page), at: index)
    counts.insert(0, at: index)
    for moved in (index + 1)..<slots.count { places[slots[moved].id] = moved + origin }
    breaks = breaks.map { $0 < index ? $0 : $0 + 1 }
  }

  private mutating func removeSlots(_ range: Range<Int>, _ change: inout Change) {
    guard !range.isEmpty else { return }
    hide(range, &change)
    let heirs = release(range)
    for slot in slots[range] {
      places[slot.id] = nil
      change.dropped.append(slot.page)
    }
    slots.removeSubrange(range)
    counts.removeSubrange(range)
    if range.lowerBound == 0 {
      origin += range.count
    } else {
      for index in range.lowerBound..<slots.count { places[slots[index].id] = index + origin }
    }
    breaks = breaks.filter { !range.contains($0) }
      .map { $0 < range.lowerBound ? $0 : $0 - range.count }
    refilter(heirs, &change)
  }

  private mutating func empty(_ index: Int, _ change: inout Change) {
    hide(index..<(index + 1), &change)
    counts[index] = 0
    let heirs = release(index..<(index + 1))
    slots[index].identities = nil
    slots[index].row = nil
    refilter(heirs, &change)
  }

  /// Shows nothing of slots any more.
  private func hide(_ range: Range<Int>, _ change: inout Change) {
    let items = items(of: range)
    if !items.isEmpty { change.steps.append(.hide(items: items)) }
  }
}
