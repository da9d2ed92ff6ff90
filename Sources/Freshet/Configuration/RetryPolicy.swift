import Foundation

/// Which failures are tried again, how often, and after how long: a pure decision.
///
/// Only safe methods are repeated (RFC 9110 section 9.2.2), and only after 408, 429, 500, 502, 503,
/// 504 and connection faults; not after the deadline, which has taken its time already. A
/// `Retry-After` within `longestWait` is waited for to the full; a longer one ends the attempts at once.
/// Without one the wait is random between nothing and a limit that doubles with every try, so that
/// clients do not come back in step.
public struct RetryPolicy: Sendable, Hashable {
  /// How many attempts may follow the first.
  public var maximumRetries: Int
  /// The limit of the first wait; it doubles with every try.
  public var baseDelay: Duration
  /// The most that is waited without a `Retry-After`.
  public var maximumDelay: Duration
  /// The longest `Retry-After` that is waited for.
  public var longestWait: Duration

  /// Makes a policy.
  public init(
    maximumRetries: Int, baseDelay: Duration = .milliseconds(200),
    maximumDelay: Duration = .seconds(20), longestWait: Duration = .seconds(30)
  ) {
    self.maximumRetries = maximumRetries
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.longestWait = longestWait
  }

  /// Never makes another attempt.
  public static let none = RetryPolicy(maximumRetries: 0)
  /// Up to two more attempts.
  public static let standard = RetryPolicy(maximumRetries: 2)

  /// How long to wait before the next attempt; nil for no other.
  ///
  /// - Parameters:
  ///   - retry: the number of the next try, from 1.
  ///   - error: why the last one failed.
  ///   - method: the method of the request.
  ///   - random: a random number in 0..<1.
  public func delay(
    before retry: Int, after error: ResourceError, method: HTTPMethod, random: Double
  ) -> Duration? {
    guard retry <= maximumRetries, method.isSafe, error.isTransient, error.kind != .timeout else {
      return nil
    }
    if let asked = error.retryAfter { return asked <= longestWait ? asked : nil }
    // Doubled no further than the maximum, so that nothing overflows.
    var limit = baseDelay
    for _ in 1..<min(max(retry, 1), 64) where limit < maximumDelay { limit *= 2 }
    return min(limit, maximumDelay) * (random.isFinite ? min(max(random, 0), 1) : 1)
  }
}
