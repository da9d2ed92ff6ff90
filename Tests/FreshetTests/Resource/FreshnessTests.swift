import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Loading only when needed")
struct FreshnessTests {
  @Test("Fresh data is not asked for again", arguments: Home.allCases)
  func fresh(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one"))
      let resource = scene.text("a")
      _ = try await resource.loadIfNeeded()?.value()
      scene.clock.advance(by: .seconds(30) - .nanoseconds(1))
      #expect(resource.isUpToDate)
      #expect(resource.loadIfNeeded() == nil)
      #expect(scene.stub.requests.count == 1)
    }
  }

  @Test("Stale data is asked for exactly once", arguments: Home.allCases)
  func stale(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one"), .text("two"))
      let resource = scene.text("a")
      _ = try await resource.loadIfNeeded()?.value()
      scene.clock.advance(by: .seconds(30))
      #expect(!resource.isUpToDate)
      let first = try #require(resource.loadIfNeeded())
      let second = try #require(resource.loadIfNeeded())
      #expect(first === second)
      _ = try await first.value()
      #expect(resource.loadIfNeeded() == nil)
      #expect(scene.stub.requests.count == 2)
    }
  }

  @Test("Concurrent demands join one load", arguments: Home.allCases)
  func coalesce(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      let gate = scene.stub.hold(.get, "/a")
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      let forced = resource.load()
      let joined = (0..<10).map { _ in resource.loadIfNeeded() }
      #expect(joined.allSatisfy { $0 === forced })
      gate.release(with: .text("one"))
      _ = try await forced.value()
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(scene.stub.requests.count == 1)
    }
  }

  @Test("A running plain request is not a load to join", arguments: Home.allCases)
  func plainRequestRuns(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      let gate = scene.stub.hold(.get, "/a")
      scene.stub.on(.get, "/a", .text("loaded"))
      let resource = scene.text("a")
      let plain = resource.request(.get)
      await gate.arrived()
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "loaded")
      gate.release(with: .text("plain"))
      #expect(try await plain.value().content == "plain")
      #expect(resource.content == "loaded")
    }
  }

  @Test("A failed load is left alone for the retry time", arguments: Home.allCases)
  func retryTime(home: Home) async throws {
    try await home.run { home in
      let scene = Scene { $0.retryTime = .seconds(2) }
      scene.stub.on(.get, "/a", .status(500), .text("one"))
      let resource = scene.text("a")
      await resource.load().ended()
      #expect(resource.loadIfNeeded() == nil)
      scene.clock.advance(by: .seconds(2) - .nanoseconds(1))
      #expect(resource.loadIfNeeded() == nil)
      scene.clock.advance(by: .nanoseconds(1))
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "one")
    }
  }

  @Test(
    "A server's Retry-After is waited for, also after an invalidation", arguments: Home.allCases)
  func retryAfter(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .status(503, headers: ["Retry-After": "10"]), .text("one"))
      let resource = scene.text("a")
      #expect(await resource.load().failure()?.kind == .rateLimited)
      #expect(resource.latestError?.retryAfter == .seconds(10))
      resource.invalidate()
      scene.clock.advance(by: .seconds(9))
      #expect(resource.loadIfNeeded() == nil)
      scene.clock.advance(by: .seconds(1))
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.latestError == nil)
    }
  }

  @Test(
    "Of Retry-After and the retry time the longer one counts",
    arguments: [(10, 3), (3, 10)], Home.allCases)
  func longerWait(seconds: (retryAfter: Int, retryTime: Int), home: Home) async {
    await home.run { home in
      let scene = Scene { $0.retryTime = .seconds(seconds.retryTime) }
      scene.stub.on(
        .get, "/a", .status(503, headers: ["Retry-After": "\(seconds.retryAfter)"]), .text("one"))
      let resource = scene.text("a")
      await resource.load().ended()
      scene.clock.advance(by: .seconds(10) - .nanoseconds(1))
      #expect(resource.loadIfNeeded() == nil)
      scene.clock.advance(by: .nanoseconds(1))
      #expect(resource.loadIfNeeded() != nil)
    }
  }

  @Test("An invalidation asks for a retry at once", arguments: Home.allCases)
  func invalidationLiftsRetryTime(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .status(500), .text("one"))
      let resource = scene.text("a")
      await resource.load().ended()
      resource.invalidate()
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "one")
    }
  }

  @Test("What never expires is still loaded once", arguments: Home.allCases)
  func infiniteExpiration(home: Home) async throws {
    try await home.run { home in
      let scene = Scene { $0.expirationTime = .seconds(Int64.max) }
      scene.stub.on(.get, "/a", .text("one"))
      let resource = scene.text("a")
      #expect(!resource.isUpToDate)
      _ = try await #require(resource.loadIfNeeded()).value()
      scene.clock.advance(by: .seconds(1 << 40))
      #expect(resource.isUpToDate)
      #expect(resource.loadIfNeeded() == nil)
    }
  }

  @Test("What expires at once is loaded every time", arguments: Home.allCases)
  func noExpiration(home: Home) async throws {
    try await home.run { home in
      let scene = Scene { $0.expirationTime = .zero }
      scene.stub.on(.get, "/a", .text("one"))
      let resource = scene.text("a")
      for _ in 0..<3 { _ = try await #require(resource.loadIfNeeded()).value() }
      #expect(!resource.isUpToDate)
      #expect(scene.stub.requests.count == 3)
    }
  }

  @Test("A changed system date makes nothing stale or fresh", arguments: Home.allCases)
  func wallDateDoesNotCount(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one"))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      scene.clock.jump(dateBy: .seconds(86_400))
      #expect(resource.isUpToDate)
      scene.clock.jump(dateBy: .seconds(-864_000))
      scene.clock.advance(by: .seconds(30))
      #expect(!resource.isUpToDate)
    }
  }
}
