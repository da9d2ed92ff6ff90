/// The error of a transport that could not return a response.
public struct TransportError: Error, Sendable {
  /// The kinds of failure that a caller can handle.
  public enum Kind: Sendable, Hashable {
    /// The request cannot be sent as it is: a header with a line break, a URL that is not HTTP, a proxy that
    /// demands other credentials.
    case invalidRequest
    /// The surrounding task was cancelled.
    case cancelled
    /// The exchange exceeded its time limit.
    case timedOut
    /// No connection could be made: no such host, refused, no network.
    case unreachable
    /// The connection was lost before the response was complete.
    case connectionLost
    /// TLS could not be established or the certificate is not trusted: ``TLSFailure`` says why.
    case insecureConnection
    /// The bytes received are not an HTTP response.
    case badResponse
    /// The redirect has a forbidden destination: another scheme, or from `https` to `http`.
    case redirectRefused
    /// More redirects than the limit, or a loop.
    case tooManyRedirects
    /// The body is larger than the request allows.
    case tooLarge
  }

  /// The kind of failure.
  public var kind: Kind
  /// What happened, where and what to do, without secrets: origin and path at most.
  public var message: String
  /// The error of the system, if there is one; a ``TLSFailure`` where TLS failed.
  public var underlying: (any Error)?
  /// The URL to which a redirect was being followed; nil before the first redirect.
  package var redirectedURL: String?

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, underlying: (any Error)? = nil) {
    self.kind = kind
    self.message = message
    self.underlying = underlying
  }
}

extension TransportError: QuotableError, CustomDebugStringConvertible, SecretHolding {
  /// Kind and message, without secrets.
  public var description: String { "\(kind): \(message)" }

  /// Kind, message and the type of the system's error, without secrets.
  public var debugDescription: String {
    let beneath = underlying.map { " (underlying: \(type(of: $0)))" } ?? ""
    return "TransportError(\(description)\(beneath))"
  }
}

/// Why a request was not sent: a server asks for fewer. The underlying error of a ``TransportError``.
package struct HeldRequest: Error {
  /// The response to another request that asks for that.
  let response: HTTPResponse
}
