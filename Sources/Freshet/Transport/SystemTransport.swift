// The default transport of the platform. All are configured with a ``TransportConfiguration``, so that
// code that names this type compiles everywhere.
#if canImport(Darwin)
  /// The default transport of the platform: `CurlTransport` on Linux, `URLSessionTransport` here.
  public typealias SystemTransport = URLSessionTransport
#elseif os(Linux)
  /// The default transport of the platform: `URLSessionTransport` on Apple's, `CurlTransport` here.
  public typealias SystemTransport = CurlTransport
#endif
