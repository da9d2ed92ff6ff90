import Foundation

/// What happens to the pages of a list.
extension PageList {
  /// A page was looked at.
  ///
  /// - Parameter found: what it holds and leads to, where that is not in the chain yet.
  mutating func visited(
    _ page: AnyResource, on side: ListSide, _ status: PageStatus,
    _ found: LoadedPage?, _ moment: ListMoment
  ) {
    visitCount += 1
    if let found {
      if let slot = slot(of: page) {
        update(slot, found)
      } else if side == .end {
        attach(page, found, .end)
      }
    }
    guard status.isLoading else {
      leave(page, status, found, on: side, moment)
      return
    }
    awaited[side] = page
    if slot(of: page) == nil { setBeyond(page, of: side) }
    showProgress(.loading, on: side)
  }

  /// A page was asked for before the walk has come to it; nil where there is none to be asked for.
  mutating func visitedAhead(
    _ page: AnyResource?, _ target: PageVisit.Target, _ load: ResourceState.LoadID = .max,
    _ progress: LoadsAhead.Progress = .finished
  ) {
    guard let page, !ahead.contains(page), page !== awaited.end else {
      if case .counted = target { demand.giveBack() }
      ahead.exhaust()
      return
    }
    visitCount += 1
    ahead.append(page, load, progress)
    if slot(of: page) == nil { enqueue(.observe(page)) }
  }

  /// The link to the page beyond is not to be followed, or leads to a page that is in the chain.
  mutating func refuse(_ reason: IncompleteWalk.Reason, on side: ListSide) {
    rest(in: .incomplete(IncompleteWalk(reason, page: lastSlot(on: side))), on: side)
  }

  /// A page has other content, from whatever source.
  mutating func loaded(
    _ page: AnyResource, _ status: PageStatus, _ found: LoadedPage,
    _ moment: ListMoment
  ) {
    if !status.isLoading { ahead.finish(page) }
    if let slot = slot(of: page) {
      let count = chain.linkedItemCount
      let isRelinked = update(slot, found)
      // With as many items as before that lead on as before, there is nothing for the walk to do: but for
      // a loop back to a dropped page, which may be none any more.
      if walk.isFinished, !isRelinked, slot < chain.linkedCount - 1, chain.linkedItemCount == count,
        dropped.isEmpty
      {
        return proceed(page, status, found, moment)
      }
    } else if page === beyond.end {
      attach(page, found, .end)
    } else if page !== beyond.start {
      return
    }
    walk.wake()
    proceed(page, status, found, moment)
    walk.revisit(chain.linkedCount)
    guard let page = awaited.end, !isAtPosition(page) else { return }
    // The walk was sent back: it goes on from there, though this page is still loading.
    awaited.end = nil
  }

  /// The server has confirmed a page.
  mutating func confirmed(
    _ page: AnyResource, _ status: PageStatus, _ found: LoadedPage?,
    _ moment: ListMoment
  ) {
    if !status.isLoading { ahead.finish(page) }
    if let slot = slot(of: page) {
      // What the page derives from the header fields may be new.
      if let found {
        update(slot, found)
        walk.wake()
        walk.revisit(chain.linkedCount)
      }
      if chain.slots.choice == .newest {
        chain.confirm(at: self.slot(of: page) ?? slot)
        chainChanged()
      }
    }
    proceed(page, status, found, moment)
  }

  /// The load of a page has failed.
  mutating func failed(
    _ page: AnyResource, _ status: PageStatus, _ found: LoadedPage?,
    _ moment: ListMoment
  ) {
    if ahead.contains(page) {
      if !status.isLoading { ahead.finish(page) }
      ahead.narrow()
    }
    proceed(page, status, found, moment)
  }

  /// The load of a page was cancelled, and it is not loading.
  mutating func cancelled(_ page: AnyResource) {
    ahead.finish(page)
    if page === awaited.end { halt() }
    if page === awaited.start {
      stopWaiting(.start)
      rest(in: .idle, on: .start)
    }
  }

  /// A page has no content any more.
  mutating func wiped(_ page: AnyResource) {
    if let slot = slot(of: page) {
      if slot == 0, chain.linkedCount > 0 { root = page }
      absentUntil = nil
      chain.remove(at: slot)
      chainChanged()
      walk.revisit(slot)
      cancelLoadsAhead()
    } else if isEnded {
      // It is the page that the server said does not exist.
      return
    }
    // Nothing is loaded again by itself: a wipe may be a log-out.
    guard awaited.end == nil || awaited.end === page else { return }
    halt()
    setState(.idle, of: .end)
  }

  /// A page no longer counts as fresh.
  mutating func invalidated(_ page: AnyResource) {
    if let slot = slot(of: page) { walk.revisit(slot) }
  }

  /// A request waits before another attempt; nil when that is over.
  mutating func waits(_ page: AnyResource, _ wait: RequestWait?) {
    let progress = wait.map(PagedCollectionState.waiting) ?? .loading
    if page === awaited.end { showProgress(progress, on: .end) }
    if page === awaited.start { showProgress(progress, on: .start) }
  }

  /// The server wants fewer requests: one after the other from now on.
  mutating func narrow() { ahead.narrow() }

  /// Goes on after a page, if a walk has waited for it and it is no longer loading.
  mutating func proceed(
    _ page: AnyResource, _ status: PageStatus, _ found: LoadedPage?,
    _ moment: ListMoment
  ) {
    if let slot = slot(of: page) {
      walk.limit(freshUntil: status.freshUntil, of: slot)
    }
    guard !status.isLoading else { return }
    if awaited.end === page {
      awaited.end = nil
      walk.wake()
      leave(page, status, found, on: .end, moment)
    }
    if awaited.start === page {
      awaited.start = nil
      leave(page, status, found, on: .start, moment)
    }
  }
}
