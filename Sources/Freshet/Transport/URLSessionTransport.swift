#if canImport(Darwin)
  import Foundation

  /// The transport over Foundation's `URLSession`.
  ///
  /// It stores no cookies, credentials or responses. Freshness, retries and deadlines are handled by the store; a
  /// transport only sends a request and receives its response. Every failure is a ``TransportError``.
  ///
  /// ```swift
  /// let transport = SystemTransport()
  /// let response = try await transport.send(HTTPRequest(url: url)) { _ in }
  /// ```
  ///
  /// An exchange in flight keeps the transport alive. Connections are closed when the last owner was
  /// deallocated and the last exchange has ended.
  ///
  /// ## Redirects
  ///
  /// At most ``TransportConfiguration/maximumRedirects`` redirects are followed. Redirects from `https` to `http`, to
  /// another scheme, or to another origin with a body are refused. Only `Accept`, `Accept-Encoding`, `Accept-Language`
  /// and `User-Agent` are sent to another origin. A response with a redirect status but without a usable `Location` is
  /// returned as it is.
  ///
  /// The body of a redirect is not needed: after a second, or if it cannot be read, the connection is closed and the
  /// redirect is followed. The body of an error response may take three seconds; then the response is returned without
  /// it.
  public final class URLSessionTransport: Transport {

    /// The settings of the transport.
    public let configuration: TransportConfiguration

    /// The connections that requests share.
    let session: URLSession

    /// Creates a transport with connections of its own.
    public init(configuration: TransportConfiguration = TransportConfiguration()) {
      configuration.validate(for: "URLSessionTransport")
      self.configuration = configuration
      session = .freshet(configuration)
    }

    deinit {
      session.finishTasksAndInvalidate()
    }

    /// Sends a request and returns its response, with any status.
    ///
    /// There is no deadline here: the caller cancels. Progress is reported in order, from one thread
    /// at a time; the last report, made before the return, includes all bytes. A redirect restarts
    /// the counts.
    ///
    /// - Throws: ``TransportError``.
    @concurrent
    public func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      var request = request
      // Without a choice of its own, the system accepts what it can decode.
      request.setTransportHeaders(
        userAgent: configuration.userAgent,
        acceptEncoding: configuration.acceptsCompression ? nil : "identity")
      let policy = RedirectPolicy(limit: configuration.maximumRedirects)
      return try await policy.follow(request) { leg in try await exchange(leg, progress: progress) }
    }
  }
#endif
