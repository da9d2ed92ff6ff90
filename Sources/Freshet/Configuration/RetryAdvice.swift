/// A decoded error body that says when to try again.
///
/// Of ``ResourceError/decodedBody``: what it says counts where the header fields of the response say
/// nothing.
///
/// ```swift
/// struct Problem: Decodable, RetryAdvice {
///   var waitSeconds: Int?
///   var retryAfter: Duration? { waitSeconds.map { .seconds($0) } }
/// }
/// service.configure { $0.decodeErrors(as: Problem.self) }
/// ```
public protocol RetryAdvice: Sendable {
  /// How long to wait before the next request; nil where the body does not say.
  var retryAfter: Duration? { get }
  /// Whether the reason is that there were too many requests, whatever the status: the error is then
  /// of kind `.rateLimited`. False unless implemented.
  var asksForFewerRequests: Bool { get }
}

extension RetryAdvice {
  /// False.
  public var asksForFewerRequests: Bool { false }
}
