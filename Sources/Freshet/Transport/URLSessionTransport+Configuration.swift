import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionTransport {
  /// The settings of a transport.
  public struct Configuration: Sendable, Hashable {
    /// The most connections to one host at a time; further exchanges wait for one. 1 or more.
    public var maximumConnectionsPerHost = 6
    /// The most redirects followed for one request; 0 follows none.
    public var maximumRedirects = 20
    /// Whether requests with a body, and those that are not idempotent, may reuse a connection on
    /// Linux. See <doc:URLSessionTransport#On-Linux>; without effect on other systems.
    public var reusesConnectionsForUploads = false
    /// The `User-Agent` of requests without one; nil for the system's.
    public var userAgent: String?

    /// Makes the default configuration.
    public init() {}
  }

  /// How long an exchange may receive no byte, in seconds: the system's own longest wait, so that
  /// the store's deadline comes first.
  static let idleTimeout: TimeInterval = 7 * 24 * 60 * 60
}

extension URLSession {
  /// A session with connections of its own and this configuration.
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
  /// A configuration that stores nothing and leaves timeouts to the store.
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
