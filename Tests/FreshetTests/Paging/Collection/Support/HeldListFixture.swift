import Freshet

/// A list whose responses come in the order that a test chooses.
protocol HeldListFixture {
  var requests: HeldRequests { get }
  var service: Service { get }
  var list: PagedCollection<Int> { get }
}

extension HeldListFixture {
  /// How many requests are under way, once all have arrived.
  nonisolated(nonsending) func inFlight() async -> Int {
    await requests.exactCount(from: service)
  }

  /// Lets the server respond to the request of this address, and waits for the effects.
  nonisolated(nonsending) func respond(to address: String) async {
    _ = await inFlight()
    requests.release(address)
    _ = await inFlight()
  }

  /// Lets the server respond to all requests, one at a time and in an order that the seed fixes.
  ///
  /// - Returns: the most requests that were under way at once.
  @discardableResult
  nonisolated(nonsending) func respondToAll(seed: UInt64 = 1) async -> Int {
    var random = SeededGenerator(seed: seed)
    var most = 0
    for _ in 0..<500 where list.isLoading {
      most = max(most, await inFlight())
      requests.release(&random)
      most = max(most, await inFlight())
    }
    return most
  }
}
