import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a service keeps", .standardTimeLimit)
struct RegistryTests {
  @Test("The same key gives the same instance while it is retained", arguments: StoreActor.allCases)
  func sameInstance(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 1)
      let held = service.resource("a", of: String.self)
      for number in 0..<10 { _ = service.resource("other\(number)", of: String.self) }
      #expect(service.resource("a", of: String.self) === held)
    }
  }

  @Test("Unused resources are evicted, least recently used first", arguments: StoreActor.allCases)
  func eviction(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 2)
      let a = Weak(service.resource("a", of: String.self))
      let b = Weak(service.resource("b", of: String.self))
      #expect(a.object != nil && b.object != nil)
      _ = service.resource("a", of: String.self)
      _ = service.resource("c", of: String.self)
      #expect(a.object != nil && b.object == nil)
    }
  }

  @Test("A limit of nothing keeps nothing", arguments: StoreActor.allCases)
  func nothing(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 0)
      let a = Weak(service.resource("a", of: String.self))
      #expect(a.object == nil)
    }
  }

  @Test(
    "Observed resources are kept, and go when nobody observes them",
    arguments: StoreActor.allCases)
  func observed(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 2)
      var tokens = (0..<20).map { number in
        service.resource("\(number)", of: String.self).observe { _, _ in }
      }
      for number in 0..<100 { _ = service.resource("other\(number)", of: String.self) }
      #expect(service.resources.count == 22)
      tokens.removeFirst(5)
      for number in 0..<100 { _ = service.resource("other\(number)", of: String.self) }
      #expect(service.resources.count == 17)
      tokens = []
      for number in 0..<100 { _ = service.resource("other\(number)", of: String.self) }
      #expect(service.resources.count == 2)
    }
  }

  @Test("A resource beyond the limits is kept once it is observed", arguments: StoreActor.allCases)
  func observedLater(actor: StoreActor) async throws {
    try await actor.run { actor in
      let service = Self.service(count: 1)
      let owner = Owner()
      let observed = Weak(service.resource("a", of: String.self))
      do {
        let resource = try #require(observed.object)
        _ = service.resource("b", of: String.self)
        // Nothing that observes holds it.
        resource.addObserver(owner: owner) { _, _ in }
      }
      for number in 0..<10 { _ = service.resource("other\(number)", of: String.self) }
      let kept = try #require(observed.object)
      #expect(service.resource("a", of: String.self) === kept)
    }
  }

  /// How observers leave.
  enum Removal: String, CaseIterable, Sendable {
    case removed, tokenRemoved, ownerRemoved, noticedByEvent
  }

  @Test(
    "The limits hold as soon as the last observers have left",
    arguments: Removal.allCases, StoreActor.allCases)
  func observersLeave(removal: Removal, actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 10)
      let owner = Owner()
      var recorder: EventRecorder? = EventRecorder()
      var tokens: [ObservationToken] = []
      for number in 0..<1_000 {
        let resource = service.resource("\(number)", of: String.self)
        switch removal {
        case .removed, .noticedByEvent: _ = recorder.map { resource.addObserver($0) }
        case .tokenRemoved: tokens.append(resource.observe { _, _ in })
        case .ownerRemoved: resource.addObserver(owner: owner) { _, _ in }
        }
      }
      recorder?.drain()
      #expect(service.resources.count == 1_000)
      switch removal {
      case .removed:
        for resource in service.resources { _ = recorder.map { resource.removeObserver($0) } }
        // It has noted what it observes no more.
        recorder = nil
      case .tokenRemoved: for token in tokens { token.remove() }
      case .ownerRemoved:
        for resource in service.resources { resource.removeObservers(ownedBy: owner) }
      case .noticedByEvent:
        recorder = nil
        service.invalidate()
      }
      #expect(service.resources.count == 10)
    }
  }

  @Test(
    "Where observers leave unnoticed, the limits hold with the next resource",
    arguments: StoreActor.allCases)
  func observersGo(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 10)
      do {
        let recorder = EventRecorder()
        for number in 0..<1_000 {
          service.resource("\(number)", of: String.self).addObserver(recorder)
        }
      }
      #expect(service.resources.count == 1_000)
      _ = service.resource("new", of: String.self)
      #expect(service.resources.count <= 11)
    }
  }

  @Test("Content counts by its bytes", arguments: StoreActor.allCases)
  func bytes(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport { request in
        HTTPResponse(status: 200, body: Data(count: 400), url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(),
        limits: RetentionLimits(count: 100, bytes: 1_000))
      for name in ["a", "b", "c"] {
        await service.resource(name, of: Data.self).load().ended()
      }
      #expect(service.resources.map(\.key.url.last) == ["b", "c"])
      service.wipe()
      for name in ["d", "e", "f"] { _ = service.resource(name, of: Data.self) }
      #expect(service.resources.count == 5)
    }
  }

  @Test(
    "What the end of a resource sets off may come back to the service",
    arguments: StoreActor.allCases)
  func reentrance(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 1)
      for number in 0..<200 {
        let resource = service.resource("\(number % 7)", of: String.self)
        let probe = DeinitProbe {
          _ = service.resource("\(number % 7)", of: String.self)
          _ = service.resource("\(number % 5)", of: String.self)
        }
        resource.addObserver(owner: probe) { _, _ in _ = probe }
        resource.removeObservers(ownedBy: probe)
        let content = service.resource("content\(number % 3)", decoder: ProbedContent.decoder)
        content.overrideLocalContent(ProbedContent(probe))
      }
      #expect(service.resources.count <= 2)
    }
  }

  private static func service(
    count: Int, isolation: isolated any Actor = #isolation
  ) -> Service {
    Service(
      baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
      limits: RetentionLimits(count: count))
  }
}
