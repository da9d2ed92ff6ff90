import Foundation
import Testing

@testable import Freshet

@Suite("The retry policy")
struct RetryPolicyTests {
  @Test(
    "Random failures are retried as the naive model says", arguments: 1...10 as ClosedRange<UInt64>)
  func matchesModel(seed: UInt64) {
    let url = URL(filePath: "/")
    let statuses = [400, 401, 404, 408, 425, 429, 500, 501, 502, 503, 504]
    var random = SeededGenerator(seed: seed)
    for round in 0..<2_000 {
      let policy = Service.RetryPolicy(
        maximumRetries: Int.random(in: 0...4, using: &random),
        baseDelay: .milliseconds(Int.random(in: 0...500, using: &random)),
        maximumDelay: .milliseconds(Int.random(in: 0...3_000, using: &random)),
        maximumRetryAfter: .seconds(Int.random(in: 0...20, using: &random)))
      let kind = random.pick(ResourceError.Kind.allCases)
      let status = kind == .http ? random.pick(statuses) : nil
      let asked = random.chance(0.3) ? Int.random(in: 0...30, using: &random) : nil
      let method = random.pick([
        HTTPMethod.get, .head, .post, .put, .patch, .delete, .options, .trace,
      ])
      let hasKey = random.chance(0.3)
      let timeout = Duration.seconds(Int.random(in: 1...40, using: &random))
      let retry = Int.random(in: 1...6, using: &random)
      let chance = Double.random(in: 0..<1, using: &random)
      let delay = policy.delay(
        before: retry,
        after: ResourceError(
          kind, "", status: status, retryAfter: asked.map { .seconds($0) }),
        of: HTTPRequest(
          method: method, url: url, headers: hasKey ? ["idempotency-key": "1"] : [:]),
        timeout: timeout, random: chance)

      var expected: Duration?
      let mayRepeat =
        (hasKey || ![.post, .patch].contains(method)) && retry <= policy.maximumRetries
      let isFault = [.unreachable, .connectionLost, .rateLimited].contains(kind)
      let isPassing = status.map { [408, 425, 429, 500, 502, 503, 504].contains($0) } ?? false
      if mayRepeat, isFault || isPassing {
        if let asked, asked > 0 || retry == 1 {
          let isWaited = .seconds(asked) <= policy.maximumRetryAfter && .seconds(asked) <= timeout
          expected = isWaited ? .seconds(asked) : nil
        } else {
          var limit = policy.baseDelay
          for _ in 1..<retry { limit += limit }
          expected = min(limit, policy.maximumDelay) * chance
        }
      }
      #expect(delay == expected, "seed \(seed) round \(round): \(kind) \(status ?? 0) \(method)")
    }
  }

  @Test("A server that asks for no wait is asked at once only once")
  func noWait() {
    let policy = Service.RetryPolicy(maximumRetries: 9, baseDelay: .seconds(1))
    let delays = (1...4).map { retry in
      policy.delay(
        before: retry,
        after: ResourceError(.rateLimited, "", status: 503, retryAfter: .zero),
        of: HTTPRequest(url: URL(filePath: "/")), timeout: .seconds(30), random: 1)
    }
    #expect(delays == [.zero, .seconds(2), .seconds(4), .seconds(8)])
  }

  @Test("A very late attempt has the longest delay, not an overflow")
  func lateTry() {
    let policy = Service.RetryPolicy(maximumRetries: .max, baseDelay: .seconds(1))
    let error = ResourceError(.unreachable, "")
    #expect(
      policy.delay(
        before: .max, after: error, of: HTTPRequest(url: URL(filePath: "/")), timeout: .seconds(30),
        random: 1) == policy.maximumDelay)
  }
}
