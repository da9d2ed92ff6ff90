/// The limits of a store's requests to each origin: a budget for retries, and the pause that its server has asked
/// for. `http` and `https` of a host, at the default ports, count as one origin.
final class OriginLimits {
  private struct Origin {
    let name: String
    var budget: RetryBudget
    var pause = OriginPause()

    /// Whether there is nothing to remember.
    func isIdle(at now: Duration) -> Bool { budget.isFull && !pause.isRunning(at: now) }
  }

  /// In the order in which they were last used.
  private var origins: [Origin] = []
  /// The latest time that was named.
  private var now: Duration = .zero

  /// How many origins are remembered.
  var count: Int { origins.count }

  /// How many origins are remembered at most; a store seldom has more than two. Those with nothing to remember are
  /// forgotten first.
  private static let most = 32

  /// A request to that URL is sent for the first time.
  func requestBegins(to url: String, _ policy: Service.RetryPolicy) {
    change(url, policy) { $0.budget.requestBegins(policy) }
  }

  /// Whether a request to that URL may be retried.
  func hasRetry(to url: String, _ policy: Service.RetryPolicy) -> Bool {
    change(url, policy) { $0.budget.hasRetry }
  }

  /// Counts a retry of a request to that URL, which ``hasRetry(to:_:)`` has allowed.
  func spendRetry(to url: String, _ policy: Service.RetryPolicy) {
    change(url, policy) { $0.budget.spendRetry() }
  }

  /// The server of that URL asks to wait.
  func pause(
    _ url: String, until time: Duration, at now: Duration, by status: Int?,
    _ policy: Service.RetryPolicy
  ) {
    self.now = now
    change(url, policy) { $0.pause.extend(until: time, at: now, by: status) }
  }

  /// What becomes of a request to that URL that begins, or is retried.
  func decide(
    of url: String, at now: Duration, _ policy: Service.RetryPolicy, timeout: Duration
  ) -> OriginPause.Decision {
    self.now = now
    return change(url, policy) { $0.pause.decide(at: now, policy, timeout: timeout) }
  }

  /// The server of that URL does not ask to wait any more.
  func lift(_ url: String, _ policy: Service.RetryPolicy) {
    change(url, policy) { $0.pause.lift() }
  }

  private func change<Result>(
    _ url: String, _ policy: Service.RetryPolicy, _ body: (inout Origin) -> Result
  ) -> Result {
    let name = URIReference.secureOrigin(of: url) ?? ""
    if let index = origins.lastIndex(where: { $0.name == name }) {
      if index < origins.count - 1 { origins.append(origins.remove(at: index)) }
      return body(&origins[origins.count - 1])
    }
    if origins.count == OriginLimits.most {
      // However many have nothing, a server that fails keeps its spent budget, and one that asks to wait its pause.
      origins.remove(at: origins.firstIndex { $0.isIdle(at: now) } ?? 0)
    }
    origins.append(Origin(name: name, budget: RetryBudget(policy)))
    return body(&origins[origins.count - 1])
  }
}

extension OriginLimits {
  /// Stops the program if an invariant does not hold. For tests; O(*o*) in the origins.
  func checkInvariants() {
    precondition(origins.count <= OriginLimits.most, "\(origins.count) origins")
    precondition(Set(origins.map(\.name)).count == origins.count, "an origin has two entries")
    precondition(origins.allSatisfy { $0.budget.tokens >= 0 }, "a retry without a token")
  }
}

/// How many retries one origin may get: a token bucket, and a pure value.
///
/// Each request adds a part of a token, up to a limit, and each retry takes one. So if every request
/// fails, the attempts are at most that part more than the requests, and a burst.
struct RetryBudget: Equatable {
  /// In thousandths of a token, which add up without rounding.
  private(set) var tokens: Int
  /// The limit of the last request: that of another one may have another policy.
  private var limit: Int

  private static let token = 1000

  /// A full bucket.
  init(_ policy: Service.RetryPolicy) {
    limit = RetryBudget.limit(policy)
    tokens = limit
  }

  /// A request is sent for the first time.
  mutating func requestBegins(_ policy: Service.RetryPolicy) {
    let ratio = policy.retryRatio
    let part = ratio > 0 ? Int((min(ratio, 1e6) * Double(RetryBudget.token)).rounded()) : 0
    limit = RetryBudget.limit(policy)
    tokens = min(tokens + part, max(tokens, limit))
  }

  /// Whether nothing was spent that later requests have not given back.
  var isFull: Bool { tokens >= limit }

  /// Whether there is a token for a retry.
  var hasRetry: Bool { tokens >= RetryBudget.token }

  /// Takes the token that ``hasRetry`` has shown.
  mutating func spendRetry() {
    precondition(hasRetry, "RetryBudget.spendRetry: there is no token")
    tokens -= RetryBudget.token
  }

  private static func limit(_ policy: Service.RetryPolicy) -> Int {
    min(max(policy.retryBurst, 0), 1 << 32) * token
  }
}

/// The time for which a server has asked to wait, by a response to any request: a pure value.
struct OriginPause: Equatable {
  /// What becomes of a request that begins, or is retried.
  enum Decision: Equatable {
    case send
    /// It is sent to find out whether the server still asks for that: ``lift()`` where it does not.
    case ask
    /// It waits for that time.
    case wait(Duration)
    /// It fails, because the server asks for a time that is too long to wait for; the next one that is sent
    /// is sent after this time. The status is that of the response which asks for it.
    case fail(Duration, status: Int?)
  }

  private var end: Duration = .zero
  /// When the server has last asked, or was last asked.
  private var lastAsked: Duration = .zero
  /// The status of the response that asks to wait until the end.
  private var status: Int?

  /// How long a time that is too long to wait for is believed at least, however short the longest wait is.
  static let shortestBelief: Duration = .seconds(30)

  /// Whether the server asks to wait, still.
  func isRunning(at now: Duration) -> Bool { end > now }

  /// The server asks to wait until a time; an earlier request of that may be longer.
  mutating func extend(until time: Duration, at now: Duration, by status: Int?) {
    if time >= end { (end, self.status) = (time, status) }
    lastAsked = now
  }

  /// The server has responded to a request that was sent to find out, and does not ask for that any more.
  mutating func lift() { end = .zero }

  /// Decides about a request.
  ///
  /// A time that is too long to wait for is believed as long as the longest wait, and for half a minute at
  /// least. Then one request asks the server again: what it said of a year may have been a mistake, or of one
  /// path.
  ///
  /// - Parameter timeout: how long one attempt may take.
  mutating func decide(
    at now: Duration, _ policy: Service.RetryPolicy, timeout: Duration
  ) -> Decision {
    let longest = min(policy.maximumRetryAfter, timeout)
    guard policy.sharesPauses, end > now else { return .send }
    if end - now <= longest { return .wait(end - now) }
    let next = min(lastAsked + max(longest, OriginPause.shortestBelief), end)
    if now < next { return .fail(next - now, status: status) }
    lastAsked = now
    return .ask
  }
}
