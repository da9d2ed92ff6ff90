import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Waits before the next attempt", .standardTimeLimit)
struct RequestWaitTests {
  private let wait = RequestWait(nextAttemptDate: ManualClock.startDate + 7, reason: .server)

  @Test(
    "A request reports until when it waits, and that it continues", arguments: StoreActor.allCases)
  func waits(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("one"))
      var log: [String] = []
      let request = fixture.text("a").load()
      request.onWait {
        log.append($0 == wait ? "waits" : $0 == nil ? "continues" : "another wait")
      }
      request.onCompletion { _ in log.append("completion") }
      #expect(request.wait == nil)
      try await fixture.clock.run(until: { request.wait != nil })
      #expect(request.wait == wait && fixture.clock.now == .zero)
      try await fixture.clock.run(until: { request.isCompleted })
      #expect(request.wait == nil && fixture.clock.now == .seconds(7))
      #expect(log == ["waits", "continues", "completion"])
    }
  }

  @Test(
    "A wait ends at its date, also where the clock is advanced before its task has started",
    arguments: StoreActor.allCases)
  func advancedAtOnce(actor: StoreActor) async {
    await actor.run { actor in
      for _ in 0..<50 {
        let fixture = limited(then: .text("one"))
        let request = fixture.text("a").load()
        request.onWait { if $0 != nil { fixture.clock.advance(by: .seconds(7)) } }
        await until { request.isCompleted }
        #expect(fixture.clock.now == .seconds(7) && request.isCompleted)
        if !request.isCompleted { return }
      }
    }
  }

  @Test("A wait ends with the request", arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("never"))
      var log: [String] = []
      let request = fixture.text("a").load()
      request.onWait { log.append($0 == nil ? "over" : "waits") }
      request.onCompletion { _ in log.append("completion") }
      try await fixture.clock.run(until: { request.wait != nil })
      request.cancel()
      #expect(request.wait == nil)
      #expect(log == ["waits", "over", "completion"])
      request.onWait { _ in log.append("too late") }
      #expect(log.count == 3)
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test(
    "A hook that cancels when a wait ends keeps the request from being sent",
    arguments: StoreActor.allCases)
  func cancelledAtItsEnd(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = limited(then: .text("never"))
      let request = fixture.text("a").load()
      request.onWait { [unowned request] in if $0 == nil { request.cancel() } }
      await fixture.clock.advanceToNextTimer()
      #expect(await request.failure()?.kind == .cancelled)
      fixture.stub.on(.get, "/b", .text("b"))
      await fixture.text("b").load().completed()
      #expect(fixture.stub.requests.map(\.url.path) == ["/a", "/b"])
    }
  }

  @Test("A request that is cancelled when its wait ends does not wait as its server asks of all")
  func cancelledDuringPause() async throws {
    try await StoreActor.plainActor.run { actor in
      let (entries, continuation) = AsyncStream<Service.LogEntry>.makeStream()
      let fixture = ServiceFixture {
        $0.retryPolicy = .standard
        $0.log = { continuation.yield($0) }
      }
      fixture.stub.on(.get, "/a", .status(500), .text("never"))
      fixture.stub.on(.get, "/b", .status(429, headers: ["Retry-After": "7"]), .text("later"))
      let request = fixture.text("a").load()
      try await fixture.clock.run(until: { request.wait != nil })
      let other = fixture.text("b").load()
      try await fixture.clock.run(until: { other.wait != nil })
      request.onWait { [unowned request] in if $0 == nil { request.cancel() } }
      await fixture.clock.advanceToNextTimer()
      #expect(await request.failure()?.kind == .cancelled)
      continuation.finish()
      var categories: [Service.LogEntry.Category] = []
      for await entry in entries { categories.append(entry.category) }
      #expect(categories.count { $0 == .retry } == 2)
      #expect(!categories.contains(.pause))
    }
  }

  @Test("A hook added during a wait is called with it first", arguments: StoreActor.allCases)
  func lateHook(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("one"))
      let request = fixture.text("a").load()
      try await fixture.clock.run(until: { request.wait != nil })
      var received: [RequestWait?] = []
      request.onWait { received.append($0) }
      #expect(received == [wait])
      request.cancel()
      #expect(received == [wait, nil])
    }
  }

  @Test("A chain waits as the request does that is under way", arguments: StoreActor.allCases)
  func chain(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("one"))
      fixture.stub.on(.get, "/b", .text("two"))
      var received: [RequestWait?] = []
      let chain = fixture.text("b").load().then { _ in fixture.text("a").load() }
      chain.onWait { received.append($0) }
      try await fixture.clock.run(until: { chain.wait == wait })
      try await fixture.clock.run(until: { chain.isCompleted })
      _ = try await chain.value()
      #expect(received == [wait, nil])
    }
  }

  @Test(
    "A chain that is cancelled when a wait begins does not wait", arguments: StoreActor.allCases)
  func cancelledChain(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("never"))
      var (log, cancel): ([String], () -> Void) = ([], {})
      let first = fixture.text("a").load()
      // Before the chain learns of the wait.
      first.onWait { if $0 != nil { cancel() } }
      let chain = first.then { _ in fixture.text("b").load() }
      cancel = { [unowned chain] in chain.cancel() }
      chain.onWait { log.append($0 == nil ? "over" : "waits") }
      chain.onCompletion { _ in log.append("completion") }
      try await fixture.clock.run(until: { chain.isCompleted })
      #expect(log == ["completion"])
      #expect(chain.wait == nil)
    }
  }

  @Test(
    "A wait says whether the server asked for it or attempts are spaced, and so does its log entry",
    arguments: [
      (
        StubTransport.Response.status(503, headers: ["Retry-After": "7"]), 7.0,
        RequestWait.Reason.server
      ),
      (
        .status(429, headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9"]), 9, .server
      ),
      (.status(429), 0.1, .server), (.status(503), 0.1, .backoff), (.status(500), 0.1, .backoff),
      (.failure(.connectionLost), 0.1, .backoff),
    ])
  func reasons(failure: StubTransport.Response, seconds: Double, reason: RequestWait.Reason)
    async throws
  {
    try await StoreActor.plainActor.run { actor in
      let (entries, continuation) = AsyncStream<Service.LogEntry>.makeStream()
      let fixture = ServiceFixture {
        $0.retryPolicy = .standard
        $0.random = { 0.5 }
        $0.log = { continuation.yield($0) }
      }
      fixture.stub.on(.get, "/a", failure, .text("one"))
      let wait = RequestWait(nextAttemptDate: fixture.clock.date + seconds, reason: reason)
      var received: [RequestWait?] = []
      let request = fixture.text("a").load()
      request.onWait { received.append($0) }
      try await fixture.clock.run(until: { request.wait != nil })
      #expect(request.wait == wait)
      try await fixture.clock.run(until: { request.isCompleted })
      #expect(received == [wait, nil])
      continuation.finish()
      var logged: [RequestWait] = []
      for await entry in entries {
        #expect((entry.wait != nil) == (entry.category == .retry))
        if let wait = entry.wait { logged.append(wait) }
      }
      #expect(logged == [wait])
    }
  }

  /// A store whose server first requests a wait of 7 seconds at `/a`.
  private func limited(
    then response: StubTransport.Response, isolation: isolated any Actor = #isolation
  ) -> ServiceFixture {
    let fixture = ServiceFixture { $0.retryPolicy = .standard }
    fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "7"]), response)
    return fixture
  }
}
