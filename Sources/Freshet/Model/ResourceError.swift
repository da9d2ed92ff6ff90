import Foundation

/// The error of a failed request, which is the error type of all loads.
public struct ResourceError: Error, Sendable {
  /// The kinds of failure that a program can handle.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The request cannot be sent: an unusable URL, a header with a line break, a body that does not
    /// encode.
    case invalidRequest
    /// The request was cancelled.
    case cancelled
    /// One attempt took longer than ``Service/Configuration/timeout``.
    case timeout
    /// No connection could be made: no such host, refused, no network.
    case unreachable
    /// The connection was lost before the response was complete.
    case connectionLost
    /// TLS could not be established or the certificate is not trusted.
    case insecureConnection
    /// The data received is not an HTTP response, or not one that is valid for this request.
    case badResponse
    /// A redirect that may not be followed, or too many.
    case redirect
    /// The body is larger than ``Service/Configuration/maximumResponseSize``.
    case tooLarge
    /// The server responded with an error status, 400…599.
    case http
    /// The server asks for fewer requests.
    ///
    /// This is the kind of a 429, of a 403 or 503 that names a time for the next attempt, and of an error with a body
    /// that asks for it (``RetryAdvice``). A request that was not sent, because the server has asked this of all
    /// requests, also fails with this kind.
    case rateLimited
    /// The server responded with 304, but there is no content that it could confirm.
    case notModifiedWithoutContent
    /// The response has a media type that the decoder does not accept, such as a login page.
    case contentType
    /// The body is not what the decoder expects.
    case decoding
    /// The request could not be authorized: there is no token, or it could not be renewed;
    /// ``ResourceError/underlying`` says why.
    case authorization
  }

  /// The kind of failure.
  public var kind: Kind { box.details.kind }
  /// The HTTP status, if a server responded.
  public var status: Int? { box.details.status }
  /// What happened, where, and what to do, for developers.
  ///
  /// It contains no secrets of the request: at most origin and path of a URL. If the body of a page reports a failure
  /// (``PageError/reported(_:)``), it quotes the message of the server.
  public var message: String { box.details.message }
  /// The time for which the server asked to wait before the next request, from `timestamp`.
  ///
  /// From `Retry-After`; or from `X-RateLimit-Reset` and similar fields if the quota is used up; or
  /// from the error body, if ``decodedBody`` is a ``RetryAdvice``.
  public var retryAfter: Duration? { box.details.retryAfter }
  /// The date at which another request may be sent, if the server named a time.
  public var retryDate: Date? {
    retryAfter.map { timestamp.addingTimeInterval($0 / .seconds(1)) }
  }
  /// ``retryDate``, if it is after another date.
  func retryDate(after date: Date) -> Date? {
    retryDate.flatMap { $0 > date ? $0 : nil }
  }
  /// The body of an error response, as ``Service/Configuration/decodeErrors(_:)`` has decoded it.
  public var decodedBody: (any Sendable)? { box.details.decodedBody }
  /// The error of another layer, if there is one.
  public var underlying: (any Error)? { box.details.underlying }
  /// The date of the failure.
  public var timestamp: Date { box.details.timestamp }
  /// How long the response with the error stays fresh, from `timestamp`, if the configuration uses that.
  var lifetime: Duration? { box.details.lifetime }
  /// The URL of the response, which a redirect may have led to, or that of a redirect whose target could not be
  /// loaded; nil without a response.
  package var url: String? { box.details.url }
  /// Whether a redirect led to that URL.
  var isRedirected: Bool { box.details.isRedirected }
  /// Of a request that was not sent, the status with which the server has asked for that by its response
  /// to another one; nil for any other failure.
  var pausingStatus: Int? { box.details.pausingStatus }

  /// In a box, so that a result that may be an error is not as large as the details. With boxes of what else rarely
  /// matters of a request, and fewer streams, that saved 20 % of a page that is confirmed.
  private let box: Box

  private final class Box: Sendable {
    let details: Details

    init(_ details: Details) {
      self.details = details
    }
  }

  private struct Details: Sendable {
    let kind: Kind
    let message: String
    var status: Int?
    var retryAfter: Duration?
    var decodedBody: (any Sendable)?
    var underlying: (any Error)?
    let timestamp: Date
    var lifetime: Duration?
    var url: String?
    var isRedirected = false
    var pausingStatus: Int?
  }

  /// Creates an error.
  public init(
    _ kind: Kind, _ message: String, status: Int? = nil, retryAfter: Duration? = nil,
    decodedBody: (any Sendable)? = nil, underlying: (any Error)? = nil, timestamp: Date = Date()
  ) {
    self.init(
      Details(
        kind: kind, message: message, status: status, retryAfter: retryAfter,
        decodedBody: decodedBody, underlying: underlying, timestamp: timestamp))
  }

  /// Creates the error of a response, or of a transport.
  ///
  /// - Parameters:
  ///   - url: see ``url``.
  ///   - isRedirected: see ``isRedirected``.
  init(
    _ kind: Kind, _ message: String, status: Int? = nil, retryAfter: Duration? = nil,
    decodedBody: (any Sendable)? = nil, underlying: (any Error)? = nil, timestamp: Date,
    url: String?, isRedirected: Bool
  ) {
    self.init(
      Details(
        kind: kind, message: message, status: status, retryAfter: retryAfter,
        decodedBody: decodedBody, underlying: underlying, timestamp: timestamp, url: url,
        isRedirected: isRedirected))
  }

  /// Creates the error of a request that was not sent, because the server has asked for that.
  ///
  /// - Parameter status: the status of the response that asks for it.
  init(pausedBy status: Int?, _ message: String, retryAfter: Duration, timestamp: Date) {
    self.init(
      Details(
        kind: .rateLimited, message: message, retryAfter: retryAfter, timestamp: timestamp,
        pausingStatus: status))
  }

  /// The object that keeps what the error holds.
  var object: AnyObject { box }

  private init(_ details: Details) {
    box = Box(details)
  }

  /// The same error, of a response that is fresh for that time.
  func fresh(for lifetime: Duration) -> ResourceError {
    var details = box.details
    details.lifetime = lifetime
    return ResourceError(details)
  }
}

extension ResourceError: Equatable {
  /// Whether two errors are the same failure: of the same kind, at the same time, with the same message.
  ///
  /// ``decodedBody`` and ``underlying`` are not compared.
  public static func == (left: ResourceError, right: ResourceError) -> Bool {
    left.box === right.box
      || (left.kind == right.kind && left.timestamp == right.timestamp
        && left.status == right.status && left.retryAfter == right.retryAfter
        && left.message == right.message)
  }
}

extension ResourceError {
  /// One sentence that can be shown to a person; it always exists.
  ///
  /// If the decoded error body is a `LocalizedError` with an `errorDescription`, that is used.
  public var userMessage: String {
    if let said = (decodedBody as? any LocalizedError)?.errorDescription { return said }
    return switch kind {
    case .invalidRequest: "The request could not be made."
    case .cancelled: "The request was cancelled."
    case .timeout: "The server took too long to respond."
    case .unreachable: "The server could not be reached."
    case .connectionLost: "The connection was lost."
    case .insecureConnection: "A secure connection could not be made."
    case .badResponse, .notModifiedWithoutContent: "The server sent a response that is not valid."
    case .redirect: "The server sent the request elsewhere."
    case .tooLarge: "The response is too large."
    case .http: status.map(Self.sentence(forStatus:)) ?? "The server reported an error."
    case .rateLimited: "Too many requests; please retry later."
    case .contentType, .decoding: "The server's response could not be read."
    case .authorization: "You need to sign in again."
    }
  }

  private static func sentence(forStatus status: Int) -> String {
    switch status {
    case 401: "You need to sign in."
    case 511: "You need to sign in to the network."
    case 403: "You are not allowed to see this."
    case 404, 410: "This does not exist."
    case 500...: "The server has a problem."
    default: "The server reported an error (\(status))."
    }
  }

  /// Whether the server could not be reached or failed, as RFC 5861 section 4 has it, or was not asked because
  /// it has failed so for another request.
  var isFailureOfServer: Bool {
    switch kind {
    case .timeout, .unreachable, .connectionLost: true
    default: (status ?? pausingStatus).map { [500, 502, 503, 504].contains($0) } ?? false
    }
  }

  /// Whether the same request may succeed a little later.
  public var isTransient: Bool {
    switch kind {
    case .timeout, .unreachable, .connectionLost, .rateLimited: true
    case .http: status.map { [408, 425, 429, 500, 502, 503, 504].contains($0) } ?? false
    default: false
    }
  }
}

extension ResourceError: QuotableError, CustomDebugStringConvertible, SecretHolding {
  /// Kind and message, without secrets.
  public var description: String {
    let code = status.map { " \($0)" } ?? ""
    return "\(kind.rawValue)\(code): \(message)"
  }

  /// Kind, message and the type of the underlying error, without secrets.
  public var debugDescription: String {
    let beneath = underlying.map { " (underlying: \(type(of: $0)))" } ?? ""
    return "ResourceError(\(description)\(beneath))"
  }
}

extension ResourceError: LocalizedError {
  /// The `userMessage`.
  public var errorDescription: String? { userMessage }
}
