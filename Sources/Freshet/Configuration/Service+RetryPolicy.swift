import Foundation

extension Service {
  /// Decides which failed requests are retried, how often, and after how long.
  ///
  /// Only requests that may be repeated are retried: those with an idempotent method (RFC 9110 section 9.2.2), and
  /// others with an `Idempotency-Key` field. ``Service/Configuration/addIdempotencyKeys()`` adds it, so that each
  /// request has its own key, which all of its attempts send.
  ///
  /// Requests are retried after 408, 425, 429, 500, 502, 503, 504, any other response of kind
  /// ``ResourceError/Kind/rateLimited``, and connection faults, but not after a timeout.
  ///
  /// If a response has a `Retry-After`, the request waits for all of that time, up to ``maximumRetryAfter`` and
  /// ``Service/Configuration/timeout``. If the time is longer, the request fails immediately;
  /// ``ResourceError/retryDate`` is the end of that time, and ``AnyResource/loadIfNeeded()`` does nothing before it.
  /// Other requests of the service to the same origin also wait or fail: see ``pausesOrigin``. Without a
  /// `Retry-After`, and from the second retry on with one of zero, the wait is a random time up to a limit that
  /// doubles with every attempt, so that clients do not all retry at the same time.
  ///
  /// The retries of a service to one origin share a budget, so that a failing server does not receive many more
  /// requests: ``retryRatio`` for each request that is sent, and ``retryBurst`` more. Beyond that, requests fail as
  /// they do without retries. When a device comes back online, for example, only few of many waiting requests are sent
  /// at once. A retry after a 429 that names a time is not counted, because the server limits its requests itself.
  ///
  /// A wait ends when the request is cancelled, or when the resource of its URL is wiped. There is no further attempt
  /// if the configuration of the service has changed since the request began, or if the user of a ``TokenAuthorizer``
  /// has signed out; then the request fails.
  public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts after the first.
    public var maximumRetries: Int
    /// The limit of the first wait, which doubles with every attempt; 200 milliseconds by default.
    public var baseDelay: Duration
    /// The maximum wait without a `Retry-After`; 20 seconds by default.
    public var maximumDelay: Duration
    /// The longest `Retry-After` for which a request waits; 30 seconds by default.
    ///
    /// With zero, requests fail instead of waiting.
    public var maximumRetryAfter: Duration
    /// The retries to an origin for each request that is sent to it; 0.1 by default, one for ten requests.
    public var retryRatio: Double
    /// The retries to an origin that are allowed at once, in addition to ``retryRatio``; 10 by default.
    public var retryBurst: Int
    /// Whether a `Retry-After` applies to all requests to the origin; true by default.
    ///
    /// Requests that are started during that time, including retries, are sent when it ends; ``AnyRequest/wait``
    /// reports the wait. They are then authorized again, and fail if the user has changed. If the time is longer than
    /// ``maximumRetryAfter`` or ``Service/Configuration/timeout``, requests are not sent. They fail immediately, with
    /// an error of kind ``ResourceError/Kind/rateLimited``, until the longest wait has passed, and for at least 30
    /// seconds. Then one request is sent to find out whether the server still limits them. Requests that wait for a
    /// connection of a ``CurlTransport``, even within another ``Transport``, are treated as if they were started
    /// during that time.
    ///
    /// A request is paused at most ``maximumRetries`` times and then sent, so that a single path that asks for another
    /// wait each time does not block the origin.
    ///
    /// Set this to false for a server that limits individual paths, or in a rule for such a path. Then the
    /// `Retry-After` of its responses does not apply to other requests, and requests to it are not paused. No request
    /// is paused if ``maximumRetries`` is zero.
    public var pausesOrigin: Bool

    /// Creates a policy.
    public init(
      maximumRetries: Int, baseDelay: Duration = .milliseconds(200),
      maximumDelay: Duration = .seconds(20), maximumRetryAfter: Duration = .seconds(30),
      retryRatio: Double = 0.1, retryBurst: Int = 10, pausesOrigin: Bool = true
    ) {
      self.maximumRetries = maximumRetries
      self.baseDelay = baseDelay
      self.maximumDelay = maximumDelay
      self.maximumRetryAfter = maximumRetryAfter
      self.retryRatio = retryRatio
      self.retryBurst = retryBurst
      self.pausesOrigin = pausesOrigin
    }

    /// The policy that retries nothing.
    public static let none = RetryPolicy(maximumRetries: 0)
    /// The policy that retries up to twice.
    public static let standard = RetryPolicy(maximumRetries: 2)

    /// Whether a `Retry-After` holds for other requests too, and those of others for this one.
    var sharesPauses: Bool { pausesOrigin && maximumRetries > 0 }

    /// What a request has to do with responses that ask for fewer requests.
    ///
    /// - Parameter pauses: how often it has been paused.
    func holding(after pauses: Int) -> Holding {
      guard sharesPauses else { return .none }
      return pauses < maximumRetries ? .all : .others
    }

    /// Returns how long to wait before the next attempt; nil for no retry.
    ///
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - error: the error of the last attempt.
    ///   - request: the request.
    ///   - timeout: how long one attempt may take.
    ///   - random: a random number in 0..<1.
    package func delay(
      before retry: Int, after error: ResourceError, of request: HTTPRequest, timeout: Duration,
      random: Double
    ) -> Duration? {
      guard retry <= maximumRetries, error.isTransient, error.kind != .timeout,
        request.method.isIdempotent || request.headers.first("Idempotency-Key") != nil
      else { return nil }
      // Doubled no further than the maximum, so that nothing overflows.
      var limit = baseDelay
      for _ in 1..<min(max(retry, 1), 64) where limit < maximumDelay { limit *= 2 }
      let backoff = min(limit, maximumDelay) * (random.isFinite ? min(max(random, 0), 1) : 1)
      // A server that asks for no wait again and again is not to be asked without one.
      guard let asked = error.retryAfter, asked > .zero || retry == 1 else { return backoff }
      return asked <= min(maximumRetryAfter, timeout) ? asked : nil
    }
  }
}
