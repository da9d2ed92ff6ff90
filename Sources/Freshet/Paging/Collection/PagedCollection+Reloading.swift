/// Reloading what is stale.
extension PagedCollection {
  /// Loads stale pages, now and whenever a page is invalidated, until the task is cancelled.
  ///
  /// Call it in the task of a view, which runs for as long as the view is shown.
  ///
  /// ```swift
  /// List(gists.items) { Text($0.title) }.task { await gists.keepLoaded() }
  /// ```
  ///
  /// The list counts as observed meanwhile, so that ``Options/reloadsWhenInvalidated`` and
  /// ``Service/loadIfNeeded(matching:on:_:)`` apply to it, and it stays in memory. A failed load is not
  /// repeated, and what was wiped is not loaded again.
  public func keepLoaded() async {
    await observe { loadIfNeeded() }
  }
}

extension PagedCollection: Reloadable {
  var reloadURL: String { firstPage.key.url }

  func reloadIfNeeded(
    retryingFailure retriesFailure: Bool, onEnd: @escaping () -> Void
  ) -> Bool {
    guard list.walk.isStarted else { return false }
    if retriesFailure, newestError != nil, retryDate == nil { retry() }
    loadIfNeeded()
    // In a delivery, the list begins after that.
    queue.post { [self] in
      guard list.isLoading else { return onEnd() }
      readAgain(after: queue)
      let end = rest()
      // Not counted: nothing waits for it.
      firstPage.store.scope.isolation.launch(isCounted: false) {
        for await _ in end {}
      } completion: {
        onEnd()
      }
    }
    return true
  }
}
