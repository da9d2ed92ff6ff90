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
