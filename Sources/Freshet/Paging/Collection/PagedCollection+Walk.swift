/// The walk along the chain. It looks at slots one after the other, and stops where a page has to be
/// loaded; the event of that page takes it up again. So each page costs a fixed number of visits,
/// and no call is as deep as the chain is long.
extension PagedCollection {
  /// Takes in what is asked for, and goes on with the walk as far as it goes then.
  ///
  /// Through the event queue: what pages have told by now is taken in before, and no observer sees the
  /// items change while it is told of another event.
  func ask(_ change: @escaping () -> Void) {
    queue.post { [self] in
      change()
      while walk.isActive, step() {}
    }
  }

  /// Goes on with the walk, unless nothing was asked for.
  func advance() {
    ask {}
  }

  /// Takes one step.
  ///
  /// - Returns: false where a page has to be waited for, or nothing is to be done.
  private func step() -> Bool {
    guard waitingFor == nil else { return false }
    let slot = walk.position
    if slot >= chain.slots.linkedCount {
      switch chain.slots.nextAfterLinked {
      case .end: return rest(in: .ended)
      case .refused: return reconsider(slot - 1)
      case .page, nil: break
      }
      // A refresh asks for the first page at least, also where nothing is shown.
      let isBegun = slot > 0 || !walk.isRefresh
      if isBegun, !chain.slots.hasStaleItems {
        let end = chain.slots.firstItemIndex + chain.slots.linkedItemCount
        if demand.isCovered(by: chain.slots.linkedItemCount, endingAt: end) {
          return rest(in: .idle)
        }
        if let reason = limit(at: slot) {
          return rest(in: .incomplete(IncompleteWalk(reason, page: slot - 1)))
        }
      }
    }
    return visit(slot)
  }

  /// Why no further page may be asked for, if that is so.
  private func limit(at slot: Int) -> IncompleteWalk.Reason? {
    guard slot > 0 else { return nil }
    if dropped.itemCount + chain.slots.linkedItemCount >= options.itemLimit {
      return .itemLimit(options.itemLimit)
    }
    return demand.spend() ? nil : .requestBudget(options.requestBudget)
  }

  private func visit(_ slot: Int) -> Bool {
    guard slot == 0 || page(at: slot - 1).hasData else {
      // It was wiped, and the event is on its way: the link to this page is not known any more.
      halt(in: .idle)
      return false
    }
    let page = page(at: slot)
    visitCount += 1
    let request: AnyRequest? =
      switch walk.visit {
      case .always: page.load()
      case .ifNeeded: page.loadIfNeeded()
      }
    // What is there already is shown, whether or not it is being loaded again.
    if slot == chain.slots.linkedCount, page.hasData { take(page, in: slot) }
    guard page.isLoading else { return leave(page) }
    waitingFor = page
    showProgress(.loading)
    request?.onWait { [weak self, weak page] date in
      guard let self, let page, waitingFor === page else { return }
      showProgress(date.map(PagedCollectionState.waiting) ?? .loading)
    }
    return false
  }

  private func showProgress(_ progress: PagedCollectionState) {
    if walk.isRefresh { refreshState = progress } else { state = progress }
  }

  /// Goes on behind the page at the walk's position, which is not loading any more.
  func leave(_ page: PageResource) -> Bool {
    // The failed reload of a page that is fresh nevertheless holds up a refresh only.
    if let error = page.latestError, walk.visit == .always || !page.isUpToDate {
      if isEnd(error, at: walk.position) {
        // The place stays in the chain, empty: once it is stale, it is asked whether there is a page now.
        apply(chain.update(at: walk.position, items: [], next: .end))
        walk.proceed(freshUntil: page.clock.now + page.configuration.expirationTime)
        return true
      }
      if isOutdated(error), walk.position > 0, options.restartsExpiredChains,
        walk.restartOnce(configuration: firstPage.configurationVersion)
      {
        lastScope = .all
        giveWayToRefresh()
        return true
      }
      fail(with: error)
      return false
    }
    guard page.hasData else {
      halt(in: .idle)
      return false
    }
    let canSkip = walk.canSkip
    walk.proceed(freshUntil: page.freshUntil ?? .zero)
    if canSkip { walk.skip(to: chain.slots.linkedCount) }
    return true
  }

  /// Whether that there is no such page ends the list, as with page numbers.
  private func isEnd(_ error: ResourceError, at slot: Int) -> Bool {
    error.kind == .http && error.status == 404 && slot > 0
      && page(at: slot - 1).box?.value.style.endsAtNotFound == true
  }

  /// Whether the server does not know the page any more that an earlier answer led to.
  private func isOutdated(_ error: ResourceError) -> Bool {
    error.kind == .http && [400, 404, 410].contains(error.status)
  }

  private func fail(with error: ResourceError) {
    let failed = PagedCollectionState.failed(error, page: walk.position)
    let isRefresh = walk.isRefresh
    walk.stop()
    demand.giveBack()
    publish()
    // A page that is there already does not keep the list from going on behind its end.
    if !isRefresh || walk.position >= chain.slots.linkedCount { state = failed }
    if isRefresh { refreshState = failed }
  }

  /// Asks once more whether the next link is not to be followed: a loop is none any more when the
  /// chain was linked anew since, and there may be fewer pages.
  private func reconsider(_ slot: Int) -> Bool {
    apply(chain.relink(at: slot, next: next(after: page(at: slot), slot)))
    guard case .refused(let reason)? = chain.slots.nextAfterLinked else { return true }
    return rest(in: .incomplete(reason))
  }

  private func rest(in state: PagedCollectionState) -> Bool {
    let isRefresh = walk.isRefresh
    if isRefresh { lastRefreshed = firstPage.clock.date }
    if case .incomplete(let walk) = state, case .requestBudget = walk.reason {
      // What was wanted is not there: asked again, the walk goes on.
      self.walk.stop()
    } else {
      walk.settle()
    }
    demand.settle()
    publish()
    self.state = state
    if isRefresh { refreshState = .idle }
    return false
  }

  /// Gives up the walk, until something is asked for again.
  func halt(in state: PagedCollectionState) {
    waitingFor = nil
    walk.halt()
    demand.settle()
    publish()
    self.state = state
    if refreshState.isLoading { refreshState = .idle }
  }

  // MARK: Refreshing

  /// Begins a refresh, which outranks what is being loaded at the end of the list.
  func beginRefresh(_ scope: RefreshScope) {
    lastScope = scope
    walk.refresh(scope, configuration: firstPage.configurationVersion)
    giveWayToRefresh()
  }

  /// Takes up the refresh that failed at a page.
  func resumeRefresh(at page: Int) {
    walk.resumeRefresh(lastScope, at: page)
    giveWayToRefresh()
  }

  private func giveWayToRefresh() {
    publishLater()
    waitingFor = nil
    if state.isLoading { state = .idle }
  }

  /// Keeps what is shown until the refresh that is beginning is complete, if that is wanted.
  func publishLater() {
    guard options.publication == .whenComplete, published == nil else { return }
    deliverChanges()
    published = (chain.items, chain.slots.firstItemIndex)
  }

  /// Shows what a refresh has changed.
  private func publish() {
    guard published != nil else { return }
    published = nil
    queue.post { [self] in deliverChanges() }
  }
}
