import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionTransport {
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

  /// How long an exchange may go without a byte, in seconds: the system's own longest wait, so that
  /// the store's deadline comes first.
  static let idleTimeout: TimeInterval = 7 * 24 * 60 * 60
}

extension URLSession {
  /// A session with connections of its own, configured as was chosen.
  static func freshet(_ chosen: URLSessionTransport.Configuration) -> URLSession {
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
    configuration.timeoutIntervalForRequest = URLSessionTransport.idleTimeout
    configuration.timeoutIntervalForResource = URLSessionTransport.idleTimeout
    return configuration
  }
}
