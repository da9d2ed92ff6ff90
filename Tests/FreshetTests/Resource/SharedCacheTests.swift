import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The changes of a persistent cache that are not carried out yet belong to the cache, whoever asks for them.
@Suite("Several users of one persistent cache", .standardTimeLimit)
struct SharedCacheTests {
  private static func service(
    _ stub: StubTransport, _ clock: ManualClock, _ cache: any EntityCache,
    isolation: isolated any Actor = #isolation
  ) -> Service {
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: isolation)
    service.configure { $0.cache = cache }
    return service
  }

  @Test("What one service has wiped does not come back in the next", arguments: StoreActor.allCases)
  func wipedThenNewService(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, clock, cache) = (StubTransport(), ManualClock(), HeldCache())
      stub.on(.get, "/a", .text("new"))
      var service: Service? = Self.service(stub, clock, cache)
      let key = try #require(service?.resource("a", of: String.self).key)
      await cache.put(.text("hers", age: 1, clock), for: key)
      await cache.hold(.remove)
      service?.wipe(matching: "**")
      service = Self.service(stub, clock, cache)
      let his = try #require(service?.resource("a", of: String.self))
      _ = try await #require(his.loadIfNeeded()).value()
      #expect(his.content == "new")
      await cache.release()
    }
  }

  /// One of several objects for the same storage.
  private final class StorageView: EntityCache {
    let base: HeldCache
    var storageIdentifier: String? { "the storage" }

    init(_ base: HeldCache) { self.base = base }

    func entry(for key: ResourceKey) async throws -> CachedEntry? { try await base.entry(for: key) }
    func store(_ entry: CachedEntry, for key: ResourceKey) async throws {
      try await base.store(entry, for: key)
    }
    func remove(_ key: ResourceKey) async throws { try await base.remove(key) }
    func removeAll() async throws { try await base.removeAll() }
    func removeAll(where matches: @escaping @Sendable (_ url: String) -> Bool) async throws {
      try await base.removeAll(where: matches)
    }
  }

  @Test("What was wiped does not come back by another object for the same storage")
  @MainActor func otherObject() async throws {
    let (stub, clock, cache) = (StubTransport(), ManualClock(), HeldCache())
    stub.on(.get, "/a", .text("new"))
    var service: Service? = Self.service(stub, clock, StorageView(cache))
    let key = try #require(service?.resource("a", of: String.self).key)
    await cache.put(.text("hers", age: 1, clock), for: key)
    await cache.hold(.remove, .removeAll)
    service?.wipe()
    service = Self.service(stub, clock, StorageView(cache))
    let his = try #require(service?.resource("a", of: String.self))
    _ = try await #require(his.loadIfNeeded()).value()
    #expect(his.content == "new")
    await cache.release()
  }

  @Test(
    "A cache that is slower than the changes carries out one for each entry",
    arguments: StoreActor.allCases)
  func slowCache(actor: StoreActor) async {
    await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let (resource, other) = (fixture.text("a"), fixture.text("b"))
      let texts = (0..<9).map { "\($0)" }
      for text in texts { fixture.stub.on(.get, "/a", .text(text)) }
      fixture.stub.on(.get, "/b", .text("b"))
      await cache.hold(.store)
      for _ in texts { await resource.load().completed() }
      await other.load().completed()
      await cache.begun(.store)
      await cache.release()
      await fixture.service.flushCache()
      #expect(await cache.text(of: resource.key) == "8")
      #expect(await cache.text(of: other.key) == "b")
      // The one that had begun, and the last one.
      #expect(await cache.texts(stored: resource.key).count <= 2)
    }
  }

  @Test("What was wiped on one actor is not found on another one")
  func otherActor() async throws {
    let (stub, clock, cache) = (StubTransport(), ManualClock(), HeldCache())
    stub.on(.get, "/a", .text("new"))
    await cache.hold(.remove)
    await StoreActor.mainActor.run { actor in
      let resource = Self.service(stub, clock, cache).resource("a", of: String.self)
      await cache.put(.text("hers", age: 1, clock), for: resource.key)
      resource.wipe()
    }
    try await StoreActor.plainActor.run { actor in
      let resource = Self.service(stub, clock, cache).resource("a", of: String.self)
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.content == "new")
    }
    await cache.release()
  }

  @Test("What one service stores is found by another", arguments: StoreActor.allCases)
  func storedElsewhere(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, clock, cache) = (StubTransport(), ManualClock(), HeldCache())
      stub.on(.get, "/a", .text("one"))
      await cache.hold(.store)
      let first = Self.service(stub, clock, cache)
      _ = try await first.resource("a", of: String.self).load().value()
      let second = Self.service(stub, clock, cache)
      let resource = second.resource("a", of: String.self)
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      recorder.drain()
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(recorder.events == [.requested, .newData(.cache)])
      await cache.release()
      withExtendedLifetime(first) {}
    }
  }

  @Test(
    "An entry that is removed while it is being read is not shown", arguments: StoreActor.allCases,
    [false, true])
  func wipedWhileReading(actor: StoreActor, byOtherService: Bool) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let other = Self.service(fixture.stub, fixture.clock, cache)
      let text = fixture.text("a")
      let data = (byOtherService ? other : fixture.service).resource("a", of: Data.self)
      await cache.put(.text("kept", age: 1, fixture.clock), for: text.key)
      fixture.stub.on(.get, "/a", .text("new"))
      await cache.hold(.entry)
      let load = try #require(text.loadIfNeeded())
      await cache.begun(.entry)
      data.wipe()
      await cache.release()
      _ = try await load.value()
      #expect(text.content == "new")
    }
  }

  @Test(
    "An entry that was read before the newest of two wipes is not shown",
    arguments: StoreActor.allCases)
  func wipedAfterReading(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let text = fixture.text("a")
      text.wipe()
      await fixture.service.flushCache()
      // What another service that shares the cache has stored since.
      await cache.put(.text("kept", age: 1, fixture.clock), for: text.key)
      // Asked once the entry is read.
      let reading = text.restore(
        ifWanted: { _ in
          text.wipe()
          return true
        }, onEnd: { _ in })
      await (try #require(reading)).completed()
      #expect(text.content == nil)
    }
  }

  @Test(
    "A response to a request from before a wipe is not written", arguments: StoreActor.allCases,
    [false, true])
  func lateResponse(actor: StoreActor, isAdopted: Bool) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let (text, data) = (fixture.text("a"), fixture.service.resource("a", of: Data.self))
      let gate = fixture.stub.hold(isAdopted ? .put : .get, "/a")
      let load = isAdopted ? text.load(using: text.request(.put)) : text.load()
      await gate.arrived()
      data.wipe()
      await cache.written(text.key)
      gate.release(with: .text("hers"))
      _ = try await load.value()
      #expect(text.content == "hers", "It was not wiped itself")
      // A later change is carried out after any write of that response.
      data.wipe()
      await cache.written(text.key)
      #expect(await cache.texts(stored: text.key) == [])
      fixture.stub.on(.get, "/a", .text("his"))
      _ = try await data.load().value()
      await cache.written(text.key)
      #expect(await cache.text(of: text.key) == "his", "A later load is written")
    }
  }

  @Test(
    "A wipe of all removes the entries of what is not in memory", arguments: StoreActor.allCases)
  func wipedAll(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, clock) = (StubTransport(), ManualClock())
      let (cache, pictures) = (HeldCache(), HeldCache())
      var service: Service? = Self.service(stub, clock, cache)
      let keys = ["a", "b"].compactMap { service?.resource($0, of: String.self).key }
      for key in keys {
        await cache.put(.text("hers", age: 1, clock), for: key)
        await pictures.put(.text("hers", age: 1, clock), for: key)
      }
      service = Self.service(stub, clock, cache)
      service?.configure("pictures/**") { $0.cache = pictures }
      service?.configure("private/**") { $0.cache = nil }
      let resource = service?.resource("a", of: String.self)
      await cache.hold(.removeAll)
      service?.wipe()
      stub.on(where: { _ in true }, .text("his"))
      for name in ["a", "b"] {
        let other = Self.service(stub, clock, cache).resource(name, of: String.self)
        _ = try await #require(other.loadIfNeeded()).value()
        #expect(other.content == "his", "The removal of all is pending")
      }
      await cache.release()
      for key in keys { await cache.written(key) }
      #expect(await cache.operations == [.removeAll, .store, .store], "One removal for all")
      await pictures.emptied()
      #expect(await pictures.entries.isEmpty)
      withExtendedLifetime(resource) {}
    }
  }

  @Test("A wipe by pattern removes the entries of what is not in memory, and no others")
  func wipedByPattern() async {
    await StoreActor.plainActor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let (matching, other) = (fixture.text("b").key, fixture.text("b/c").key)
      await cache.put(.text("hers", age: 1, fixture.clock), for: matching)
      await cache.put(.text("kept", age: 1, fixture.clock), for: other)
      let next = Self.service(fixture.stub, fixture.clock, cache)
      next.wipe(matching: "*")
      // From now on, however slow the cache is.
      fixture.stub.on(.get, "/b", .text("his"))
      let resource = next.resource("b", of: String.self)
      await resource.loadIfNeeded()?.completed()
      #expect(resource.content == "his")
      await next.flushCache()
      #expect(await cache.operations.first == .removeAll)
      #expect(await cache.text(of: matching) == "his")
      #expect(await cache.text(of: other) == "kept")
    }
  }

  /// Nothing stays in memory, so that every load begins with the persistent cache.
  @Test(
    "At random times, each service finds what any has written or removed last",
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func random(seed: UInt64) async throws {
    try await StoreActor.plainActor.run { actor in
      var random = SeededGenerator(seed: seed)
      let (stub, clock, cache) = (StubTransport(), ManualClock(), HeldCache())
      let services = (0..<3).map { _ in
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: clock,
          limits: Service.RetentionLimits(resourceCount: 0), isolation: actor)
        service.configure { $0.cache = cache }
        return service
      }
      var known: [String: String] = [:]
      for step in 0..<300 {
        let (name, service) = (random.pick(["a", "b"]), random.pick(services))
        let resource = service.resource(name, of: String.self)
        stub.on(.get, "/\(name)", .text("\(step)"))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: await cache.hold(.store, .remove, .removeAll)
        case 1: await cache.release()
        case 2:
          resource.wipe()
          known[name] = nil
        case 3:
          service.wipe()
          known = [:]
        case 4:
          _ = try await resource.load().value()
          known[name] = "\(step)"
        default:
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
