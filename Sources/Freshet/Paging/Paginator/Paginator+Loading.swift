/// Loading pages. A requested page replaces one that is still loading: the items of the older one
/// are still placed in the slots, and it does not become the current page.
extension Paginator {
  /// Loads the page after the current one. Calls while it is loading do not load it twice.
  ///
  /// - Throws: `.notLoaded`; `.noSuchPage` after the last page, where that is known.
  public func loadNextPage() throws(PaginatorError) {
    guard let current = table.currentPage else { throw .notLoaded }
    guard current < .max else { throw table.noSuchPage(current) }
    try loadPage(current + 1)
  }

  /// Loads the page before the current one, or the last known page of a list that has become
  /// shorter than that.
  ///
  /// - Throws: `.notLoaded`; `.noSuchPage` where ``hasPreviousPage`` is false.
  public func loadPreviousPage() throws(PaginatorError) {
    guard let current = table.currentPage else { throw .notLoaded }
    try loadPage(table.previousPage ?? current - 1)
  }

  /// Loads a page, which becomes the current one; without a request where it is fresh.
  ///
  /// Within ``Service/Configuration/failureCooldown`` of a failure, or before the server's
  /// `Retry-After` is over, the same failure is reported again; see ``retry()``.
  ///
  /// - Parameter page: the number, counted from ``firstPageNumber``.
  /// - Throws: `.noSuchPage` for a number before the first, or after the last where that is known.
  public func loadPage(_ page: Int) throws(PaginatorError) {
    try table.check(page)
    change { $0.requested(page, always: false) }
  }

  /// Reloads the current page from the server, also while it is fresh; with validators.
  ///
  /// - Throws: `.notLoaded`.
  public func refresh() throws(PaginatorError) {
    guard let page = table.currentKey else { throw .notLoaded }
    change { $0.requested(page, always: true) }
  }

  /// Requests the page that failed, without waiting; does nothing if none has failed.
  public func retry() {
    guard let page = table.failure?.page, (try? table.check(page)) != nil else { return }
    change { $0.requested(page, always: true) }
  }

  /// Cancels the load that is in progress, also for others who joined it; nothing else changes.
  public func cancelLoad() {
    change { $0.cancelled() }
  }

  /// Performs an action of the table.
  func perform(_ action: PageTable<Item>.Action) {
    switch action {
    case .request(let page, let always): request(page, always: always)
    case .cancel(let page): resources[page]?.cancelLoad()
    case .release(let exception):
      for resource in resources.removeAll(except: exception) {
        resource.removeObserver(pageObservation)
      }
    case .notify(let event):
      if case .slotsChanged = event { forgetSlots() }
      emit(event)
      if case .invalidated(let page) = event { reload(page) }
    }
  }

  /// Loads a page that was invalidated, after the events that are waiting, if it is the current one and the
  /// paginator is observed.
  private func reload(_ page: Int) {
    queue.post { [self] in
      guard page == table.currentKey, isObservedByProgram,
        resources[page]?.currentConfiguration.value.reloadsWhenInvalidated == true
      else { return }
      store.reloads.append(self) { $0.isObservedByProgram }
    }
  }

  private func request(_ page: Int, always: Bool) {
    let resource = watched(page)
    if always { resource.load() } else { resource.loadIfNeeded() }
    if let content = resource.box?.value, table.entries[page] == nil {
      change { $0.received(page, content) }
    }
    // It may have reported another page size, and the resource may have been replaced since.
    guard resources[page] === resource else { return }
    let status = status(of: resource, afterReload: always)
    change { $0.changed(page, to: status) }
  }

  private func watched(_ page: Int) -> PageResource {
    if let known = resources[page] { return known }
    let resource = self.page(page)
    resources.insert(resource, for: page)
    resource.addObserver(pageObservation)
    return resource
  }

  private func status(
    of resource: PageResource, afterReload: Bool
  ) -> PageTable<Item>.Status {
    if resource.state.isLoading { return .loading }
    // A failed reload of a page that is fresh nevertheless counts only if a reload was requested.
    if let error = resource.state.error, afterReload || !resource.isFresh {
      return .failed(error)
    }
    return resource.hasData ? .loaded : .cancelled
  }
}

extension Paginator: PageObserver {
  func pageChanged(_ page: AnyResource, event: ResourceEvent) {
    guard let key = resources.page(of: page), let page = page as? PageResource else { return }
    switch event {
    case .observerAdded, .requested: return
    case .invalidated: return change { $0.invalidated(key) }
    case .newData(.wipe):
      change { $0.wiped(key) }
    case .newData:
      if let content = page.box?.value { change { $0.received(key, content) } }
    case .notModified:
      if let content = page.box?.value { change { $0.confirmed(key, content) } }
    case .error: break
    case .requestCancelled:
      // After the other events of the page: a local write cancels a load too.
      return queue.post { [self] in
        guard resources[key] === page, !page.state.isLoading else { return }
        change { $0.changed(key, to: .cancelled) }
      }
    }
    guard resources[key] === page else { return }
    let status = status(of: page, afterReload: true)
    change { $0.changed(key, to: status) }
    // It was invalidated while it was loading; a failure is not repeated.
    if page.state.isInvalidated, page.state.error == nil, !page.state.isLoading { reload(key) }
  }
}
