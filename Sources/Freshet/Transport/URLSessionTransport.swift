import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport over Foundation's `URLSession`.
///
/// It stores nothing: no cookies, no credentials, no cache. Freshness, retries and deadlines are
/// the store's; this type only sends one request and receives one response, and makes every failure
/// of that a ``TransportError``.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(HTTPRequest(url: url)) { _ in }
/// ```
///
/// An exchange in flight keeps the transport alive. Connections are closed when the last owner was
/// deallocated and the last exchange has ended.
///
/// ## Redirects
///
/// At most ``Configuration/maximumRedirects`` are followed. From `https` to `http`, to another
/// scheme, and with a body to another origin they are refused; only `Accept`, `Accept-Encoding`,
/// `Accept-Language` and `User-Agent` are sent to another origin. A redirect status without a
/// usable `Location` is returned as it is.
///
/// ## On Linux
///
/// - `Accept-Encoding: identity` is sent unless the request says otherwise: libcurl accepts a
///   truncated gzip body as complete, and decodes without a bound. A coded response is then
///   refused.
/// - A request with a body, or one that is not idempotent, gets a connection of its own. On a
///   connection that the server has closed meanwhile, libcurl silently sends a request again: a
///   `POST` may take effect twice, and one with a body waits for ever, because its body is not sent
///   again. If that is acceptable, ``Configuration/reusesConnectionsForUploads`` saves the
///   connection. Any other request may reach the server twice.
/// - Response fields repeated in one spelling arrive joined with a comma; of those repeated in
///   several spellings one is left. The order is lost everywhere.
/// - An IPv6 address as the host (`http://[::1]/`) is refused by Foundation; a name works.
/// - The body of a redirect is read without a bound, and not delivered.
/// - All exchanges of a transport are parsed on one thread. While that is busy with a hostile
///   response (20,000 header fields, or a stream that comes faster than it is read), others wait,
///   and new ones block the threads they begin on. Memory stays bounded.
public final class URLSessionTransport: Transport {
  /// The settings of the transport.
  public let configuration: Configuration

  /// The connections that requests share.
  let session: URLSession

  /// Makes a transport with connections of its own.
  public init(configuration: Configuration = Configuration()) {
    precondition(
      configuration.maximumConnectionsPerHost > 0 && configuration.maximumRedirects >= 0,
      "URLSessionTransport.init needs at least one connection and no negative redirect limit: "
        + "\(configuration)")
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
    let policy = RedirectPolicy(limit: configuration.maximumRedirects)
    var leg = prepared(request)
    var followed = 0
    while true {
      try leg.validate()
      let response = try await exchange(leg, progress: progress)
      switch policy.decision(for: response, to: leg, followed: followed) {
      case .deliver:
        return response
      case .refuse(let error):
        throw error
      case .follow(let next):
        leg = next
        followed += 1
      }
    }
  }

  /// The request with the header fields that the transport sets.
  private func prepared(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    if let userAgent = configuration.userAgent, request.headers["User-Agent"] == nil {
      request.headers["User-Agent"] = userAgent
    }
    #if canImport(FoundationNetworking)
      if request.headers["Accept-Encoding"] == nil {
        request.headers["Accept-Encoding"] = "identity"
      }
    #endif
    return request
  }
}
