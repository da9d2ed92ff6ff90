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
struct PageList<Item: Sendable> {
  typealias Content = ContentBox<Page<Item>>

  /// The pages, and the merged array of their items.
  private(set) var chain: PageChain<Item>
  /// The list as it was before a refresh whose changes are shown when it is complete.
  private(set) var published: PageChain<Item>?
  /// What is known and done at the start of the list.
  private(set) var start = ListEdge()
  /// What is known and done at the end of the list.
  private(set) var end = ListEdge()
  /// What a refresh is doing: `.idle` when there is none, or the last one was completed.
  private(set) var refreshState = PagedCollectionState.idle
  /// The pages before the first one that were dropped.
  private(set) var dropped = DroppedPages()
  /// How often a page was looked at; what a traversal costs.
  private(set) var visitCount = 0

  /// The first page of the list.
  private let firstPage: AnyResource
  private let limits: PageListLimits
  /// The page that the chain begins with.
  private var root: AnyResource
  private var walk = PageWalk()
  /// Whether the walk has come as far as it can, until something is asked for or a page changes.
  private var isResting = true
  private var demand: PageDemand
  private var ahead: LoadsAhead
  /// What is on screen, counted as ``PageChain/firstItemIndex`` counts.
  private var onScreen: Range<Int>?
  /// What the last refresh was asked to do, for a retry.
  private var lastScope = RefreshScope.all
  private var actions = ActionQueue()

  init(
    firstPage: AnyResource, limits: PageListLimits, traits: ItemTraits<Item> = ItemTraits()
  ) {
    self.firstPage = firstPage
    self.limits = limits
    root = firstPage
    chain = PageChain(traits)
    demand = PageDemand(budget: limits.requestBudget)
    ahead = LoadsAhead(width: min(limits.concurrentLoads, limits.maxPages))
    setBeyond(firstPage, of: .end)
  }
}


// MARK: - What is asked of the list

extension PageList {
  /// How many items are shown, and stay wanted.
  var displayedCount: Int { demand.displayed }

  mutating func display(_ count: Int, _ moment: ListMoment) {
    if count > demand.displayed { demand.renew() }
    demand.displayed = count
    if walk.isStarted { resume(moment) }
  }

  /// Whether anything was ever asked for.
  var isStarted: Bool { walk.isStarted }

  /// Whether all that is wanted is there and fresh.
  func isConfirmed(at moment: ListMoment) -> Bool {
    walk.isConfirmed(at: moment.now, configuration: moment.configuration)
  }

  mutating func loadIfNeeded(_ moment: ListMoment) {
    isResting = false
    guard !isConfirmed(at: moment) else { return }
    if !isLoading { demand.renew() }
    ahead.widen()
    if walk.restartIfNeeded(at: moment.now, configuration: moment.configuration) { lookAgain() }
  }

  mutating func loadMore(_ moment: ListMoment) {
    demand.wantMore(
      than: chain.firstItemIndex + chain.linkedItemCount,
      isLoading: end.state.isLoading || refreshState.isLoading)
    if case .ended = end.state {
      // There may be more by now: the last page knows, once it is stale.
      walk.revisit(chain.linkedCount - 1)
      if let date = end.absentUntil, date <= moment.now { end.absentUntil = nil }
    }
    resume(moment)
  }

  mutating func loadPrevious() {
    wantPrevious(from: chain.firstItemIndex - 1)
  }

  mutating func loadAll(_ moment: ListMoment) {
    demand.wantAll()
    resume(moment)
  }

  /// Items are on screen, counted from the first one that is shown.
  mutating func itemsShown(_ range: Range<Int>, _ moment: ListMoment) {
    let first = shown.firstItemIndex
    let distance = limits.prefetchDistance
    onScreen = (first + range.lowerBound)..<(first + range.upperBound)
    demand.want(upTo: first + range.upperBound + distance)
    resume(moment)
    if hasPrevious, range.lowerBound < distance {
      wantPrevious(from: first + range.lowerBound - distance)
    }
  }

  private mutating func wantPrevious(from index: Int) {
    demand.want(from: index)
    start.isWanted = true
  }

  private mutating func resume(_ moment: ListMoment) {
    isResting = false
    ahead.widen()
    walk.start(configuration: moment.configuration)
  }

  mutating func refresh(_ scope: RefreshScope, _ moment: ListMoment) {
    demand.want(upTo: chain.firstItemIndex + chain.linkedItemCount)
    demand.renew()
    lastScope = scope
    walk.refresh(scope, since: moment.nextLoad, configuration: moment.configuration)
    isResting = false
    ahead.widen()
    lookAgain()
    giveWayToRefresh()
  }

  /// Asks again for the pages that failed.
  mutating func retry(_ moment: ListMoment) {
    ahead.widen()
    demand.renew()
    if case .failed(_, let page) = refreshState {
      isResting = false
      walk.resumeRefresh(lastScope, at: page, since: moment.nextLoad)
      giveWayToRefresh()
    } else if case .failed(_, let page) = end.state {
      isResting = false
      walk.retry(page, since: moment.nextLoad)
    }
    if case .failed = start.state {
      wantPrevious(from: chain.firstItemIndex - 1)
      start.retriedSince = moment.nextLoad
    }
  }

  /// Cancels the loads that are under way.
  mutating func cancel() {
    for page in [end.awaited, start.awaited] {
      if let page { actions.append(.cancel(page)) }
    }
    cancelLoadsAhead()
  }

  /// Forgets everything but the demand for displayed items.
  mutating func reset() {
    cancel()
    stopWaiting(.start)
    stopWaiting(.end)
    end.awaited = nil
    if published != nil { actions.append(.publish) }
    (dropped, onScreen, walk, root) = (DroppedPages(), nil, PageWalk(), firstPage)
    demand.settle()
    demand.settleStart()
    chain.reset()
    chainChanged()
    setBeyond(firstPage, of: .end)
    (start.isWanted, end.absentUntil) = (false, nil)
    setState(.idle, of: .end)
    setState(.idle, of: .start)
    setRefreshState(.idle)
  }

  /// What is awaited may be older than the refresh that begins.
  private mutating func giveWayToRefresh() {
    if limits.showsRefreshWhenComplete, published == nil {
      published = chain
      // What came before is delivered of the published list.
      _ = chain.takeSplices()
    }
    cancelLoadsAhead()
    end.awaited = nil
    if end.state.isLoading { setState(.idle, of: .end) }
  }

  /// The walk begins again: what is known beyond the pages may be outdated.
  private mutating func lookAgain() {
    dropped.outdate()
    end.absentUntil = nil
    cancelLoadsAhead()
  }
}

// MARK: - What happens to pages

extension PageList {
  /// A page was looked at.
  ///
  /// - Parameter found: what it holds and leads to, where that is not in the chain yet.
  mutating func visited(
    _ page: AnyResource, on side: ListSide, _ status: PageStatus,
    _ found: (content: Content, next: NextPage)?, _ moment: ListMoment
  ) {
    visitCount += 1
    if let found {
      if let slot = chain.position(of: page.id) {
        update(slot, found)
      } else if side == .end {
        attach(page, found, .end)
      }
    }
    guard status.isLoading else {
      leave(page, status, found, on: side, moment)
      return
    }
    self[side].awaited = page
    if chain.position(of: page.id) == nil { setBeyond(page, of: side) }
    showProgress(.loading, on: side)
  }

  /// A page was asked for before the walk has come to it; nil where there is none to be asked for.
  mutating func visitedAhead(
    _ page: AnyResource?, _ target: PageVisit.Target, isLoading: Bool, isOwn: Bool
  ) {
    guard let page, !ahead.contains(page), page !== end.awaited else {
      if case .counted = target { demand.giveBack() }
      ahead.isExhausted = true
      return
    }
    visitCount += 1
    ahead.append(page, isLoading: isLoading, isOwn: isOwn)
    if chain.position(of: page.id) == nil { actions.append(.observe(page)) }
  }

  /// The link to the page beyond is not to be followed, or leads to a page that is in the chain.
  mutating func refuse(_ reason: IncompleteWalk.Reason, on side: ListSide) {
    rest(in: .incomplete(IncompleteWalk(reason, page: lastSlot(on: side))), on: side)
  }

  /// A page has other content, from whatever source.
  mutating func loaded(
    _ page: AnyResource, _ status: PageStatus, _ found: (content: Content, next: NextPage),
    _ moment: ListMoment
  ) {
    ahead.finish(page)
    if let slot = chain.position(of: page.id) {
      update(slot, found)
    } else if page === end.beyond {
      attach(page, found, .end)
    } else if page !== start.beyond {
      return
    }
    isResting = false
    proceed(page, status, found, moment)
    walk.revisit(chain.linkedCount)
    guard let awaited = end.awaited, !isAtPosition(awaited) else { return }
    // The walk was sent back: it goes on from there, though this page is still loading.
    end.awaited = nil
  }

  /// The server has confirmed a page.
  mutating func confirmed(
    _ page: AnyResource, _ status: PageStatus, _ found: (content: Content, next: NextPage)?,
    _ moment: ListMoment
  ) {
    ahead.finish(page)
    if let slot = chain.position(of: page.id) {
      // What the page derives from the header fields may be new; its items are the same.
      if let found {
        let isRelinked = chain.relink(at: slot, found.content, next: found.next)
        contentChanged(slot, isChanged: isRelinked, isRelinked: isRelinked)
        isResting = false
        walk.revisit(chain.linkedCount)
      }
      chain.confirm(at: chain.position(of: page.id) ?? slot)
      chainChanged()
    }
    proceed(page, status, found, moment)
  }

  /// The load of a page has failed.
  mutating func failed(
    _ page: AnyResource, _ status: PageStatus, _ found: (content: Content, next: NextPage)?,
    _ moment: ListMoment
  ) {
    if ahead.contains(page) {
      ahead.finish(page)
      ahead.narrow()
    }
    proceed(page, status, found, moment)
  }

  /// The load of a page was cancelled, and it is not loading.
  mutating func cancelled(_ page: AnyResource) {
    ahead.finish(page)
    if page === end.awaited { halt() }
    if page === start.awaited {
      stopWaiting(.start)
      rest(in: .idle, on: .start)
    }
  }

  /// A page has no content any more.
  mutating func wiped(_ page: AnyResource) {
    if let slot = chain.position(of: page.id) {
      if slot == 0, chain.linkedCount > 0 { root = page }
      chain.remove(at: slot)
      chainChanged()
      walk.revisit(slot)
      cancelLoadsAhead()
    }
    // Nothing is loaded again by itself: a wipe may be a log-out.
    guard end.awaited == nil || end.awaited === page else { return }
    halt()
    setState(.idle, of: .end)
  }

  /// A page no longer counts as fresh.
  mutating func invalidated(_ page: AnyResource) {
    if let slot = chain.position(of: page.id) { walk.revisit(slot) }
  }

  /// A request waits before another attempt, until a date; nil when that is over.
  mutating func waits(_ page: AnyResource, until date: Date?) {
    let progress = date.map(PagedCollectionState.waiting) ?? .loading
    if page === end.awaited { showProgress(progress, on: .end) }
    if page === start.awaited { showProgress(progress, on: .start) }
  }

  /// The server wants fewer requests: one after the other from now on.
  mutating func narrow() { ahead.narrow() }

  /// Goes on after a page, if a walk has waited for it and it is no longer loading.
  private mutating func proceed(
    _ page: AnyResource, _ status: PageStatus, _ found: (content: Content, next: NextPage)?,
    _ moment: ListMoment
  ) {
    if let slot = chain.position(of: page.id) {
      walk.limit(freshUntil: status.freshUntil, of: slot)
    }
    guard !status.isLoading else { return }
    for side in [ListSide.end, .start] where self[side].awaited === page {
      self[side].awaited = nil
      if side == .end { isResting = false }
      leave(page, status, found, on: side, moment)
    }
  }
}

// MARK: - The walk

extension PageList {
  /// What is to be done next; nil where the list rests, or waits for a page.
  mutating func nextAction() -> PageListAction? {
    while true {
      if let action = actions.popFirst() { return action }
      if walk.isActive, !isResting, end.awaited == nil, walkOn() { continue }
      if mayExtendStart, extend(.start) { continue }
      if lookAhead() { continue }
      reconsiderStates()
      guard actions.hasAny else { return nil }
    }
  }

  /// Whether pages before the first one may be asked for: not while the pages after it are replaced.
  private var mayExtendStart: Bool {
    start.isWanted && start.awaited == nil && chain.linkedCount > 0
      && (!chain.hasStalePages || end.awaited == nil)
  }

  /// Looks at the next page that may be stale, or goes beyond the end.
  private mutating func walkOn() -> Bool {
    guard walk.position < chain.linkedCount else { return extend(.end) }
    visit(.page(page(at: walk.position)), on: .end, since: walk.since)
    return true
  }

  /// Goes beyond the pages on one side, as far as items are wanted there.
  ///
  /// - Returns: whether a page is to be looked at.
  private mutating func extend(_ side: ListSide) -> Bool {
    switch neighbor(on: side) {
    case .none: rest(in: .ended, on: side)
    case .refused(let reason): refuse(reason, on: side)
    case .page(let target):
      if isCovered(on: side) {
        rest(in: .idle, on: side)
      } else if let reason = limit(for: target, on: side) {
        refuse(reason, on: side)
      } else {
        visit(target, on: side, since: side == .end ? walk.since : start.since(walk))
        return true
      }
    }
    return false
  }

  private enum Neighbor {
    case none
    case refused(IncompleteWalk.Reason)
    case page(PageVisit.Target)
  }

  /// What is beyond the pages on one side.
  private func neighbor(on side: ListSide) -> Neighbor {
    switch side {
    case .end:
      guard chain.linkedCount > 0 else { return .page(.page(root)) }
      guard end.absentUntil == nil else { return .none }
      switch chain.slots[chain.linkedCount - 1].next {
      case .end: return .none
      case .refused(let reason): return .refused(reason)
      case .page(let next):
        let page = Self.resource(next)
        if let known = chain.position(of: page.id), known < chain.linkedCount {
          return .refused(.loop(backTo: known))
        }
        if !limits.allowsRepeatedPages, let known = dropped.index(of: page.key) {
          return .refused(.loop(backTo: known))
        }
        return isPageLimitReached ? .refused(.pageLimit(limits.pageLimit)) : .page(.page(page))
      }
    case .start:
      guard chain.linkedCount > 0 else { return .none }
      if let last = dropped.last { return .page(.dropped(last.key, last.decoder)) }
      guard chain.content(at: 0).previous != nil else { return .none }
      return isPageLimitReached
        ? .refused(.pageLimit(limits.pageLimit)) : .page(.previous(of: page(at: 0)))
    }
  }

  private var isPageLimitReached: Bool {
    dropped.count + chain.linkedCount >= limits.pageLimit
  }

  /// Whether as many items are there as are wanted on one side.
  private mutating func isCovered(on side: ListSide) -> Bool {
    switch side {
    case .start:
      return chain.linkedCount == 0 || demand.isCovered(from: chain.firstItemIndex)
    case .end:
      // A refresh asks for the first page at least, and stale pages are not left as they are.
      guard !chain.hasStalePages, chain.linkedCount > 0 || !walk.isRefresh else { return false }
      return demand.isCovered(
        by: chain.linkedItemCount, endingAt: chain.firstItemIndex + chain.linkedItemCount)
    }
  }

  /// Why no page may be asked for on one side; otherwise one is taken from the budget.
  private mutating func limit(
    for target: PageVisit.Target, on side: ListSide
  ) -> IncompleteWalk.Reason? {
    if side == .end {
      // Stale pages are replaced, whatever that takes.
      guard !chain.hasStalePages else { return nil }
      guard dropped.itemCount + chain.linkedItemCount < limits.itemLimit else {
        return .itemLimit(limits.itemLimit)
      }
    }
    // What was asked for ahead was taken from the budget then.
    if case .page(let page) = target, side == .end, ahead.isNext(page) { return nil }
    return demand.spend() ? nil : .requestBudget(limits.requestBudget)
  }

  private mutating func visit(
    _ target: PageVisit.Target, on side: ListSide, since load: ResourceState.LoadID
  ) {
    if side == .end, case .page(let page) = target, !ahead.isEmpty, !ahead.reach(page) {
      // The list goes on otherwise than was expected.
      cancelLoadsAhead()
    }
    actions.append(.visit(PageVisit(target: target, side: side, since: load, isAhead: false)))
  }

  /// Asks for a page that the walk has not come to yet, where that may be done.
  private mutating func lookAhead() -> Bool {
    guard end.awaited != nil, ahead.hasRoom, walk.refreshed != .firstPage else { return false }
    let slot = walk.position + 1 + ahead.count
    let target: PageVisit.Target
    if slot < chain.linkedCount {
      target = .page(page(at: slot))
    } else {
      guard let distance = distanceAhead(of: slot), demand.spend() else {
        ahead.isExhausted = true
        return false
      }
      target = .counted(after: page(at: chain.linkedCount - 1), distance: distance)
    }
    let visit = PageVisit(target: target, side: .end, since: walk.sinceElsewhere, isAhead: true)
    actions.append(.visit(visit))
    return true
  }

  /// How many places a slot is after the page that the last linked one leads to; nil where no page is
  /// wanted there.
  private func distanceAhead(of slot: Int) -> Int? {
    guard chain.linkedCount > 0, !chain.hasStalePages else { return nil }
    let distance = slot - chain.linkedCount
    let size = chain.content(at: chain.linkedCount - 1).items.count
    let (more, overflows) = size.multipliedReportingOverflow(by: distance)
    guard !overflows, size > 0, dropped.count + slot < limits.pageLimit else { return nil }
    let count = chain.linkedItemCount + more
    guard dropped.itemCount + count < limits.itemLimit,
      !demand.covers(count, endingAt: chain.firstItemIndex + count)
    else { return nil }
    return distance
  }

  /// Puts a page beyond an end into the chain.
  private mutating func attach(
    _ page: AnyResource, _ found: (content: Content, next: NextPage), _ side: ListSide
  ) {
    if self[side].beyond === page { self[side].beyond = nil }
    switch side {
    case .end:
      if chain.linkedCount == 0 { root = page }
      chain.append(page, found.content, next: found.next)
      end.absentUntil = nil
      ahead.isExhausted = false
    case .start:
      // The page before the first one was named by it. A dropped one has to name it: if it leads
      // elsewhere by now, the pages after it are walked again.
      let isNamed = dropped.isEmpty
      dropped.removeLast()
      root = page
      chain.prepend(page, found.content, next: isNamed ? .page(self.page(at: 0)) : found.next)
      shiftPages(by: 1)
      if chain.hasStalePages {
        // Only a window drops pages, and it is where the page is now: what follows is loaded again.
        chain.removeAll(from: chain.linkedCount)
        walk.revisit(chain.linkedCount)
        if let onScreen { demand.want(upTo: onScreen.upperBound) }
      }
    }
    actions.append(.observe(page))
    chainChanged()
    drop(from: side == .end ? .start : .end)
  }

  /// A page of the chain has other content.
  private mutating func update(_ slot: Int, _ found: (content: Content, next: NextPage)) {
    let (isChanged, isRelinked) = chain.update(at: slot, found.content, next: found.next)
    contentChanged(slot, isChanged: isChanged, isRelinked: isRelinked)
  }

  private mutating func contentChanged(_ slot: Int, isChanged: Bool, isRelinked: Bool) {
    if isChanged { walk.noteChange(of: slot) }
    if isRelinked {
      walk.revisit(slot + 1)
      cancelLoadsAhead()
    }
    dropped.outdate()
    ahead.isExhausted = false
    if slot == chain.linkedCount - 1 { end.absentUntil = nil }
    chainChanged()
  }

  /// Goes on after a page that is not loading any more.
  private mutating func leave(
    _ page: AnyResource, _ status: PageStatus, _ found: (content: Content, next: NextPage)?,
    on side: ListSide, _ moment: ListMoment
  ) {
    // The walk may have been sent back since.
    guard side == .start || isAtPosition(page) else { return }
    let since = side == .end ? walk.since : start.since(walk)
    let isCurrent = status.isFresh && status.confirmingLoad >= since
    // The failed reload of a page that is fresh nevertheless holds up a refresh only.
    if let error = status.error, !isCurrent {
      return leave(page, after: error, status, on: side, moment)
    }
    guard status.hasData else {
      side == .end ? halt() : rest(in: .idle, on: .start)
      return
    }
    if side == .end, status.isInvalidated, limits.reloadsWhenInvalidated {
      // It was invalidated while it was loading: only a load that begins now makes it fresh.
      return visit(.page(page), on: .end, since: moment.nextLoad)
    }
    switch side {
    case .start:
      guard let found, chain.linkedCount > 0 else { return rest(in: .idle, on: .start) }
      // The chain may have come to it while it was being loaded.
      if chain.position(of: page.id) != nil { return meetKnown(page, moment) }
      start.retriedSince = nil
      let count = chain.linkedCount
      attach(page, found, .start)
      if chain.linkedCount <= count {
        isResting = false
        walk.start(configuration: moment.configuration)
      }
      walk.limit(freshUntil: status.freshUntil, of: 0)
    case .end:
      let canSkip = walk.canSkip
      walk.proceed(freshUntil: status.freshUntil)
      if canSkip { walk.skip(to: chain.linkedCount) }
    }
  }

  /// The page to go before the first one is in the chain already.
  ///
  /// Where it was dropped from the start, the list has changed since, and is walked again from its first
  /// page; that is done once for each time that pages there are wanted.
  mutating func meetKnown(_ page: AnyResource, _ moment: ListMoment) {
    guard !dropped.isEmpty, !start.hasRestarted else {
      return refuse(.loop(backTo: chain.position(of: page.id) ?? 0), on: .start)
    }
    start.hasRestarted = true
    isResting = false
    walk.start(configuration: moment.configuration)
    walk.revisit(0)
    lookAgain()
    restartChain()
  }

  private mutating func leave(
    _ page: AnyResource, after error: ResourceError, _ status: PageStatus, on side: ListSide,
    _ moment: ListMoment
  ) {
    let isHTTP = error.kind == .http
    if side == .end, isHTTP, error.status == 404, walk.position > 0,
      chain.content(at: walk.position - 1).style.endsAtNotFound
    {
      // The list ends before it. Once that is stale, it is asked whether there is a page now.
      if walk.position < chain.slots.count { chain.removeAll(from: walk.position) }
      end.absentUntil = status.absentUntil
      walk.limit(freshUntil: status.absentUntil, of: walk.position - 1)
      chainChanged()
    } else if isHTTP, [400, 404, 410].contains(error.status ?? 0), page !== firstPage,
      side == .end || !dropped.isEmpty,
      limits.restartsExpiredChains,
      walk.restartOnce(since: moment.nextLoad, configuration: moment.configuration)
    {
      restart()
    } else {
      fail(with: error, on: side)
    }
  }

  /// Begins at the first page of the list again, because what led to a page is outdated.
  private mutating func restart() {
    isResting = false
    lastScope = .all
    lookAgain()
    giveWayToRefresh()
    stopWaiting(.start)
    stopWaiting(.end)
    settleStart()
    setState(.idle, of: .start)
    restartChain()
  }

  private mutating func restartChain() {
    guard root !== firstPage || !dropped.isEmpty else { return }
    (root, dropped, onScreen) = (firstPage, DroppedPages(), nil)
    chain.restart(at: firstPage)
    // The window is at the first page now, which is wanted whatever is displayed.
    demand.forgetPlaces()
    demand.want(upTo: 1)
    chain.removeAll(from: chain.linkedCount)
    chainChanged()
    actions.append(.deliverChanges)
  }

  private mutating func fail(with error: ResourceError, on side: ListSide) {
    ahead.narrow()
    guard side == .end else {
      settleStart()
      return setState(.failed(error, page: -1), of: .start)
    }
    let failed = PagedCollectionState.failed(error, page: walk.position)
    let isRefresh = walk.isRefresh
    isResting = true
    walk.stop()
    demand.giveBack()
    publish()
    // A page that is there already does not keep the list from going on after its end.
    if !isRefresh || walk.position >= chain.linkedCount { setState(failed, of: .end) }
    if isRefresh { setRefreshState(failed) }
  }

  private mutating func settleStart() {
    (start.isWanted, start.retriedSince, start.hasRestarted) = (false, nil, false)
    demand.settleStart()
  }

  /// Stops on one side, until something is asked for again.
  private mutating func rest(in state: PagedCollectionState, on side: ListSide) {
    guard side == .end else {
      settleStart()
      return setState(state, of: .start)
    }
    let isRefresh = walk.isRefresh
    isResting = true
    walk.settle()
    // What was wanted is not there: asked again, the walk goes on.
    if case .incomplete(let walk) = state, case .requestBudget = walk.reason {
      self.walk.revisit(self.walk.position)
    }
    demand.settle()
    cancelLoadsAhead()
    if isRefresh { actions.append(.completeRefresh) }
    publish()
    setState(state, of: .end)
    if isRefresh { setRefreshState(.idle) }
  }

  /// Cancels the walk, until something is asked for again.
  private mutating func halt() {
    end.awaited = nil
    isResting = true
    walk.halt()
    demand.settle()
    cancelLoadsAhead()
    publish()
    if end.state.isLoading { setState(.idle, of: .end) }
    if refreshState.isLoading { setRefreshState(.idle) }
  }

  private mutating func publish() {
    if published != nil { actions.append(.publish) }
  }

  /// Ends the publication of an older list.
  ///
  /// - Returns: that list, to be released.
  mutating func endPublication() -> PageChain<Item>? { published.take() }

  /// The splices that observers have yet to be notified of.
  mutating func takeSplices() -> SpliceLog<Item> {
    published == nil ? chain.takeSplices() : published?.takeSplices() ?? SpliceLog()
  }
}

// MARK: - The window

extension PageList {
  /// Drops pages on one side, beyond those that may be kept in memory.
  private mutating func drop(from side: ListSide) {
    guard chain.linkedCount > limits.maxPages, self[side].awaited == nil else { return }
    // Nothing goes from where more is wanted.
    guard side == .start ? !start.isWanted : !chain.hasStalePages else { return }
    while chain.linkedCount > max(limits.maxPages, 1) {
      let slot = side == .start ? 0 : chain.linkedCount - 1
      guard canDrop(slot) else { return }
      if side == .start {
        dropped.append(
          page(at: 0), showing: chain.items(of: 0).count,
          isFirst: chain.content(at: 0).previous == nil)
        chain.removeFirst()
        root = page(at: 0)
        shiftPages(by: -1)
      } else {
        chain.removeAll(from: slot)
        end.absentUntil = nil
        walk.revisit(slot)
        cancelLoadsAhead()
        setState(.idle, of: .end)
      }
      chainChanged()
    }
  }

  /// Whether a page may be dropped: it is neither on screen nor wanted.
  private func canDrop(_ slot: Int) -> Bool {
    let range = chain.items(of: slot)
    guard chain.linkedItemCount - range.count >= demand.displayed else { return false }
    guard let onScreen else { return true }
    let margin = max(limits.prefetchDistance, demand.displayed)
    let first = chain.firstItemIndex
    return (first + range.upperBound).saturatingSum(margin) <= onScreen.lowerBound
      || first + range.lowerBound >= onScreen.upperBound.saturatingSum(margin)
  }

  /// Pages came before the first one, or went there.
  private mutating func shiftPages(by count: Int) {
    walk.shift(by: count)
    setState(end.state.shifted(by: count), of: .end)
    setRefreshState(refreshState.shifted(by: count))
  }
}

// MARK: - State

extension PageList {
  /// The list that is shown: the one before a refresh whose changes wait until it is complete.
  var shown: PageChain<Item> { published ?? chain }

  /// Whether anything is being loaded, at either end or in a refresh.
  var isLoading: Bool {
    end.state.isLoading || start.state.isLoading || refreshState.isLoading
  }

  /// Whether a refresh is under way.
  var isRefreshing: Bool { walk.isRefresh }

  /// Whether there is, or may be, a page before the first one that is loaded.
  var hasPrevious: Bool {
    chain.linkedCount > 0 && (!dropped.isEmpty || chain.content(at: 0).previous != nil)
  }

  /// Whether the linked pages were walked to a page that names no other.
  var isEnded: Bool {
    chain.isComplete || (end.absentUntil != nil && chain.linkedCount > 0 && !chain.hasStalePages)
  }

  /// The page in a slot.
  func page(at slot: Int) -> AnyResource { Self.resource(chain.slots[slot].page) }

  /// A page of the chain, which does not know the type of its pages; there are no others in it.
  static func resource(_ page: AnyObject) -> AnyResource {
    unsafeDowncast(page, to: AnyResource.self)
  }

  private subscript(side: ListSide) -> ListEdge {
    get { side == .end ? end : start }
    set { if side == .end { end = newValue } else { start = newValue } }
  }

  /// Whether a page is the one that the walk has come to: a linked one, or the one beyond them.
  private func isAtPosition(_ page: AnyResource) -> Bool {
    guard let slot = chain.position(of: page.id) else { return walk.position == chain.linkedCount }
    return slot == walk.position && slot < chain.linkedCount
  }

  /// The page that the linked ones lead to, if it is not one of them.
  private var nextPage: AnyResource? {
    guard chain.linkedCount > 0 else { return root }
    guard case .page(let next) = chain.slots[chain.linkedCount - 1].next else { return nil }
    let page = Self.resource(next)
    return chain.position(of: page.id) == nil ? page : nil
  }

  private func lastSlot(on side: ListSide) -> Int { side == .end ? chain.linkedCount - 1 : 0 }

  /// Shows the states that follow from the chain: an end that is none any more, and a start.
  private mutating func reconsiderStates() {
    if case .ended = end.state, !isEnded { setState(.idle, of: .end) }
    guard start.awaited == nil, chain.linkedCount > 0 else { return }
    switch start.state {
    case .ended: if hasPrevious { setState(.idle, of: .start) }
    case .idle, .failed, .incomplete: if !hasPrevious { setState(.ended, of: .start) }
    case .loading, .waiting: break
    }
  }

  private mutating func showProgress(_ progress: PagedCollectionState, on side: ListSide) {
    if side == .end, walk.isRefresh {
      setRefreshState(progress)
    } else {
      setState(progress, of: side)
    }
  }

  private mutating func setState(_ state: PagedCollectionState, of side: ListSide) {
    guard !self[side].state.isSame(as: state) else { return }
    self[side].state = state
    actions.append(.notify(side == .end ? .end(state) : .start(state)))
  }

  private mutating func setRefreshState(_ state: PagedCollectionState) {
    guard !refreshState.isSame(as: state) else { return }
    refreshState = state
    actions.append(.notify(.refresh(state)))
  }

  private mutating func setBeyond(_ page: AnyResource?, of side: ListSide) {
    let old = self[side].beyond
    guard old !== page else { return }
    self[side].beyond = page
    if let old { stopObserving(old) }
    if let page { actions.append(.observe(page)) }
  }

  private mutating func stopWaiting(_ side: ListSide) {
    if side == .start || end.awaited === end.beyond { self[side].awaited = nil }
    setBeyond(nil, of: side)
  }

  private mutating func cancelLoadsAhead() {
    guard !ahead.isEmpty else { return ahead.isExhausted = false }
    for (page, isOwnLoad) in ahead.removeAll() {
      if isOwnLoad, page !== end.awaited, page !== start.awaited { actions.append(.cancel(page)) }
      stopObserving(page)
    }
  }

  /// A page is no longer needed for one thing; it may be for another.
  private mutating func stopObserving(_ page: AnyResource) {
    guard chain.position(of: page.id) == nil, page !== end.beyond, page !== start.beyond,
      !ahead.contains(page)
    else { return }
    actions.append(.stopObserving(page))
  }

  /// Passes on what a change of the chain has caused.
  private mutating func chainChanged() {
    walk.limit(to: chain.linkedCount)
    if let awaited = end.awaited, let slot = chain.position(of: awaited.id),
      slot >= chain.linkedCount
    {
      // What led to it leads elsewhere now.
      end.awaited = nil
    }
    // The page beyond is observed as soon as it is named: whoever loads it, it is shown.
    let next = nextPage
    if end.beyond !== next {
      if end.awaited === end.beyond { end.awaited = nil }
      setBeyond(next, of: .end)
    }
    for page in chain.takeRemovedPages() {
      let page = Self.resource(page)
      if page === end.awaited, page !== next { end.awaited = nil }
      stopObserving(page)
    }
    for content in chain.takeReplaced() { actions.append(.release(content)) }
    if !chain.splices.isEmpty, published == nil { actions.append(.deliverChanges) }
  }
}
