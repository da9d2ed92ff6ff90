/// Inputs that request items from a list.
extension PageList {
  mutating func display(_ count: Int, _ moment: ListMoment) {
    demand.display(count)
    if walk.isStarted { resume(moment) }
  }

  mutating func loadIfNeeded(_ moment: ListMoment) {
    if walk.isConfirmed(at: moment.now, configuration: moment.configuration) { return }
    if !isLoading { demand.renew() }
    widenAhead(moment)
    if walk.restartIfNeeded(at: moment.now, configuration: moment.configuration) {
      lookAgain(seeing: .same)
      revisitAwaited(.end)
      revisitAwaited(.start)
    }
  }

  /// Visits the page that is awaited on a side again, if the walk, which begins again, does not come to it after
  /// its load: since the configuration has changed, that load may be for a former user.
  private mutating func revisitAwaited(_ side: ListSide) {
    guard let page = self[side].awaited,
      side == .end ? isAtPosition(page) : slot(of: page) == nil
    else { return }
    setAwaited(nil, on: side)
    visit(.page(page), on: side)
  }

  mutating func loadMore(_ moment: ListMoment) {
    if end.state.isLoading || refreshState.isLoading {
      demand.demandMoreThanIsLoading()
    } else {
      demand.wantMore(than: chain.linkedExtent.itemEnd)
    }
    revisitEnd()
    resume(moment)
  }

  /// Loads a page by its index, counted as ``PageChain/firstPageIndex`` counts them.
  mutating func loadPage(_ index: Int, _ moment: ListMoment) {
    demand.want(pagesUpTo: index + 1)
    revisitEnd()
    resume(moment)
  }

  /// Visits the last page again if the list has ended: there may be more by now. That page knows, once it is stale,
  /// and where it is empty, those before it.
  private mutating func revisitEnd() {
    guard case .ended = end.state else { return }
    let last = chain.slots[..<chain.linkedCount].lastIndex { $0.receivedCount > 0 }
    walk.revisit(last ?? 0)
  }

  mutating func loadPreviousPage() { demand.want(from: chain.firstItemIndex - 1) }

  /// Loads the page before a window without items, from what is left of the budget: that page may have none either.
  mutating func leaveEmptyWindow() {
    demand.continueBackward(from: chain.firstItemIndex - 1)
  }

  mutating func loadAll(_ moment: ListMoment) {
    demand.wantAll()
    resume(moment)
  }

  mutating func loadPages(through index: Int, _ moment: ListMoment) {
    // As many as a list can have, and this can be added without overflow.
    let count = min(max(index, 0), 1 << 48) + 1
    demand.want(pagesUpTo: shown.firstPageIndex + count)
    resume(moment)
  }

  /// Records which items are on screen, counted from the first one that is shown.
  mutating func itemsShown(_ range: Range<Int>, _ moment: ListMoment) {
    // No screen shows more, and this can be added without overflow.
    let range = range.clamped(to: -(1 << 48)..<(1 << 48))
    let first = shown.firstItemIndex
    let distance = limits.prefetchDistance
    demand.show(
      (first + range.lowerBound)..<(first + range.upperBound), prefetching: distance)
    resume(moment)
    if hasPreviousPage, range.lowerBound < distance {
      demand.want(from: first + range.lowerBound - distance)
    }
  }

  mutating func resume(_ moment: ListMoment) {
    widenAhead(moment)
    if absentPage?.mayBeRequested(at: moment.now) == true { forgetAbsentPage() }
    walk.start(configuration: moment.configuration)
  }

  /// Allows as many loads ahead as the options do.
  mutating func widenAhead(_ moment: ListMoment) {
    if !isLoading { loads.outdate() }
    loads.widen(at: moment.now)
  }

  mutating func refresh(_ scope: RefreshScope, _ moment: ListMoment) {
    demand.wantAgain(upTo: chain.linkedExtent.itemEnd)
    // If pages are of different states, an unchanged first one says nothing about the others.
    walk.refresh(
      scope, since: moment.nextLoad, configuration: moment.configuration,
      maySkip: scope == .firstPage && !chain.isMixed())
    widenAhead(moment)
    lookAgain()
    prepareForRefresh()
  }

  mutating func retry(_ moment: ListMoment) {
    loads.retry()
    loads.widen(at: moment.now)
    demand.renew()
    if case .failed(_, let page) = refreshState {
      walk.retry(page)
      // From where the walk continues: it may have been sent back since that page failed.
      walk.resumeRefresh(isMixed: chain.isMixed(from: walk.position))
      if end.state.isLoading { cancelLoadsAhead() }
      prepareForRefresh()
    } else if case .failed(_, let page) = end.state {
      walk.retry(page)
      // Pages before it may have come since, with as many items as are wanted.
      if page >= chain.linkedCount, isCovered(on: .end) {
        demand.wantMore(than: chain.linkedExtent.itemEnd)
      }
    }
    walk.retryFailures(before: moment.nextLoad)
    if case .failed = start.state {
      loadPreviousPage()
      demand.retryPrevious(since: moment.nextLoad)
    }
  }

  /// Cancels the loads that are under way.
  ///
  /// The list has stopped when this returns, not when the events of that are delivered: what is requested until
  /// then is requested after the cancellation.
  mutating func cancel() {
    for page in awaitedPages { enqueue(.cancel(page)) }
    cancelStart()
    if end.awaited != nil || walk.isWalking { halt() }
    cancelLoadsAhead()
  }

  /// Cancels what is requested before the first page, until the next demand.
  mutating func cancelStart() {
    // It is loading too if its next request waits for its turn.
    guard start.awaited != nil || start.state.isLoading else { return demand.clearPrevious() }
    setBeyond(nil, of: .start)
    rest(in: .idle, on: .start)
    if !walk.isWalking { demand.clear() }
  }

  /// Discards everything except the demand for displayed items.
  mutating func reset() {
    cancel()
    setBeyond(nil, of: .start)
    setBeyond(nil, of: .end)
    dropped.restart(at: firstPage)
    demand.forgetShown()
    walk.reset()
    forgetAbsentPage()
    demand.clear()
    chain.reset()
    chainChanged()
    // After the items were removed: code that runs when they are deallocated sees none of them.
    unfreeze()
    setBeyond(firstPage, of: .end)
    demand.clearPrevious()
    setState(.idle, of: .end)
    setState(.idle, of: .start)
    setRefreshState(.idle)
  }

  /// Stops waiting for pages: their loads may be older than the refresh that begins.
  mutating func prepareForRefresh() {
    if limits.showsRefreshWhenComplete { freeze() }
    releaseAwaitedEnd()
    if end.state.isLoading { setState(.idle, of: .end) }
    // What is still wanted there is requested again, so that it is of the same age.
    releaseStart()
  }

  /// Cancels the request for the page before the first one; what is still wanted there is requested later.
  mutating func releaseStart() {
    if start.awaited != nil { setBeyond(nil, of: .start) }
    if start.state.isLoading { setState(.idle, of: .start) }
  }

  /// Clears what is known beyond the pages, which may be outdated, when the walk begins again.
  mutating func lookAgain(seeing comparison: LoadedPage.Comparison = .different) {
    dropped.outdate(by: comparison)
    forgetAbsentPage()
    cancelLoadsAhead()
  }
}
