extension Service {
  /// Reloads observed resources and lists that are stale, each time that one of the triggers fires.
  ///
  /// ```swift
  /// loading = service.loadIfNeeded(on: .every(.seconds(60)), .appBecameActive, .networkReturned)
  /// ```
  ///
  /// Loaded are the resources and the lists that are observed, and only where they are stale, as by
  /// ``AnyResource/loadIfNeeded()`` and ``PagedCollection/loadIfNeeded()``; of a ``Paginator`` its current page.
  /// What a view may track, because one of its properties was read since it changed last, is loaded too; its
  /// properties are then reported as changed, so that the view reads them again. What nothing reads again,
  /// as where the view is not drawn, is not loaded a second time before that.
  ///
  /// At most four resources and lists are loading for a trigger at once. A list counts as one until it has
  /// loaded what it needs, by its own limit (``PagedCollection/Options/concurrentLoads``). A trigger that fires
  /// meanwhile counts once, after that. A server that asks to wait, by `Retry-After`, is waited for.
  ///
  /// What was invalidated reloads without a trigger while it is observed; see
  /// ``Configuration/reloadsWhenInvalidated``.
  ///
  /// - Parameters:
  ///   - pattern: the URLs of the resources and of the first pages of lists, as for
  ///     ``resources(matching:)``; nil for all.
  ///   - trigger: what makes the service load.
  ///   - others: what else does.
  /// - Returns: the token, to be kept for as long as the triggers are wanted. A trigger that fires when the
  ///   service was deallocated ends too.
  public func loadIfNeeded(
    matching pattern: String? = nil, on trigger: ReloadTrigger, _ others: ReloadTrigger...
  ) -> ObservationToken {
    let pattern = pattern.map { URLPattern($0, base: store.base.text) }
    let reloadings = ([trigger] + others).map { Reloading($0, of: store, matching: pattern) }
    for reloading in reloadings { reloading.begin() }
    return ObservationToken(store.queue) { for reloading in reloadings { reloading.end() } }
  }
}

/// A trigger of a service at work.
private final class Reloading {
  private enum Subject {
    case resource(AnyResource)
    case list(any ReloadableList)
  }

  /// How many resources and lists are loading for it at once.
  private static let width = 4

  private let trigger: ReloadTrigger
  private let pattern: URLPattern?
  private weak var store: Store?
  /// Nil once the service was deallocated.
  private var wait: ReloadTrigger.Wait?
  /// Waits for the trigger; nil while the loads for it are under way.
  private var task: Task<Void, Never>?
  /// What is still to be loaded, the last one first.
  private var waiting: [Subject] = []
  private var loadingCount = 0
  private var hasEnded = false

  init(_ trigger: ReloadTrigger, of store: Store, matching pattern: URLPattern?) {
    self.trigger = trigger
    self.pattern = pattern
    self.store = store
    wait = trigger.start(store.clock)
  }

  deinit { task?.cancel() }

  func begin() {
    guard let wait else { return }
    // Not counted: nothing waits for it.
    task = store?.scope.isolation.launch(isCounted: false) {
      await wait()
    } completion: { [weak self] hasFired in
      self?.task = nil
      if hasFired { self?.fire() }
    }
  }

  func end() {
    hasEnded = true
    waiting = []
    task.take()?.cancel()
  }

  private func fire() {
    guard !hasEnded else { return }
    guard let store, let registry = store.registry else {
      // Released after the change: a sequence may run code at its end.
      let old = wait.take()
      return withExtendedLifetime(old) {}
    }
    let isCovered = { [pattern] (url: String) in pattern?.matches(url) ?? true }
    let resources = registry.all.filter { isShown($0) && isCovered($0.key.url) }
    let lists = store.lists.all.filter { $0.isWatched && isCovered($0.firstPageURL) }
    waiting = resources.map(Subject.resource) + lists.map(Subject.list)
    loadNext()
  }

  /// Begins as many loads as may be under way, and waits for the trigger again after the last.
  private func loadNext() {
    while loadingCount < Self.width, let next = waiting.popLast() {
      // Its observers may have been removed since.
      switch next {
      case .resource(let resource): if isShown(resource) { begin(resource) }
      case .list(let list): if list.isWatched { begin(list) }
      }
    }
    if loadingCount == 0, task == nil, !hasEnded { begin() }
  }

  private func begin(_ resource: AnyResource) {
    guard let request = load(resource) else { return }
    loadingCount += 1
    if !resource.isObservedByProgram { readAgain(resource) }
    request.whenEnded { [weak self] _ in self?.loadEnded() }
  }

  private func begin(_ list: any ReloadableList) {
    loadingCount += 1
    list.reloadIfNeeded(retryingFailure: trigger.retriesFailures)
    // In a delivery, the list begins after that.
    store?.queue.post { [self] in
      guard list.isBusy else { return loadEnded() }
      if !list.hasObservers { readAgain(list) }
      let end = list.waiters.make()
      store?.scope.isolation.launch(isCounted: false) {
        for await _ in end {}
      } completion: { [weak self] in
        self?.loadEnded()
      }
    }
  }

  private func loadEnded() {
    loadingCount -= 1
    loadNext()
  }

  private func isShown(_ resource: AnyResource) -> Bool {
    resource.isTracked || resource.isObservedByProgram
  }

  private func load(_ resource: AnyResource) -> AnyRequest? {
    let error = resource.state.isLoading ? nil : resource.state.error
    let mayRetry = error.map { $0.retryDate(after: resource.clock.date) == nil } ?? false
    return mayRetry && trigger.retriesFailures ? resource.load() : resource.loadIfNeeded()
  }

  /// Finds out whether a view still tracks what nothing observes: by then it will have read it again.
  private func readAgain(_ subject: any Tracked) {
    store?.queue.post { subject.trackedIfAny?.readAgain() }
  }
}
