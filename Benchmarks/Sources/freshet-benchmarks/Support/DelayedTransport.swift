import Freshet

/// Another transport with the latency of a network.
struct DelayedTransport<Server: Transport>: Transport {
  let server: Server
  let latency: Duration

  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    try await Task.sleep(for: latency)
    return try await server.send(request, progress: progress)
  }
}

extension Transport {
  /// This transport, with a latency between each request and its response.
  func delayed(by latency: Duration) -> DelayedTransport<Self> {
    DelayedTransport(server: self, latency: latency)
  }
}

extension PagedCollection.Options {
  /// No limit on the number of pages, and that many requests at once.
  static func concurrent(_ loads: Int) -> Self {
    var options = Self.unlimited()
    options.concurrentLoads = loads
    return options
  }
}
