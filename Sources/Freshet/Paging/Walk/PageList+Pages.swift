import Foundation

/// Inputs that report changes of the pages.
extension PageList {
  /// A page was visited.
  ///
  /// - Parameter found: its content and next page, if the chain does not have them yet.
  mutating func visited(_ report: PageReport, _ found: LoadedPage?, on side: ListSide) {
    let page = report.page
    walk.noteVisit()
    noteDetails()
    if let found {
      if let slot = slot(of: page) {
        update(slot, found)
      } else if side == .end {
        attach(found, .end)
      }
    }
    guard report.isLoading else {
      loads.end(page)
      return leave(report, found, on: side)
    }
    setAwaited(page, on: side)
    if slot(of: page) == nil { setBeyond(page, of: side) }
    showProgress(.loading, on: side)
  }

  /// The persistent cache was read for the page that is visited.
  ///
  /// - Parameter isOutdated: whether it is to be read again.
  mutating func restored(_ report: PageReport, isOutdated: Bool) {
    // If it had an entry, that event has come already.
    guard walk.isRestoring, end.awaited === report.page else { return }
    setAwaited(nil, on: .end)
    if !isOutdated { leave(report, nil, on: .end) }
  }

  /// A page was requested ahead of the walk.
  mutating func visitedAhead(
    _ page: AnyResource, _ target: PageVisit.Target, _ load: ResourceState.LoadID
  ) {
    if loads.resume(page, load) { return walk.noteVisit() }
    guard !loads.isAhead(page), page !== end.awaited else { return endLookAhead(target) }
    walk.noteVisit()
    loads.append(page, load)
    if slot(of: page) == nil { enqueue(.observe(page)) }
  }

  /// No page was found for a visit.
  ///
  /// - Parameter reason: why the link to it must not be followed; nil if no link leads to it any more.
  mutating func couldNotReach(_ visit: PageVisit, because reason: IncompleteWalk.Reason? = nil) {
    if visit.purpose == .ahead { return endLookAhead(visit.target) }
    if let reason { refuse(reason, on: visit.side) } else { rest(in: .idle, on: visit.side) }
  }

  /// No page is to be requested ahead of the walk, until another may be known.
  private mutating func endLookAhead(_ target: PageVisit.Target) {
    if case .counted(_, let distance) = target, !wantsPage(at: chain.linkedCount + distance) {
      demand.giveBack()
    }
    loads.exhaust()
  }

  /// The link to the page beyond must not be followed, or leads to a page that is in the chain.
  mutating func refuse(_ reason: IncompleteWalk.Reason, on side: ListSide) {
    let page = side == .end ? chain.linkedCount - 1 : 0
    rest(in: .incomplete(IncompleteWalk(reason: reason, page: page)), on: side)
  }

  /// A page has other content, from any source.
  mutating func loaded(_ report: PageReport, _ found: LoadedPage) {
    let page = report.page
    // Its content may have another total, with the same items.
    noteDetails()
    if !report.isLoading { loads.end(page) }
    loads.setFailed(page, false)
    var isWhatFailed = isAtPosition(page)
    if let slot = slot(of: page) {
      let count = chain.linkedItemCount
      let isRelinked = update(slot, found)
      if isRelinked { isWhatFailed = true }
      // If the number of items and the next page are the same, the walk has nothing to do: except
      // for a loop back to a dropped page, which may no longer be one.
      if walk.isFinished, !isRelinked, slot < chain.linkedCount - 1, chain.linkedItemCount == count,
        dropped.isEmpty
      {
        return proceed(report, found)
      }
    } else if page === end.beyond {
      attach(found, .end)
      // Not while a page before it may turn out not to exist.
      if end.awaited == nil || end.awaited === page { drop(from: .start) }
    } else if page !== start.beyond {
      return
    }
    walk.wake(afterFailure: isWhatFailed)
    proceed(report, found)
    walk.revisit(chain.linkedCount)
  }

  mutating func confirmed(_ report: PageReport, _ found: LoadedPage?) {
    let page = report.page
    noteDetails()
    if !report.isLoading { loads.end(page) }
    loads.setFailed(page, false)
    if let slot = slot(of: page) {
      if walk.hasFailed, isAtPosition(page) { walk.wake() }
      // What the page derives from the header fields may be new.
      if let found {
        walk.wake(afterFailure: update(slot, found))
        walk.revisit(chain.linkedCount)
      }
      // Its update has removed none but later ones.
      chain.confirm(at: slot, by: report.confirmingLoad)
      if chain.choice == .newest { chainChanged() }
    }
    proceed(report, found)
  }

  mutating func failed(_ report: PageReport, _ found: LoadedPage?) {
    let page = report.page
    if !report.isLoading { loads.end(page) }
    if loads.isAhead(page) {
      if !report.isLoading { loads.setFailed(page, true) }
      loads.narrow()
    }
    proceed(report, found)
  }

  /// The load of a page was cancelled, and it is not loading.
  mutating func cancelled(_ page: AnyResource) {
    loads.end(page)
    // What waits for the persistent cache is not waiting for that load.
    if page === end.awaited, !walk.isRestoring { halt() }
    if page === start.awaited { cancelStart() }
  }

  mutating func wiped(_ page: AnyResource) {
    enqueue(forTwinsOf: page) { .wipe($0) }
    let slot = slot(of: page)
    if let slot {
      let isAfterLoadsAhead = isAfterLoadsAhead(slot)
      chain.remove(at: slot)
      chainChanged()
      walk.revisit(slot)
      if !isAfterLoadsAhead { cancelLoadsAhead(from: loads.isAhead(page) ? page : nil) }
    }
    // After a log-out the reason why a refresh stopped there would be that of the former user.
    if slot != nil || page === end.beyond, let page = refreshState.stoppedPage,
      page >= chain.linkedCount
    {
      setRefreshState(.idle)
    }
    if chain.linkedCount == 0 || page === start.beyond { forgetStart() }
    // It is the page that the server said does not exist.
    if slot == nil, isEnded { return }
    // Nothing is reloaded automatically: a wipe may be a log-out.
    guard end.awaited == nil || end.awaited === page else { return }
    halt()
    setState(.idle, of: .end)
    if start.awaited == nil { cancelStart() }
  }

  /// Removes the reason why the list stopped before its first page, which is no longer known.
  mutating func forgetStart() {
    if start.state.stoppedPage != nil { setState(.idle, of: .start) }
  }

  /// Adds an action for each of the list's other resources for the request of a page: the service does not know them,
  /// and they are wiped and invalidated with that page.
  ///
  /// - Complexity: O(*p*) in the pages, if requests may be repeated; otherwise O(1).
  private mutating func enqueue(
    forTwinsOf page: AnyResource, _ action: (AnyResource) -> PageListAction
  ) {
    guard limits.allowsRepeatedPages, page.isRegistered else { return }
    for slot in chain.slots {
      let twin = Self.resource(slot.page)
      if twin !== page, twin.key == page.key { enqueue(action(twin)) }
    }
  }

  mutating func invalidated(_ page: AnyResource) {
    enqueue(forTwinsOf: page) { .invalidate($0) }
    if let slot = slot(of: page) { walk.revisit(slot) }
    if page === end.beyond, isNextAbsent, chain.linkedCount > 0 {
      // The server said that it does not exist, and is asked again, as for an empty page at the end.
      invalidateAbsentPage()
      walk.revisit(chain.linkedCount)
    }
    // It was fresh when the walk looked ahead, and is to be requested now.
    if loads.isAhead(page), loads.load(of: page) == nil { cancelLoadsAhead(from: page) }
    notifyInvalidation()
  }

  /// A request waits before another attempt; nil when the wait is over.
  mutating func waits(_ page: AnyResource, _ wait: RequestWait?) {
    let progress = wait.map(PagedCollectionState.waiting) ?? .loading
    if page === end.awaited { showProgress(progress, on: .end) }
    if page === start.awaited { showProgress(progress, on: .start) }
  }

  /// The server asks for fewer requests: of those that wait, all but one are cancelled, and made again one by one.
  /// Otherwise they would all be sent again when the wait is over, and use up their retries.
  ///
  /// - Parameters:
  ///   - time: when the wait is over.
  ///   - waits: whether the request of a page waits. One that does not is under way already, and may succeed.
  mutating func giveWayToServer(until time: Duration, where waits: (AnyResource) -> Bool) {
    loads.narrow(until: time)
    if end.awaited != nil, let page = start.awaited, waits(page) {
      releaseStart()
      demand.giveBack()
    }
    for page in loads.postponeAhead(where: waits) { releaseLoad(of: page) }
  }

  /// Continues after a page that is no longer loading, if a walk has waited for it, or a load before the chain has
  /// failed at it.
  mutating func proceed(_ report: PageReport, _ found: LoadedPage?) {
    let page = report.page
    if let slot = slot(of: page) { walk.limit(freshUntil: report.freshUntil, of: slot) }
    guard !report.isLoading else { return }
    if end.awaited === page {
      setAwaited(nil, on: .end)
      walk.wake()
      leave(report, found, on: .end)
    }
    if start.awaited === page {
      setAwaited(nil, on: .start)
      leave(report, found, on: .start)
    } else if page === start.beyond, chain.linkedCount > 0,
      report.error == nil, case .failed = start.state
    {
      // The page that failed was loaded by another user.
      loadPreviousPage()
    }
  }
}
