/// The limits of a store's requests to each origin: a budget for retries, and the pause that its server has asked
/// for. `http` and `https` of a host, at the default ports, count as one origin.
final class OriginLimits {
  private struct Origin {
    let name: String
    var budget: RetryBudget
    var pause = OriginPause()
  }

  /// In the order in which they were last used.
  private var origins: [Origin] = []

  /// How many origins are remembered.
  var count: Int { origins.count }

  /// How many origins are remembered at most; a store seldom has more than two.
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
    change(url, policy) { $0.pause.extend(until: time, at: now, by: status) }
  }

  /// What becomes of a request to that URL that begins, or is retried.
  func decide(
    of url: String, at now: Duration, _ policy: Service.RetryPolicy, timeout: Duration
  ) -> OriginPause.Decision {
    change(url, policy) { $0.pause.decide(at: now, policy, timeout: timeout) }
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
    if origins.count == OriginLimits.most { origins.removeFirst() }
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
