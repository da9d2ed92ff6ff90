import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Waits before another try", .standardTimeLimit)
struct RequestWaitTests {
  private let end = ManualClock.startDate + 7

  @Test("A request says until when it waits, and that it goes on", arguments: StoreActor.allCases)
  func waits(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("one"))
      var log: [String] = []
      let request = fixture.text("a").load()
      request.onWait {
        log.append($0 == end ? "waits" : $0 == nil ? "goes on" : "at another date")
      }
      request.onCompletion { _ in log.append("completion") }
      #expect(request.waitsUntil == nil)
      try await fixture.clock.run(until: { request.waitsUntil != nil })
      #expect(request.waitsUntil == end && fixture.clock.now == .zero)
      try await fixture.clock.run(until: { request.isCompleted })
      #expect(request.waitsUntil == nil && fixture.clock.now == .seconds(7))
      #expect(log == ["waits", "goes on", "completion"])
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
      try await fixture.clock.run(until: { request.waitsUntil != nil })
      request.cancel()
      #expect(request.waitsUntil == nil)
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
      await fixture.text("b").load().ended()
      #expect(fixture.stub.requests.map(\.url.path) == ["/a", "/b"])
    }
  }

  @Test("A hook added during a wait is called with it first", arguments: StoreActor.allCases)
  func lateHook(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("one"))
      let request = fixture.text("a").load()
      try await fixture.clock.run(until: { request.waitsUntil != nil })
      var received: [Date?] = []
      request.onWait { received.append($0) }
      #expect(received == [end])
      request.cancel()
      #expect(received == [end, nil])
    }
  }

  @Test("A chain waits as the request does that is under way", arguments: StoreActor.allCases)
  func chain(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = limited(then: .text("one"))
      fixture.stub.on(.get, "/b", .text("two"))
      var received: [Date?] = []
      let chain = fixture.text("b").load().then { _ in fixture.text("a").load() }
      chain.onWait { received.append($0) }
      try await fixture.clock.run(until: { chain.waitsUntil == end })
      try await fixture.clock.run(until: { chain.isCompleted })
      _ = try await chain.value()
      #expect(received == [end, nil])
    }
  }

  /// A store whose server first asks for 7 seconds of patience at `/a`.
  private func limited(
    then response: StubTransport.Response, isolation: isolated any Actor = #isolation
  ) -> ServiceFixture {
    let fixture = ServiceFixture { $0.retries = .standard }
    fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "7"]), response)
    return fixture
  }
}
