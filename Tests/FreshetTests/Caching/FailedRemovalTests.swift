import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Removals that a persistent cache fails to make", .standardTimeLimit)
@MainActor struct FailedRemovalTests {
  /// A cache that does not remove anything, and stores nothing either where it `isFull`.
  private actor StuckCache: EntityCache {
    struct Failure: Error {}
    let base = MemoryCache()
    private var isFull = false

    func fill() { isFull = true }

    private func requireRoom() throws { if isFull { throw Failure() } }

    @concurrent func entry(for key: ResourceKey) async throws -> CachedEntry? {
      try await base.entry(for: key)
    }
    @concurrent func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
      try await requireRoom()
      try await base.store(entry, for: key)
    }
    @concurrent func remove(_ key: ResourceKey) async throws { throw Failure() }
    @concurrent func removeAll() async throws { throw Failure() }
    @concurrent func removeAll(where matches: @escaping @Sendable (String) -> Bool) async throws {
      throw Failure()
    }
  }

  enum Wipe: CaseIterable {
    case resource, matching, all, beforeFailedStore
  }

  @Test("What was wiped stays away, also for another service", arguments: Wipe.allCases)
  func wiped(by wipe: Wipe) async throws {
    let cache = StuckCache()
    var log: [Service.LogEntry] = []
    let (entries, logged) = AsyncStream<Service.LogEntry>.makeStream()
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.log = { if $0.category == .cacheFailure { logged.yield($0) } }
    }
    fixture.stub.on(.get, "/a", .text("secret"))
    _ = try await fixture.text("a").load().value()
    await fixture.service.flushCache()
    switch wipe {
    case .resource: fixture.text("a").wipe()
    case .matching: fixture.service.wipe(matching: "a")
    case .all: fixture.service.wipe()
    case .beforeFailedStore:
      // The response takes the place of the removal, and cannot be stored.
      await cache.fill()
      fixture.text("a").wipe()
      _ = try await fixture.text("a").load().value()
    }
    await fixture.service.flushCache()
    for await entry in entries {
      log.append(entry)
      break
    }
    #expect(log.count == 1, "the failure is reported")
    let next = Service(baseURL: "https://api.test", transport: fixture.stub, clock: fixture.clock)
    next.configure { $0.cache = cache }
    fixture.stub.on(.get, "/a", .text("new"))
    let again = next.resource("a", of: String.self)
    var events: [ResourceEvent] = []
    let token = again.observe { _, event in events.append(event) }
    await again.loadIfNeeded()?.completed()
    #expect(again.content == "new")
    #expect(events == [.observerAdded, .requested, .newData(.network)])
    withExtendedLifetime(token) {}
  }

  @Test("What is stored later is found again", arguments: [true, false])
  func storedLater(isOfAll: Bool) async throws {
    let cache = StuckCache()
    let fixture = ServiceFixture { $0.cache = cache }
    fixture.stub.on(.get, "/a", .text("secret"), .text("new"))
    fixture.stub.on(.get, "/b", .text("secret"))
    for path in ["a", "b"] { _ = try await fixture.text(path).load().value() }
    await fixture.service.flushCache()
    if isOfAll {
      fixture.service.wipe()
    } else {
      for path in ["a", "b"] { fixture.text(path).wipe() }
    }
    _ = try await fixture.text("a").load().value()
    await fixture.service.flushCache()
    let next = Service(baseURL: "https://api.test", transport: fixture.stub, clock: fixture.clock)
    next.configure { $0.cache = cache }
    let (a, b) = (next.resource("a", of: String.self), next.resource("b", of: String.self))
    await a.loadIfNeeded()?.completed()
    #expect(a.content == "new" && fixture.stub.requests.count == 3, "of the cache")
    fixture.stub.on(.get, "/b", .status(500))
    await b.loadIfNeeded()?.completed()
    #expect(b.content == nil && b.latestError?.status == 500)
  }
}
