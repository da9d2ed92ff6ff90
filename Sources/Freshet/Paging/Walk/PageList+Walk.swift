/// The walk: which page is visited next, and what follows from its status.
extension PageList {
  /// Whether ``nextAction()`` may have an action.
  @inline(__always)
  var mayContinue: Bool {
    if awaited.end == nil ? walk.isWalking : loads.hasRoom { return true }
    if demand.wantsPrevious || actions.hasAny { return true }
    if case .ended = states.end { return !isEnded }
    return false
  }

  /// The next action; nil if the list rests, or waits for a page.
  mutating func nextAction() -> PageListAction? {
    while true {
      if let action = popAction() { return action }
      // Both ends have their turn where one request may be under way.
      if !walk.isRefresh, !chain.hasStalePages, mayExtendStart, extend(.start) { continue }
      if mayWalk, walkOn() { continue }
      if mayExtendStart, extend(.start) { continue }
      if lookAhead() { continue }
      reconsiderEnd()
      guard actions.hasAny else { return nil }
    }
  }

  /// Whether the walk may visit a page.
  var mayWalk: Bool {
    walk.isWalking && awaited.end == nil && (awaited.start == nil || loads.fullWidth > 1)
  }

  /// Whether pages before the first one may be requested: not while the pages after it are
  /// replaced.
  var mayExtendStart: Bool {
    guard demand.wantsPrevious, awaited.start == nil, chain.linkedCount > 0,
      !chain.hasStalePages || awaited.end == nil
    else { return false }
    // One of several is for the other end.
    let isReserved = walk.isWalking && awaited.end == nil && loads.fullWidth > 1
    return loads.count < loads.fullWidth - (isReserved ? 1 : 0)
  }

  /// Visits the next page that may be stale, or goes beyond the end.
  mutating func walkOn() -> Bool {
    guard walk.position < chain.linkedCount else { return extend(.end) }
    visit(.page(page(at: walk.position)), on: .end, since: walk.since)
    return true
  }

  /// Goes beyond the pages on one side, as far as items are wanted there.
  ///
  /// - Returns: whether to visit a page.
  mutating func extend(_ side: ListSide) -> Bool {
    switch neighbor(on: side) {
    case .none: rest(in: .ended, on: side)
    case .refused(let reason): refuse(reason, on: side)
    case .page(let target):
      if isCovered(on: side) {
        rest(in: .idle, on: side)
      } else if let reason = limit(for: target, on: side) {
        refuse(reason, on: side)
      } else {
        visit(target, on: side, since: side == .end ? walk.since : sinceBeyondStart)
        return true
      }
    }
    return false
  }

  /// Loads before this one count as stale for the page before the first one.
  var sinceBeyondStart: ResourceState.LoadID { startRetriedSince ?? walk.sinceElsewhere }

  enum Neighbor {
    case none
    case refused(IncompleteWalk.Reason)
    case page(PageVisit.Target)
  }

  /// The page beyond the chain on one side.
  func neighbor(on side: ListSide) -> Neighbor {
    switch side {
    case .end:
      guard chain.linkedCount > 0 else { return .page(.page(root)) }
      guard absentUntil == nil else { return .none }
      switch chain.slots.inOrder[chain.linkedCount - 1].loaded.next {
      case .end: return .none
      case .refused(let reason): return .refused(reason)
      case .page(let next):
        let page = Self.resource(next)
        if let known = slot(of: page), known < chain.linkedCount {
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
      guard chain.slots.inOrder[0].loaded.hasPreviousPage else { return .none }
      return isPageLimitReached
        ? .refused(.pageLimit(limits.pageLimit)) : .page(.previous(of: page(at: 0)))
    }
  }

  var isPageLimitReached: Bool {
    dropped.count + chain.linkedCount >= limits.pageLimit
  }

  /// Whether all items that are wanted on one side are loaded.
  mutating func isCovered(on side: ListSide) -> Bool {
    switch side {
    case .start:
      return chain.linkedCount == 0 || demand.isCovered(from: chain.firstItemIndex)
    case .end:
      // A refresh requests at least the first page, and replaces stale pages.
      guard !chain.hasStalePages, chain.linkedCount > 0 || !walk.isRefresh else { return false }
      return demand.isCovered(
        by: chain.linkedItemCount, endingAt: chain.firstItemIndex + chain.linkedItemCount,
        onPagesUpTo: chain.firstPageIndex + chain.linkedCount)
    }
  }

  /// Why no page may be requested on one side; otherwise one is taken from the budget.
  mutating func limit(
    for target: PageVisit.Target, on side: ListSide
  ) -> IncompleteWalk.Reason? {
    if side == .end {
      // Stale pages are replaced, however many requests that takes.
      guard !chain.hasStalePages else { return nil }
      guard dropped.itemCount + chain.linkedItemCount < limits.itemLimit else {
        return .itemLimit(limits.itemLimit)
      }
    }
    // Pages requested ahead were taken from the budget then.
    if case .page(let page) = target, side == .end, loads.isPaid(page) { return nil }
    return demand.spend() ? nil : .requestBudget(limits.requestBudget)
  }

  mutating func visit(
    _ target: PageVisit.Target, on side: ListSide, since load: ResourceState.LoadID
  ) {
    var visit = PageVisit(target: target, side: side, since: load)
    if side == .end, case .page(let page) = target {
      if let load = loads.reach(page) {
        visit.enough = load
        loads.position = page.id
      } else if loads.aheadCount > 0, loads.position != page.id,
        slot(of: page) ?? .max >= chain.linkedCount
      {
        // The list continues otherwise than was expected.
        cancelLoadsAhead()
      }
      // Where the walk was sent back, it comes to that page again.
      if loads.aheadCount == 0 { loads.position = page.id }
    }
    enqueue(.visit(visit))
  }

  /// Requests a page ahead of the walk, if allowed.
  mutating func lookAhead() -> Bool {
    guard let awaited = awaited.end, loads.position == awaited.id, loads.hasRoom,
      // Not where the walk was sent back while it waits: it continues from there after that.
      isAtPosition(awaited), walk.refreshed != .firstPage
    else { return false }
    let slot = walk.position + 1 + loads.aheadCount
    let target: PageVisit.Target
    if slot < chain.linkedCount {
      target = .page(page(at: slot))
    } else {
      guard let distance = distanceAhead(of: slot), demand.spend() else {
        loads.isExhausted = true
        return false
      }
      target = .counted(after: page(at: chain.linkedCount - 1), distance: distance)
    }
    let visit = PageVisit(target: target, side: .end, since: walk.sinceElsewhere, isAhead: true)
    enqueue(.visit(visit))
    return true
  }

  /// How many places a slot is after the next page of the last linked one; nil if no page is wanted
  /// there.
  func distanceAhead(of slot: Int) -> Int? {
    guard chain.linkedCount > 0, !chain.hasStalePages else { return nil }
    let distance = slot - chain.linkedCount
    let size = chain.slots.inOrder[chain.linkedCount - 1].loaded.itemCount
    let (more, overflows) = size.multipliedReportingOverflow(by: distance)
    guard !overflows, size > 0, dropped.count + slot < limits.pageLimit else { return nil }
    let count = chain.linkedItemCount + more
    guard dropped.itemCount + count < limits.itemLimit,
      !demand.covers(
        count, endingAt: chain.firstItemIndex + count, onPagesUpTo: chain.firstPageIndex + slot)
    else { return nil }
    return distance
  }

  /// Adds a page beyond an end to the chain.
  mutating func attach(
    _ page: AnyResource, _ found: LoadedPage, _ side: ListSide
  ) {
    let isObserved = reachBeyond(page, on: side)
    switch side {
    case .end:
      if chain.linkedCount == 0 { root = page }
      chain.append(page, found)
      absentUntil = nil
      loads.isExhausted = false
    case .start:
      // The first page named this page as its previous one. A dropped page has to name the first
      // page as its next one: if it leads elsewhere by now, the pages after it are walked again.
      chain.prepend(page, found, isNamed: dropped.isEmpty)
      dropped.removeLast()
      root = page
      shiftPages(by: 1)
      if chain.hasStalePages {
        // Only a window drops pages, and it is at this page now: the following ones are loaded
        // again.
        chain.removeAll(from: chain.linkedCount)
        walk.revisit(chain.linkedCount)
        if let onScreen { demand.want(upTo: onScreen.upperBound) }
      }
    }
    if !isObserved { enqueue(.observe(page)) }
    chainChanged()
    // At the end once the page is known to exist: see ``leave(_:_:_:on:_:)``.
    if side == .start { drop(from: .end) }
  }

  /// Updates a page of the chain that has other content.
  ///
  /// - Returns: whether other pages follow than before.
  @discardableResult
  mutating func update(_ slot: Int, _ found: LoadedPage) -> Bool {
    let count = chain.slots.inOrder[slot].loaded.itemCount
    let isRelinked = chain.update(at: slot, found)
    if found.comparison == .different || isRelinked { walk.noteChange(of: slot) }
    if isRelinked {
      walk.revisit(slot + 1)
      cancelLoadsAhead()
    }
    dropped.outdate()
    loads.isExhausted = false
    if slot == chain.linkedCount - 1, isRelinked || found.itemCount != count { absentUntil = nil }
    chainChanged()
    return isRelinked
  }

  /// Continues after a page that is no longer loading.
  mutating func leave(
    _ page: AnyResource, _ status: PageStatus, _ found: LoadedPage?,
    on side: ListSide, _ moment: ListMoment
  ) {
    // The walk may have been sent back since.
    guard side == .start || isAtPosition(page) else { return }
    let since = side == .end ? walk.since : sinceBeyondStart
    let isCurrent = status.confirmingLoad >= since && moment.now < status.freshUntil
    // A failed reload of a page that is fresh nevertheless stops only a refresh.
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
      // It may have become part of the chain while it was loading.
      if slot(of: page) != nil { return meetKnown(page, moment) }
      startRetriedSince = nil
      let count = chain.linkedCount
      attach(page, found, .start)
      if chain.linkedCount <= count {
        walk.start(configuration: moment.configuration)
      }
      walk.limit(freshUntil: status.freshUntil, of: 0)
    case .end:
      let canSkip = walk.canSkip
      walk.proceed(freshUntil: status.freshUntil)
      if canSkip { walk.skip(to: chain.linkedCount) }
      drop(from: .start)
    }
  }

  /// The page to add before the first one is in the chain already.
  ///
  /// If it was dropped from the start, the list has changed since, and is walked again from its
  /// first page; that is done once per demand for pages there.
  mutating func meetKnown(_ page: AnyResource, _ moment: ListMoment) {
    guard !dropped.isEmpty, !hasRestartedForStart else {
      return refuse(.loop(backTo: slot(of: page) ?? 0), on: .start)
    }
    hasRestartedForStart = true
    walk.start(configuration: moment.configuration)
    walk.revisit(0)
    lookAgain()
    restartChain()
  }

  mutating func leave(
    _ page: AnyResource, after error: ResourceError, _ status: PageStatus, on side: ListSide,
    _ moment: ListMoment
  ) {
    if side == .end, error.isNotFound, walk.position > 0,
      chain.slots.inOrder[walk.position - 1].loaded.endsAtNotFound
    {
      // The list ends before it. Once the last page is stale, it is checked for a next page.
      if walk.position < chain.slots.count { chain.removeAll(from: walk.position) }
      absentUntil = status.absentUntil
      walk.limit(freshUntil: status.absentUntil, of: walk.position - 1)
      chainChanged()
    } else if error.kind == .http, [400, 404, 410].contains(error.status ?? 0), page !== firstPage,
      side == .end || !dropped.isEmpty,
      // A list without its last pages is shorter, and its links have not expired.
      limits.restartsExpiredChains || error.isNotFound && page.anyDecoder.endsAtNotFound,
      walk.restartOnce(since: moment.nextLoad, configuration: moment.configuration)
    {
      restart()
    } else {
      fail(with: error, on: side)
    }
  }

  /// Begins again at the first page of the list, because the link to a page is outdated.
  mutating func restart() {
    lastScope = .all
    lookAgain()
    giveWayToRefresh()
    stopWaiting(.start)
    stopWaiting(.end)
    finishStart()
    setState(.idle, of: .start)
    restartChain()
  }

  mutating func restartChain() {
    guard root !== firstPage || !dropped.isEmpty else { return }
    (root, dropped, onScreen) = (firstPage, DroppedPages(), nil)
    chain.restart(at: firstPage)
    // The window is at the first page now, which is wanted regardless of what is displayed.
    demand.forgetEnd()
    demand.want(upTo: 1)
    chain.removeAll(from: chain.linkedCount)
    chainChanged()
    enqueue(.deliverChanges)
  }

  mutating func fail(with error: ResourceError, on side: ListSide) {
    loads.narrow()
    guard side == .end else {
      finishStart()
      return setState(.failed(error, page: -1), of: .start)
    }
    let failed = PagedCollectionState.failed(error, page: walk.position)
    let isRefresh = walk.isRefresh
    walk.stop(afterFailure: true)
    demand.giveBack()
    publish()
    // A page in the chain that failed does not prevent the list from continuing after its end.
    if !isRefresh || walk.position >= chain.linkedCount { setState(failed, of: .end) }
    if isRefresh { setRefreshState(failed) }
  }

  mutating func finishStart() {
    (startRetriedSince, hasRestartedForStart) = (nil, false)
    demand.clearStart()
  }

  /// Stops on one side, until the next demand.
  mutating func rest(in state: PagedCollectionState, on side: ListSide) {
    guard side == .end else {
      finishStart()
      setState(state, of: .start)
      return reconsiderStart()
    }
    let isRefresh = walk.isRefresh
    // A refresh that leaves stale pages is not completed.
    let isCompleted = !isRefresh || !chain.hasStalePages
    let wantedAll = demand.wantsAll
    isCompleted ? walk.finish() : walk.stop()
    // What was wanted is not loaded: the next demand continues the walk.
    if case .incomplete(let walk) = state, case .requestBudget = walk.reason {
      self.walk.revisit(self.walk.position)
    }
    demand.clear()
    cancelLoadsAhead()
    if isRefresh, isCompleted {
      hasChangedDetails = true
      enqueue(.completeRefresh)
    }
    publish()
    setState(state, of: .end)
    if isRefresh { setRefreshState(isCompleted ? .idle : state) }
    // The list has become shorter than its window: the items to show are before it.
    if case .ended = state, isRefresh, !wantedAll, !dropped.isEmpty, chain.linkedItemCount == 0,
      demand.displayed > 0
    {
      wantPrevious(from: chain.firstItemIndex - 1)
    }
  }

  /// Cancels the walk, until the next demand.
  mutating func halt() {
    stopAwaitingEnd()
    walk.halt()
    demand.clear()
    cancelLoadsAhead()
    publish()
    if states.end.isLoading { setState(.idle, of: .end) }
    if refreshState.isLoading { setRefreshState(.idle) }
  }

  mutating func publish() {
    if published != nil { enqueue(.publish) }
  }
}

extension ResourceError {
  /// Whether the server says that there is no such page.
  var isNotFound: Bool { kind == .http && status == 404 }
}
