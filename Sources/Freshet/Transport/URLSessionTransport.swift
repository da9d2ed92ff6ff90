import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport over Foundation's `URLSession`.
///
/// It stores nothing: no cookies, no credentials, no cache. Freshness, retries and deadlines are
/// the store's; this type only moves one request and one answer, and makes every way in which that
/// can go wrong a ``TransportError``.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(HTTPRequest(url: url)) { _ in }
/// ```
///
/// An exchange in flight keeps the transport alive. Connections are closed when the last owner and
/// the last exchange are gone.
///
/// ## Redirects
///
/// At most ``Configuration/maximumRedirects`` are followed. From `https` to `http`, to another
/// scheme, and with a body to another origin they are refused; only `Accept`, `Accept-Encoding`,
/// `Accept-Language` and `User-Agent` go along to another origin. A redirect status without a usable
/// `Location` is delivered as it is.
///
/// ## On Linux
///
/// - `Accept-Encoding: identity` is sent unless the request says otherwise: libcurl takes a
///   truncated gzip body for a whole one, and decodes without a bound. A coded answer is then refused.
/// - A request with a body, or one that is not idempotent, gets a connection of its own. On one that
///   the server has closed meanwhile, libcurl sends a request again without a word: a `POST` may
///   take effect twice, and one with a body waits for ever, for its body is not sent again. Where
///   that cannot hurt, ``Configuration/reusesConnectionsForUploads`` saves the connection. Any other
///   request may reach the server twice.
/// - Repeated response fields arrive joined with a comma, and their order is lost.
public final class URLSessionTransport: Transport {
  /// What can be chosen about a transport.
  public struct Configuration: Sendable, Hashable {
    /// The most connections to one host at a time; more exchanges wait for one. 1 or more.
    public var maximumConnectionsPerHost = 6
    /// The most redirects followed for one request; 0 follows none.
    public var maximumRedirects = 20
    /// Whether requests with a body, and those that are not idempotent, may use a connection again
    /// on Linux. See <doc:URLSessionTransport#On-Linux>; elsewhere it means nothing.
    public var reusesConnectionsForUploads = false
    /// The `User-Agent` of requests that name none, or nil for the system's.
    public var userAgent: String?

    /// Makes the default configuration.
    public init() {}
  }

  /// What was chosen.
  public let configuration: Configuration

  private let session: URLSession

  /// Makes a transport with connections of its own.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
    session = .freshet(configuration)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends a request and returns its answer, whatever the status.
  ///
  /// There is no deadline here: the caller cancels. Progress is reported in order, from one thread
  /// at a time; the last report, made before the return, has all bytes. A redirect starts the counts
  /// again.
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

  /// The request with the fields that are the transport's to choose.
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

  /// The session whose connections the request may use.
  private func session(for request: HTTPRequest) -> URLSession {
    #if canImport(FoundationNetworking)
      if request.mustNotBeResent && !configuration.reusesConnectionsForUploads {
        return .freshet(configuration)
      }
    #endif
    return session
  }

  /// Sends one request and takes its answer in, redirects included as answers.
  private func exchange(
    _ request: HTTPRequest, progress: @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> HTTPResponse {
    guard !Task.isCancelled else { throw .cancelled(request) }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let session = session(for: request)
    defer { if session !== self.session { session.finishTasksAndInvalidate() } }
    let task = session.dataTask(with: URLRequest(request))
    task.delegate = TaskDelegate(continuation)
    continuation.onTermination = { if case .cancelled = $0 { task.cancelSoon() } }
    // What still comes after this function is left is thrown away, not kept.
    defer { continuation.finish() }
    task.resume()

    var answer = ResponseAssembly(to: request)
    var moved = TransferProgress(toSend: request.body?.count ?? 0)
    do throws(TransportError) {
      for await event in events {
        switch event {
        case .sent(let count):
          moved.sent = min(count, request.body?.count ?? 0)
        case .body(let piece):
          try answer.receiveHead(of: task.response)
          try answer.receive(piece)
          moved.received = answer.body.count
          moved.toReceive = answer.expectedLength
        case .finished(let response, let error):
          try answer.receiveHead(of: response)
          if let error {
            throw TransportError(error, request: request, headCame: answer.head != nil)
          }
          let response = try answer.finish()
          moved.sent = request.body?.count ?? 0
          moved.toReceive = moved.received
          progress(moved)
          return response
        }
        progress(moved)
      }
    } catch {
      task.cancelSoon()
      throw error
    }
    throw .cancelled(request)
  }
}

extension URLSessionTask {
  /// Cancels on another thread: on Linux `cancel()` waits while any answer is being parsed.
  func cancelSoon() {
    DispatchQueue.global().async { self.cancel() }
  }
}

extension HTTPRequest {
  /// Whether sending it twice can differ from sending it once, or cannot be done at all.
  fileprivate var mustNotBeResent: Bool {
    !(body?.isEmpty ?? true) || !(method.isSafe || method == .put || method == .delete)
  }
}

extension URLSession {
  fileprivate static func freshet(_ chosen: URLSessionTransport.Configuration) -> URLSession {
    #if canImport(FoundationNetworking)
      URLSession(
        configuration: .freshet(chosen), delegate: URLSessionTransport.SessionDelegate(),
        delegateQueue: URLSessionTransport.CallbackQueue())
    #else
      URLSession(configuration: .freshet(chosen))
    #endif
  }
}

extension URLSessionConfiguration {
  /// A configuration that stores nothing and leaves time to the store.
  fileprivate static func freshet(
    _ chosen: URLSessionTransport.Configuration
  ) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.httpMaximumConnectionsPerHost = chosen.maximumConnectionsPerHost
    // The store's deadline comes first. Seven days are the system's own longest wait.
    configuration.timeoutIntervalForRequest = 7 * 24 * 60 * 60
    configuration.timeoutIntervalForResource = 7 * 24 * 60 * 60
    return configuration
  }
}

extension URLRequest {
  /// The request as URLSession takes it: lines of one name joined with a comma.
  fileprivate init(_ request: HTTPRequest) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    httpBody = request.body
    httpShouldHandleCookies = false
    for field in request.headers.fields {
      setValue(request.headers[field.name], forHTTPHeaderField: field.name)
    }
    // Where a body has no type, the system claims that it is a form. RFC 9110 section 8.3 says
    // what to make of none: this.
    if request.body != nil && request.headers["Content-Type"] == nil {
      setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
    }
  }
}
