import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Evicting what is not in use", .standardTimeLimit)
struct EvictionTests {
  @Test(
    "What is neither held nor observed is evicted, and its content", arguments: StoreActor.allCases)
  func unused(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      for name in ["held", "observed", "unused", "usedAgain"] {
        fixture.stub.on(.get, "/\(name)", .text(name), .text("again"))
        _ = try await fixture.text(name).load().value()
      }
      let held = fixture.text("held")
      let owner = Owner()
      fixture.text("observed").addObserver(owner: owner) { _, _ in }
      for _ in 0..<3 { _ = fixture.text("usedAgain") }
      let unused = ["unused", "usedAgain"].map { Weak(fixture.text($0)) }

      fixture.service.evictUnused()
      #expect(unused.allSatisfy { $0.object == nil })
      #expect(fixture.text("held") === held && held.content == "held")
      #expect(fixture.text("observed").content == "observed")
      #expect(fixture.text("unused").content == nil)
      // It is loaded again like any other.
      _ = try await fixture.text("unused").load().value()
      #expect(fixture.text("unused").content == "again")
      withExtendedLifetime(owner) {}
    }
  }

  @Test(
    "What was observed is evicted once its owner was deallocated", arguments: StoreActor.allCases)
  func deallocatedOwner(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      var owner: Owner? = Owner()
      if let owner { fixture.text("a").addObserver(owner: owner) { _, _ in } }
      let watched = Weak(fixture.text("a"))
      fixture.service.evictUnused()
      #expect(watched.object != nil)
      owner = nil
      fixture.service.evictUnused()
      #expect(watched.object == nil)
    }
  }

  @Test(
    "Content whose end asks for resources, and evicts, ends once", arguments: StoreActor.allCases)
  func reentrant(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let service = fixture.service
      var ends = 0
      for number in 0..<20 {
        let resource = service.resource("\(number)", decoder: ProbedContent.decoder)
        resource.overrideLocalContent(
          ProbedContent(
            DeinitProbe {
              ends += 1
              _ = service.resource("other\(number)", of: String.self)
              service.evictUnused()
            }))
      }
      service.evictUnused()
      #expect(ends == 20)
      service.evictUnused()
      #expect(service.resources.isEmpty)
    }
  }

  private final class Owner {}

  @Test(
    "A load continues whose resource is evicted while the persistent cache is read",
    arguments: StoreActor.allCases)
  func evictedWhileRestoring(actor: StoreActor) async {
    await actor.run { actor in
      let (cache, stub) = (HeldCache(), StubTransport())
      await cache.hold(.entry)
      stub.on(.get, "/a", .text("one"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(),
        limits: .init(resourceCount: 0),
        isolation: #isolation)
      service.configure { $0.cache = cache }
      weak var resource: Resource<String>?
      let request: Request<String>
      do {
        let loaded = service.resource("a", of: String.self)
        request = loaded.load()
        resource = loaded
      }
      await cache.begun(.entry)
      #expect(resource == nil)
      await cache.release()
      #expect(await request.failure() == nil)
      #expect(stub.requests.count == 1)
    }
  }

  @Test(
    "A load whose resource was evicted is not sent after a sign-out",
    arguments: StoreActor.allCases,
    [(true, false), (false, true), (true, true)])
  func evictedBeforeSignOut(
    actor: StoreActor, change: (configures: Bool, wipes: Bool)
  ) async {
    await actor.run { actor in
      let cache = HeldCache()
      await cache.hold(.entry)
      let fixture = ServiceFixture {
        $0.cache = cache
        $0.headers["Authorization"] = "hers"
      }
      let request = fixture.text("a").load()
      await cache.begun(.entry)
      fixture.service.evictUnused()
      #expect(fixture.service.resources.isEmpty)
      if change.configures { fixture.service.configure { $0.headers["Authorization"] = "his" } }
      if change.wipes { fixture.service.wipe() }
      await cache.release()
      #expect(await request.failure()?.kind == .cancelled)
      #expect(fixture.stub.requests.isEmpty)
    }
  }
}
