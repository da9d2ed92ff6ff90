import Foundation

/// The state of a paged collection, and all of its decisions: a pure value.
///
/// Each input is a method. It adds actions, which ``nextAction()`` returns one by one; the
/// collection performs each before it asks for the next. The state is complete before that. Other
/// state machines here return their actions from each input. This one keeps them in a queue,
/// because performing one is often an input itself, whose actions come after those that are
/// waiting.
///
/// The walk visits one page after the other: the linked ones, as long as they may be stale, and
/// then those beyond either end, as far as items are wanted there. The same code walks both ends.
/// So each page costs a fixed number of visits, and no call is as deep as the list is long.
///
/// Of a page only its identity and its constants are used: key and decoder. Its content and its
/// status come with each input.
struct PageList {
  // Values that own what they hold: the inputs in the other files change them by their methods, and assign none of
  // them. To wrap each of those methods in one of this type would add nothing but calls.

  var chain: PageChain
  /// The pages that were dropped before them.
  var dropped: DroppedPages
  var walk = PageWalk()
  var demand: PageDemand
  var loads: PageLoads

  // Everything else changes in this file alone.

  /// The page after the last one, if the server has said that it does not exist.
  private(set) var absentPage: AbsentPage?
  /// The pages as they were before a refresh whose changes are shown when it is complete.
  private(set) var frozen: (chain: PageChain, dropped: DroppedPages)?
  /// The loading state of a refresh: `.idle` if there is none, or the last one was completed.
  private(set) var refreshState = PagedCollectionState.idle

  // Changed by `change(_:_:)` alone, for the methods in `PageList+Ends.swift`.

  /// The end before the first page.
  private(set) var start = ListEdge()
  /// The end after the last linked page.
  private(set) var end = ListEdge()

  let firstPage: AnyResource
  let limits: PageListLimits
  private(set) var actions = ActionQueue()
  /// Whether pages, counts or dates may have changed since those that track them were notified.
  private(set) var hasChangedDetails = false
  /// Whether the observers are about to be notified of an invalidation.
  private(set) var isInvalidated = false

  /// - Parameter count: how many items are shown, and stay wanted.
  init(
    firstPage: AnyResource, limits: PageListLimits, displaying count: Int = 1,
    showing choice: ItemChoice = .first
  ) {
    self.firstPage = firstPage
    self.limits = limits
    dropped = DroppedPages(before: firstPage)
    chain = PageChain(showing: choice)
    demand = PageDemand(displayed: count, budget: limits.requestBudget)
    loads = PageLoads(width: limits.concurrentLoads, memory: limits.retainedPageLimit)
    setBeyond(firstPage, of: .end)
  }
}

// MARK: - Actions

extension PageList {
  mutating func enqueue(_ action: PageListAction) { actions.append(action) }

  /// The next action that was added, without continuing the walk.
  mutating func popAction() -> PageListAction? { actions.popFirst() }

  /// Keeps showing the chain as it is now, without later changes.
  mutating func freeze() {
    guard frozen == nil else { return }
    frozen = (chain, dropped)
    actions.appendChange(.freeze)
  }

  /// Shows the chain with all changes: what ``unfreeze()`` has requested.
  ///
  /// - Returns: the pages that were shown, to be released outside of any access to the list.
  mutating func takeFrozen() -> (chain: PageChain, dropped: DroppedPages)? {
    noteDetails()
    defer {
      reconsiderStart()
      reconsiderEnd()
    }
    return frozen.take()
  }

  /// Records that pages, counts or dates may have changed.
  mutating func noteDetails() { hasChangedDetails = true }

  /// Whether they may have changed since this was asked last.
  mutating func takeChangeOfDetails() -> Bool {
    defer { hasChangedDetails = false }
    return hasChangedDetails
  }

  /// Notifies the observers that pages were invalidated: once, however many there are.
  mutating func notifyInvalidation() {
    guard !isInvalidated else { return }
    isInvalidated = true
    enqueue(.notifyInvalidation)
  }

  /// Records that the observers were notified of it.
  mutating func invalidationNotified() { isInvalidated = false }
}

extension PageChain {
  /// Whether there is, or may be, a page before the first one.
  fileprivate func hasPreviousPage(orDropped dropped: Bool) -> Bool {
    linkedCount > 0 && (dropped || slots[0].hasPreviousPage)
  }
}

// MARK: - State

extension PageList {
  /// The pages that are shown.
  var shown: PageChain { frozen?.chain ?? chain }

  /// The index of the first item that is shown. Not by ``shown``, which copies the chain: saves 2 % of a merge.
  var shownFirstItemIndex: Int { frozen?.chain.firstItemIndex ?? chain.firstItemIndex }

  var shownDropped: DroppedPages { frozen?.dropped ?? dropped }

  /// One end of the list.
  // To be read only: a setter would write all fields if one changes.
  @inline(__always)
  subscript(side: ListSide) -> ListEdge { side == .end ? end : start }

  var awaitedPages: [AnyResource] { [end.awaited, start.awaited].compactMap(\.self) }

  /// All loading states of the list.
  var states: [PagedCollectionState] { [end.state, start.state, refreshState] }

  @inline(__always)
  var isLoading: Bool {
    end.state.isLoading || start.state.isLoading || refreshState.isLoading
  }

  /// Whether there is, or may be, a page before the first one that is loaded.
  var hasPreviousPage: Bool { chain.hasPreviousPage(orDropped: !dropped.isEmpty) }

  /// Whether there is, or may be, a page before the first one that is shown.
  var showsPrevious: Bool { shown.hasPreviousPage(orDropped: !shownDropped.isEmpty) }

  /// Whether the linked pages were walked to a page that has no next page.
  @inline(__always)
  var isEnded: Bool { chain.isComplete || isNextAbsent && !chain.hasStalePages }

  /// Whether that is so at a time: a page that did not exist may exist by now.
  func isEnded(at now: Duration) -> Bool { isEnded && absentPage?.mayBeRequested(at: now) != true }

  // What the collection calls for a page that it has found, and what the walk asks at each step, is inlined here and
  // in the other files: a call copies all of the list, which is large. Saves 6 % of a page that is confirmed.

  /// The position of the page beyond the chain on a side: the slot after the linked pages, or -1.
  @inline(__always)
  func position(beyond side: ListSide) -> Int { side == .end ? chain.linkedCount : -1 }

  /// The side of the chain beyond which a page is that has no slot.
  @inline(__always)
  func side(of page: AnyResource) -> ListSide {
    page === start.beyond && page !== end.beyond ? .start : .end
  }

  /// The number of items that the server has sent in the pages before a position, those that were dropped too; nil
  /// where that says nothing about the end of the list: it may have become shorter since those were dropped, or its
  /// rows may have moved.
  ///
  /// - Parameter total: the number of items that the list has, by the page at the position or the one before it.
  func receivedCount(before position: Int, of total: Int?) -> Int? {
    guard let count = dropped.receivedCount(of: total) else { return nil }
    // The page before the chain is the last of those that were dropped, if any were.
    return position < 0
      ? dropped.receivedCount(withoutLast: 1) : count + chain.receivedCount(before: position)
  }

  func page(at slot: Int) -> AnyResource { Self.resource(chain.slots[slot].page) }

  /// Casts a page of the chain, which does not know the type of its pages; it has no others.
  static func resource(_ page: AnyObject) -> AnyResource {
    unsafeDowncast(page, to: AnyResource.self)
  }

  /// The slot of a page; nil if it is not in the chain.
  @inline(__always)
  func slot(of page: AnyResource) -> Int? {
    // Nearly always the walk is at that page. Not looking it up saves 2 % of a page that is confirmed.
    let position = walk.position
    if position < chain.slots.count, chain.slots[position].page === page { return position }
    // Or at the one beyond.
    return page === end.beyond ? nil : chain.index(of: page.id)
  }

  /// Whether this is the content that the chain has for the page in a slot.
  @inline(__always)
  func has(_ content: AnyObject, in slot: Int) -> Bool {
    chain.slots[slot].content === content && !chain.slots[slot].isNextAssumed
  }

  /// The slot of a page, and whether its content may be new to the list. It is not if the chain has it already,
  /// unless the list may end there: that depends on the pages before it, which may have changed.
  @inline(__always)
  func slot(of page: AnyResource, with content: AnyObject) -> (slot: Int?, mayBeNew: Bool) {
    guard let slot = slot(of: page) else { return (nil, true) }
    return (slot, !has(content, in: slot) || mayEnd(at: slot))
  }

  /// Whether the chain has this content and this next page for the page in a slot.
  @inline(__always)
  func has(_ content: AnyObject, leadingTo next: NextPage, in slot: Int?) -> Bool {
    guard let slot, has(content, in: slot) else { return false }
    return next.leads(as: chain.slots[slot].next)
  }

  /// Whether the list may end with the page in a slot: it names no other one, or has no items.
  @inline(__always)
  private func mayEnd(at slot: Int) -> Bool {
    if case .end = chain.slots[slot].next { return true }
    return chain.slots[slot].receivedCount == 0
  }

  /// Whether a slot comes after all pages that were requested ahead, which do not depend on it then.
  func isAfterLoadsAhead(_ slot: Int) -> Bool {
    guard let last = loads.lastAhead, let known = self.slot(of: last) else { return false }
    return slot > known
  }

  /// Whether the walk is at a page: a linked one, or the one beyond them.
  @inline(__always)
  func isAtPosition(_ page: AnyResource) -> Bool {
    guard let slot = slot(of: page) else {
      return walk.position == chain.linkedCount && side(of: page) == .end
    }
    return slot == walk.position && slot < chain.linkedCount
  }

  /// The next page of the linked ones, if it is not in the chain: it may have come to be since it was the
  /// page beyond.
  var nextPage: AnyResource? {
    guard chain.linkedCount > 0 else { return dropped.next }
    guard case .page(let next) = chain.slots[chain.linkedCount - 1].next else {
      return nil
    }
    let page = Self.resource(next)
    return chain.index(of: page.id) == nil ? page : nil
  }

  /// Changes one end of the list in place.
  @inline(__always)
  @discardableResult
  mutating func change<Result>(_ side: ListSide, _ body: (inout ListEdge) -> Result) -> Result {
    side == .end ? body(&end) : body(&start)
  }

  mutating func setRefreshState(_ state: PagedCollectionState) {
    guard refreshState != state else { return }
    release(refreshState)
    refreshState = state
    enqueue(.notifyRefresh(state))
  }

  /// Releases the error of a state outside of any access to the list.
  mutating func release(_ state: PagedCollectionState) {
    if case .failed(let error, _) = state { enqueue(.release(error.object)) }
  }

  /// Records that the server has refused the page beyond the end, if one follows the last page.
  mutating func noteAbsence(of page: AnyResource, until retryTime: Duration) {
    absentPage = absenceFacts(of: page).map { AbsentPage(facts: $0, retryTime: retryTime) }
  }

  /// Records that the page that did not exist was invalidated.
  mutating func invalidateAbsentPage() { absentPage?.isInvalidated = true }

  /// The page beyond the end may exist.
  mutating func forgetAbsentPage() { absentPage = nil }

  /// Cancels the loads ahead of the walk, from a page on; nil for all.
  mutating func cancelLoadsAhead(from first: AnyResource? = nil) {
    for page in loads.removeAhead(from: first) { release(page) }
  }

  /// Records that a page is loading for this list.
  mutating func began(_ load: ResourceState.LoadID, of page: AnyResource) {
    if let older = loads.begin(load, of: page) { enqueue(.releaseLoad(page, older)) }
  }

  /// Releases the load of a page, unless an end of the list waits for it.
  mutating func releaseLoad(of page: AnyResource) {
    guard page !== end.awaited, page !== start.awaited, let load = loads.end(page) else { return }
    enqueue(.releaseLoad(page, load))
  }

  /// Releases the load of a page, and stops observing it, unless that is needed for another purpose.
  mutating func release(_ page: AnyResource) {
    guard !loads.isAhead(page) else { return }
    releaseLoad(of: page)
    guard slot(of: page) == nil, page !== end.beyond, page !== start.beyond else { return }
    enqueue(.stopObserving(page))
  }

  /// Enqueues the actions that a change of the chain has caused.
  mutating func chainChanged() {
    noteDetails()
    if walk.position > chain.linkedCount { walk.revisit(chain.linkedCount) }
    if let page = end.awaited, let slot = chain.index(of: page.id),
      slot >= chain.linkedCount
    {
      // The link to it leads elsewhere now.
      releaseAwaitedEnd()
    }
    // The page beyond is observed as soon as it is known: whoever loads it, it is shown.
    let next = nextPage
    if let absentPage, !absentPage.holds(for: absenceFacts(of: next)) { forgetAbsentPage() }
    setBeyond(next, of: .end)
    for page in chain.takeRemovedPages() {
      let page = Self.resource(page)
      if page === end.awaited, page !== next { setAwaited(nil, on: .end) }
      release(page)
    }
    reconsiderStart()
    let edits = chain.takeEdits()
    if !edits.isEmpty {
      // Before the items: an observer of those sees no end that is none.
      reconsiderEnd()
      actions.appendChange(.splice(edits))
    }
    for content in chain.takeRemovedContent() { enqueue(.release(content)) }
    if !edits.isEmpty { enqueue(.deliverChanges) }
  }
}

// MARK: - Invariants

extension PageList {
  func checkInvariants(isResting: Bool) {
    chain.checkInvariants()
    dropped.checkInvariants()
    precondition(
      chain.linkedCount == 0 || chain.slots[0].page === dropped.next,
      "the chain starts at another page")
    precondition(frozen == nil || limits.showsRefreshWhenComplete, "frozen for no refresh")
    frozen?.chain.checkInvariants()
    frozen?.dropped.checkInvariants()
    demand.checkInvariants()
    loads.checkInvariants()
    actions.checkInvariants()
    precondition((0...chain.linkedCount).contains(walk.position), "the walk is beyond an end")
    precondition(
      end.beyond.map { chain.index(of: $0.id) == nil } ?? true,
      "the page beyond is in the chain")
    precondition(
      absentPage?.holds(for: absenceFacts(of: nextPage)) ?? true,
      "an end by another page than the next")
    var copy = self
    precondition(mayContinue || copy.nextAction() == nil, "it may not continue, and has an action")
    guard isResting else { return }
    precondition(!actions.hasAny, "an action is waiting")
    if end.state.isLoading || refreshState.isLoading {
      let isNext = walk.isWalking && start.awaited != nil && loads.width == 1
      precondition(
        end.awaited != nil || isNext, "\(end.state), \(refreshState), and no page is awaited")
    }
    let isStartNext = demand.wantsPrevious && (chain.linkedCount > 0 || walk.isWalking)
    precondition(
      !start.state.isLoading || start.awaited != nil || isStartNext, "start: no page is awaited")
  }
}
