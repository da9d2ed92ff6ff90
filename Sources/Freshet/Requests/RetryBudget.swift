/// How many retries one origin may get: a token bucket, and a pure value.
///
/// Each request adds a part of a token, up to a limit, and each retry takes one. So if every request
/// fails, the attempts are at most that part more than the requests, and a burst.
struct RetryBudget: Equatable {
  /// In thousandths of a token, which add up without rounding.
  private(set) var tokens: Int

  private static let token = 1000

  /// A full bucket.
  init(_ policy: Service.RetryPolicy) {
    tokens = RetryBudget.limit(policy)
  }

  /// A request is sent for the first time.
  mutating func requestBegins(_ policy: Service.RetryPolicy) {
    let ratio = policy.retriesPerRequest
    let part = ratio > 0 ? Int((min(ratio, 1e6) * Double(RetryBudget.token)).rounded()) : 0
    tokens = min(tokens + part, max(tokens, RetryBudget.limit(policy)))
  }

  /// Whether there is a token for a retry.
  var hasRetry: Bool { tokens >= RetryBudget.token }

  /// Takes the token that ``hasRetry`` has shown.
  mutating func spendRetry() {
    precondition(hasRetry, "RetryBudget.spendRetry: there is no token")
    tokens -= RetryBudget.token
  }

  private static func limit(_ policy: Service.RetryPolicy) -> Int {
    min(max(policy.burst, 0), 1 << 32) * token
  }
}
