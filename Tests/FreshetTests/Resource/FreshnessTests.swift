import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Loading only when needed", .standardTimeLimit)
struct FreshnessTests {
  @Test("Fresh data is not requested again", arguments: StoreActor.allCases)
  func fresh(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      _ = try await resource.loadIfNeeded()?.value()
      fixture.clock.advance(by: .seconds(30) - .nanoseconds(1))
      #expect(resource.isUpToDate)
      #expect(resource.loadIfNeeded() == nil)
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("Stale data is requested exactly once", arguments: StoreActor.allCases)
  func stale(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"), .text("two"))
      let resource = fixture.text("a")
      _ = try await resource.loadIfNeeded()?.value()
      fixture.clock.advance(by: .seconds(30))
      #expect(!resource.isUpToDate)
      let first = try #require(resource.loadIfNeeded())
      let second = try #require(resource.loadIfNeeded())
      #expect(first === second)
      _ = try await first.value()
      #expect(resource.loadIfNeeded() == nil)
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test("Concurrent demands join one load", arguments: StoreActor.allCases)
  func coalesce(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a")
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let forced = resource.load()
      let joined = (0..<10).map { _ in resource.loadIfNeeded() }
      #expect(joined.allSatisfy { $0 === forced })
      gate.release(with: .text("one"))
      _ = try await forced.value()
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("A running plain request is not a load to join", arguments: StoreActor.allCases)
  func plainRequestRuns(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a")
      fixture.stub.on(.get, "/a", .text("loaded"))
      let resource = fixture.text("a")
      let plain = resource.request(.get)
      await gate.arrived()
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "loaded")
      gate.release(with: .text("plain"))
      #expect(try await plain.value() == "plain")
      #expect(resource.content == "loaded")
    }
  }

  @Test("A failed load is left alone for the failure cooldown", arguments: StoreActor.allCases)
  func failureCooldown(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.failureCooldown = .seconds(2) }
      fixture.stub.on(.get, "/a", .status(500), .text("one"))
      let resource = fixture.text("a")
      await resource.load().completed()
      #expect(resource.loadIfNeeded() == nil)
      fixture.clock.advance(by: .seconds(2) - .nanoseconds(1))
      #expect(resource.loadIfNeeded() == nil)
      fixture.clock.advance(by: .nanoseconds(1))
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "one")
    }
  }

  @Test(
    "A server's Retry-After is waited for, also after an invalidation",
    arguments: StoreActor.allCases)
  func retryAfter(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(503, headers: ["Retry-After": "10"]), .text("one"))
      let resource = fixture.text("a")
      #expect(await resource.load().failure()?.kind == .rateLimited)
      #expect(resource.latestError?.retryAfter == .seconds(10))
      resource.invalidate()
      fixture.clock.advance(by: .seconds(9))
      #expect(resource.loadIfNeeded() == nil)
      fixture.clock.advance(by: .seconds(1))
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.latestError == nil)
    }
  }

  @Test(
    "Of Retry-After and the failure cooldown the longer one counts",
    arguments: [(10, 3), (3, 10)], StoreActor.allCases)
  func longerWait(seconds: (retryAfter: Int, failureCooldown: Int), actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.failureCooldown = .seconds(seconds.failureCooldown) }
      fixture.stub.on(
        .get, "/a", .status(503, headers: ["Retry-After": "\(seconds.retryAfter)"]), .text("one"))
      let resource = fixture.text("a")
      await resource.load().completed()
      fixture.clock.advance(by: .seconds(10) - .nanoseconds(1))
      #expect(resource.loadIfNeeded() == nil)
      fixture.clock.advance(by: .nanoseconds(1))
      #expect(resource.loadIfNeeded() != nil)
    }
  }

  @Test("An invalidation makes a retry possible at once", arguments: StoreActor.allCases)
  func invalidationLiftsRetryTime(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(500), .text("one"))
      let resource = fixture.text("a")
      await resource.load().completed()
      resource.invalidate()
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "one")
    }
  }

  @Test("What never expires is still loaded once", arguments: StoreActor.allCases)
  func infiniteExpiration(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.freshnessLifetime = .seconds(Int64.max) }
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      #expect(!resource.isUpToDate)
      _ = try await #require(resource.loadIfNeeded()).value()
      fixture.clock.advance(by: .seconds(1 << 40))
      #expect(resource.isUpToDate)
      #expect(resource.loadIfNeeded() == nil)
    }
  }

  @Test("What expires at once is loaded every time", arguments: StoreActor.allCases)
  func noExpiration(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.freshnessLifetime = .zero }
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      for _ in 0..<3 { _ = try await #require(resource.loadIfNeeded()).value() }
      #expect(!resource.isUpToDate)
      #expect(fixture.stub.requests.count == 3)
    }
  }

  @Test("A changed system date makes nothing stale or fresh", arguments: StoreActor.allCases)
  func dateDoesNotCount(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      fixture.clock.jump(dateBy: .seconds(86_400))
      #expect(resource.isUpToDate)
      fixture.clock.jump(dateBy: .seconds(-864_000))
      fixture.clock.advance(by: .seconds(30))
      #expect(!resource.isUpToDate)
    }
  }
}
