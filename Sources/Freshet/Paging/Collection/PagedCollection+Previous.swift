/// The start of the list: pages before the first one, and pages that were dropped there.
extension PagedCollection {
  /// Loads pages before the first one, as far as items there are wanted.
  ///
  /// - Parameter isRetry: whether a page that failed is asked for again without waiting.
  func stepBack(isRetry: Bool = false) {
    var isRetry = isRetry
    while waitingForPrevious == nil, chain.slots.linkedCount > 0 {
      guard !demand.isCovered(from: chain.slots.firstItemIndex) else {
        return restAtStart(in: .idle)
      }
      guard let page = previousPage() else { return }
      guard demand.spend() else {
        let walk = IncompleteWalk(.requestBudget(options.requestBudget), page: 0)
        return restAtStart(in: .incomplete(walk))
      }
      visitCount += 1
      let request: AnyRequest? = isRetry ? page.load() : page.loadIfNeeded()
      isRetry = false
      guard page.isLoading else {
        guard takePrevious(page) else { return }
        continue
      }
      waitingForPrevious = page
      page.addObserver(self)
      previousState = .loading
      request?.onWait { [weak self, weak page] date in
        guard let self, let page, waitingForPrevious === page else { return }
        previousState = date.map(PagedCollectionState.waiting) ?? .loading
      }
    }
  }

  /// The page before the first one; nil, and the state says why, where there is none to be loaded.
  private func previousPage() -> PageResource? {
    if let last = dropped.last {
      let page = firstPage.store.resource(last.key, decoder: .init(last.decoder)) as PageResource
      // With repeated requests the page of that request may be another one of the chain.
      return chain.slots.position(of: page.id) == nil ? page : page.repeated()
    }
    let first = page(at: 0)
    guard let link = first.box?.value.previous else {
      restAtStart(in: .ended)
      return nil
    }
    guard chain.slots.linkedCount < options.pageLimit else {
      restAtStart(in: .incomplete(IncompleteWalk(.pageLimit(options.pageLimit), page: 0)))
      return nil
    }
    do throws(IncompleteWalk.Reason) {
      let page = try first.following(link, allowing: options.allowedOrigins)
      if let known = chain.slots.position(of: page.id) { throw .loop(backTo: known) }
      return page
    } catch {
      restAtStart(in: .incomplete(IncompleteWalk(error, page: 0)))
      return nil
    }
  }

  /// Takes in what happened to the page that is being loaded before the first one.
  func previousChanged(_ page: PageResource, _ event: ResourceEvent) {
    switch event {
    case .observerAdded, .requested, .invalidated: return
    case .newData, .notModified, .error, .requestCancelled:
      // Behind what else there is to be told of the page.
      ask { [self] in
        guard page === waitingForPrevious, !page.isLoading else { return }
        waitingForPrevious = nil
        if chain.slots.position(of: page.id) == nil { page.removeObserver(self) }
        if case .requestCancelled = event { return restAtStart(in: .idle) }
        if takePrevious(page) { stepBack() }
      }
    }
  }

  /// Puts a page before the first one, if it is there.
  private func takePrevious(_ page: PageResource) -> Bool {
    if let error = page.latestError, !page.isUpToDate {
      restAtStart(in: .failed(error, page: -1))
      return false
    }
    guard let box = page.box, chain.slots.linkedCount > 0 else {
      restAtStart(in: .idle)
      return false
    }
    // The chain may have come to it while it was being loaded.
    if let known = chain.slots.position(of: page.id) {
      restAtStart(in: .incomplete(IncompleteWalk(.loop(backTo: known), page: 0)))
      return false
    }
    if !dropped.isEmpty { dropped.removeLast() }
    apply(chain.prepend(page, items: box.value.items))
    walk.shift(by: 1)
    walk.limit(freshUntil: page.freshUntil ?? .zero, of: 0)
    state = state.shifted(by: 1)
    refreshState = refreshState.shifted(by: 1)
    dropFromEnd()
    return true
  }

  private func restAtStart(in state: PagedCollectionState) {
    demand.settleStart()
    if case .idle = state, chain.slots.linkedCount > 0, !hasPrevious {
      previousState = .ended
    } else {
      previousState = state
    }
  }

  /// Says whether there is anything before the first page.
  func reconsiderStart() {
    guard waitingForPrevious == nil, chain.slots.linkedCount > 0 else { return }
    switch (previousState, hasPrevious) {
    case (.ended, true): previousState = .idle
    case (.idle, false), (.failed, false), (.incomplete, false): previousState = .ended
    default: break
    }
  }

  // MARK: The window

  /// Drops pages at the start, beyond those that may be kept.
  func dropFromStart() {
    guard let maxPages = options.maxPages, waitingForPrevious == nil else { return }
    while chain.slots.linkedCount > max(maxPages, 1), canDrop(0) {
      dropped.append(page(at: 0), showing: chain.slots.items(of: 0).count)
      apply(chain.dropFirst())
      walk.shift(by: -1)
      state = state.shifted(by: -1)
      refreshState = refreshState.shifted(by: -1)
    }
    reconsiderStart()
  }

  /// Drops pages at the end, beyond those that may be kept.
  private func dropFromEnd() {
    guard let maxPages = options.maxPages, waitingFor == nil, !chain.slots.hasStaleItems else {
      return
    }
    while chain.slots.linkedCount > max(maxPages, 1), canDrop(chain.slots.linkedCount - 1) {
      let last = chain.slots.linkedCount - 1
      apply(chain.drop(from: last))
      walk.revisit(last)
      state = .idle
    }
  }

  /// Whether a page may be dropped: it is neither on screen nor wanted.
  private func canDrop(_ slot: Int) -> Bool {
    let range = chain.slots.items(of: slot)
    guard chain.slots.linkedItemCount - range.count >= demand.displayed else { return false }
    guard let onScreen else { return true }
    let margin = max(prefetchDistance, demand.displayed)
    let first = chain.slots.firstItemIndex
    return first + range.upperBound <= onScreen.lowerBound - margin
      || first + range.lowerBound >= onScreen.upperBound + margin
  }
}
