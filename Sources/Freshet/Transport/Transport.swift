/// Sends one HTTP request and returns the whole response: the seam between the store and the network.
///
/// ``URLSessionTransport`` is the default. A transport knows nothing of resources, caching or
/// retries; it is used from many stores and threads at once.
public protocol Transport: Sendable {
  /// Sends a request and returns its response, whatever the status.
  ///
  /// Runs off the store's actor. When the surrounding task is cancelled, it stops the exchange,
  /// down to the socket, and throws ``TransportError`` of kind `.cancelled` without delay; the
  /// store's deadline relies on that.
  ///
  /// - Parameters:
  ///   - request: what to send, unchanged.
  ///   - progress: to be called, from any thread, as bytes move; calls after the return are ignored.
  /// - Throws: ``TransportError``.
  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse
}

/// How far one exchange has come, in bytes of body.
public struct TransferProgress: Sendable, Hashable {
  /// Bytes of the request body sent so far.
  public var sent: Int
  /// Bytes of the request body in all, or nil where that is not known.
  public var toSend: Int?
  /// Bytes of the response body received so far.
  public var received: Int
  /// Bytes of the response body in all, or nil where the server did not say.
  public var toReceive: Int?

  /// Makes a progress report.
  public init(sent: Int = 0, toSend: Int? = nil, received: Int = 0, toReceive: Int? = nil) {
    self.sent = sent
    self.toSend = toSend
    self.received = received
    self.toReceive = toReceive
  }
}
