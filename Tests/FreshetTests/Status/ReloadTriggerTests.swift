import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Triggers load what is shown and stale", .standardTimeLimit)
struct ReloadTriggerTests {
  /// Lets the store work until something is true, or for long enough to say that it is not.
  private nonisolated(nonsending) func soon(
    within yields: Int = 2_000_000, _ isTrue: () -> Bool
  ) async -> Bool {
    for _ in 0..<yields {
      if isTrue() { return true }
      await Task.yield()
    }
    return isTrue()
  }

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
      let requests = HeldRequests {
        HTTPResponse(
          status: 200, headers: ["Content-Type": "text/plain"], body: Data("a".utf8), url: $0.url)
      }
      let stub = StubTransport { try await requests.respond(to: $0) }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resources = (1...10).map { service.resource("\($0)", of: String.self) }
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
      #expect(stub.requests.count == 10, "what is fresh is not loaded again")
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

  @Test("What is no longer observed by its turn is not loaded", arguments: StoreActor.allCases)
  func observersLeave(actor: StoreActor) async throws {
    await actor.run { _ in
      let requests = HeldRequests {
        HTTPResponse(
          status: 200, headers: ["Content-Type": "text/plain"], body: Data("a".utf8), url: $0.url)
      }
      let stub = StubTransport { try await requests.respond(to: $0) }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resources = (1...10).map { service.resource("\($0)", of: String.self) }
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
      #expect(stub.requests.count == 4)
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
