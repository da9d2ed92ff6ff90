import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Freshness as the server says", .standardTimeLimit)
struct ServerFreshnessTests {
  /// What a response has, and for how many seconds it is fresh then.
  struct Response: Sendable, CustomTestStringConvertible {
    let headers: HTTPHeaders
    let seconds: Int
    var testDescription: String { "\(headers): \(seconds) s" }
  }

  private static let now = "Thu, 01 Jan 2026 00:00:00 GMT"
  private static let responses = [
    Response(headers: ["Cache-Control": "max-age=60"], seconds: 60),
    Response(headers: ["Cache-Control": "max-age=60", "Age": "20"], seconds: 40),
    Response(headers: ["Cache-Control": "max-age=10", "Age": "20"], seconds: 0),
    Response(headers: ["Cache-Control": "max-age=0"], seconds: 0),
    Response(headers: ["Cache-Control": "no-cache"], seconds: 0),
    Response(headers: ["Date": now, "Expires": "Thu, 01 Jan 2026 00:01:30 GMT"], seconds: 90),
    Response(headers: ["Date": now, "Expires": "0"], seconds: 0),
    Response(headers: ["Content-Type": "text/plain"], seconds: 30),
  ]

  @Test(
    "Where configured, the fields of the response count, the freshness lifetime where they say nothing",
    arguments: responses, StoreActor.allCases)
  func configured(response: Response, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.responseFreshness = .init() }
      fixture.stub.on(.get, "/a", .text("one", headers: response.headers))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      if response.seconds > 0 {
        fixture.clock.advance(by: .seconds(response.seconds) - .nanoseconds(1))
        #expect(resource.isUpToDate)
        #expect(resource.loadIfNeeded() == nil)
        fixture.clock.advance(by: .nanoseconds(1))
      }
      #expect(!resource.isUpToDate)
      #expect(resource.loadIfNeeded() != nil)
    }
  }

  @Test(
    "Unless configured, only the freshness lifetime counts", arguments: responses,
    StoreActor.allCases)
  func notConfigured(response: Response, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one", headers: response.headers))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      fixture.clock.advance(by: .seconds(30) - .nanoseconds(1))
      #expect(resource.isUpToDate)
      fixture.clock.advance(by: .nanoseconds(1))
      #expect(!resource.isUpToDate)
    }
  }

  @Test(
    "A 304 brings a new lifetime, and keeps the old one where it has none",
    arguments: StoreActor.allCases
  )
  func notModified(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.responseFreshness = .init() }
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Cache-Control": "max-age=10"]),
        .status(304), .status(304, headers: ["Cache-Control": "max-age=50"]))
      let resource = fixture.text("a")
      for seconds in [10, 10, 50] {
        _ = try await #require(resource.loadIfNeeded()).value()
        fixture.clock.advance(by: .seconds(seconds) - .nanoseconds(1))
        #expect(resource.isUpToDate)
        fixture.clock.advance(by: .nanoseconds(1))
        #expect(!resource.isUpToDate)
      }
    }
  }

  /// A response after 10 seconds that takes 5 seconds to be read, and for how many it is fresh then.
  static let slow = [
    Response(headers: ["Cache-Control": "max-age=60"], seconds: 45),
    Response(headers: ["Cache-Control": "max-age=60", "Age": "20"], seconds: 25),
    // It was 30 seconds old when it arrived.
    Response(
      headers: ["Cache-Control": "max-age=60", "Date": "Wed, 31 Dec 2025 23:59:40 GMT"],
      seconds: 25),
    Response(headers: ["Cache-Control": "max-age=12"], seconds: 0),
    Response(headers: ["Content-Type": "text/plain"], seconds: 30),
  ]

  @Test(
    "A lifetime counts from the arrival of the response, however long that takes to be read",
    arguments: slow, StoreActor.allCases)
  func slowReading(response: Response, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.responseFreshness = .init() }
      let clock = fixture.clock
      fixture.stub.on(.get, "/a") { _ in
        clock.advance(by: .seconds(10))
        return .text("one", headers: response.headers)
      }
      let decoder = ContentDecoder<String>("slow") { _ in
        clock.advance(by: .seconds(5))
        return "one"
      }
      let resource = fixture.service.resource("a", decoder: decoder)
      _ = try await resource.load().value()
      if response.seconds > 0 {
        clock.advance(by: .seconds(response.seconds) - .nanoseconds(1))
        #expect(resource.isUpToDate)
        clock.advance(by: .nanoseconds(1))
      }
      #expect(!resource.isUpToDate)
    }
  }

  @Test(
    "What came before the request that brought the response is no part of its age",
    arguments: StoreActor.allCases)
  func laterAttempt(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture {
        $0.responseFreshness = .init()
        $0.retryPolicy = Service.RetryPolicy(maximumRetries: 1)
      }
      let clock = fixture.clock
      // As long as a sign-in takes.
      fixture.service.configure {
        $0.decorate {
          clock.advance(by: .seconds(40))
          return $0
        }
      }
      fixture.stub.on(
        .get, "/a", .status(503, headers: ["Retry-After": "30"]),
        .text("one", headers: ["Cache-Control": "max-age=20", "ETag": "\"1\""]),
        .status(503, headers: ["Retry-After": "30"]),
        .status(304, headers: ["Cache-Control": "max-age=20", "ETag": "\"1\""]))
      let resource = fixture.text("a")
      for _ in 0..<2 {
        let request = resource.load()
        try await clock.run(until: { request.isCompleted })
        #expect(resource.isUpToDate)
        clock.advance(by: .seconds(20) - .nanoseconds(1))
        #expect(resource.isUpToDate)
        clock.advance(by: .nanoseconds(1))
        #expect(!resource.isUpToDate)
      }
      #expect(fixture.stub.requests.count == 4)
    }
  }

  @Test("A local write stays fresh for the freshness lifetime", arguments: StoreActor.allCases)
  func localWrite(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.responseFreshness = .init() }
      fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": "max-age=3600"]))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      resource.overrideLocalContent("mine")
      fixture.clock.advance(by: .seconds(30))
      #expect(!resource.isUpToDate)
    }
  }
}
