/// A transport in which requests wait for a connection, and that can return those that were not sent yet.
protocol QueueingTransport: Transport {
  /// Sends a request, unless the server asks for fewer while it waits for a connection.
  ///
  /// - Throws: ``TransportError``, with a ``HeldRequest`` where it was not sent.
  @concurrent
  func sendUnlessHeld(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse
}

/// Why a request was not sent: a server asks for fewer.
struct HeldRequest: Error {
  /// The response to another request that asks for that.
  let response: HTTPResponse
}
