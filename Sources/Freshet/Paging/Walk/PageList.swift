import Foundation

/// What a paged collection knows, and every decision that it makes: a pure value.
///
/// Each input is a method. What is to be done about it are actions, which ``nextAction()`` hands out one
/// by one; the collection performs each before it asks for the next. The state is complete before.
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
  var published: PageChain?
  /// What is known and done at the two ends of the list.
  var edges = ListEdges()
  /// What a refresh is doing: `.idle` when there is none, or the last one was completed.
  var refreshState = PagedCollectionState.idle
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
  /// Whether the walk has come as far as it can, until something is asked for or a page changes.
  var isResting = true
  var demand: PageDemand
  var ahead: LoadsAhead
  /// What is on screen, counted as ``PageChain/firstItemIndex`` counts.
  var onScreen: Range<Int>?
  /// What the last refresh was asked to do, for a retry.
  var lastScope = RefreshScope.all
  var actions = ActionQueue()

  init(firstPage: AnyResource, limits: PageListLimits, showing choice: ItemChoice = .first) {
    self.firstPage = firstPage
    self.limits = limits
    root = firstPage
    chain = PageChain(showing: choice)
    demand = PageDemand(budget: limits.requestBudget)
    ahead = LoadsAhead(width: limits.concurrentLoads, memory: limits.maxPages)
    setBeyond(firstPage, of: .end)
  }
}

// MARK: - State

extension PageList {
  /// The pages that are shown.
  var shown: PageChain { published ?? chain }

  /// Whether anything is being loaded, at either end or in a refresh.
  var isLoading: Bool {
    edges.end.state.isLoading || edges.start.state.isLoading || refreshState.isLoading
  }

  /// Whether a refresh is under way.
  var isRefreshing: Bool { walk.isRefresh }

  /// Whether there is, or may be, a page before the first one that is loaded.
  var hasPrevious: Bool {
    chain.linkedCount > 0 && (!dropped.isEmpty || chain.slots[0].loaded.hasPrevious)
  }

  /// Whether the linked pages were walked to a page that names no other.
  var isEnded: Bool {
    chain.isComplete
      || (edges.end.absentUntil != nil && chain.linkedCount > 0 && !chain.hasStalePages)
  }

  /// The page in a slot.
  func page(at slot: Int) -> AnyResource { Self.resource(chain.slots[slot].page) }

  /// A page of the chain, which does not know the type of its pages; there are no others in it.
  static func resource(_ page: AnyObject) -> AnyResource {
    unsafeDowncast(page, to: AnyResource.self)
  }

  /// Whether a page is the one that the walk has come to: a linked one, or the one beyond them.
  func isAtPosition(_ page: AnyResource) -> Bool {
    guard let slot = chain.position(of: page.id) else { return walk.position == chain.linkedCount }
    return slot == walk.position && slot < chain.linkedCount
  }

  /// The page that the linked ones lead to, if it is not one of them.
  var nextPage: AnyResource? {
    guard chain.linkedCount > 0 else { return root }
    guard case .page(let next) = chain.slots[chain.linkedCount - 1].loaded.next else { return nil }
    let page = Self.resource(next)
    return chain.position(of: page.id) == nil ? page : nil
  }

  func lastSlot(on side: ListSide) -> Int { side == .end ? chain.linkedCount - 1 : 0 }

  /// Shows that a list is not at its end any more.
  mutating func reconsiderEnd() {
    if case .ended = edges.end.state, !isEnded { setState(.idle, of: .end) }
  }

  /// Shows whether anything is before the first page.
  mutating func reconsiderStart() {
    guard edges.start.awaited == nil, chain.linkedCount > 0 else { return }
    switch edges.start.state {
    case .ended: if hasPrevious { setState(.idle, of: .start) }
    case .idle, .failed, .incomplete: if !hasPrevious { setState(.ended, of: .start) }
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
    guard !edges[side].state.isSame(as: state) else { return }
    edges[side].state = state
    actions.append(.notify(side == .end ? .end(state) : .start(state)))
  }

  mutating func setRefreshState(_ state: PagedCollectionState) {
    guard !refreshState.isSame(as: state) else { return }
    refreshState = state
    actions.append(.notify(.refresh(state)))
  }

  mutating func setBeyond(_ page: AnyResource?, of side: ListSide) {
    let old = edges[side].beyond
    guard old !== page else { return }
    edges[side].beyond = page
    if let old { stopObserving(old) }
    if let page { actions.append(.observe(page)) }
  }

  mutating func stopWaiting(_ side: ListSide) {
    if side == .start || edges.end.awaited === edges.end.beyond { edges[side].awaited = nil }
    setBeyond(nil, of: side)
  }

  mutating func cancelLoadsAhead() {
    guard !ahead.isEmpty else { return ahead.isExhausted = false }
    for (page, isOwnLoad) in ahead.removeAll() {
      if isOwnLoad, page !== edges.end.awaited, page !== edges.start.awaited {
        actions.append(.cancel(page))
      }
      stopObserving(page)
    }
  }

  /// A page is no longer needed for one thing; it may be for another.
  mutating func stopObserving(_ page: AnyResource) {
    guard chain.position(of: page.id) == nil, page !== edges.end.beyond,
      page !== edges.start.beyond,
      !ahead.contains(page)
    else { return }
    actions.append(.stopObserving(page))
  }

  /// Passes on what a change of the chain has caused.
  mutating func chainChanged() {
    walk.limit(to: chain.linkedCount)
    if let awaited = edges.end.awaited, let slot = chain.position(of: awaited.id),
      slot >= chain.linkedCount
    {
      // What led to it leads elsewhere now.
      edges.end.awaited = nil
    }
    // The page beyond is observed as soon as it is named: whoever loads it, it is shown.
    let next = nextPage
    if edges.end.beyond !== next {
      if edges.end.awaited === edges.end.beyond { edges.end.awaited = nil }
      setBeyond(next, of: .end)
    }
    for page in chain.takeRemovedPages() {
      let page = Self.resource(page)
      if page === edges.end.awaited, page !== next { edges.end.awaited = nil }
      stopObserving(page)
    }
    reconsiderStart()
    let edits = chain.takeEdits()
    for edit in edits { actions.append(.splice(edit)) }
    for content in chain.takeReplaced() { actions.append(.release(content)) }
    if !edits.isEmpty { actions.append(.deliverChanges) }
  }
}
