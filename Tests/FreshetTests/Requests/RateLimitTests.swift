import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("When a server says to come back", .standardTimeLimit)
struct RateLimitTests {
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)

  private func delay(_ status: Int, _ headers: HTTPHeaders) -> Duration? {
    let url = URL(filePath: "/")
    return RetryAfter.delay(
      of: HTTPResponse(status: status, headers: headers, url: url), now: Self.now)
  }

  @Test(
    "A quota that is used up is filled again at its reset time",
    arguments: [
      (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225660"], 60),
      (429, ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225660"], 60),
      (503, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], 30),
      (429, ["RateLimit-Remaining": "0", "RateLimit-Reset": "7"], 7),
      (429, ["X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Reset": "1767225601"], 1),
      (429, ["RateLimit-Reset": "7"], 7),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225602.500"], 2.5),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225660000"], 60),
      (429, ["X-RateLimit-Reset": "Thu, 01 Jan 2026 00:01:00 GMT"], 60),
      (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225000"], 0),
      (429, ["Retry-After": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "60"], 5),
      (404, ["Retry-After": "5"], 5),
      (
        429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999999999999"], 31_536_000
      ),
    ] as [(Int, HTTPHeaders, Double)])
  func stated(status: Int, headers: HTTPHeaders, seconds: Double) {
    #expect(delay(status, headers) == .seconds(seconds))
  }

  @Test(
    "A date is compared to that of the server, however wrong the clock of the client is",
    arguments: 1...20 as ClosedRange<UInt64>)
  func skewed(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let wait = Int.random(in: -100...4_000, using: &random)
      let age = random.chance(0.3) ? Int.random(in: 0...200, using: &random) : nil
      let skew = Double(Int.random(in: -100_000...100_000, using: &random))
      let hasDate = random.chance(0.8)
      // The server's clock when it made the response, and now.
      let made = Self.now + (hasDate ? skew : 0)
      let end = made + Double(wait)
      var headers: HTTPHeaders = [:]
      if hasDate { headers["Date"] = HTTPDate.string(from: made) }
      if let age { headers["Age"] = "\(age)" }
      switch Int.random(in: 0...2, using: &random) {
      case 0: headers["Retry-After"] = HTTPDate.string(from: end)
      case 1: headers["X-RateLimit-Reset"] = HTTPDate.string(from: end)
      default: headers["X-RateLimit-Reset"] = "\(Int(end.timeIntervalSince1970))"
      }
      let expected = max(wait - (hasDate ? age ?? 0 : 0), 0)
      #expect(delay(429, headers) == .seconds(expected), "seed \(seed): \(headers.fields)")
      headers["Retry-After"] = "\(abs(wait))"
      #expect(delay(429, headers) == .seconds(abs(wait)), "seed \(seed)")
    }
    for date in ["", "yesterday", "0"] {
      let headers: HTTPHeaders = [
        "Date": date, "Retry-After": HTTPDate.string(from: Self.now + 20) ?? "",
      ]
      #expect(delay(503, headers) == .seconds(20))
    }
  }

  @Test("The wait that a date asks for is waited for completely by a clock that is ahead")
  @MainActor func ahead() async throws {
    let fixture = ServiceFixture { $0.retryPolicy = .standard }
    let server = fixture.clock.date - 300
    let headers: HTTPHeaders = [
      "Date": HTTPDate.string(from: server) ?? "",
      "Retry-After": HTTPDate.string(from: server + 20) ?? "",
    ]
    fixture.stub.on(.get, "/a", .status(503, headers: headers), .text("a"))
    let request = fixture.text("a").load()
    try await fixture.clock.run(until: { request.wait != nil })
    #expect(request.wait?.nextAttemptDate == fixture.clock.date + 20)
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(fixture.clock.now == .seconds(20) && fixture.text("a").content == "a")
  }

  @Test(
    "Where something is left, or nothing is said, there is no time",
    arguments: [
      (403, ["X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "1767225660"]),
      (429, ["X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "1767225660"]),
      (403, ["X-RateLimit-Reset": "1767225660"]),
      (403, ["X-RateLimit-Remaining": "0"]),
      (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225660"]),
      (404, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225660"]),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"]),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-5"]),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": ""]),
      (429, [:]),
    ] as [(Int, HTTPHeaders)])
  func unstated(status: Int, headers: HTTPHeaders) {
    #expect(delay(status, headers) == nil)
  }

  @Test(
    "A used-up quota is a rate limit, and holds loads back until it is filled",
    arguments: StoreActor.allCases)
  func heldBack(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let reset = Int(fixture.clock.date.timeIntervalSince1970) + 60
      fixture.stub.on(
        .get, "/x",
        .status(403, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(reset)"]),
        .text("there"))
      let error = try #require(await fixture.text("x").load().failure())
      #expect(error.kind == .rateLimited && error.status == 403 && error.isTransient)
      #expect(error.retryAfter == .seconds(60))
      fixture.clock.advance(by: .seconds(59))
      #expect(fixture.text("x").loadIfNeeded() == nil)
      fixture.clock.advance(by: .seconds(1))
      await fixture.text("x").loadIfNeeded()?.completed()
      #expect(fixture.text("x").content == "there")
    }
  }

  @Test(
    "An error body may say when to retry, where no header does", arguments: StoreActor.allCases)
  func advice(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.decodeErrors(as: Problem.self) }
      func error(_ status: Int, _ body: String, _ headers: HTTPHeaders = [:]) async
        -> ResourceError?
      {
        fixture.stub.on(.get, "/x", .json(body, status: status, headers: headers))
        return await fixture.text("x").load().failure()
      }
      let slow = await error(500, #"{"wait": 9, "slow": true}"#)
      #expect(slow?.kind == .rateLimited && slow?.retryAfter == .seconds(9))
      let down = await error(503, #"{"wait": 9}"#)
      #expect(down?.kind == .rateLimited && down?.retryAfter == .seconds(9))
      let bad = await error(400, #"{"wait": 9}"#)
      #expect(bad?.kind == .http && bad?.retryAfter == .seconds(9))
      let header = await error(503, #"{"wait": 9}"#, ["Retry-After": "4"])
      #expect(header?.retryAfter == .seconds(4))
      let none = await error(403, "{}")
      #expect(none?.kind == .http && none?.retryAfter == nil)
    }
  }

  private struct Problem: Decodable, RetryAdvice {
    var wait: Int?
    var slow: Bool?
    var retryAfter: Duration? { wait.map { .seconds($0) } }
    var asksForFewerRequests: Bool { slow == true }
  }
}
