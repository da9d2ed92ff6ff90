import Foundation
import FreshetTesting
import Observation
import Testing

@testable import Freshet

@Suite("Triggers load what is shown and stale", .standardTimeLimit)
struct ReloadTriggerTests {
  @Test(
    "An interval loads what is observed and stale, and nothing else", arguments: StoreActor.allCases
  )
  func interval(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = ServiceFixture { $0.freshnessLifetime = .seconds(90) }
      for name in ["shown", "hidden"] { fixture.stub.on(.get, "/\(name)", .text(name)) }
      let (shown, hidden) = (fixture.text("shown"), fixture.text("hidden"))
      for resource in [shown, hidden] { await resource.load().completed() }
      let recorder = fixture.record(shown)
      let token = fixture.service.loadIfNeeded(on: .every(.seconds(60)))
      _ = await fixture.clock.advanceToNextTimer()
      #expect(await soon { !fixture.clock.timers.isEmpty }, "it waits again")
      #expect(recorder.drain() == [], "it is fresh")
      _ = await fixture.clock.advanceToNextTimer()
      #expect(await soon { fixture.stub.requests.count == 3 && !shown.isLoading })
      #expect(await soon { !fixture.clock.timers.isEmpty })
      #expect(fixture.stub.requests.map(\.url.path) == ["/shown", "/hidden", "/shown"])
      token.cancel()
      #expect(await soon { fixture.clock.timers.isEmpty })
    }
  }

  @Test(
    "A sequence loads at most four at once, and repeats what has failed",
    arguments: StoreActor.allCases)
  func storm(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = HeldTexts()
      let (requests, service, resources) = (fixture.requests, fixture.service, fixture.resources)
      let tokens = resources.map { $0.observe { _, _ in } }
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = service.loadIfNeeded(on: .elements(of: stream))
      for _ in 1...3 { continuation.yield() }
      #expect(await soon { requests.count == 4 })
      continuation.yield()
      for _ in 1...10 {
        #expect(await requests.exactCount(from: service) <= 4)
        var random = SeededGenerator(seed: 1)
        requests.release(&random)
      }
      #expect(
        await soon { service.loadingCount == 0 && resources.allSatisfy { $0.content == "a" } })
      #expect(fixture.stub.requests.count == 10, "what is fresh is not loaded again")
      withExtendedLifetime((token, tokens)) {}
    }
  }

  @Test("A trigger repeats failed loads at once where it is set to", arguments: [true, false])
  @MainActor func failures(retries: Bool) async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/a", .status(500), .text("a"))
    let resource = fixture.text("a")
    await resource.load().completed()
    #expect(resource.latestError != nil)
    let observation = resource.observe { _, _ in }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let token = fixture.service.loadIfNeeded(
      on: .elements(of: stream, retryingFailures: retries))
    continuation.yield()
    #expect(await soon(within: retries ? 2_000_000 : 2000) { resource.content == "a" } == retries)
    withExtendedLifetime((token, observation)) {}
  }

  @Test("A server that asks to wait is not asked before that", arguments: StoreActor.allCases)
  func retryAfter(actor: StoreActor) async {
    await actor.run { _ in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "60"]), .text("a"))
      fixture.stub.on(.get, "/b", .status(500), .text("b"))
      let list = fixture.service.pages("a", of: Int.self)
      let (a, b) = (fixture.text("a"), fixture.text("b"))
      let tokens = [a.observe { _, _ in }, b.observe { _, _ in }, list.observe { _, _ in }]
      await a.load().completed()
      await b.load().completed()
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = fixture.service.loadIfNeeded(on: .elements(of: stream, retryingFailures: true))
      continuation.yield()
      #expect(await soon { b.content == "b" })
      #expect(fixture.stub.count(.get, "/a") == 1 && !a.isLoading)
      fixture.clock.advance(by: .seconds(60))
      continuation.yield()
      #expect(await soon { a.content == "a" })
      withExtendedLifetime((token, tokens)) {}
    }
  }

  @Test(
    "What only a view may track is loaded until nothing reads it", arguments: StoreActor.allCases)
  func tracked(actor: StoreActor) async {
    await actor.run { _ in
      let fixture = ServiceFixture { $0.freshnessLifetime = .zero }
      let headers: HTTPHeaders = ["ETag": "\"1\""]
      fixture.stub.on(
        .get, "/a", .text("a", headers: headers), .status(304, headers: headers))
      fixture.stub.on(
        .get, "/rows", .json("[1]", headers: headers), .status(304, headers: headers))
      let a = fixture.text("a")
      let rows = fixture.service.pages("rows", of: Int.self)
      await a.load().completed()
      rows.loadAll()
      await rows.settled()
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = fixture.service.loadIfNeeded(on: .elements(of: stream))
      func requestCounts(when haveEnded: (() -> Bool)? = nil) async -> [Int] {
        continuation.yield()
        if let haveEnded { await until(haveEnded) } else { _ = await soon(within: 4_000) { false } }
        return [fixture.stub.count(.get, "/a"), fixture.stub.count(.get, "/rows")]
      }
      // Read by a view that reads again when it is notified.
      let draws = Locked(0)
      func draw() {
        withObservationTracking {
          _ = (a.content, rows.items)
        } onChange: {
          draws.withLock { $0 += 1 }
        }
      }
      for count in 2...4 {
        draw()
        let counts = await requestCounts(when: {
          fixture.stub.requests.count == 2 * count && draws.withLock { $0 } == count - 1
        })
        #expect(counts == [count, count])
        #expect(draws.withLock { $0 } == count - 1)
      }
      // It does not any more: what was read is loaded once more at most.
      for _ in 1...3 { _ = await requestCounts() }
      #expect(await requestCounts() == [4, 4])
      withExtendedLifetime(token) {}
    }
  }

  @Test("Lists that are shown are loaded, and neither triggers nor tokens keep anything alive")
  @MainActor func lists() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/rows", .json("[1]"), .json("[1,2]"))
    let list = fixture.service.pages("rows", of: Int.self)
    let unused = fixture.service.pages("rows?other", of: Int.self)
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    var token: ObservationToken? = fixture.service.loadIfNeeded(on: .elements(of: stream))
    list.addObserver(owner: list) { _, _ in }
    unused.addObserver(owner: unused) { _, _ in }
    list.loadIfNeeded()
    await list.settled()
    #expect(list.items == [1])
    fixture.clock.advance(by: .seconds(3600))
    continuation.yield()
    #expect(await soon { list.items == [1, 2] })
    token = nil
    fixture.clock.advance(by: .seconds(3600))
    continuation.yield()
    #expect(await !soon(within: 2000) { list.isLoading })
    #expect(token == nil)
  }

  @Test(
    "The return of the network loads what is stale and what has failed",
    arguments: StoreActor.allCases)
  func network(actor: StoreActor) async {
    await actor.run { _ in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/a", .failure(TransportError(.unreachable, "no network")), .text("a"))
      fixture.stub.on(.get, "/b", .text("old"), .text("b"))
      fixture.stub.on(.get, "/c", .text("c"))
      let (a, b, c) = (fixture.text("a"), fixture.text("b"), fixture.text("c"))
      let tokens = [a, b, c].map { $0.observe { _, _ in } }
      await b.load().completed()
      fixture.clock.advance(by: .seconds(3600))
      await a.load().completed()
      await c.load().completed()
      let (states, state) = AsyncStream<Bool>.makeStream()
      let token = fixture.service.loadIfNeeded(on: .networkReturned { states })
      // From one network to another, and then none.
      for isAvailable in [true, true, false, false] { state.yield(isAvailable) }
      #expect(await !soon(within: 2000) { fixture.stub.requests.count > 3 })
      state.yield(true)
      #expect(await soon { a.content == "a" && b.content == "b" })
      state.yield(true)
      #expect(await !soon(within: 2000) { fixture.stub.requests.count > 5 })
      withExtendedLifetime((token, tokens)) {}
    }
  }

  @Test("A list loads what is stale of it and what has failed", arguments: StoreActor.allCases)
  func staleAndFailed(actor: StoreActor) async {
    await actor.run { _ in
      let fixture = PageListFixture([[1], [2]])
      fixture.fail(2)
      await fixture.loadAll()
      fixture.serve([[11], [2]])
      fixture.clock.advance(by: .seconds(3600))
      let (states, state) = AsyncStream<Bool>.makeStream()
      let token = fixture.service.loadIfNeeded(on: .networkReturned { states })
      for isAvailable in [false, true] { state.yield(isAvailable) }
      #expect(await soon { fixture.list.items == [11, 2] && !fixture.list.isLoading })
      #expect(fixture.asked.sorted() == [1, 2])
      withExtendedLifetime(token) {}
    }
  }

  @Test("An interval counts from the end of the loads, however late the wait begins")
  func lateWait() async {
    let clock = ManualClock()
    let wait = ReloadTrigger.every(.seconds(60)).start(clock)
    clock.advance(by: .seconds(60))
    let hasFired = Locked(false)
    let waiting = Task {
      let isTime = await wait(.zero)
      hasFired.withLock { $0 = isTime }
    }
    await until { hasFired.withLock { $0 } }
    waiting.cancel()
  }

  @Test("A trigger ends after the last element of its source")
  func sourceEnds() async {
    let (states, state) = AsyncStream<Bool>.makeStream()
    let wait = ReloadTrigger.networkReturned { states }.start(ManualClock())
    for isAvailable in [false, true] { state.yield(isAvailable) }
    state.finish()
    #expect(await wait(.zero))
    #expect(await !wait(.zero))
  }

  @Test("A trigger may be used more than once")
  @MainActor func reused() async {
    let fixture = ServiceFixture { $0.freshnessLifetime = .zero }
    fixture.stub.on(.get, "/a", .text("a"))
    let a = fixture.text("a")
    await a.load().completed()
    let streams = Locked<[AsyncStream<Bool>.Continuation]>([])
    let trigger = ReloadTrigger.networkReturned {
      let (stream, continuation) = AsyncStream<Bool>.makeStream()
      streams.withLock { $0.append(continuation) }
      return stream
    }
    let observation = a.observe { _, _ in }
    for count in 2...4 {
      let token = fixture.service.loadIfNeeded(on: trigger)
      for isAvailable in [false, true] {
        for stream in streams.withLock({ $0 }) { stream.yield(isAvailable) }
      }
      #expect(await soon { fixture.stub.requests.count == count && !a.isLoading })
      token.cancel()
    }
    #expect(streams.withLock { $0.count } == 3)
    withExtendedLifetime(observation) {}
  }

  @Test("Lists and resources share the limit of a trigger", arguments: StoreActor.allCases)
  func listStorm(actor: StoreActor) async {
    await actor.run { _ in
      let requests = HeldRequests {
        HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"], body: Data("[1]".utf8),
          url: $0.url)
      }
      let isHeld = Locked(false)
      let stub = StubTransport { request in
        guard isHeld.withLock({ $0 }) else {
          return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"], body: Data("[]".utf8),
            url: request.url)
        }
        return try await requests.respond(to: request)
      }
      let clock = ManualClock()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      let resources = (1...3).map { service.resource("\($0)", of: [Int].self) }
      let lists = (1...4).map { service.pages("list/\($0)", of: Int.self) }
      let paginator = service.paginator("numbered?page=:currentPage", of: Int.self)
      var released: PagedCollection<Int>? = service.pages("released", of: Int.self)
      for list in lists + [released].compactMap(\.self) {
        list.loadIfNeeded()
        await list.settled()
      }
      try? paginator.loadPage(1)
      await paginator.settled()
      var tokens = resources.map { $0.observe { _, _ in } }
      tokens += lists.map { $0.observe { _, _ in } }
      tokens.append(paginator.observe { _, _ in })
      let owner = Owner()
      released?.addObserver(owner: owner) { _, _ in }
      clock.advance(by: .seconds(3600))
      isHeld.withLock { $0 = true }
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = service.loadIfNeeded(on: .elements(of: stream))
      continuation.yield()
      #expect(await soon { requests.count == 4 })
      var random = SeededGenerator(seed: 1)
      for _ in 1...9 {
        #expect(await requests.exactCount(from: service) <= 4)
        requests.release(&random)
      }
      #expect(
        await soon {
          service.loadingCount == 0 && resources.allSatisfy { $0.content == [1] }
            && lists.allSatisfy { $0.items == [1] } && paginator.items == [1]
        })
      // A list that is deallocated while it loads is waited for no longer.
      for _ in 1...2 {
        clock.advance(by: .seconds(3600))
        continuation.yield()
        #expect(await soon { requests.count == 4 })
        released = nil
        #expect(
          await soon {
            requests.release(&random)
            return service.loadingCount == 0
          })
      }
      withExtendedLifetime((token, tokens)) {}
    }
  }

  @Test("What is no longer observed by its turn is not loaded", arguments: StoreActor.allCases)
  func observersLeave(actor: StoreActor) async throws {
    await actor.run { _ in
      let fixture = HeldTexts()
      let (requests, service, resources) = (fixture.requests, fixture.service, fixture.resources)
      var tokens = resources.map { $0.observe { _, _ in } }
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = service.loadIfNeeded(on: .elements(of: stream))
      continuation.yield()
      #expect(await soon { requests.count == 4 })
      tokens = []
      var random = SeededGenerator(seed: 1)
      for _ in 1...10 {
        _ = await requests.exactCount(from: service)
        requests.release(&random)
      }
      #expect(await soon { service.loadingCount == 0 })
      #expect(fixture.stub.requests.count == 4)
      withExtendedLifetime((token, tokens)) {}
    }
  }

  @Test("A trigger that fires after the service was deallocated ends, though its token is kept")
  @MainActor func afterService() async throws {
    let hasEnded = Locked(false)
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    continuation.onTermination = { _ in hasEnded.withLock { $0 = true } }
    var fixture: ServiceFixture? = ServiceFixture()
    let clock = try #require(fixture).clock
    let token = try #require(fixture).service.loadIfNeeded(
      on: .elements(of: stream), .every(.seconds(60)))
    #expect(await soon { !clock.timers.isEmpty })
    weak let service = fixture?.service
    fixture = nil
    #expect(service == nil)
    continuation.yield()
    clock.advance(by: .seconds(60))
    #expect(await soon { hasEnded.withLock { $0 } && clock.timers.isEmpty })
    withExtendedLifetime(token) {}
  }
}

/// Ten texts, whose responses come one at a time.
private struct HeldTexts {
  let requests = HeldRequests {
    HTTPResponse(
      status: 200, headers: ["Content-Type": "text/plain"], body: Data("a".utf8), url: $0.url)
  }
  let stub: StubTransport
  let service: Service
  let resources: [Resource<String>]

  init(isolation: isolated any Actor = #isolation) {
    let requests = requests
    stub = StubTransport { try await requests.respond(to: $0) }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    self.service = service
    resources = (1...10).map { service.resource("\($0)", of: String.self) }
  }
}
