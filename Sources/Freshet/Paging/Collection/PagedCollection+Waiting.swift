/// Waiting for the end of loads.
extension PagedCollection {
  /// Waits until nothing is loading, or the waiting task is cancelled.
  public func settled() async { await waitForRest() }

  /// Refreshes the list and waits until the refresh has ended, as `refreshable` in SwiftUI needs it.
  ///
  /// ```swift
  /// List(gists.items) { Text($0.title) }
  ///   .refreshable { @MainActor in await gists.refreshAndWait() }
  /// ```
  ///
  /// The refresh continues when the waiting task is cancelled.
  ///
  /// - Returns: ``refreshState`` at that time: `.idle` if the refresh was completed or cancelled.
  @discardableResult
  public func refreshAndWait(_ scope: RefreshScope = .all) async -> PagedCollectionState {
    refresh(scope)
    await settled()
    return list.refreshState
  }
}

extension PagedCollection: Settling {
  var isBusy: Bool { list.isLoading }
  var awaitedRequests: [AnyRequest] { list.awaitedPages.compactMap(\.inFlight.newestRequest) }
}
