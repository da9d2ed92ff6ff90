extension AnyResource: Settling {
  final var isBusy: Bool { state.isLoading }
  final var awaitedRequests: [AnyRequest] { inFlight.newestRequest.map { [$0] } ?? [] }

  /// Waits until nothing is loading, or the waiting task is cancelled.
  ///
  /// For one load, wait for its request: ``AnyRequest/completed()``.
  public final func settled() async { await waitForRest() }
}
