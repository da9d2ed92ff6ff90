import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A server that asks one request to wait", .standardTimeLimit)
struct OriginPauseTests {
  @Test(
    "Others to that origin wait too, and no longer than it asks", arguments: StoreActor.allCases)
  func waits(actor: StoreActor) async throws {
    try await actor.run { actor in
      let entries = Locked<[Service.LogEntry]>([])
      let fixture = ServiceFixture.pausing {
        $0.log = { entry in entries.withLock { $0.append(entry) } }
      }
      let a = fixture.text("a").load()
      try await fixture.clock.run(until: { a.wait != nil })
      await fixture.clock.timers(atLeast: 1)
      fixture.clock.advance(by: .seconds(2))
      let b = fixture.text("b").load()
      let wait = RequestWait(nextAttemptDate: ManualClock.startDate + 7, reason: .server)
      #expect(b.wait == wait && a.wait == wait)
      #expect(
        ResourceStatus(of: fixture.text("b")).phase == .rateLimited(until: wait.nextAttemptDate))
      fixture.stub.on(where: { $0.url.host == "other.test" }) { _ in .text("other") }
      let other = fixture.service.resource(
        absoluteURL: "https://other.test/c", of: String.self
      ).load()
      await other.completed()
      #expect(fixture.clock.now == .seconds(2) && fixture.stub.requests.count == 2)
      try await fixture.clock.run(until: { a.isCompleted && b.isCompleted })
      #expect(fixture.clock.now == .seconds(7))
      #expect(fixture.text("a").content == "a" && fixture.text("b").content == "b")
      #expect(fixture.stub.requests.count == 4)
      #expect(entries.withLock { $0.count { $0.category == .pause && $0.wait == wait } } == 1)
    }
  }

  @Test(
    "It is not waited for where that is not wanted", arguments: StoreActor.allCases
  )
  func limits(actor: StoreActor) async throws {
    await actor.run { actor in
      for (seconds, retries, failures) in [
        (7, Service.RetryPolicy.none, 1), (31, .init(maximumRetries: 2, pausesOrigin: false), 1),
        (7, .init(maximumRetries: 2, pausesOrigin: false), 0),
      ] {
        let fixture = ServiceFixture.pausing(for: seconds) { $0.retryPolicy = retries }
        let a = fixture.text("a").load()
        if failures > 0 {
          await a.completed()
        } else {
          try? await fixture.clock.run(until: { a.wait != nil })
        }
        await fixture.text("b").load().completed()
        #expect(fixture.clock.now == .zero && fixture.text("b").content == "b")
      }
    }
  }

  @Test("Where a redirect led to another origin, that one is to be left alone")
  @MainActor func redirected() async throws {
    let elsewhere = try #require(URL(string: "https://other.test/x"))
    let stub = StubTransport { request in
      guard request.url.path == "/a" else {
        return HTTPResponse(status: 200, body: Data("b".utf8), url: request.url)
      }
      return HTTPResponse(status: 429, headers: ["Retry-After": "10"], url: elsewhere)
    }
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    service.configure { $0.retryPolicy = .standard }
    let a = service.resource("a", of: String.self).load()
    await until { a.wait != nil }
    let b = service.resource("b", of: String.self).load()
    let other = service.resource(absoluteURL: "https://other.test/c", of: String.self).load()
    #expect(b.wait == nil && other.wait?.reason == .server)
    await b.completed()
    a.cancel()
    other.cancel()
  }

  @Test("Without a retry left, the time that the server asks for holds all the same")
  @MainActor func failedByBudget() async throws {
    let fixture = ServiceFixture.pausing {
      $0.retryPolicy = .init(maximumRetries: 1, retryBurst: 0)
    }
    fixture.stub.on(.get, "/a", .status(503, headers: ["Retry-After": "7"]))
    await fixture.text("a").load().completed()
    let b = fixture.text("b").load()
    #expect(b.wait != nil)
    try await fixture.clock.run(until: { b.isCompleted })
    #expect(fixture.clock.now == .seconds(7) && fixture.text("b").content == "b")
  }

  @Test("A retry for another reason waits for that too", arguments: StoreActor.allCases)
  func retry(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture.pausing()
      let gate = fixture.stub.hold(.get, "/c")
      let c = fixture.text("c").load()
      await gate.arrived()
      let a = fixture.text("a").load()
      try await fixture.clock.run(until: { a.wait != nil })
      fixture.stub.on(.get, "/c", .text("c"))
      gate.release(with: .status(500))
      try await fixture.clock.run(until: { c.wait != nil })
      #expect(c.wait == RequestWait(nextAttemptDate: ManualClock.startDate + 7, reason: .server))
      try await fixture.clock.run(until: { c.isCompleted && a.isCompleted })
      #expect(fixture.clock.now == .seconds(7) && fixture.text("c").content == "c")
    }
  }

  @Test(
    "What waits is not sent after a wipe, a cancellation or a change of the configuration",
    arguments: StoreActor.allCases)
  func endings(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture.pausing()
      let a = fixture.text("a").load()
      try await fixture.clock.run(until: { a.wait != nil })
      fixture.stub.onUnexpected { Issue.record("\($0)") }
      let requests = ["w", "c", "d"].map { fixture.text($0).load() }
      #expect(requests.allSatisfy { $0.wait != nil })
      fixture.text("w").wipe()
      requests[1].cancel()
      fixture.service.configure { $0.headers["X-User"] = "another" }
      try await fixture.clock.run(until: { requests[2].isCompleted && a.isCompleted })
      #expect(await requests[0].failure()?.kind == .cancelled)
      #expect(await requests[1].failure()?.kind == .cancelled)
      #expect(await requests[2].failure()?.kind == .rateLimited)
      #expect(fixture.asked == ["/a"])
    }
  }

  @Test("A server that asks again and again is asked in the end", arguments: StoreActor.allCases)
  func again(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.retryPolicy = .standard }
      fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "7"]))
      fixture.stub.on(.get, "/b", .text("b"))
      let a = fixture.text("a").load()
      try await fixture.clock.run(until: { a.wait != nil })
      let b = fixture.text("b").load()
      try await fixture.clock.run(until: { b.isCompleted })
      #expect(fixture.clock.now <= .seconds(14) && fixture.text("b").content == "b")
      #expect(fixture.stub.count(.get, "/b") == 1)
      try await fixture.clock.run(until: { a.isCompleted })
    }
  }

  @Test(
    "A request that waits is sent for the user who made it, or not at all",
    arguments: StoreActor.allCases)
  func users(actor: StoreActor) async throws {
    try await actor.run { actor in
      let tokens = TokenAuthorizer(signedInWith: "alice")
      let fixture = ServiceFixture.pausing { $0.authorizer = tokens }
      let a = fixture.text("a").load()
      try await fixture.clock.run(until: { a.wait != nil })
      fixture.stub.on(.post, "/messages", .text("sent"))
      let message = fixture.service.request(
        .post, "messages", body: .text("from alice"), as: String.self)
      let b = fixture.text("b").load()
      try await fixture.clock.run(until: { message.wait != nil && b.wait != nil })
      await tokens.signOut()
      await tokens.signIn(with: "bob")
      try await fixture.clock.run(until: { a.isCompleted && b.isCompleted && message.isCompleted })
      for error in [await a.failure(), await b.failure(), await message.failure()] {
        #expect(error?.underlying as? TokenAuthorizer.Failure == .signedOut)
      }
      #expect(fixture.stub.requests.map { $0.headers["Authorization"] } == ["Bearer alice"])
    }
  }

  @Test("A request that waits is authorized again when it is sent")
  @MainActor func renewedMeanwhile() async throws {
    let tokens = TokenAuthorizer(token: "old", fetchTimeout: nil) { "new" }
    let fixture = ServiceFixture.pausing { $0.authorizer = tokens }
    let a = fixture.text("a").load()
    try await fixture.clock.run(until: { a.wait != nil })
    let b = fixture.text("b").load()
    try await fixture.clock.run(until: { b.wait != nil })
    await tokens.signIn(with: "new")
    try await fixture.clock.run(until: { a.isCompleted && b.isCompleted })
    #expect(fixture.text("b").content == "b")
    #expect(
      fixture.stub.requests.map { $0.headers["Authorization"] } == [
        "Bearer old", "Bearer new", "Bearer new",
      ])
  }

  @Test("The pages of a list wait, and what the cache has is shown", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture.pausing { $0.freshnessLifetime = .zero }
      fixture.stub.on(.get, "/rows", .json("[1]"))
      let a = fixture.text("a").load()
      try await fixture.clock.run(until: { a.wait != nil })
      let list = fixture.service.pages("rows", of: Int.self)
      list.loadIfNeeded()
      guard case .waiting(let wait) = list.state else {
        Issue.record("\(list.state)")
        return
      }
      #expect(wait.reason == .server)
      try await fixture.clock.run(until: { !list.isLoading && a.isCompleted })
      #expect(list.items == [1])
    }
  }

  @Test(
    "Random responses and requests wait as the naive model says",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func model(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let policy = Service.RetryPolicy(
        maximumRetries: Int.random(in: 0...2, using: &random),
        maximumRetryAfter: .seconds(Int.random(in: 0...20, using: &random)),
        pausesOrigin: random.chance(0.9))
      let timeout = Duration.seconds(Int.random(in: 1...20, using: &random))
      var pause = OriginPause()
      var asked: [(end: Int, status: Int)] = []
      var (now, lastAsked) = (0, Duration.zero)
      for _ in 0..<20 {
        now += Int.random(in: 0...9, using: &random)
        if random.chance(0.2) {
          let new = (
            end: now + Int.random(in: 0...90, using: &random),
            status: [429, 503].randomElement(using: &random) ?? 429
          )
          asked.append(new)
          pause.extend(until: .seconds(new.end), at: .seconds(now), by: new.status)
          lastAsked = .seconds(now)
        }
        let end = asked.map(\.end).max() ?? 0
        let left = Duration.seconds(end - now)
        let longest = min(policy.maximumRetryAfter, timeout)
        let next = min(lastAsked + max(longest, .seconds(30)), .seconds(end))
        let isPaused = left > .zero && policy.maximumRetries > 0 && policy.pausesOrigin
        let comment: Comment = "seed \(seed)"
        switch pause.decide(at: .seconds(now), policy, timeout: timeout) {
        case .send: #expect(!isPaused, comment)
        case .wait(let delay): #expect(isPaused && delay == left && left <= longest, comment)
        case .fail(let delay, let status):
          #expect(isPaused && left > longest && delay > .zero, comment)
          #expect(next == .seconds(now) + delay, comment)
          #expect(status == asked.last { $0.end == end }?.status, comment)
        case .ask:
          #expect(isPaused && left > longest && next <= .seconds(now), comment)
          lastAsked = .seconds(now)
          if random.chance(0.3) {
            pause.lift()
            asked = []
          }
        }
      }
    }
  }
}
