/// Something that loads or sends, whose end tasks can wait for.
protocol Settling: AnyObject {
  /// Whether anything is under way.
  var isBusy: Bool { get }
  /// The requests that end what is under way, as far as they are known.
  var awaitedRequests: [AnyRequest] { get }
  /// A stream that ends when nothing is under way.
  func rest() -> AsyncStream<Void>
}

extension Settling {
  /// Waits until nothing is under way, or the waiting task is cancelled.
  func waitForRest() async {
    while isBusy, !Task.isCancelled {
      // In the fetch of a token: a request that waits for that token fails then. To wait for all loads would never end.
      if !TokenFetch.waiting.isEmpty,
        let request = awaitedRequests.first(where: { !$0.isCompleted })
      {
        await request.completed()
      } else {
        for await _ in rest() {}
      }
    }
  }
}

extension AnyResource: Settling {
  final var isBusy: Bool { state.isLoading }
  final var awaitedRequests: [AnyRequest] { inFlight.newestRequest.map { [$0] } ?? [] }

  /// Waits until nothing is loading, or the waiting task is cancelled.
  ///
  /// For one load, wait for its request: ``AnyRequest/completed()``.
  public final func settled() async { await waitForRest() }
}
