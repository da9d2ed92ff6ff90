/// Something that loads or sends, and until whose end tasks wait.
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
      // A fetch of a token waits for the request itself: what waits for that token fails then, and would be waited for
      // for ever otherwise.
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
