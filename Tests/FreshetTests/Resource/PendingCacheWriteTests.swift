import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Two resources of one request and of different types have one entry of the cache.
@Suite("Reading the persistent cache while writes to it are pending", .standardTimeLimit)
struct PendingCacheWriteTests {
  /// The other resource of the request, loaded from the cache.
  private static func restored(
    in fixture: ServiceFixture, isolation: isolated any Actor = #isolation
  ) async throws -> Resource<Data> {
    let data = fixture.service.resource("a", of: Data.self)
    let recorder = fixture.record(data)
    _ = try await #require(data.loadIfNeeded()).value()
    #expect(recorder.events == [.requested, .newData(.cache)])
    return data
  }

  @Test("What was wiped stays wiped", arguments: StoreActor.allCases)
  func wiped(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let resource = fixture.text("a")
      await cache.put(.text("kept", age: 10, fixture.clock), for: resource.key)
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "kept")
      await cache.hold(.remove)
      resource.wipe()
      await cache.begun(.remove)
      fixture.stub.on(.get, "/a", .text("new"))
      let recorder = fixture.record(resource)
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(resource.content == "new")
      await cache.release()
    }
  }

  /// A cache whose removals change nothing.
  private final class KeepingCache: EmptyCache {
    let held = HeldCache()
    let kept: CachedEntry

    init(_ kept: CachedEntry) { self.kept = kept }

    @concurrent
    func entry(for key: ResourceKey) async throws -> CachedEntry? {
      _ = try await held.entry(for: key)
      // What is asked for next waits for these, and is not known by the time that the entry is decoded.
      let work = CacheWork(for: ManualClock()) { _ in }
      for number in 0..<5_000 {
        _ = CacheUse(
          of: ResourceKey(gettingPlainly: "https://api.test/\(number)"), in: self, work)
      }
      return kept
    }
  }

  @Test("A read that is cancelled returns nothing, because what was removed is not known then")
  func cancelled() async throws {
    let (clock, key) = (ManualClock(), ResourceKey(gettingPlainly: "https://api.test/a"))
    let cache = KeepingCache(.text("removed", age: 10, clock))
    let work = CacheWork(for: clock) { _ in }
    await cache.held.hold(.entry)
    let use = CacheUse(of: key, in: cache, work)
    let reading = Task { try await use.entry() }
    await cache.held.begun(.entry)
    CacheQueue.shared.remove(key, from: cache, work)
    reading.cancel()
    await cache.held.release()
    let entry = try? await reading.value
    #expect(entry == nil)
  }

  @Test("An entry that is being stored is read", arguments: StoreActor.allCases)
  func stored(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      await cache.hold(.store)
      fixture.stub.on(.get, "/a", .text("one"), .text("two"))
      _ = try await fixture.text("a").load().value()
      await cache.begun(.store)
      let data = try await Self.restored(in: fixture)
      #expect(data.content == Data("one".utf8))
      await cache.release()
    }
  }

  @Test(
    "A confirmation that is being stored is a part of the entry", arguments: StoreActor.allCases)
  func confirmed(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let text = fixture.text("a")
      await cache.put(.text("kept", age: 60, fixture.clock), for: text.key)
      await cache.hold(.store)
      fixture.stub.on(.get, "/a", .status(304, headers: ["X-Count": "2"]))
      _ = try await #require(text.loadIfNeeded()).value()
      await cache.begun(.store)
      let data = try await Self.restored(in: fixture)
      #expect(data.timestamp == fixture.clock.date)
      #expect(data.latestData?.headers["X-Count"] == "2")
      #expect(data.content == Data("kept".utf8))
      await cache.release()
    }
  }

  @Test(
    "A confirmation of a response that is being stored is a part of the entry",
    arguments: StoreActor.allCases)
  func storedAndConfirmed(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      await cache.hold(.store)
      fixture.stub.on(
        .get, "/a", .text("one", headers: ["ETag": "\"1\""]),
        .status(304, headers: ["X-Count": "2"]))
      for _ in 0..<2 { _ = try await fixture.text("a").load().value() }
      await cache.begun(.store)
      let data = try await Self.restored(in: fixture)
      #expect(data.latestData?.headers["X-Count"] == "2")
      #expect(data.content == Data("one".utf8))
      await cache.release()
    }
  }

  /// Nothing stays in memory, so that every load begins with the persistent cache.
  @Test(
    "At random times, a load finds what was written or removed last",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func random(seed: UInt64) async throws {
    try await StoreActor.plainActor.run { actor in
      var random = SeededGenerator(seed: seed)
      let (stub, cache) = (StubTransport(), HeldCache())
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(),
        limits: Service.RetentionLimits(resourceCount: 0), isolation: actor)
      service.configure { $0.cache = cache }
      var known: [String: String] = [:]
      for step in 0..<200 {
        let name = random.pick(["a", "b"])
        let resource = service.resource(name, of: String.self)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: await cache.hold(.store, .remove)
        case 1: await cache.release()
        case 2:
          resource.wipe()
          known[name] = nil
        case 3:
          stub.on(.get, "/\(name)", .text("\(step)"))
          _ = try await resource.load().value()
          known[name] = "\(step)"
        default:
          stub.on(.get, "/\(name)", .text("\(step)"))
          _ = try await resource.loadIfNeeded()?.value()
          known[name] = known[name] ?? "\(step)"
        }
        guard resource.content == nil || resource.content == known[name] else {
          Issue.record("seed \(seed) step \(step): \(resource.content ?? ""), not \(known)")
          break
        }
      }
      await cache.release()
    }
  }
}
