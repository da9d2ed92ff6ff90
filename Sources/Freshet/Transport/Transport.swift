/// Sends HTTP requests and returns whole responses: the interface between the store and the
/// network.
///
/// ``SystemTransport`` is the default. A transport knows nothing of resources, caching or
/// retries; it is used from many stores and threads at once.
public protocol Transport: Sendable {
  /// Sends a request and returns its response, with any status.
  ///
  /// Runs off the store's actor. When the surrounding task is cancelled, it stops the exchange,
  /// down to the socket, and throws ``TransportError`` of kind `.cancelled` without delay; the
  /// store's deadline relies on that.
  ///
  /// - Parameters:
  ///   - request: the request, to be sent unchanged.
  ///   - progress: to be called, from any thread, as bytes move; calls after the return are ignored.
  /// - Throws: ``TransportError``.
  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse
}

/// The progress of one exchange, in bytes of body.
public struct TransferProgress: Sendable, Hashable {
  /// Bytes of the request body sent so far.
  public var sent: Int
  /// The length of the request body in bytes; nil if unknown.
  public var toSend: Int?
  /// Bytes of the response body received so far.
  public var received: Int
  /// The length of the response body in bytes; nil if the server did not announce it.
  public var toReceive: Int?

  /// Makes a progress report.
  public init(sent: Int = 0, toSend: Int? = nil, received: Int = 0, toReceive: Int? = nil) {
    self.sent = sent
    self.toSend = toSend
    self.received = received
    self.toReceive = toReceive
  }
}
