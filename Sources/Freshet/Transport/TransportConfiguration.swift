/// The settings of the platform's transport.
///
/// ```swift
/// var configuration = TransportConfiguration()
/// configuration.userAgent = "Reader/1.0"
/// let service = Service(
///   baseURL: "https://api.example.com", transport: SystemTransport(configuration: configuration))
/// ```
public struct TransportConfiguration: Sendable, Hashable {
  /// The maximum number of concurrent connections to a host, at least 1; 6 by default.
  ///
  /// Further exchanges wait for a connection.
  ///
  /// On Linux a request without a body that is neither safe nor a `DELETE` has a connection of its own, which is
  /// closed after it. Beside that, as many may be open as are kept for later exchanges: at most this many.
  public var maximumConnectionsPerHost = 6
  /// The maximum number of redirects that are followed for one request; 20 by default, 0 to follow none.
  public var maximumRedirects = 20
  /// The `User-Agent` of requests without one; nil for the system's.
  public var userAgent: String?
  /// Whether compressed responses are accepted.
  ///
  /// If not, requests without `Accept-Encoding` ask for `identity`, and a response that is coded all
  /// the same is an error. The decoded size is limited in any case, by
  /// ``HTTPRequest/maximumResponseSize``.
  public var acceptsCompression = true
  /// How long the body of a redirect is waited for: it only keeps the connection usable, because the next request
  /// is known without it.
  package var redirectBodyTimeout: Duration = .seconds(1)
  /// How long the body of an error is waited for: it may say more about it.
  package var errorBodyTimeout: Duration = .seconds(3)

  /// Whether requests are sent to their servers themselves, whatever proxies the system or the environment has.
  package var ignoresProxies = false

  #if !canImport(Darwin)
    /// The path of a file with the trusted certificate authorities in PEM format, instead of those of
    /// the system; nil for the system's.
    public var certificateAuthoritiesFile: String?
    /// The certificate that identifies the client; nil for none.
    public var clientCertificate: ClientCertificate?
  #endif

  /// Creates the default configuration.
  public init() {}

  /// Requires values that a transport can work with.
  func validate(for transport: String) {
    precondition(
      maximumConnectionsPerHost > 0 && maximumRedirects >= 0,
      "\(transport).init needs at least one connection and no negative redirect limit: "
        + "\(maximumConnectionsPerHost) connections, \(maximumRedirects) redirects")
  }
}

#if !canImport(Darwin)
  extension TransportConfiguration {
    /// A certificate and its private key, in files in PEM format.
    public struct ClientCertificate: Sendable, Hashable {
      /// The path of the file with the certificate, and those that lead to its authority.
      public var certificateFile: String
      /// The path of the file with the private key.
      public var keyFile: String
      /// The password of the private key; nil if it is not encrypted.
      public var keyPassword: String?

      /// Creates a client certificate; the files are read with each new connection.
      public init(certificateFile: String, keyFile: String, keyPassword: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.keyPassword = keyPassword
      }
    }
  }

  extension TransportConfiguration.ClientCertificate: CustomStringConvertible,
    CustomDebugStringConvertible, SecretHolding
  {
    /// The path of the certificate.
    public var description: String { certificateFile }
    /// The path of the certificate.
    public var debugDescription: String { certificateFile }
  }
#endif
