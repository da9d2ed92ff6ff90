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

  @Test(
    "Unused resources are evicted in the order in which they were made",
    arguments: StoreActor.allCases)
  func eviction(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 2)
      for name in ["a", "b", "c", "d"] { _ = service.resource(name, of: String.self) }
      #expect(Self.names(service) == ["c", "d"])
    }
  }

  @Test("What is used again gets a second chance, and no third", arguments: StoreActor.allCases)
  func secondChance(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 2)
      for name in ["a", "b", "a", "a"] { _ = service.resource(name, of: String.self) }
      _ = service.resource("c", of: String.self)
      #expect(Self.names(service) == ["a", "c"])
      _ = service.resource("d", of: String.self)
      #expect(Self.names(service) == ["a", "d"])
      _ = service.resource("e", of: String.self)
      #expect(Self.names(service) == ["d", "e"])
    }
  }

  @Test("The newest stays where all others were used again", arguments: StoreActor.allCases)
  func newest(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 2)
      for name in ["a", "b", "a", "b", "c"] { _ = service.resource(name, of: String.self) }
      #expect(Self.names(service) == ["b", "c"])
    }
  }

  @Test("Following a link is a use", arguments: StoreActor.allCases)
  func following(actor: StoreActor) async throws {
    try await actor.run { actor in
      let service = Self.service(count: 3)
      let first = service.resource(
        "items", decoder: ContentDecoder<Page<Int>>("none") { _ in Page(items: []) })
      let link = PageLink(.follow("https://api.test/next"))
      // The first time the service hands it out, and the second it is known.
      for _ in 0..<2 { _ = try first.following(link) }
      for name in ["a", "b"] { _ = service.resource(name, of: String.self) }
      _ = service.resource("c", of: String.self)
      #expect(Self.names(service) == ["b", "c", "items", "next"])
    }
  }

  @Test("Becoming observed is a use", arguments: StoreActor.allCases)
  func observing(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 2)
      service.resource("a", of: String.self).observe { _, _ in }.cancel()
      for name in ["b", "c"] { _ = service.resource(name, of: String.self) }
      #expect(Self.names(service) == ["a", "c"])
    }
  }

  @Test(
    "A resource beyond the limits is kept once it is handed out again",
    arguments: StoreActor.allCases)
  func handedOutAgain(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 1)
      do {
        let a = service.resource("a", of: String.self)
        _ = service.resource("b", of: String.self)
        #expect(service.resource("a", of: String.self) === a)
      }
      #expect(Self.names(service) == ["a"])
    }
  }

  @Test(
    "What the end of one evicted resource holds stays the one of its key",
    arguments: StoreActor.allCases)
  func heldByTheEnd(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport { request in
        HTTPResponse(status: 200, body: Data(count: 2_000), url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(),
        limits: Service.RetentionLimits(resourceCount: 100, byteCount: 1_000), isolation: #isolation
      )
      let owner = NewOwner()
      do {
        let a = service.resource("a", decoder: ProbedContent.decoder)
        let b = Weak(service.resource("b", of: String.self))
        a.overrideLocalContent(ProbedContent(DeinitProbe { owner.resource = b.object }))
      }
      // Evicts both at once.
      await service.resource("big", of: Data.self).load().completed()
      let held = try #require(owner.resource)
      #expect(service.resource("b", of: String.self) === held)
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
    "Observed resources are kept, and are released when they are no longer observed",
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
      let service = Self.service(count: 2)
      let owner = Owner()
      let observed = Weak(service.resource("a", of: String.self))
      do {
        let resource = try #require(observed.object)
        let others = (0..<4).map { Weak(service.resource("other\($0)", of: String.self)) }
        #expect(resource.retention == .released)
        // Nothing that observes holds it.
        resource.addObserver(owner: owner) { _, _ in }
        #expect(others.count { $0.object != nil } == 2, "it does not count against the limits")
      }
      for number in 0..<10 { _ = service.resource("other\(number)", of: String.self) }
      let kept = try #require(observed.object)
      #expect(service.resource("a", of: String.self) === kept)
    }
  }

  /// How observers leave.
  enum Removal: String, CaseIterable, Sendable {
    case removed, tokenCancelled, ownerRemoved, noticedByEvent
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
        case .tokenCancelled: tokens.append(resource.observe { _, _ in })
        case .ownerRemoved: resource.addObserver(owner: owner) { _, _ in }
        }
      }
      recorder?.drain()
      #expect(service.resources.count == 1_000)
      switch removal {
      case .removed:
        for resource in service.resources { _ = recorder.map { resource.removeObserver($0) } }
        // It has recorded what it no longer observes.
        recorder = nil
      case .tokenCancelled: for token in tokens { token.cancel() }
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
    "Where observers were deallocated, the limits hold with the next resource, and with new content",
    arguments: StoreActor.allCases, [false, true])
  func observersGo(actor: StoreActor, getsContent: Bool) async {
    await actor.run { actor in
      let service = Self.service(count: 10)
      let held = service.resource("held", of: String.self)
      do {
        let recorder = EventRecorder()
        for number in 0..<1_000 {
          service.resource("\(number)", of: String.self).addObserver(recorder)
        }
      }
      #expect(service.resources.count == 1_001)
      if getsContent {
        held.overrideLocalContent("a")
      } else {
        _ = service.resource("new", of: String.self)
      }
      #expect(service.resources.count <= 12)
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
        limits: Service.RetentionLimits(resourceCount: 100, byteCount: 1_000), isolation: #isolation
      )
      for name in ["a", "b", "c"] {
        await service.resource(name, of: Data.self).load().completed()
      }
      #expect(service.resources.map(\.key.url.last) == ["b", "c"])
      service.wipe()
      for name in ["d", "e", "f"] { _ = service.resource(name, of: Data.self) }
      #expect(service.resources.count == 5)
    }
  }

  @Test(
    "What deallocating a resource sets off may re-enter the service",
    arguments: StoreActor.allCases)
  func reentrance(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(count: 1)
      for number in 0..<200 {
        let resource = service.resource("\(number % 7)", of: String.self)
        let last = DeinitProbe {
          _ = service.resource("\(number % 7)", of: String.self)
          _ = service.resource("\(number % 5)", of: String.self)
        }
        resource.addObserver(owner: last) { _, _ in _ = last }
        resource.removeObservers(ownedBy: last)
        let content = service.resource("content\(number % 3)", decoder: ProbedContent.decoder)
        content.overrideLocalContent(ProbedContent(last))
      }
      #expect(service.resources.count <= 2)
    }
  }

  private static func names(_ service: Service) -> [String] {
    service.resources.compactMap { $0.url?.lastPathComponent }.sorted()
  }

  private static func service(
    count: Int, isolation: isolated any Actor = #isolation
  ) -> Service {
    Service(
      baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
      limits: Service.RetentionLimits(resourceCount: count), isolation: #isolation)
  }
}

/// Holds an object that a test leaves.
private final class NewOwner {
  var resource: AnyResource?
}
