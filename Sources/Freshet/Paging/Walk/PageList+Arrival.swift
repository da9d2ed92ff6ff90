/// What follows when a visited page has arrived, or could not be loaded.
extension PageList {
  /// Adds a page beyond an end to the chain.
  mutating func attach(_ found: LoadedPage, _ side: ListSide) {
    let page = Self.resource(found.page)
    let isObserved = page === self[side].beyond
    if isObserved { change(side) { $0.beyond = nil } }
    switch side {
    case .end:
      demand.forgetFailedPage()
      chain.append(found)
      loads.lookAgain()
    case .start:
      let first = self.page(at: 0)
      // The first page named this page as its previous one. A dropped page has to name the first
      // page as its next one: if it leads elsewhere by now, the pages after it are walked again.
      chain.prepend(found, isNamed: dropped.isEmpty)
      dropped.removeLast(before: page)
      shiftPages(by: 1)
      // A walk that failed or was cancelled may have left others, which stay.
      if chain.hasStalePages, chain.linkedCount < 2 || self.page(at: 1) !== first {
        // Only a window drops pages, and it is at this page now: the following ones are loaded
        // again.
        chain.removeAll(from: chain.linkedCount)
        walk.revisit(chain.linkedCount)
        demand.wantShown()
      }
    }
    if let slot = slot(of: page) { noteChange(at: slot) }
    if !isObserved { enqueue(.observe(page)) }
    chainChanged()
    // At the end once the page is known to exist: see ``leave(_:_:on:)``.
    if side == .start { drop(from: .end) }
  }

  /// Records that a page has changed, or is new: those after it may be of an older state, even if they come to
  /// the list later.
  private mutating func noteChange(at slot: Int) {
    walk.noteChange(of: slot)
    chain.noteChange(at: slot)
  }

  /// Updates a page of the chain that has other content.
  ///
  /// - Returns: whether other pages follow than before.
  @discardableResult
  mutating func update(_ slot: Int, _ found: LoadedPage) -> Bool {
    let count = chain.slots[slot].receivedCount
    let isRelinked = chain.update(at: slot, found)
    let isEdited = found.comparison == .edited
    if found.comparison == .different || isRelinked { noteChange(at: slot) }
    if !isEdited { reconsiderPrevious(of: slot) }
    if isRelinked {
      walk.revisit(slot + 1)
      // Those in front of a page that was requested ahead are still linked, and all in front of a later one.
      if !isAfterLoadsAhead(slot), let first = loads.ahead(after: page(at: slot)) {
        cancelLoadsAhead(from: first)
      }
    }
    dropped.outdate(by: isRelinked && !isEdited ? .different : found.comparison)
    loads.lookAgain()
    // Whether a page without items is the end depends on how many there are before it.
    let last = chain.linkedCount - 1
    if slot < last, found.receivedCount != count,
      chain.slots[last].receivedCount == 0
    {
      walk.revisit(last)
    }
    chainChanged()
    return isRelinked
  }

  /// Looks again at what precedes a page with other content: it may name another one as its previous page.
  private mutating func reconsiderPrevious(of slot: Int) {
    if slot > 0 {
      // Where the page before it was taken to lead to it, that page's own link counts from now on.
      if chain.slots[slot - 1].isNextAssumed { walk.revisit(slot - 1) }
    } else if start.awaited != nil, dropped.isEmpty {
      releaseStart()
    }
  }

  /// Continues after a page that is no longer loading.
  mutating func leave(
    _ report: PageReport, _ found: LoadedPage?, on side: ListSide
  ) {
    // The walk may have been sent back since.
    guard side == .start || isAtPosition(report.page) else { return }
    let isCurrent =
      report.confirmingLoad >= since(on: side) && report.moment.now < report.freshUntil
    if side == .end, walk.isRestoring {
      // It is shown as the persistent cache has it, or is not in there.
      guard report.hasData else { return walk.finishRestoring(without: report.page.id) }
      return walk.proceed(freshUntil: isCurrent ? report.freshUntil : .zero)
    }
    // A failed reload of a page that is fresh nevertheless stops only a refresh.
    if let error = report.error, !isCurrent { return couldNotLoad(report, error, on: side) }
    guard report.hasData else { return side == .end ? halt() : rest(in: .idle, on: .start) }
    if report.isInvalidated, limits.reloadsWhenInvalidated {
      // It was invalidated while it was loading: only a load that begins now makes it fresh.
      return visit(.page(report.page), on: side, since: report.moment.nextLoad)
    }
    if side == .end { passPage(report) } else { reachStart(report, found) }
  }

  /// Moves on from the page of the walk, which is loaded.
  private mutating func passPage(_ report: PageReport) {
    if !walk.isRefresh { resumeRefresh(by: report.confirmingLoad) }
    let canSkip = walk.canSkip
    walk.proceed(freshUntil: report.freshUntil)
    if canSkip {
      walk.skip(to: chain.linkedCount)
      chain.forgetChanges()
    }
    drop(from: .start)
  }

  /// Adds the page before the first one, which is loaded, to the chain.
  private mutating func reachStart(_ report: PageReport, _ found: LoadedPage?) {
    guard let found, chain.linkedCount > 0 else { return rest(in: .idle, on: .start) }
    // It may have become part of the chain while it was loading.
    if slot(of: report.page) != nil { return meetKnown(report.page, report.moment) }
    demand.retryPrevious(since: nil)
    let count = chain.linkedCount
    attach(found, .start)
    if chain.linkedCount <= count || demand.wantsAll {
      walk.start(configuration: report.moment.configuration)
    }
    walk.limit(freshUntil: report.freshUntil, of: 0)
  }

  /// Continues a refresh that failed at the page of the walk, once that page is loaded.
  private mutating func resumeRefresh(by load: ResourceState.LoadID) {
    guard case .failed(_, page: walk.position) = refreshState, load >= walk.lastRefresh.start else {
      return
    }
    walk.resumeRefresh(isMixed: chain.isMixed(from: walk.position))
    guard !walk.canSkip else {
      // It is complete. The walk, which has begun for what is stale too, skips nothing.
      walk.finishRefresh()
      chain.forgetChanges()
      noteRefresh()
      return setRefreshState(.idle)
    }
    walk.requireAllPages()
    if limits.showsRefreshWhenComplete { freeze() }
    setRefreshState(.loading)
    if end.state.isLoading { setState(.idle, of: .end) }
  }

  /// The page to add before the first one is in the chain already.
  ///
  /// If it was dropped from the start, the list has changed since, and is walked again from its
  /// first page; that is done once per demand for pages there.
  mutating func meetKnown(_ page: AnyResource, _ moment: ListMoment) {
    guard !dropped.isEmpty, demand.allowsRestart() else {
      return refuse(.loop(backTo: slot(of: page) ?? 0), on: .start)
    }
    walk.start(configuration: moment.configuration)
    walk.revisit(0)
    lookAgain()
    restartChain()
  }

  /// Continues after a page that could not be loaded: the list ends before it, begins again, or stops on that side.
  private mutating func couldNotLoad(
    _ report: PageReport, _ error: ResourceError, on side: ListSide
  ) {
    if side == .end, walk.position > 0, isEnd(walk.position - 1, by: error) {
      // The list ends before it. Once the last page is stale, it is checked for a next page.
      chain.removeAll(from: walk.position)
      noteAbsence(of: report.page, until: report.absentUntil)
      walk.limit(freshUntil: report.absentUntil, of: walk.position - 1)
      chainChanged()
    } else if report.page !== firstPage, isOutdated(by: error, on: side),
      // A list without its last pages is shorter, and its links have not expired.
      limits.restartsExpiredChains || error.isNotFound && report.page.anyDecoder.endsAtNotFound,
      walk.restartOnce(
        since: report.moment.nextLoad, configuration: report.moment.configuration)
    {
      restart()
    } else {
      fail(with: error, on: side)
    }
  }

  /// Whether an error in place of the next page says that the list ends with the page in a slot.
  private func isEnd(_ slot: Int, by error: ResourceError) -> Bool {
    let end = chain.slots[slot].end
    return end.isReached(by: error, after: receivedCount(before: slot + 1, of: end.total))
  }

  /// Whether an error in place of a page says that the link to it is outdated.
  private func isOutdated(by error: ResourceError, on side: ListSide) -> Bool {
    let isInWindow = !dropped.isEmpty
    guard error.kind == .http, let status = error.status, side == .end || isInWindow
    else { return false }
    // Before the pages of a window: the list has become shorter than that.
    let isBeyondEnd = isInWindow && (side == .start || walk.position == 0)
    return [400, 404, 410].contains(status) || isBeyondEnd && ListEnd.statuses.contains(status)
  }

  /// Begins again at the first page of the list, because the link to a page is outdated.
  mutating func restart() {
    lookAgain()
    prepareForRefresh()
    setBeyond(nil, of: .start)
    setBeyond(nil, of: .end)
    demand.clearPrevious()
    // That it begins there stays so unless the pages change.
    forgetStart()
    restartChain()
  }

  mutating func restartChain() {
    guard dropped.next !== firstPage || !dropped.isEmpty else { return }
    dropped.restart(at: firstPage)
    chain.restart(at: firstPage)
    demand.restart()
    chain.removeAll(from: chain.linkedCount)
    chainChanged()
    // Also if no items were removed: an observer of their new numbers sees no end without pages.
    reconsiderEnd()
    enqueue(.deliverChanges)
  }

  mutating func fail(with error: ResourceError, on side: ListSide) {
    loads.narrow()
    guard side == .end else {
      demand.clearPrevious()
      return setState(.failed(error, page: -1), of: .start)
    }
    let failed = PagedCollectionState.failed(error, page: walk.position)
    let isRefresh = walk.isRefresh
    walk.stop(.failed)
    if isWindowEmpty { leaveEmptyWindow() }
    if walk.position >= chain.linkedCount, let page = end.beyond { demand.fail(page.id) }
    unfreeze()
    // A page in the chain that failed does not prevent the list from continuing after its end.
    if !isRefresh || walk.position >= chain.linkedCount { setState(failed, of: .end) }
    if isRefresh { setRefreshState(failed) }
  }

  /// Stops on one side, until the next demand.
  mutating func rest(in state: PagedCollectionState, on side: ListSide) {
    guard side == .end else {
      demand.clearPrevious()
      setState(state, of: .start)
      return reconsiderStart()
    }
    let isRefresh = walk.isRefresh || hasLostFailedPage
    // A refresh that leaves stale pages is not completed.
    let isCompleted = !isRefresh || !chain.hasStalePages
    let wantedAll = demand.wantsAll
    walk.stop(isCompleted ? .finished : .resting)
    var hasStopped = state != .idle
    if case .incomplete(let stop) = state, case .requestBudget = stop.reason {
      // What was wanted is not loaded: the next demand continues the walk.
      walk.revisit(walk.position)
      hasStopped = false
    }
    demand.clear()
    cancelLoadsAhead()
    if isRefresh, isCompleted { noteRefresh() }
    unfreeze()
    setState(state, of: .end)
    if isRefresh { setRefreshState(isCompleted ? .idle : state) }
    if hasStopped, isWindowEmpty {
      leaveEmptyWindow()
      // Other pages may follow from those.
      if wantedAll { demand.wantAll() }
    }
  }

  /// Whether the last refresh failed at a page that the list has no more: all that remain were loaded again.
  private var hasLostFailedPage: Bool {
    guard case .failed(_, let page) = refreshState, chain.linkedCount > 0, !chain.hasStalePages
    else { return false }
    return page >= chain.linkedCount
  }

  mutating func noteRefresh() {
    noteDetails()
    enqueue(.completeRefresh)
  }

  /// Cancels the walk, until the next demand.
  mutating func halt() {
    releaseAwaitedEnd()
    walk.stop(.halted)
    demand.clear()
    cancelLoadsAhead()
    unfreeze()
    if end.state.isLoading { setState(.idle, of: .end) }
    if refreshState.isLoading { setRefreshState(.idle) }
  }

  /// Shows the chain with all changes, if it is frozen.
  mutating func unfreeze() {
    if frozen != nil { enqueue(.unfreeze) }
  }
}
