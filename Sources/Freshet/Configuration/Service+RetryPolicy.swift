import Foundation

extension Service {
  /// Decides which failed requests are retried, how often, and after how long.
  ///
  /// Only requests that may be repeated are retried: those with an idempotent method (RFC 9110 section
  /// 9.2.2), and others with an `Idempotency-Key` field, which ``Service/Configuration/decorate(_:)`` adds: a key
  /// of its own for each request, and the same for all attempts. And only after 408, 425, 429, 500, 502, 503, 504,
  /// any other response of kind ``ResourceError/Kind/rateLimited``, and connection faults; not after a
  /// deadline, which was long enough already.
  ///
  /// A `Retry-After` is waited for completely, up to ``maximumRetryAfter`` and
  /// ``Service/Configuration/timeout``. After a longer one the request fails at once;
  /// ``ResourceError/retryDate`` shows the time, and ``AnyResource/loadIfNeeded()`` does nothing before
  /// it. Other requests of the service to the same origin wait too, or fail: see ``pausesOrigin``.
  /// Without a `Retry-After`, and from the second retry on with one of zero, the wait is random between
  /// zero and a limit that doubles with every attempt, so that clients do not retry at the same time.
  ///
  /// The retries of a service to one origin are limited together, so that a server that fails gets fewer
  /// requests and not more: there are at most ``retriesPerRequest`` for each request, and ``burst`` more.
  /// Beyond that, a request fails as without retries; so of many requests that wait when a device comes back
  /// online, few are sent at once. A retry after a 429 that names its time is not counted: the server says how
  /// many requests it gets.
  ///
  /// A wait ends with the request: when that is cancelled, or the resource of its URL wiped. And no attempt follows
  /// where the configuration of the service has changed since the request began, or where the user of a
  /// ``TokenAuthorizer`` has signed out: then the failure stands.
  public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts after the first.
    public var maximumRetries: Int
    /// The limit of the first wait; it doubles with every attempt. 200 milliseconds by default.
    public var baseDelay: Duration
    /// The maximum wait without a `Retry-After`: 20 seconds by default.
    public var maximumDelay: Duration
    /// The longest `Retry-After` that is waited for. With zero, requests fail if they would have to
    /// wait. 30 seconds by default.
    public var maximumRetryAfter: Duration
    /// The number of retries to an origin that each request sent to it allows; 0.1 by default.
    public var retriesPerRequest: Double
    /// How many retries to an origin are allowed at one time in addition to ``retriesPerRequest``; 10 by
    /// default.
    public var burst: Int
    /// Whether a `Retry-After` holds for all requests to the origin; true by default.
    ///
    /// Requests started during that time, retries included, are sent when it ends;
    /// ``AnyRequest/wait`` shows it. They are authorized again then, and fail if the user has
    /// changed. If the time is longer than ``maximumRetryAfter`` or
    /// ``Service/Configuration/timeout``, requests are not sent. They fail at once, with an error of
    /// kind ``ResourceError/Kind/rateLimited``, until the longest wait has passed, and for at least
    /// 30 seconds; then one request asks whether the server still limits them. Requests that wait for
    /// a connection of a ``CurlTransport``, also within another ``Transport``, are treated as if they
    /// were started during that time.
    ///
    /// A request is paused at most ``maximumRetries`` times and then sent, so that one path whose
    /// server asks for another wait each time cannot block the origin.
    ///
    /// Set this to false for a server that limits single paths, or by a rule for such a path: then the
    /// `Retry-After` of its responses holds for no other request, and those to it are not paused. Nothing
    /// is paused if ``maximumRetries`` is zero.
    public var pausesOrigin: Bool

    /// Creates a policy.
    public init(
      maximumRetries: Int, baseDelay: Duration = .milliseconds(200),
      maximumDelay: Duration = .seconds(20), maximumRetryAfter: Duration = .seconds(30),
      retriesPerRequest: Double = 0.1, burst: Int = 10, pausesOrigin: Bool = true
    ) {
      self.maximumRetries = maximumRetries
      self.baseDelay = baseDelay
      self.maximumDelay = maximumDelay
      self.maximumRetryAfter = maximumRetryAfter
      self.retriesPerRequest = retriesPerRequest
      self.burst = burst
      self.pausesOrigin = pausesOrigin
    }

    /// No retries.
    public static let none = RetryPolicy(maximumRetries: 0)
    /// Up to two retries.
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
