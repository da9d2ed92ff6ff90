/// A decoded error body that contains the time of the next attempt.
///
/// It is used if ``ResourceError/decodedBody`` conforms to this protocol. A time in the header fields of the
/// response has precedence over ``retryAfter``.
///
/// ```swift
/// nonisolated struct Problem: Decodable, RetryAdvice {
///   var waitSeconds: Int?
///   var retryAfter: Duration? { waitSeconds.map { .seconds($0) } }
/// }
/// service.configure { $0.decodeErrors(as: Problem.self) }
/// ```
public protocol RetryAdvice: Sendable {
  /// How long to wait before the next request; nil if the body names no time.
  var retryAfter: Duration? { get }

  /// Whether the server refused the request because there were too many; false by default.
  ///
  /// The error is of kind `.rateLimited` then, whatever the status.
  var asksForFewerRequests: Bool { get }
}

extension RetryAdvice {
  /// False, the default: the error is not a rate limit.
  public var asksForFewerRequests: Bool { false }
}
