import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A server that asks one request to wait", .standardTimeLimit)
struct OriginPauseTests {
  /// A store whose server asks for a wait at `/a` once, and responds to everything else.
  private func fixture(
    asking seconds: Int = 7, isolation: isolated any Actor = #isolation,
    _ change: @escaping (inout Service.Configuration) -> Void = { _ in }
  ) -> ServiceFixture {
    let fixture = ServiceFixture {
      $0.retries = .standard
      $0.random = { 0.5 }
      change(&$0)
    }
    fixture.stub.on(
      .get, "/a", .status(429, headers: ["Retry-After": "\(seconds)"]), .text("a"))
    fixture.stub.on(.get, "/b", .text("b"))
    return fixture
  }

  /// The paths that were asked for, in order.
  private func asked(_ fixture: ServiceFixture) -> [String] {
    fixture.stub.requests.map(\.url.path)
  }

  @Test(
    "Others to that origin wait too, and no longer than it asks", arguments: StoreActor.allCases)
  func waits(actor: StoreActor) async throws {
    try await actor.run { actor in
      let entries = Locked<[Service.LogEntry]>([])
      let fixture = fixture { $0.log = { entry in entries.withLock { $0.append(entry) } } }
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
        let fixture = fixture(asking: seconds) { $0.retries = retries }
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

  @Test(
    "Where it asks for too long, others fail at once, and after the longest wait one asks again",
    arguments: StoreActor.allCases)
  func tooLong(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture(asking: 3_600)
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
      #expect(asked(fixture) == ["/a"])
      fixture.clock.advance(by: .seconds(30))
      let gate = fixture.stub.hold(.get, "/c")
      let probe = fixture.text("c").load()
      await gate.arrived()
      #expect(await fixture.text("0").load().failure()?.kind == .rateLimited)
      #expect(asked(fixture) == ["/a", "/c"])
      // The server does not ask for it any more.
      gate.release(with: .text("c"))
      await probe.completed()
      await fixture.text("b").load().completed()
      #expect(asked(fixture) == ["/a", "/c", "/b"] && fixture.text("b").content == "b")
    }
  }

  @Test("What fails at once is not decorated or authorized before", arguments: StoreActor.allCases)
  func unprepared(actor: StoreActor) async throws {
    await actor.run { actor in
      let decorated = Locked(0)
      let fixture = fixture {
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
      #expect(decorated.withLock(\.self) == 1 && asked(fixture) == ["/a"])
    }
  }

  @Test(
    "Where a time is not to be waited for at all, it is believed all the same",
    arguments: [Duration.zero, .seconds(-1), .milliseconds(1)], StoreActor.allCases)
  func notWaitedFor(longest: Duration, actor: StoreActor) async throws {
    await actor.run { actor in
      for (seconds, next) in [(3_600, 30), (7, 7)] {
        let fixture = fixture(asking: seconds) { $0.retries.maximumRetryAfter = longest }
        await fixture.text("a").load().completed()
        for path in 0..<20 {
          let error = await fixture.text("\(path)").load().failure()
          #expect(error?.kind == .rateLimited && error?.retryAfter == .seconds(next))
        }
        #expect(asked(fixture) == ["/a"] && fixture.clock.now == .zero)
        fixture.clock.advance(by: .seconds(next))
        await fixture.text("b").load().completed()
        #expect(asked(fixture) == ["/a", "/b"])
      }
    }
  }

  @Test(
    "A request that is not sent because the server fails has stale data as the one that has failed",
    arguments: [(503, true), (429, false), (403, false)], StoreActor.allCases)
  func staleIfError(status: (code: Int, isFailure: Bool), actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture {
        $0.retries = .standard
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
      #expect(asked(fixture) == ["/a", "/b", "/a"])
      #expect(fixture.text("b").latestError?.status == nil)
    }
  }

  @Test("A retry is not sent either, nor is anything after another 429")
  @MainActor func tooLongForRetries() async throws {
    let fixture = fixture(asking: 3_600)
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
    #expect(asked(fixture) == ["/c", "/a", "/a"])
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
    service.configure { $0.retries = .standard }
    let a = service.resource("a", of: String.self).load()
    while a.wait == nil { await Task.yield() }
    let b = service.resource("b", of: String.self).load()
    let other = service.resource(absoluteURL: "https://other.test/c", of: String.self).load()
    #expect(b.wait == nil && other.wait?.reason == .server)
    await b.completed()
    a.cancel()
    other.cancel()
  }

  @Test("Without a retry left, the time that the server asks for holds all the same")
  @MainActor func failedByBudget() async throws {
    let fixture = fixture { $0.retries = .init(maximumRetries: 1, burst: 0) }
    fixture.stub.on(.get, "/a", .status(503, headers: ["Retry-After": "7"]))
    await fixture.text("a").load().completed()
    let b = fixture.text("b").load()
    #expect(b.wait != nil)
    try await fixture.clock.run(until: { b.isCompleted })
    #expect(fixture.clock.now == .seconds(7) && fixture.text("b").content == "b")
  }

  @Test("Requests that are not sent allow no retries", arguments: StoreActor.allCases)
  func unsentAllowNoRetries(actor: StoreActor) async throws {
    try await actor.run { actor in
      for isDecorated in [false, true] {
        let fixture = fixture(asking: 3_600) {
          $0.retries = .init(maximumRetries: 1, burst: 1)
          if isDecorated { $0.decorate { $0 } }
        }
        fixture.stub.on(.get, "/c", .status(500))
        func load(_ path: String) async throws {
          let request = fixture.text(path).load()
          try await fixture.clock.run(until: { request.isCompleted })
        }
        try await load("c")
        #expect(asked(fixture) == ["/c", "/c"])
        try await load("a")
        for path in 0..<20 { try await load("\(path)") }
        fixture.clock.advance(by: .seconds(30))
        try await load("b")
        try await load("c")
        #expect(asked(fixture) == ["/c", "/c", "/a", "/b", "/c"])
        // What is sent does: three requests until here, and seven more.
        for _ in 0..<6 { try await load("b") }
        fixture.stub.forgetRequests()
        try await load("c")
        #expect(asked(fixture) == ["/c", "/c"])
      }
    }
  }

  @Test("A retry for another reason waits for that too", arguments: StoreActor.allCases)
  func retry(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = fixture()
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
      let fixture = fixture()
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
      #expect(asked(fixture) == ["/a"])
    }
  }

  @Test("A server that asks again and again is asked in the end", arguments: StoreActor.allCases)
  func again(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.retries = .standard }
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
      let fixture = fixture { $0.authorizer = tokens }
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
    let fixture = fixture { $0.authorizer = tokens }
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

  @Test("What is under way is not sent again meanwhile: retries", arguments: StoreActor.allCases)
  func waitingRetries(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = fixture(asking: 3_600)
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
    let fixture = fixture(asking: 3_600) { $0.authorizer = tokens }
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
    service.configure { $0.retries = .standard }
    for path in 0..<20 {
      #expect(
        await service.resource("\(path)", of: String.self).load().failure()?.kind == .rateLimited)
    }
    #expect(stub.requests.count == 1)
  }

  @Test("The pages of a list wait, and what the cache has is shown", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = fixture { $0.freshnessLifetime = .zero }
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
