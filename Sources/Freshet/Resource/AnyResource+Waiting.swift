extension AnyResource {
  /// Waits until nothing is loading, or the waiting task is cancelled.
  ///
  /// For one load, wait for its request: ``AnyRequest/completed()``.
  public final func settled() async {
    while state.isLoading, !Task.isCancelled {
      if await completedForFetch(of: [self]) { continue }
      for await _ in rest() {}
    }
  }
}

/// Waits for the end of the first load of these resources, where a token's fetch waits for them: that load
/// may be one that waits for the token.
///
/// - Returns: whether there was one; otherwise false, at once.
func completedForFetch(of resources: [AnyResource?]) async -> Bool {
  guard !TokenFetch.waiting.isEmpty else { return false }
  for case let resource? in resources {
    guard let request = resource.inFlight.newestRequest, !request.isCompleted else { continue }
    await request.completed()
    return true
  }
  return false
}
