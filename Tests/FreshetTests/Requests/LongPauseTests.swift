import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A server that asks for a wait that is too long", .standardTimeLimit)
struct LongPauseTests {
  @Test(
    "Where it asks for too long, others fail at once, and after the longest wait one asks again",
    arguments: StoreActor.allCases)
  func tooLong(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture.pausing(for: 3_600)
      fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "3600"]))
      await fixture.text("a").load().completed()
      for path in 0..<20 {
        let resource = fixture.text("\(path)")
        var states: [Bool] = []
        let token = resource.observe { resource, event in
          if event == .requested || event == .error { states.append(resource.isLoading) }
        }
        let error = await resource.load().failure()
        #expect(error?.kind == .rateLimited && error?.message.contains("was not sent") == true)
        #expect(error?.retryDate == ManualClock.startDate + 30)
        #expect(states == [true, false])
        #expect(resource.loadIfNeeded() == nil)
        token.cancel()
      }
      #expect(fixture.asked == ["/a"])
      fixture.clock.advance(by: .seconds(30))
      let gate = fixture.stub.hold(.get, "/c")
      let probe = fixture.text("c").load()
      await gate.arrived()
      #expect(await fixture.text("0").load().failure()?.kind == .rateLimited)
      #expect(fixture.asked == ["/a", "/c"])
      // The server does not ask for it any more.
      gate.release(with: .text("c"))
      await probe.completed()
      await fixture.text("b").load().completed()
      #expect(fixture.asked == ["/a", "/c", "/b"] && fixture.text("b").content == "b")
    }
  }

  @Test("What fails at once is not decorated or authorized before", arguments: StoreActor.allCases)
  func unprepared(actor: StoreActor) async throws {
    await actor.run { actor in
      let decorated = Locked(0)
      let fixture = ServiceFixture.pausing {
        $0.decorate { request in
          decorated.withLock { $0 += 1 }
          return request
        }
        $0.authorizer = TokenAuthorizer {
          Issue.record("a token was fetched")
          return "token"
        }
      }
      fixture.service.configure("a") { $0.authorizer = nil }
      fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "3600"]))
      await fixture.text("a").load().completed()
      #expect(await fixture.text("b").load().failure()?.kind == .rateLimited)
      #expect(decorated.withLock(\.self) == 1 && fixture.asked == ["/a"])
    }
  }

  @Test(
    "Where a time is not to be waited for at all, it is believed all the same",
    arguments: [Duration.zero, .seconds(-1), .milliseconds(1)], StoreActor.allCases)
  func notWaitedFor(longest: Duration, actor: StoreActor) async throws {
    await actor.run { actor in
      for (seconds, next) in [(3_600, 30), (7, 7)] {
        let fixture = ServiceFixture.pausing(for: seconds) {
          $0.retryPolicy.maximumRetryAfter = longest
        }
        await fixture.text("a").load().completed()
        for path in 0..<20 {
          let error = await fixture.text("\(path)").load().failure()
          #expect(error?.kind == .rateLimited && error?.retryAfter == .seconds(next))
        }
        #expect(fixture.asked == ["/a"] && fixture.clock.now == .zero)
        fixture.clock.advance(by: .seconds(next))
        await fixture.text("b").load().completed()
        #expect(fixture.asked == ["/a", "/b"])
      }
    }
  }

  @Test(
    "A request that is not sent because the server fails has stale data as the one that has failed",
    arguments: [(503, true), (429, false), (403, false)], StoreActor.allCases)
  func staleIfError(status: (code: Int, isFailure: Bool), actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture {
        $0.retryPolicy = .standard
        $0.responseFreshness = .init()
      }
      let stale = StubTransport.Response.text(
        "old", headers: ["Cache-Control": "max-age=10, stale-if-error=86400"])
      let failure = StubTransport.Response.status(status.code, headers: ["Retry-After": "3600"])
      fixture.stub.on(.get, "/a", stale, failure)
      fixture.stub.on(.get, "/b", stale, .text("new"))
      for path in ["a", "b"] { await fixture.text(path).load().completed() }
      fixture.clock.advance(by: .seconds(12))
      for path in ["a", "b"] {
        let resource = fixture.text(path)
        await resource.loadIfNeeded()?.completed()
        #expect(resource.latestError?.kind == .rateLimited && resource.content == "old")
        #expect(resource.mayUseStaleData == status.isFailure)
      }
      #expect(fixture.asked == ["/a", "/b", "/a"])
      #expect(fixture.text("b").latestError?.status == nil)
    }
  }

  @Test("A retry is not sent either, nor is anything after another 429")
  @MainActor func tooLongForRetries() async throws {
    let fixture = ServiceFixture.pausing(for: 3_600)
    fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "3600"]))
    let gate = fixture.stub.hold(.get, "/c")
    let c = fixture.text("c").load()
    await gate.arrived()
    await fixture.text("a").load().completed()
    gate.release(with: .status(503))
    #expect(await c.failure()?.status == 503)
    fixture.clock.advance(by: .seconds(30))
    await fixture.text("a").load().completed()
    await fixture.text("b").load().completed()
    #expect(fixture.asked == ["/c", "/a", "/a"])
  }

  @Test("Requests that are not sent allow no retries", arguments: StoreActor.allCases)
  func unsentAllowNoRetries(actor: StoreActor) async throws {
    try await actor.run { actor in
      for isDecorated in [false, true] {
        let fixture = ServiceFixture.pausing(for: 3_600) {
          $0.retryPolicy = .init(maximumRetries: 1, retryBurst: 1)
          if isDecorated { $0.decorate { $0 } }
        }
        fixture.stub.on(.get, "/c", .status(500))
        func load(_ path: String) async throws {
          let request = fixture.text(path).load()
          try await fixture.clock.run(until: { request.isCompleted })
        }
        try await load("c")
        #expect(fixture.asked == ["/c", "/c"])
        try await load("a")
        for path in 0..<20 { try await load("\(path)") }
        fixture.clock.advance(by: .seconds(30))
        try await load("b")
        try await load("c")
        #expect(fixture.asked == ["/c", "/c", "/a", "/b", "/c"])
        // What is sent does: three requests until here, and seven more.
        for _ in 0..<6 { try await load("b") }
        fixture.stub.forgetRequests()
        try await load("c")
        #expect(fixture.asked == ["/c", "/c"])
      }
    }
  }

  @Test("What is under way is not sent again meanwhile: retries", arguments: StoreActor.allCases)
  func waitingRetries(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture.pausing(for: 3_600)
      fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "3600"]))
      fixture.stub.on(.get, "/c", .status(500, headers: ["Retry-After": "10"]))
      let c = (0..<5).map { _ in
        fixture.service.request(.get, "c", as: String.self)
      }
      try await fixture.clock.run(until: { c.allSatisfy { $0.wait != nil } })
      await fixture.text("a").load().completed()
      try await fixture.clock.run(until: { c.allSatisfy(\.isCompleted) })
      for request in c { #expect(await request.failure()?.kind == .rateLimited) }
      #expect(fixture.stub.count(.get, "/c") == 5)
    }
  }

  @Test("What is under way is not sent again meanwhile: after a renewal, and without conditions")
  @MainActor func repetitions() async throws {
    let script = FetchScript()
    let tokens = TokenAuthorizer(token: "old", clock: ManualClock()) { try await script.fetch() }
    let fixture = ServiceFixture.pausing(for: 3_600) { $0.authorizer = tokens }
    fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "3600"]))
    fixture.service.configure("b") { $0.authorizer = nil }
    fixture.service.configure("a") { $0.authorizer = nil }
    fixture.stub.on(.get, "/c", .status(401))
    let c = (0..<10).map { _ in fixture.service.request(.get, "c", as: String.self) }
    await script.begins()
    try await fixture.clock.run(until: { fixture.stub.count(.get, "/c") == 10 })
    let gate = fixture.stub.hold(.get, "/b")
    let b = fixture.text("b").load()
    await gate.arrived()
    await fixture.text("a").load().completed()
    await script.end(1, with: .success("new"))
    gate.release(with: .status(304))
    for request in c { #expect(await request.failure()?.kind == .rateLimited) }
    #expect(await b.failure()?.kind == .rateLimited)
    #expect(fixture.stub.count(.get, "/c") == 10 && fixture.stub.count(.get, "/b") == 1)
  }

  @Test("It holds where the server redirects from http to https")
  @MainActor func upgraded() async throws {
    let stub = StubTransport { request in
      var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
      parts?.scheme = "https"
      return HTTPResponse(
        status: 429, headers: ["Retry-After": "3600"], url: parts?.url ?? request.url)
    }
    let service = Service(baseURL: "http://api.test", transport: stub, clock: ManualClock())
    service.configure { $0.retryPolicy = .standard }
    for path in 0..<20 {
      #expect(
        await service.resource("\(path)", of: String.self).load().failure()?.kind == .rateLimited)
    }
    #expect(stub.requests.count == 1)
  }
}
