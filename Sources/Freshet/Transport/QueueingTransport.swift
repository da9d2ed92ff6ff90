/// A transport in which requests wait for a connection, and that can return those that were not sent yet.
protocol QueueingTransport: Transport {
  /// Sends a request.
  ///
  /// - Parameter holding: what it has to do with responses that ask for fewer requests.
  /// - Throws: ``TransportError``, with a ``HeldRequest`` where it was not sent.
  @concurrent
  func send(
    _ request: HTTPRequest, holding: Holding,
    progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse
}

/// What a request has to do with responses that ask for fewer requests to an origin, while others wait for a
/// connection there.
enum Holding: Sendable {
  /// Its response is about itself alone, and it is sent whatever the responses to others say.
  case none
  /// Where its response asks for that, others are not sent; it is sent itself.
  case others
  /// The same, and it is not sent either where the response to another one asks for that.
  case all
}

/// Why a request was not sent: a server asks for fewer.
struct HeldRequest: Error {
  /// The response to another request that asks for that.
  let response: HTTPResponse
}
