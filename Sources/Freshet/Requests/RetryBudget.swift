/// How many retries one origin may get: a token bucket, and a pure value.
///
/// Each request adds a part of a token, up to a limit, and each retry takes one. So where every request
/// fails, the attempts are at most that part more than the requests, and a burst.
struct RetryBudget: Equatable {
  /// In thousandths of a token, which add up without rounding.
  private(set) var tokens: Int

  private static let token = 1000

  /// A full bucket.
  init(_ policy: Service.RetryPolicy) {
    tokens = RetryBudget.limit(policy)
  }

  /// A request begins.
  mutating func requestBegins(_ policy: Service.RetryPolicy) {
    let ratio = policy.retriesPerRequest
    let part = ratio > 0 ? Int((min(ratio, 1e6) * Double(RetryBudget.token)).rounded()) : 0
    tokens = min(tokens + part, max(tokens, RetryBudget.limit(policy)))
  }

  /// Takes a token for a retry; returns false where there is none.
  mutating func takeRetry() -> Bool {
    guard tokens >= RetryBudget.token else { return false }
    tokens -= RetryBudget.token
    return true
  }

  private static func limit(_ policy: Service.RetryPolicy) -> Int {
    min(max(policy.burst, 0), 1 << 32) * token
  }
}

/// The budgets for retries of a store, one for each origin.
final class RetryBudgets {
  private var budgets: [(origin: String, budget: RetryBudget)] = []

  var count: Int { budgets.count }

  /// How many origins are remembered; a store seldom has more than two.
  private static let most = 32

  /// A request to that URL begins.
  func requestBegins(to url: String, _ policy: Service.RetryPolicy) {
    change(url, policy) { $0.requestBegins(policy) }
  }

  /// Whether a request to that URL may be retried; then the retry is counted.
  func mayRetry(to url: String, _ policy: Service.RetryPolicy) -> Bool {
    change(url, policy) { $0.takeRetry() }
  }

  private func change<Result>(
    _ url: String, _ policy: Service.RetryPolicy, _ body: (inout RetryBudget) -> Result
  ) -> Result {
    let origin = URIReference.origin(of: url) ?? ""
    if let index = budgets.firstIndex(where: { $0.origin == origin }) {
      return body(&budgets[index].budget)
    }
    // The oldest: what has failed lately stays.
    if budgets.count == RetryBudgets.most { budgets.removeFirst() }
    budgets.append((origin, RetryBudget(policy)))
    return body(&budgets[budgets.count - 1].budget)
  }
}
