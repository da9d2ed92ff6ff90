extension Service {
  /// Reloads observed, stale resources and lists whenever one of the triggers fires.
  ///
  /// ```swift
  /// loading = service.loadIfNeeded(on: .every(.seconds(60)), .appBecameActive, .networkReturned)
  /// ```
  ///
  /// Resources and lists are loaded as by ``AnyResource/loadIfNeeded()`` and ``PagedCollection/loadIfNeeded()``; of a
  /// ``Paginator``, the current page is loaded.
  ///
  /// Resources and lists that a view may track are loaded too: those with a property that was read since it last
  /// changed. Their properties are then reported as changed, so that the view reads them again. If nothing reads them
  /// again, because the view is no longer drawn, they are not loaded again until something does.
  ///
  /// For its triggers, a service loads at most four resources and lists at once. A list counts as one until it has
  /// loaded what it needs, with up to ``PagedCollection/Options/concurrentLoads`` requests. A trigger that fires in
  /// the meantime counts once, afterwards. A load that waits because of a `Retry-After` counts as one of the four.
  ///
  /// Invalidated resources and lists reload without a trigger while they are observed, within the same limit; see
  /// ``Configuration/reloadsWhenInvalidated``.
  ///
  /// - Parameters:
  ///   - pattern: the URLs of the resources and of the first pages of lists, as for
  ///     ``resources(matching:)``; nil for all.
  ///   - trigger: the first trigger.
  ///   - others: more triggers.
  /// - Returns: a token that ends the triggers when it is released. They also end after the service was deallocated.
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
  private let trigger: ReloadTrigger
  private let pattern: URLPattern?
  private weak var store: Store?
  /// Nil once the service was deallocated.
  private var wait: ReloadTrigger.Wait?
  /// Waits for the trigger; nil while the loads for it are under way.
  private var task: Task<Void, Never>?
  /// How many resources and lists are still to be loaded.
  private var remainingCount = 0
  private var hasEnded = false

  init(_ trigger: ReloadTrigger, of store: Store, matching pattern: URLPattern?) {
    self.trigger = trigger
    self.pattern = pattern
    self.store = store
    wait = trigger.start(store.clock)
  }

  deinit { task?.cancel() }

  func begin() {
    guard let wait, let scope = store?.scope else { return }
    let start = scope.clock.now
    // Not counted: nothing waits for it.
    task = scope.isolation.launch(isCounted: false) {
      await wait(start)
    } completion: { [weak self] hasFired in
      self?.task = nil
      if hasFired { self?.fire() }
    }
  }

  func end() {
    hasEnded = true
    task.take()?.cancel()
  }

  private func fire() {
    guard !hasEnded else { return }
    guard let store, let registry = store.registry else {
      // Released after the change: deallocating a sequence may run user code.
      let old = wait.take()
      return withExtendedLifetime(old) {}
    }
    let known: [any Reloadable] = registry.all + store.lists.all
    let shown = known.filter { $0.isShown && pattern?.matches($0.reloadURL) ?? true }
    remainingCount = shown.count
    guard !shown.isEmpty else { return begin() }
    for subject in shown {
      store.reloads.append(
        subject, retryingFailure: trigger.retriesFailures,
        where: { [weak self] in self?.hasEnded == false && $0.isShown },
        onEnd: { [weak self] in self?.loadEnded() })
    }
  }

  /// Waits for the trigger again after the last load.
  private func loadEnded() {
    remainingCount -= 1
    if remainingCount == 0, !hasEnded { begin() }
  }
}
