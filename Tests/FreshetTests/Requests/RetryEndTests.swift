import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What ends the retries of a request", .standardTimeLimit)
@MainActor struct RetryEndTests {
  private func fixture() -> ServiceFixture {
    let fixture = ServiceFixture {
      $0.retryPolicy = Service.RetryPolicy(maximumRetries: 5, baseDelay: .seconds(1))
      $0.random = { 1 }
    }
    fixture.stub.on(.get, "/a", .status(503))
    return fixture
  }

  private func waiting(
    _ fixture: ServiceFixture, _ request: AnyRequest
  ) async throws {
    try await fixture.clock.run(until: { request.wait != nil })
  }

  /// How many requests are sent in the hour after a change.
  private func later(_ fixture: ServiceFixture) async -> Int {
    fixture.stub.forgetRequests()
    fixture.clock.advance(by: .seconds(3_600))
    // What was woken has run when this has.
    fixture.stub.on(.get, "/other", .text("other"))
    await fixture.text("other").load().completed()
    return fixture.stub.requests.count - 1
  }

  @Test("No retry outlives a wipe of the resource, of the service, or a cancelled load")
  func wiped() async throws {
    let changes: [@MainActor (ServiceFixture) -> Void] = [
      { $0.text("a").wipe() }, { $0.service.wipe() }, { $0.text("a").cancelLoad() },
      { $0.text("a").overrideLocalContent("mine") },
    ]
    for change in changes {
      let fixture = fixture()
      let request = fixture.text("a").load()
      try await waiting(fixture, request)
      change(fixture)
      #expect(request.wait == nil && request.isCompleted)
      #expect(fixture.clock.timers.isEmpty)
      #expect(await later(fixture) == 0)
    }
  }

  @Test("No retry of a load outlives a wipe that the resource does not wait for any more")
  func supersededLoad() async throws {
    let fixture = fixture()
    fixture.stub.on(.get, "/a", .status(503), .text("there"))
    let first = fixture.text("a").load()
    try await waiting(fixture, first)
    _ = try await fixture.text("a").load().value()
    fixture.text("a").wipe()
    #expect(await first.failure()?.kind == .cancelled)
    #expect(await later(fixture) == 0)
  }

  @Test("A request that is wiped while it is under way is not sent again after a 401")
  func wipedBeforeRenewal() async throws {
    let fixture = fixture()
    let tokens = TokenAuthorizer(token: "old", clock: fixture.clock) { "new" }
    fixture.service.configure { $0.authorizer = tokens }
    let gate = fixture.stub.hold(.put, "/a")
    let request = fixture.text("a").request(.put)
    await gate.arrived()
    fixture.service.wipe()
    gate.release(with: .status(401))
    #expect(await request.failure()?.kind == .cancelled)
    #expect(fixture.stub.count(.put, "/a") == 1)
  }

  @Test("A request that is wiped while its token is renewed after a 401 is not sent again")
  func wipedDuringRenewal() async throws {
    let fixture = fixture()
    fixture.stub.on(.put, "/a", .status(401), .text("done"))
    let script = FetchScript()
    let tokens = TokenAuthorizer(token: "old", fetchTimeout: nil, fetch: script.fetch)
    fixture.service.configure { $0.authorizer = tokens }
    let request = fixture.text("a").request(.put)
    await script.begins()
    fixture.service.wipe()
    await script.end(1, with: .success("new"))
    #expect(await request.failure()?.kind == .cancelled)
    #expect(fixture.stub.count(.put, "/a") == 1)
  }

  @Test("A retry that is wiped while it is authorized after its wait is not sent")
  func wipedDuringAuthorization() async throws {
    let fixture = fixture()
    fixture.stub.on(.put, "/a", .status(503), .text("done"))
    let script = FetchScript()
    let tokens = TokenAuthorizer(token: "old", fetchTimeout: nil, fetch: script.fetch)
    fixture.service.configure { $0.authorizer = tokens }
    let request = fixture.text("a").request(.put)
    try await waiting(fixture, request)
    // Another request begins a renewal, for which the retry waits.
    fixture.stub.on(.get, "/b", .status(401), .text("there"))
    let other = fixture.text("b").load()
    await script.begins()
    let (ends, ended) = AsyncStream<Void>.makeStream()
    request.onWait { if $0 == nil { ended.finish() } }
    await fixture.clock.advanceToNextTimer()
    for await _ in ends {}
    fixture.service.wipe(matching: "/a")
    await script.end(1, with: .success("new"))
    #expect(await request.failure()?.kind == .cancelled)
    #expect(fixture.stub.count(.put, "/a") == 1)
    #expect(try await other.value() == "there")
  }

  @Test("A request that is wiped in the hook that reports the end of its wait is not sent")
  func wipedByHook() async throws {
    let fixture = fixture()
    fixture.stub.on(.put, "/a", .status(503), .text("done"))
    let retried = fixture.text("a").request(.put)
    try await waiting(fixture, retried)
    retried.onWait { if $0 == nil { fixture.service.wipe(matching: "/a") } }
    await fixture.clock.advanceToNextTimer()
    #expect(await retried.failure()?.kind == .cancelled)
    #expect(fixture.stub.count(.put, "/a") == 1)
  }

  @Test("Nor is one that waits to be sent first")
  func wipedByHookOfPause() async throws {
    let fixture = fixture()
    fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "7"]), .text("a"))
    let other = fixture.text("a").load()
    try await waiting(fixture, other)
    let request = fixture.text("b").request(.put)
    try await waiting(fixture, request)
    request.onWait { if $0 == nil { fixture.service.wipe(matching: "b") } }
    try await fixture.clock.run(until: { request.isCompleted && other.isCompleted })
    #expect(await request.failure()?.kind == .cancelled)
    #expect(fixture.stub.count(.put, "/b") == 0)
  }

  @Test("A request that is wiped before it was ever sent, and waits after that, is sent once")
  func wipedBeforePause() async throws {
    let fixture = fixture()
    fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "7"]), .text("a"))
    fixture.stub.on(.put, "/b", .text("done"))
    let (isDecorated, decorated) = AsyncStream<Void>.makeStream()
    fixture.service.configure("b") {
      $0.decorate { request in
        for await _ in isDecorated {}
        return request
      }
    }
    let request = fixture.text("b").request(.put)
    fixture.service.wipe(matching: "b")
    let other = fixture.text("a").load()
    try await waiting(fixture, other)
    decorated.finish()
    try await waiting(fixture, request)
    try await fixture.clock.run(until: { request.isCompleted && other.isCompleted })
    #expect(try await request.value() == "done")
  }

  @Test("A request that is wiped before it was ever sent is sent once")
  func wipedBeforeFirstSend() async throws {
    let fixture = fixture()
    fixture.stub.on(.put, "/a", .text("done"))
    let script = FetchScript()
    let tokens = TokenAuthorizer(fetchTimeout: nil, fetch: script.fetch)
    fixture.service.configure { $0.authorizer = tokens }
    let request = fixture.text("a").request(.put)
    await script.begins()
    fixture.service.wipe()
    await script.end(1, with: .success("new"))
    #expect(try await request.value() == "done")
  }

  @Test("A wipe leaves the retries of another resource with the same URL")
  func wipedSibling() async throws {
    let fixture = fixture()
    fixture.stub.on(.post, "/a", .status(503), .text("done"))
    let pages: [Resource<String>] = try ["1", "2"].map { page in
      fixture.service.resource(
        .post, absoluteURL: "https://api.test/a", body: try JSONText(parsing: page),
        decoder: .standard)
    }
    fixture.service.configure { $0.headers["Idempotency-Key"] = "1" }
    let request = pages[0].load()
    try await waiting(fixture, request)
    pages[1].wipe()
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(try await request.value() == "done")
  }

  @Test("No retry of another request outlives the wipe of its URL", arguments: [true, false])
  func wipedRequests(isUnderWay: Bool) async throws {
    let changes: [@MainActor (ServiceFixture) -> Void] = [
      { $0.text("a").wipe() }, { $0.service.wipe() }, { $0.service.wipe(matching: "/a") },
    ]
    for change in changes {
      let fixture = fixture()
      fixture.stub.on(.put, "/other", .status(503), .text("done"))
      let other = fixture.text("other").request(.put)
      try await waiting(fixture, other)
      let gate = fixture.stub.hold(.put, "/a")
      let request = fixture.text("a").request(.put)
      await gate.arrived()
      if isUnderWay {
        change(fixture)
        gate.release(with: .status(503))
        #expect(await request.failure()?.status == 503)
      } else {
        gate.release(with: .status(503))
        try await waiting(fixture, request)
        change(fixture)
        #expect(await request.failure()?.kind == .cancelled)
      }
      try await fixture.clock.run(until: { other.isCompleted || fixture.clock.timers.isEmpty })
      #expect(fixture.stub.count(.put, "/a") == 1)
    }
  }

  @Test("A load that begins after a wipe does not end with the retry of the one before")
  func loadedAgain() async throws {
    let fixture = fixture()
    let first = fixture.text("a").load()
    try await waiting(fixture, first)
    fixture.text("a").wipe()
    let gate = fixture.stub.hold(.get, "/a")
    let second = fixture.text("a").load()
    await gate.arrived()
    fixture.clock.advance(by: .seconds(2))
    gate.release(with: .text("new"))
    #expect(try await second.value() == "new")
    #expect(fixture.stub.count(.get, "/a") == 2)
  }

  @Test("No retry is made with a configuration that has changed: the failure stands")
  func configured() async throws {
    let fixture = fixture()
    let request = fixture.text("a").load()
    try await waiting(fixture, request)
    fixture.service.configure { $0.headers["Authorization"] = "Bearer his" }
    await fixture.clock.advanceToNextTimer()
    #expect(await request.failure()?.status == 503)
    #expect(fixture.text("a").latestError?.status == 503)
    #expect(await later(fixture) == 0)
  }

  @Test(
    "No retry outlives a sign-out, also where another user signs in",
    arguments: [nil, "his"], [HTTPMethod.get, .put])
  func signedOut(next: String?, method: HTTPMethod) async throws {
    let fixture = fixture()
    fixture.stub.on(.put, "/a", .status(503))
    let tokens = TokenAuthorizer(token: "hers", clock: fixture.clock) { "hers2" }
    fixture.service.configure { $0.authorizer = tokens }
    let request: Request<String> =
      method == .get ? fixture.text("a").load() : fixture.text("a").request(method)
    try await waiting(fixture, request)
    await tokens.signOut()
    if let next { await tokens.signIn(with: next) }
    await fixture.clock.advanceToNextTimer()
    let error = await request.failure()
    #expect(error?.kind == .authorization)
    #expect(error?.underlying as? TokenAuthorizer.Failure == .signedOut)
    #expect(fixture.stub.requests.map { $0.headers["Authorization"] } == ["Bearer hers"])
  }

  @Test("A retry of the same user has the token that was renewed meanwhile")
  func renewed() async throws {
    let fixture = fixture()
    fixture.stub.on(.get, "/a", .status(503), .status(401), .text("there"))
    let tokens = TokenAuthorizer(token: "old", clock: fixture.clock) { "new" }
    fixture.service.configure { $0.authorizer = tokens }
    let request = fixture.text("a").load()
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(try await request.value() == "there")
    #expect(
      fixture.stub.requests.map { $0.headers["Authorization"] } == [
        "Bearer old", "Bearer old", "Bearer new",
      ])
  }

  @Test("A Retry-After beyond the deadline is not waited for, and shown at once")
  func longRetryAfter() async throws {
    let fixture = fixture()
    fixture.service.configure {
      $0.timeout = .seconds(5)
      $0.retryPolicy.maximumRetryAfter = .seconds(60)
    }
    fixture.stub.on(
      .get, "/a", .status(503, headers: ["Retry-After": "6"]), .text("there"))
    let resource = fixture.text("a")
    let request = resource.load()
    #expect(await request.failure()?.retryAfter == .seconds(6))
    #expect(fixture.clock.now == .zero)
    #expect(resource.latestError?.retryDate == ManualClock.startDate + 6)
    fixture.clock.advance(by: .seconds(6) - .nanoseconds(1))
    #expect(resource.loadIfNeeded() == nil)
    fixture.clock.advance(by: .nanoseconds(1))
    await resource.loadIfNeeded()?.completed()
    #expect(resource.content == "there")
  }

  @Test("A Retry-After within the deadline is waited for completely")
  func shortRetryAfter() async throws {
    let fixture = fixture()
    fixture.service.configure { $0.timeout = .seconds(5) }
    fixture.stub.on(
      .get, "/a", .status(503, headers: ["Retry-After": "5"]), .text("there"))
    let request = fixture.text("a").load()
    try await waiting(fixture, request)
    await fixture.clock.timers(atLeast: 1)
    fixture.clock.advance(by: .seconds(5) - .nanoseconds(1))
    #expect(request.wait?.nextAttemptDate == ManualClock.startDate + 5)
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(fixture.clock.now == .seconds(5))
    #expect(fixture.text("a").content == "there")
  }

  @Test(
    "Requests that may be repeated are retried after each passing failure",
    arguments: [
      .status(408), .status(425), .status(429), .status(500), .status(502), .status(503),
      .status(504), .failure(.connectionLost), .failure(.unreachable),
    ] as [StubTransport.Response])
  func repeatable(failure: StubTransport.Response) async throws {
    for method in [HTTPMethod.get, .head, .options, .trace, .put, .delete, .post, .patch] {
      for hasKey in [false, true] {
        let fixture = fixture()
        if hasKey { fixture.service.configure { $0.headers["Idempotency-Key"] = "1" } }
        fixture.stub.on(method, "/b", failure, .text("done"))
        let request = fixture.text("b").request(method)
        try await fixture.clock.run(until: { request.isCompleted })
        let isRepeated = hasKey || ![.post, .patch].contains(method)
        #expect(
          fixture.stub.requests.count == (isRepeated ? 2 : 1), "\(method) \(failure)")
      }
    }
  }
}
