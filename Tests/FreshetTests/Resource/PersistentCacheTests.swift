import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Content from the persistent cache", .standardTimeLimit)
struct PersistentCacheTests {
  /// A fixture with an entry of that age, in seconds, for `/a`.
  private func fixture(
    _ cache: MemoryCache, age: Double, isolation: isolated any Actor = #isolation,
    configure: @escaping (inout Service.Configuration) -> Void = { _ in }
  ) async -> ServiceFixture {
    let fixture = ServiceFixture {
      $0.cache = cache
      configure(&$0)
    }
    await cache.put(.text("kept", age: age, fixture.clock), for: fixture.text("a").key)
    return fixture
  }

  /// A fixture with such an entry, in a cache whose operations a test can hold.
  private func heldFixture(
    age: Double, isolation: isolated any Actor = #isolation
  ) async -> (cache: HeldCache, fixture: ServiceFixture) {
    let cache = HeldCache()
    let fixture = ServiceFixture { $0.cache = cache }
    await cache.put(.text("kept", age: age, fixture.clock), for: fixture.text("a").key)
    return (cache, fixture)
  }

  @Test("A fresh entry saves the request", arguments: StoreActor.allCases)
  func freshEntry(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = await fixture(MemoryCache(), age: 10)
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let request = try #require(resource.loadIfNeeded())
      let content = try await request.value()
      #expect(content == "kept")
      #expect(resource.content == "kept")
      #expect(recorder.events == [.requested, .newData(.cache)])
      #expect(recorder.entries.map(\.isLoading) == [true, false])
      #expect(resource.timestamp == fixture.clock.date - 10)
      #expect(fixture.stub.requests.isEmpty)
      fixture.clock.advance(by: .seconds(20))
      #expect(!resource.isUpToDate, "Its age counts from when the server sent it")
    }
  }

  @Test("A forced load uses the network all the same", arguments: StoreActor.allCases)
  func forcedLoad(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = await fixture(MemoryCache(), age: 10)
      fixture.stub.on(.get, "/a", .text("new"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      _ = try await resource.load().value()
      #expect(resource.content == "new")
      #expect(recorder.events == [.requested, .newData(.cache), .newData(.network)])
      #expect(recorder.entries.map(\.isLoading) == [true, true, false])
      #expect(fixture.stub.requests.first?.headers["If-None-Match"] == "\"1\"")
    }
  }

  @Test(
    "A stale entry, or one from the future, is shown and revalidated",
    arguments: StoreActor.allCases,
    [60.0, 31_536_000, -60, -31_536_000, .nan])
  func staleEntry(actor: StoreActor, age: Double) async throws {
    try await actor.run { actor in
      let cache = MemoryCache()
      let fixture = await fixture(cache, age: age)
      fixture.stub.on(.get, "/a", .status(304))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(recorder.events == [.requested, .newData(.cache), .notModified])
      #expect(resource.content == "kept")
      #expect(resource.isUpToDate)
      await cache.writes(atLeast: 1)
      let entry = await cache.peek(resource.key)
      #expect(entry?.timestamp == fixture.clock.date)
    }
  }

  @Test("A response is kept and a wipe removes it, in that order", arguments: StoreActor.allCases)
  func wipeRemoves(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = MemoryCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(.get, "/a", .text("new"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      await cache.writes(atLeast: 1)
      let entry = await cache.peek(resource.key)
      #expect(entry?.response.body == Data("new".utf8))
      resource.wipe()
      await cache.writes(atLeast: 2)
      #expect(await cache.peek(resource.key) == nil)
      #expect(await cache.writes == [.store, .remove])
    }
  }

  @Test(
    "An observer that wipes what it just got leaves nothing", arguments: StoreActor.allCases)
  func wipeInEvent(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = MemoryCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(.get, "/a", .text("new"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      recorder.onEvent = { resource, event in
        if event == .newData(.network) { resource.wipe() }
      }
      _ = try await resource.load().value()
      await cache.writes(atLeast: 2)
      #expect(await cache.writes == [.store, .remove])
      #expect(resource.content == nil)
    }
  }

  @Test("A failed load keeps the restored content", arguments: StoreActor.allCases)
  func failureKeepsRestored(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = await fixture(MemoryCache(), age: 60)
      fixture.stub.on(.get, "/a", .failure(.unreachable))
      let resource = fixture.text("a")
      #expect(await resource.loadIfNeeded()?.failure()?.kind == .unreachable)
      #expect(resource.content == "kept")
      #expect(resource.latestError?.kind == .unreachable)
    }
  }

  @Test("A broken cache is only logged", arguments: StoreActor.allCases)
  func brokenCache(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = MemoryCache(isBroken: true)
      let (entries, continuation) = AsyncStream<Service.LogEntry>.makeStream()
      let fixture = await fixture(cache, age: 10) { $0.log = { continuation.yield($0) } }
      fixture.stub.on(.get, "/a", .text("new"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(recorder.events == [.requested, .newData(.network)])
      var failures = 0
      for await entry in entries where entry.category == .cacheFailure {
        failures += 1
        if failures == 2 { break }
      }
      #expect(failures == 2, "One read and one write")
    }
  }

  @Test(
    "A cache that does not respond is passed over at the deadline",
    arguments: StoreActor.allCases)
  func hangingCache(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      await cache.hold(.entry)
      let (entries, continuation) = AsyncStream<Service.LogEntry>.makeStream()
      let fixture = ServiceFixture {
        $0.cache = cache
        $0.timeout = .seconds(5)
        $0.log = { continuation.yield($0) }
      }
      fixture.stub.on(.get, "/a", .text("new"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let load = resource.load()
      await fixture.clock.advanceToNextDeadline()
      _ = try await load.value()
      #expect(recorder.events == [.requested, .newData(.network)])
      for await entry in entries where entry.category == .cacheFailure { break }
      // What is read after all changes nothing.
      await cache.put(
        CachedEntry(
          response: HTTPResponse(status: 200, body: Data("late".utf8), url: URL(filePath: "/a")),
          timestamp: fixture.clock.date), for: resource.key)
      await cache.release()
      fixture.text("b").wipe()
      await cache.written(fixture.text("b").key)
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(resource.content == "new")
    }
  }

  @Test(
    "A response that may not be stored removes the entry before it", arguments: StoreActor.allCases)
  func noStore(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = MemoryCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(
        .get, "/a", .text("one"), .text("secret", headers: ["Cache-Control": "no-store"]))
      let resource = fixture.text("a")
      for _ in 0..<2 { _ = try await resource.load().value() }
      #expect(resource.content == "secret")
      await cache.writes(atLeast: 2)
      #expect(await cache.writes == [.store, .remove])
      #expect(await cache.peek(resource.key) == nil)
    }
  }

  @Test("A request that says no-store is not stored when it is sent again", arguments: [200, 304])
  @MainActor func noStoreAgain(status: Int) async throws {
    let cache = MemoryCache()
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.headers["Cache-Control"] = "no-store"
    }
    let dates = ["Sat, 10 Jan 2026 00:00:10 GMT", "Sat, 10 Jan 2026 00:00:00 GMT"]
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["ETag": "\"1\"", "Date": dates[0]]),
      status == 200
        ? .text("old", headers: ["Date": dates[1]]) : .status(304, headers: ["ETag": "\"2\""]),
      .text("two"))
    let resource = fixture.text("a")
    for content in ["one", "two"] {
      _ = try await resource.load().value()
      #expect(resource.content == content)
    }
    await fixture.service.flushCache()
    #expect(fixture.stub.requests.count == 3)
    #expect(await !cache.writes.contains(.store))
  }

  @Test("So does a 304 that says so, and a decoration of the request", arguments: [false, true])
  @MainActor func noStoreOtherwise(isDecorated: Bool) async throws {
    let cache = MemoryCache()
    let forbids = Locked(false)
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.decorate { request in
        var request = request
        if isDecorated, forbids.withLock({ $0 }) { request.headers["Cache-Control"] = "no-store" }
        return request
      }
    }
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["ETag": "\"1\""]),
      isDecorated
        ? .text("secret")
        : .status(304, headers: ["ETag": "\"1\"", "Cache-Control": "no-store"]))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    forbids.withLock { $0 = true }
    _ = try await resource.load().value()
    await cache.writes(atLeast: 2)
    #expect(await cache.writes == [.store, .remove])
  }

  @Test(
    "What cannot be requested neither shows nor removes the entry of what has the same key",
    arguments: StoreActor.allCases)
  func unusable(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = MemoryCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(where: { $0.method == .get }) { .text($0.url.absoluteString) }
      let elsewhere = "https://other.test/x"
      let users = fixture.text("users")
      let other = fixture.service.resource(absoluteURL: elsewhere, of: String.self)
      for resource in [users, other] { _ = try await resource.load().value() }
      await fixture.service.flushCache()
      let unusable: [(Resource<String>, Resource<String>)] = [
        (users.child("../admin"), users), (users.relative(elsewhere), other),
        (fixture.text(elsewhere), other), (users.child("../admin").repeated(), users),
      ]
      for (resource, usable) in unusable {
        #expect(resource.url == nil && resource.key == usable.key)
        #expect(await resource.loadIfNeeded()?.failure()?.kind == .invalidRequest)
        #expect(resource.content == nil)
        resource.wipe()
        await fixture.service.flushCache()
        #expect(await cache.peek(usable.key) != nil)
      }
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test("A wipe of what cannot be requested leaves the requests that have its URL")
  @MainActor func unusableWipe() async throws {
    let fixture = ServiceFixture { $0.retryPolicy = .standard }
    fixture.stub.on(.put, "/users", .status(503), .text("done"))
    let users = fixture.text("users")
    let request = users.request(.put)
    try await fixture.clock.run(until: { request.wait != nil })
    users.child("../admin", of: String.self).wipe()
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(try await request.value() == "done")
  }

  @Test("A superseded load leaves the entry of the newer one", arguments: StoreActor.allCases)
  func supersededWrite(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      let resource = fixture.text("a")
      let older = resource.load()
      await gates[0].arrived()
      let newer = resource.load()
      await gates[1].arrived()
      gates[1].release(with: .text("new"))
      _ = try await newer.value()
      gates[0].release(with: .text("old"))
      #expect(try await older.value() == "old")
      fixture.text("b").wipe()
      await cache.written(fixture.text("b").key)
      #expect(await cache.text(of: resource.key) == "new")
      #expect(resource.content == "new")
    }
  }

  @Test(
    "A load that has to be newer than what is known shows a fresh entry, and asks the server",
    arguments: StoreActor.allCases)
  func restoredIsOlder(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let resource = fixture.text("a")
      fixture.stub.on(.get, "/a", .text("new"))
      let recorder = fixture.record(resource)
      await cache.put(.text("kept", age: 0, fixture.clock), for: resource.key)
      let next = fixture.service.store.nextLoad
      let load = try #require(resource.beginLoadIfNeeded(.init(since: next)))
      await load.completed()
      #expect(resource.content == "new")
      #expect(recorder.events == [.requested, .newData(.cache), .newData(.network)])
    }
  }

  @Test(
    "Whether an entry is fresh is decided by the configuration of the time at which it was read",
    arguments: StoreActor.allCases)
  func configuredWhileRestoring(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (cache, fixture) = await heldFixture(age: 20)
      let resource = fixture.text("a")
      fixture.stub.on(.get, "/a", .text("new"))
      let recorder = fixture.record(resource)
      await cache.hold(.entry)
      let load = try #require(resource.loadIfNeeded())
      await cache.begun(.entry)
      fixture.service.configure { $0.freshnessLifetime = .seconds(5) }
      await cache.release()
      _ = try await load.value()
      #expect(recorder.events == [.requested, .newData(.cache), .newData(.network)])
      #expect(resource.content == "new")
    }
  }

  @Test(
    "A load that was superseded while its entry was read goes to the server",
    arguments: StoreActor.allCases, [false, true])
  func supersededWhileRestoring(actor: StoreActor, byFailure: Bool) async throws {
    try await actor.run { actor in
      let (cache, fixture) = await heldFixture(age: 0)
      let resource = fixture.text("a")
      await cache.hold(.entry)
      let older = try #require(resource.loadIfNeeded())
      await cache.begun(.entry)
      fixture.stub.on(.put, "/a", byFailure ? .status(400) : .text("new"))
      await resource.load(using: resource.request(.put)).completed()
      fixture.stub.on(.get, "/a", .text("old"))
      await cache.release()
      #expect(try await older.value() == "old")
      #expect(resource.content == (byFailure ? nil : "new"))
    }
  }
}
