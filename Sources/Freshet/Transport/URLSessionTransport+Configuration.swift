#if canImport(Darwin)
  import Foundation

  extension URLSessionTransport {
    /// How long an exchange may receive no byte, in seconds: the system's own longest wait, so that
    /// the store's deadline comes first.
    static let idleTimeout: TimeInterval = 7 * 24 * 60 * 60
  }

  extension URLSession {
    /// A session with connections of its own and this configuration.
    static func freshet(_ chosen: TransportConfiguration) -> URLSession {
      URLSession(configuration: .freshet(chosen))
    }
  }

  extension URLSessionConfiguration {
    /// A configuration that stores nothing and leaves timeouts to the store.
    fileprivate static func freshet(
      _ chosen: TransportConfiguration
    ) -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.urlCredentialStorage = nil
      configuration.httpCookieStorage = nil
      configuration.httpCookieAcceptPolicy = .never
      configuration.httpShouldSetCookies = false
      configuration.httpMaximumConnectionsPerHost = chosen.maximumConnectionsPerHost
      if chosen.ignoresProxies { configuration.connectionProxyDictionary = [:] }
      configuration.timeoutIntervalForRequest = URLSessionTransport.idleTimeout
      configuration.timeoutIntervalForResource = URLSessionTransport.idleTimeout
      return configuration
    }
  }
#endif
