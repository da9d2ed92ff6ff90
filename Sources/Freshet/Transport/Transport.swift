/// An object that sends HTTP requests and returns complete responses: the interface between the store and the
/// network.
///
/// ``SystemTransport`` is the default. A transport knows nothing of resources, caching or
/// retries; it is used from many stores and threads at once.
///
/// A transport around another one passes on the request that it has received, or a changed copy of it, and not
/// a new one: a request also carries what the store asks of a transport whose requests wait for a connection, see
/// ``Service/RetryPolicy/pausesOrigin``. Likewise it throws the error that it has received.
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
