#if os(Linux)
  import Foundation

  /// The transport over the system's libcurl.
  ///
  /// It stores no cookies, credentials or responses. Freshness, retries and deadlines are handled by the store; a
  /// transport only sends a request and receives its response. Every failure is a ``TransportError``.
  ///
  /// ```swift
  /// let transport = SystemTransport()
  /// let response = try await transport.send(HTTPRequest(url: url)) { _ in }
  /// ```
  ///
  /// All exchanges run on one thread of the transport. An exchange in flight keeps the transport
  /// alive. The thread ends and connections are closed when the last owner was deallocated and the
  /// last exchange has ended.
  ///
  /// `libcurl.so.4`, of version 7.68 or newer, is opened with the first request; it is on every
  /// machine with a Swift toolchain. If it cannot be opened, as in an executable that is
  /// linked statically with musl, each exchange fails with an error that says so: pass another
  /// ``Transport`` then.
  ///
  /// ## What is sent
  ///
  /// Requests are sent once. If a connection breaks after that, a `POST`, `PUT` or `PATCH` fails with
  /// ``TransportError/Kind/connectionLost``, for it may have taken effect; only a request without a body
  /// that is safe, or a `DELETE`, is sent again on another connection.
  ///
  /// A connection of HTTP/1.1 that the server has closed, or that has bytes to read, before a request is sent on it
  /// is not used, and the request is sent on a new one: a response that comes before its request, or the body of a
  /// 304, belongs to none (RFC 9112 section 6.3). libcurl before 7.80 cannot be asked for that; and over TLS, where the
  /// version is known by the first response, a request that is waiting when that ends is not checked. If bytes come
  /// after the request was sent and are not HTTP, a safe request is sent again on a new connection. What then looks
  /// like a response is taken for one.
  ///
  /// `Accept-Encoding: gzip` is sent unless the request says otherwise, and the response is decoded.
  /// One that ends too early or is corrupt is an error.
  ///
  /// A body without a length is complete when its connection ends (RFC 9112 section 6.3): libcurl does not distinguish
  /// whether TLS was closed before that; nor, in 7.88, whether a stream of HTTP/2 was ended, or reset without an error.
  ///
  /// HTTP/2 is spoken over TLS if the library has it. The proxies that the environment names are
  /// used (`https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`), with the credentials in their URLs.
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
  public final class CurlTransport: Transport {

    /// The settings of the transport.
    public let configuration: TransportConfiguration

    private let library: @Sendable () -> Result<CurlLibrary, any Error>
    private let loop: CurlLoop

    /// Creates a transport with connections of its own.
    public convenience init(configuration: TransportConfiguration = TransportConfiguration()) {
      self.init(configuration: configuration) { CurlLibrary.system }
    }

    /// Creates a transport over a library, or over none.
    ///
    /// - Parameter library: called with each request.
    init(
      configuration: TransportConfiguration,
      library: @escaping @Sendable () -> Result<CurlLibrary, any Error>
    ) {
      configuration.validate(for: "CurlTransport")
      self.configuration = configuration
      self.library = library
      loop = CurlLoop(configuration)
    }

    deinit {
      loop.close()
    }

    /// Sends a request and returns its response, with any status.
    ///
    /// There is no deadline here: the caller cancels. Progress is reported in order, from one thread
    /// at a time; reports that come faster than the closure returns are dropped. The last report, made
    /// before the return, includes all bytes. A redirect restarts the counts.
    ///
    /// - Throws: ``TransportError``.
    @concurrent
    public func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      let library = try usableLibrary(for: request)
      var request = request
      request.setTransportHeaders(
        userAgent: configuration.userAgent ?? CurlTransport.userAgent(library),
        acceptEncoding: configuration.acceptsCompression && library.zlib != nil
          ? "gzip" : "identity")
      let policy = RedirectPolicy(limit: configuration.maximumRedirects)
      return try await policy.follow(request) { leg in
        try await exchange(leg, library, progress: progress)
      }
    }

    private func usableLibrary(for request: HTTPRequest) throws(TransportError) -> CurlLibrary {
      do {
        return try library().get()
      } catch {
        let reason = (error as? CurlLibrary.Missing)?.reason ?? "it cannot be opened"
        throw TransportError(
          .unreachable,
          "\(request.summary): libcurl.so.4 of version 7.68 or newer is needed, but \(reason). "
            + "Install it, or pass another Transport.", underlying: error)
      }
    }

    /// Sends one request and receives its response, redirects included as responses.
    private func exchange(
      _ request: HTTPRequest, _ library: CurlLibrary,
      progress: @Sendable (TransferProgress) -> Void
    ) async throws(TransportError) -> HTTPResponse {
      guard !Task.isCancelled else { throw .cancelled(request) }
      let transfer = CurlTransfer(request, library)
      guard loop.begin(transfer) else { throw .noResources(request) }
      let outcome = await withTaskCancellationHandler {
        while true {
          switch await transfer.mailbox.next() {
          case .moved(let moved): progress(moved)
          case .ended(let outcome): return outcome
          }
        }
      } onCancel: {
        transfer.mailbox.end(.failure(.cancelled(request)))
        loop.cancel(transfer)
      }
      let response = try outcome.get()
      let sent = request.body?.count ?? 0
      progress(
        TransferProgress(
          bytesSent: sent, bytesExpectedToSend: sent, bytesReceived: response.body.count,
          bytesExpectedToReceive: response.body.count))
      return response
    }

    /// The `User-Agent` of the system: the name of the process and the version of libcurl. Many
    /// servers refuse requests without one.
    private static func userAgent(_ library: CurlLibrary) -> String {
      "\(processName) libcurl/\(library.version)"
    }

    private static let processName = String(
      decoding: ProcessInfo.processInfo.processName.utf8.map {
        $0.isTokenCharacter ? $0 : UInt8(ascii: "-")
      }, as: UTF8.self)
  }
#endif
