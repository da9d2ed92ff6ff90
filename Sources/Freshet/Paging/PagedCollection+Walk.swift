/// The walk along the chain. It looks at slots one after the other, and stops where a page has to be
/// loaded; the event of that page takes it up again. So each page costs a fixed number of visits,
/// and no call is as deep as the chain is long.
extension PagedCollection {
  /// Goes on with the walk, as far as it goes now.
  ///
  /// Through the event queue: no observer sees the items change while it is told of another event.
  func advance() {
    guard walk.isStarted else { return }
    queue.post { [self] in
      while step() {}
    }
  }

  /// Takes one step.
  ///
  /// - Returns: false where a page has to be waited for, or nothing is to be done.
  private func step() -> Bool {
    if let page = waitingFor { return resume(page) }
    let slot = walk.position
    if slot >= chain.linkedCount {
      switch chain.nextAfterLinked {
      case .end: return rest(in: .ended)
      case .refused(let reason): return rest(in: .incomplete(reason))
      case .page, nil: break
      }
      if demand.isCovered(by: chain.linkedItemCount), !chain.hasStaleItems {
        return rest(in: .idle)
      }
    }
    return visit(slot)
  }

  private func visit(_ slot: Int) -> Bool {
    let page = chain.page(at: slot)
    visitCount += 1
    waitingFor = page
    switch walk.visit {
    case .always: page.load()
    case .ifNeeded: page.loadIfNeeded()
    }
    // What is there already is shown, whether or not it is being loaded again.
    if slot == chain.linkedCount, page.content != nil { take(page, in: slot) }
    if page.isLoading { state = .loading }
    return true
  }

  /// Goes on where the walk was held up.
  private func resume(_ page: PageResource) -> Bool {
    guard !page.isLoading else { return false }
    waitingFor = nil
    guard chain.position(of: page.id) == walk.position else { return true }
    if let error = page.latestError {
      if isEnd(error, at: walk.position) {
        // The place stays in the chain, empty: a refresh asks whether there is a page now.
        apply(chain.update(at: walk.position, items: [], next: .end))
        walk.proceed(freshUntil: .zero)
        return true
      }
      walk.stop()
      state = .failed(error, page: walk.position)
      return false
    }
    guard page.content != nil else { return rest(in: .idle) }
    walk.proceed(freshUntil: page.freshUntil ?? .zero)
    return true
  }

  /// Whether that there is no such page ends the list, as with page numbers.
  private func isEnd(_ error: ResourceError, at slot: Int) -> Bool {
    error.kind == .http && error.status == 404 && slot > 0
      && chain.page(at: slot - 1).content?.style.endsAtNotFound == true
  }

  private func rest(in state: PagedCollectionState) -> Bool {
    if walk.isRefresh { lastRefreshed = firstPage.clock.date }
    walk.settle()
    demand.settle()
    self.state = state
    return false
  }

  // MARK: Pages

  /// Merges what a page holds now.
  private func take(_ page: PageResource, in slot: Int) {
    guard let content = page.content else { return }
    let change = chain.update(at: slot, items: content.items, next: next(after: page, slot))
    // Slots may have gone or moved: whatever is behind this one is looked at again.
    if !change.dropped.isEmpty { walk.revisit(slot + 1) }
    apply(change)
    demand.loaded(chain.linkedItemCount)
  }

  private func next(
    after page: PageResource, _ slot: Int
  ) -> PageChain<Item, PageResource>.Next {
    guard let link = page.content?.next else { return .end }
    guard slot + 1 < options.maximumPages else {
      return .refused(IncompleteWalk(.maximumPages(options.maximumPages), page: slot))
    }
    do throws(IncompleteWalk.Reason) {
      let next = try page.following(link, allowing: options.allowedOrigins)
      // The first page is read with the style that was given, later ones with what was recognised in
      // it: the same page again would be another resource, and the loop seen one lap late.
      return .page(next.key == firstPage.key ? firstPage : next)
    } catch {
      return .refused(IncompleteWalk(error, page: slot))
    }
  }

  private func apply(_ change: PageChain<Item, PageResource>.Change) {
    for page in change.dropped {
      page.removeObserver(self)
      if waitingFor === page { waitingFor = nil }
    }
    for page in change.added { page.addObserver(self) }
    emit(change.splices)
  }
}

extension PagedCollection: ResourceObserver {
  /// Takes in what happened to a page. To be called by the page only.
  public func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {
    guard let slot = chain.position(of: resource.id), let page = resource as? PageResource else {
      return
    }
    let isAwaited = waitingFor === page
    switch event {
    case .observerAdded, .requested:
      break
    case .invalidated:
      walk.revisit(slot)
    case .newData(.wipe):
      // Nothing is loaded again by itself: a wipe may be a log-out.
      walk.revisit(slot)
      apply(chain.unload(at: slot))
      if isAwaited || waitingFor == nil { halt() }
    case .newData:
      take(page, in: slot)
      // The walk goes on where the change is, with what this page names now.
      walk.revisit(chain.linkedCount)
      advance()
    case .notModified, .error:
      if isAwaited { advance() }
    case .requestCancelled:
      if isAwaited { halt() }
    }
  }

  private func halt() {
    waitingFor = nil
    walk.stop()
    state = .idle
  }
}
