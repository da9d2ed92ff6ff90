/// The reason why TLS could not be established.
///
/// It is the ``TransportError/underlying`` or ``ResourceError/underlying`` error of an error of kind
/// ``TransportError/Kind/insecureConnection``.
public enum TLSFailure: Error, Sendable, Hashable, CaseIterable {
  /// The server's certificate is not from a trusted authority, or was revoked.
  case untrustedCertificate
  /// The server's certificate has expired or is not valid yet, or the date of this machine is wrong.
  case expiredCertificate
  /// The server's certificate is for other host names.
  case wrongHost
  /// The server requires a certificate of the client, and none is configured: set `clientCertificate` of
  /// ``TransportConfiguration``.
  case clientCertificateRequired
  /// The server does not accept the certificate of the client.
  case clientCertificateRefused
  /// A file with certificates or a key cannot be read or does not fit.
  case unusableFile
  /// Client and server have no version or cipher of TLS in common.
  case noCommonProtocol
  /// The server does not use TLS.
  case notTLS
  /// The server refused the handshake, without a reason; it may require a certificate of the client.
  case refused
  /// Another failure.
  case other
}

extension TLSFailure: QuotableError {
  /// What happened and what to do, without anything about the exchange.
  public var description: String {
    switch self {
    case .untrustedCertificate:
      "the certificate of the server is not from a trusted authority. Trust its authority if it is one of "
        + "your own."
    case .expiredCertificate:
      "the certificate of the server has expired or is not valid yet. Check the server, and the date "
        + "of this machine."
    case .wrongHost:
      "the certificate of the server is for another host name. Check the host name in the URL."
    case .clientCertificateRequired:
      "the server requires a certificate of the client, and none is configured. Configure one in the "
        + "transport."
    case .clientCertificateRefused:
      "the server does not accept the certificate of the client. Check that it is valid and from an "
        + "authority that the server trusts."
    case .unusableFile:
      "a file with certificates cannot be used. Check the configuration of the transport."
    case .noCommonProtocol:
      "the server has no version or cipher of TLS that is secure enough. Update the server."
    case .notTLS: "what the server sends is not TLS. Check the scheme and the port of the URL."
    case .refused:
      "the server refused the TLS handshake: it has no version or cipher in common, does not know the "
        + "host name, or requires a certificate of the client. Check the host name, and whether one is needed."
    case .other: "TLS failed. Check the TLS settings of the server."
    }
  }
}
