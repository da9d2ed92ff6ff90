import Testing

@testable import Freshet

@Suite("The budget for retries")
struct RetryBudgetTests {
  /// What the budget is by definition: every request that began, and every retry, since it was full.
  private struct Model {
    let burst: Int
    let thousandths: Int
    var tokens: Int

    init(_ policy: Service.RetryPolicy) {
      burst = policy.retryBurst
      thousandths = Int((policy.retryRatio * 1000).rounded())
      tokens = burst * 1000
    }

    mutating func request() { tokens = min(burst * 1000, tokens + thousandths) }

    mutating func retry() -> Bool {
      if tokens < 1000 { return false }
      tokens -= 1000
      return true
    }
  }

  @Test(
    "Random requests and retries are allowed as the naive model says",
    arguments: 1...10 as ClosedRange<UInt64>)
  func matchesModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let policy = Service.RetryPolicy(
        maximumRetries: 3, retryRatio: random.pick([0, 0.01, 0.1, 0.25, 1]),
        retryBurst: Int.random(in: 0...20, using: &random))
      var (budget, model) = (RetryBudget(policy), Model(policy))
      var (requests, retries) = (0, 0)
      for _ in 0..<400 {
        if random.chance(0.5) {
          budget.requestBegins(policy)
          model.request()
          requests += 1
        } else {
          let isAllowed = budget.spendRetryIfAny()
          #expect(isAllowed == model.retry(), "seed \(seed)")
          if isAllowed { retries += 1 }
        }
        let most = Double(requests) * policy.retryRatio + Double(policy.retryBurst)
        #expect(Double(retries) <= most + 0.001, "seed \(seed)")
      }
    }
  }

  @Test("Origins have budgets of their own, and only so many are remembered")
  func origins() {
    let policy = Service.RetryPolicy(maximumRetries: 1, retryBurst: 1)
    let limits = OriginLimits()
    #expect(limits.spendRetryIfAny(to: "https://a.test/x", policy))
    #expect(!limits.spendRetryIfAny(to: "https://A.test:443/y", policy))
    #expect(limits.spendRetryIfAny(to: "https://b.test/x", policy))
    for number in 0..<100 { limits.requestBegins(to: "https://\(number).test", policy) }
    #expect(limits.count == 32)
    // What was spent is not forgotten for origins that have spent nothing, nor while it is in use.
    for number in 0..<100 {
      limits.requestBegins(to: "https://\(number).test", policy)
      #expect(!limits.spendRetryIfAny(to: "https://a.test", policy))
    }
    // Nor is more remembered than that if all have spent something.
    for number in 0..<100 {
      #expect(limits.spendRetryIfAny(to: "https://\(number).test", policy))
      limits.checkInvariants()
    }
    #expect(limits.spendRetryIfAny(to: "https://a.test", policy))
  }

  @Test("What an origin has spent counts by the policy of its own requests", arguments: [0, 3, 20])
  func policies(burst: Int) {
    let policy = Service.RetryPolicy(maximumRetries: 1, retryRatio: 0, retryBurst: 10)
    let other = Service.RetryPolicy(maximumRetries: 1, retryBurst: burst)
    let limits = OriginLimits()
    for _ in 0..<7 { #expect(limits.spendRetryIfAny(to: "https://a.test", policy)) }
    for number in 0..<31 { limits.requestBegins(to: "https://\(number).test", policy) }
    for number in 50..<100 { limits.requestBegins(to: "https://\(number).test", other) }
    for _ in 0..<3 { #expect(limits.spendRetryIfAny(to: "https://a.test", policy)) }
    #expect(!limits.spendRetryIfAny(to: "https://a.test", policy))
  }

  @Test("A pause that runs is not forgotten for other origins, one that is over is")
  func pauses() {
    let policy = Service.RetryPolicy(maximumRetries: 1, maximumRetryAfter: .seconds(90))
    let limits = OriginLimits()
    func decide(_ name: String, at seconds: Int) -> OriginPause.Decision {
      limits.decide(
        of: "https://\(name).test/x", at: .seconds(seconds), policy, timeout: .seconds(90))
    }
    limits.pause("https://a.test", until: .seconds(60), at: .zero, by: 429, policy)
    for number in 0..<100 { #expect(decide("\(number)", at: 1) == .send) }
    #expect(decide("a", at: 20) == .wait(.seconds(40)))
    #expect(limits.count == 32)
    for number in 0..<100 { #expect(decide("\(number)", at: 60) == .send) }
    // As a clock that is set back shows.
    #expect(decide("a", at: 20) == .send)
  }

  @Test(
    "Each origin has one budget, whatever is asked for in which order",
    arguments: 1...5 as ClosedRange<UInt64>)
  func randomOrigins(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let policy = Service.RetryPolicy(maximumRetries: 1, retryRatio: 0, retryBurst: 2)
    let limits = OriginLimits()
    // In the order in which they were last used.
    var naive: [(name: Int, tokens: Int)] = []
    for step in 0..<2_000 {
      let name = Int.random(in: 0..<40, using: &random)
      let url = random.pick(["https://\(name).test", "http://\(name).TEST:80/x"])
      let known = naive.firstIndex { $0.name == name }.map { naive.remove(at: $0) }
      naive.append(known ?? (name, 2))
      if naive.count > 32 {
        // The one that has spent nothing, and was not used for the longest time.
        naive.remove(at: naive.dropLast().firstIndex { $0.tokens == 2 } ?? 0)
      }
      if random.chance(0.5) {
        limits.requestBegins(to: url, policy)
      } else {
        let mayRetry = naive[naive.count - 1].tokens > 0
        if mayRetry { naive[naive.count - 1].tokens -= 1 }
        #expect(limits.hasRetry(to: url, policy) == mayRetry, "seed \(seed) step \(step)")
        #expect(limits.spendRetryIfAny(to: url, policy) == mayRetry, "seed \(seed) step \(step)")
      }
      limits.checkInvariants()
      #expect(limits.count == naive.count)
    }
  }

  @Test("Numbers without sense neither trap nor allow anything")
  func extremes() {
    for ratio in [-1, .nan, .infinity, -.infinity, 1e300] as [Double] {
      for burst in [.min, -1, 0, .max] as [Int] {
        let policy = Service.RetryPolicy(
          maximumRetries: 1, retryRatio: ratio, retryBurst: burst)
        var budget = RetryBudget(policy)
        for _ in 0..<3 { budget.requestBegins(policy) }
        #expect(budget.spendRetryIfAny() == (burst == .max))
      }
    }
  }
}

extension RetryBudget {
  /// Takes the token for a retry; returns false where there is none.
  fileprivate mutating func spendRetryIfAny() -> Bool {
    guard hasRetry else { return false }
    spendRetry()
    return true
  }
}

extension OriginLimits {
  /// Counts a retry of a request to that URL; returns false where it may not be retried.
  fileprivate func spendRetryIfAny(to url: String, _ policy: Service.RetryPolicy) -> Bool {
    guard hasRetry(to: url, policy) else { return false }
    spendRetry(to: url, policy)
    return true
  }
}
