import Foundation

/// What a paged collection knows, and every decision that it makes: a pure value.
///
/// Each input is a method. What is to be done about it are actions, which ``nextAction()`` hands out one
/// by one; the collection performs each before it asks for the next. The state is complete before.
/// Other state machines here return their actions from each input. This one keeps them in a queue, because
/// performing one is often an input itself, whose actions come after those that are waiting; and because
/// an array for each of the inputs of a walk costs measurably more than a queue that keeps its memory.
///
/// The walk looks at one page after the other: at those that are linked, as long as they may be stale,
/// and then beyond either end, as far as items are wanted there. Both ends are walked by the same code.
/// So each page costs a fixed number of visits, and no call is as deep as the list is long.
///
/// Of a page only its identity is used, and what is constant in it: its key and its decoder. What it
/// holds, and how it stands, comes with each input.
struct PageList {
  /// The pages.
  var chain: PageChain
  /// The pages as they were before a refresh whose changes are shown when it is complete.
  private(set) var published: PublishedPages?
  /// What is being done at each end, and why no more.
  private(set) var states = ListSides<PagedCollectionState>(start: .idle, end: .idle)
  /// The pages that the walk waits for.
  var awaited = ListSides<AnyResource?>(start: nil, end: nil)
  /// The pages beyond the loaded ones, from when they are asked for until they are in the chain.
  private(set) var beyond = ListSides<AnyResource?>(start: nil, end: nil)
  /// When the server may be asked again for the page beyond the end, which it said does not exist.
  var absentUntil: Duration?
  /// What a refresh is doing: `.idle` when there is none, or the last one was completed.
  private(set) var refreshState = PagedCollectionState.idle
  /// The pages before the first one that were dropped.
  var dropped = DroppedPages()
  /// How often a page was looked at; what a traversal costs.
  var visitCount = 0

  /// The first page of the list.
  let firstPage: AnyResource
  let limits: PageListLimits
  /// The page that the chain begins with.
  var root: AnyResource
  var walk = PageWalk()
  var startWalk = StartWalk()
  var demand: PageDemand
  var ahead: LoadsAhead
  /// What is on screen, counted as ``PageChain/firstItemIndex`` counts.
  var onScreen: Range<Int>?
  /// What the last refresh was asked to do, for a retry.
  var lastScope = RefreshScope.all
  private(set) var actions = ActionQueue()

  init(firstPage: AnyResource, limits: PageListLimits, showing choice: ItemChoice = .first) {
    self.firstPage = firstPage
    self.limits = limits
    root = firstPage
    chain = PageChain(showing: choice)
    demand = PageDemand(budget: limits.requestBudget)
    ahead = LoadsAhead(width: limits.concurrentLoads, memory: limits.retainedPageLimit)
    setBeyond(firstPage, of: .end)
  }
}

// MARK: - Actions

extension PageList {
  /// Adds an action to those that are to be performed.
  mutating func enqueue(_ action: PageListAction) { actions.append(action) }

  /// What is to be done next of what inputs have led to, without going on.
  mutating func popAction() -> PageListAction? { actions.popFirst() }

  /// Goes on showing the chain as it is now.
  mutating func withhold() {
    guard published == nil else { return }
    published = PublishedPages(chain: chain, dropped: dropped)
    enqueue(.withhold)
  }

  /// Shows the chain as it is by now.
  ///
  /// - Returns: the chain that was shown, to be released outside of any access to the list.
  mutating func takePublished() -> PublishedPages? { published.take() }
}

/// The pages as they were before a refresh whose changes are shown when it is complete.
struct PublishedPages {
  let chain: PageChain
  let dropped: DroppedPages
}

extension PageChain {
  /// Whether there is, or may be, a page before the first one.
  ///
  /// - Parameter dropped: the pages that were dropped there.
  fileprivate func hasPreviousPage(afterDropping dropped: DroppedPages) -> Bool {
    linkedCount > 0 && (!dropped.isEmpty || slots.inOrder[0].loaded.hasPreviousPage)
  }
}

// MARK: - State

extension PageList {
  /// The pages that are shown.
  var shown: PageChain { published?.chain ?? chain }

  /// The dropped pages before those that are shown.
  var shownDropped: DroppedPages { published?.dropped ?? dropped }

  /// Whether anything is being loaded, at either end or in a refresh.
  @inline(__always)
  var isLoading: Bool {
    states.end.isLoading || states.start.isLoading || refreshState.isLoading
  }

  /// Whether a refresh is under way.
  var isRefreshing: Bool { walk.isRefresh }

  /// Whether there is, or may be, a page before the first one that is loaded.
  var hasPreviousPage: Bool { chain.hasPreviousPage(afterDropping: dropped) }

  /// The same of the pages that are shown.
  var showsPrevious: Bool { shown.hasPreviousPage(afterDropping: shownDropped) }

  /// Whether the linked pages were walked to a page that names no other.
  @inline(__always)
  var isEnded: Bool {
    chain.isComplete
      || (absentUntil != nil && chain.linkedCount > 0 && !chain.hasStalePages)
  }

  /// The page in a slot.
  func page(at slot: Int) -> AnyResource { Self.resource(chain.slots.inOrder[slot].page) }

  /// A page of the chain, which does not know the type of its pages; there are no others in it.
  static func resource(_ page: AnyObject) -> AnyResource {
    unsafeDowncast(page, to: AnyResource.self)
  }

  /// The slot of a page; nil where it is not in the chain.
  // Inlined, because a call copies all of the list: it is large, and passed by value.
  @inline(__always)
  func slot(of page: AnyResource) -> Int? {
    // Nearly always the walk is there.
    let position = walk.position
    if position < chain.slots.count, chain.slots.inOrder[position].page === page { return position }
    return chain.slots.index(of: page.id)
  }

  /// Whether this is what the chain has of the page in a slot.
  @inline(__always)
  func has(_ content: AnyObject, in slot: Int) -> Bool {
    chain.slots.inOrder[slot].loaded.content === content && !chain.slots.inOrder[slot].isNextAssumed
  }

  /// Whether a page is the one that the walk has come to: a linked one, or the one beyond them.
  @inline(__always)
  func isAtPosition(_ page: AnyResource) -> Bool {
    guard let slot = slot(of: page) else { return walk.position == chain.linkedCount }
    return slot == walk.position && slot < chain.linkedCount
  }

  /// The page that the linked ones lead to, if it is not one of them.
  var nextPage: AnyResource? {
    guard chain.linkedCount > 0 else { return root }
    guard case .page(let next) = chain.slots.inOrder[chain.linkedCount - 1].loaded.next else {
      return nil
    }
    let page = Self.resource(next)
    return slot(of: page) == nil ? page : nil
  }

  func lastSlot(on side: ListSide) -> Int { side == .end ? chain.linkedCount - 1 : 0 }

  /// Shows that a list is not at its end any more.
  mutating func reconsiderEnd() {
    if case .ended = states.end, !isEnded { setState(.idle, of: .end) }
  }

  /// Shows whether anything is before the first page.
  mutating func reconsiderStart() {
    guard awaited.start == nil, chain.linkedCount > 0 else { return }
    switch states.start {
    case .ended: if hasPreviousPage { setState(.idle, of: .start) }
    case .idle, .failed, .incomplete: if !hasPreviousPage { setState(.ended, of: .start) }
    case .loading, .waiting: break
    }
  }

  mutating func showProgress(_ progress: PagedCollectionState, on side: ListSide) {
    if side == .end, walk.isRefresh {
      setRefreshState(progress)
    } else {
      setState(progress, of: side)
    }
  }

  mutating func setState(_ state: PagedCollectionState, of side: ListSide) {
    guard states[side] != state else { return }
    states[side] = state
    enqueue(.notify(side == .end ? .end(state) : .start(state)))
  }

  mutating func setRefreshState(_ state: PagedCollectionState) {
    guard refreshState != state else { return }
    refreshState = state
    enqueue(.notify(.refresh(state)))
  }

  mutating func setBeyond(_ page: AnyResource?, of side: ListSide) {
    let old = beyond[side]
    guard old !== page else { return }
    beyond[side] = page
    if let old { stopObserving(old) }
    if let page { enqueue(.observe(page)) }
  }

  /// The page beyond the chain on a side comes into it, where this is that page.
  ///
  /// - Returns: whether it is, and so is observed already.
  mutating func reachBeyond(_ page: AnyResource, on side: ListSide) -> Bool {
    guard beyond[side] === page else { return false }
    beyond[side] = nil
    return true
  }

  mutating func stopWaiting(_ side: ListSide) {
    if side == .start || awaited.end === beyond.end { awaited[side] = nil }
    setBeyond(nil, of: side)
  }

  mutating func cancelLoadsAhead() {
    guard !ahead.isEmpty else { return ahead.replenish() }
    for (page, ownLoad) in ahead.removeAll() {
      if let ownLoad, page !== awaited.end, page !== awaited.start {
        enqueue(.cancelUnlessJoined(page, ownLoad))
      }
      stopObserving(page)
    }
  }

  /// A page is no longer needed for one thing; it may be for another.
  mutating func stopObserving(_ page: AnyResource) {
    guard slot(of: page) == nil, page !== beyond.end,
      page !== beyond.start,
      !ahead.contains(page)
    else { return }
    enqueue(.stopObserving(page))
  }

  /// Passes on what a change of the chain has caused.
  mutating func chainChanged() {
    walk.limit(to: chain.linkedCount)
    if let page = awaited.end, let slot = slot(of: page),
      slot >= chain.linkedCount
    {
      // What led to it leads elsewhere now.
      awaited.end = nil
    }
    // The page beyond is observed as soon as it is named: whoever loads it, it is shown.
    let next = nextPage
    if beyond.end !== next {
      if awaited.end === beyond.end { awaited.end = nil }
      setBeyond(next, of: .end)
    }
    for page in chain.takeRemovedPages() {
      let page = Self.resource(page)
      if page === awaited.end, page !== next { awaited.end = nil }
      stopObserving(page)
    }
    reconsiderStart()
    let edits = chain.takeEdits()
    if !edits.isEmpty { enqueue(.splice(edits)) }
    for content in chain.takeRemovedContent() { enqueue(.release(content)) }
    if !edits.isEmpty { enqueue(.deliverChanges) }
  }
}

// MARK: - Invariants

extension PageList {
  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  ///
  /// - Parameter isResting: whether all that inputs have led to has been performed.
  func checkInvariants(isResting: Bool) {
    chain.checkInvariants()
    published?.chain.checkInvariants()
    ahead.checkInvariants()
    precondition(
      walk.position >= 0 && walk.position <= chain.linkedCount, "the walk is beyond the end")
    precondition(beyond.end.map { slot(of: $0) == nil } ?? true, "the page beyond is in the chain")
    guard isResting else { return }
    precondition(!actions.hasAny, "an action is waiting")
    if states.end.isLoading || refreshState.isLoading {
      precondition(awaited.end != nil, "\(states.end), \(refreshState), and no page is awaited")
    }
    precondition(!states.start.isLoading || awaited.start != nil, "start: no page is awaited")
  }
}
