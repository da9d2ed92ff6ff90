import Foundation

extension Service {
  /// Decides which failed requests are retried, how often, and after how long.
  ///
  /// Only safe methods are retried (RFC 9110 section 9.2.2), and only after 408, 429, 500, 502,
  /// 503, 504 and connection faults; not after a deadline, which was long enough already. A
  /// `Retry-After` up to ``maximumRetryAfter`` is waited for completely; after a longer one there
  /// is no retry. Without a `Retry-After`, the wait is random between zero and a limit that doubles
  /// with every attempt, so that clients do not retry at the same time.
  public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts after the first.
    public var maximumRetries: Int
    /// The limit of the first wait; it doubles with every attempt.
    public var baseDelay: Duration
    /// The maximum wait without a `Retry-After`.
    public var maximumDelay: Duration
    /// The longest `Retry-After` that is waited for.
    public var maximumRetryAfter: Duration

    /// Makes a policy.
    public init(
      maximumRetries: Int, baseDelay: Duration = .milliseconds(200),
      maximumDelay: Duration = .seconds(20), maximumRetryAfter: Duration = .seconds(30)
    ) {
      self.maximumRetries = maximumRetries
      self.baseDelay = baseDelay
      self.maximumDelay = maximumDelay
      self.maximumRetryAfter = maximumRetryAfter
    }

    /// No retries.
    public static let none = RetryPolicy(maximumRetries: 0)
    /// Up to two retries.
    public static let standard = RetryPolicy(maximumRetries: 2)

    /// Returns how long to wait before the next attempt; nil for no retry.
    ///
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - error: the error of the last attempt.
    ///   - method: the method of the request.
    ///   - random: a random number in 0..<1.
    package func delay(
      before retry: Int, after error: ResourceError, method: HTTPMethod, random: Double
    ) -> Duration? {
      guard retry <= maximumRetries, method.isSafe, error.isTransient, error.kind != .timeout else {
        return nil
      }
      if let asked = error.retryAfter { return asked <= maximumRetryAfter ? asked : nil }
      // Doubled no further than the maximum, so that nothing overflows.
      var limit = baseDelay
      for _ in 1..<min(max(retry, 1), 64) where limit < maximumDelay { limit *= 2 }
      return min(limit, maximumDelay) * (random.isFinite ? min(max(random, 0), 1) : 1)
    }
  }
}
