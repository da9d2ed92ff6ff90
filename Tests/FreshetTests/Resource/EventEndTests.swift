import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What ends within a change comes after the events of the change", .standardTimeLimit)
struct EventEndTests {
  /// Adds a hook to a request that holds what calls the closure at its end.
  private static func addHook(to request: AnyRequest, atEnd: @escaping () -> Void) {
    let probe = DeinitProbe(onDeinit: atEnd)
    request.onWait { _ in _ = probe }
  }

  @Test(
    "Wiped content stays wiped where the end of a hook loads again", arguments: StoreActor.allCases)
  func wipedContent(actor: StoreActor) async throws {
    await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let resource = fixture.text("a")
      await cache.put(.text("secret", age: 1, fixture.clock), for: resource.key)
      await cache.hold(.remove)
      await resource.loadIfNeeded()?.completed()
      #expect(resource.content == "secret")
      let gate = fixture.stub.hold(.get, "/a")
      let request = resource.load()
      Self.addHook(to: request) { [weak resource] in resource?.loadIfNeeded() }
      await gate.arrived()
      fixture.stub.on(.get, "/a", .text("new"))
      let recorder = fixture.record(resource)
      resource.wipe()
      #expect(recorder.events == [.requestCancelled, .newData(.wipe), .requested])
      #expect(recorder.entries.map(\.isLoading) == [false, false, true])
      await resource.loadIfNeeded()?.completed()
      #expect(resource.content == "new")
      #expect(!recorder.events.contains(.newData(.cache)))
      await cache.release()
    }
  }

  @Test("A cancellation is reported while nothing loads", arguments: StoreActor.allCases)
  func cancellation(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      Self.addHook(to: resource.load()) { [weak resource] in resource?.loadIfNeeded() }
      await gates[0].arrived()
      let recorder = fixture.record(resource)
      resource.cancelLoad()
      #expect(recorder.events == [.requestCancelled, .requested])
      #expect(recorder.entries.map(\.isLoading) == [false, true])
      resource.cancelLoad()
    }
  }

  @Test(
    "The end of an evicted resource comes after the response that evicts it",
    arguments: StoreActor.allCases)
  func eviction(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, clock) = (StubTransport(), ManualClock())
      stub.on(.get, "/a", .text("more than ten bytes"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock,
        limits: Service.RetentionLimits(resourceCount: 10, byteCount: 10), isolation: #isolation)
      var ended = 0
      func makeVictim(_ atEnd: @escaping () -> Void) {
        service.resource("b", decoder: ProbedContent.decoder)
          .overrideLocalContent(ProbedContent(DeinitProbe(onDeinit: atEnd)))
      }
      weak var wiped: Resource<String>?
      makeVictim {
        ended += 1
        wiped?.wipe()
      }
      let resource = service.resource("a", of: String.self)
      wiped = resource
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      _ = try await resource.load().value()
      #expect(ended == 1)
      #expect(resource.content == nil)
      #expect(
        recorder.events == [.observerAdded, .requested, .newData(.network), .newData(.wipe)])
    }
  }

  @Test(
    "The end of a superseded request comes after the response that supersedes it",
    arguments: StoreActor.allCases)
  func superseded(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      let stub = StubTransport()
      let gate = stub.hold(.get, "/x")
      func adopt(isolation: isolated any Actor) {
        let other = Service(
          baseURL: "https://other.test", transport: stub, clock: fixture.clock,
          isolation: isolation)
        let request = other.resource("x", of: String.self).request(.get)
        Self.addHook(to: request) { [weak resource] in resource?.wipe() }
        resource.load(using: request)
      }
      adopt(isolation: actor)
      await gate.arrived()
      let recorder = fixture.record(resource)
      var contents: [String?] = []
      recorder.onEvent = { [unowned resource] _, _ in contents.append(resource.content) }
      _ = try await resource.load().value()
      #expect(resource.content == nil)
      #expect(recorder.events == [.requested, .newData(.network), .newData(.wipe)])
      #expect(contents == [nil, "one", nil])
    }
  }

  /// Something in a configuration whose end calls a closure, once it is set.
  private final class ConfigurationEnd: @unchecked Sendable {
    var atEnd: (() -> Void)?

    func logger() -> @Sendable (Service.LogEntry) -> Void {
      let content = ProbedContent(
        DeinitProbe { [weak self] in
          let call = self?.atEnd
          self?.atEnd = nil
          call?()
        })
      return { _ in _ = content }
    }
  }

  @Test(
    "A load that the end of an older configuration cancels does not appear to continue",
    arguments: StoreActor.allCases)
  func configurationEnd(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let end = ConfigurationEnd()
      fixture.service.configure { $0.log = end.logger() }
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      _ = resource.configuration
      fixture.service.reapplyConfiguration()
      let recorder = fixture.record(resource)
      end.atEnd = { [weak resource] in resource?.cancelLoad() }
      let request = resource.load()
      #expect(end.atEnd == nil)
      await request.completed()
      #expect(!resource.isLoading)
      #expect(recorder.events != [.requestCancelled, .requested])
      #expect(
        recorder.events.last != .requested, "Whoever shows a load in progress shows it for ever")
      end.atEnd = nil
      withExtendedLifetime((fixture, end)) {}
    }
  }
}
