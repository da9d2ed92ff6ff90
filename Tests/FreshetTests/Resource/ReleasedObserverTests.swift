import FreshetTesting
import Testing

@testable import Freshet

@Suite("Observers that are released", .standardTimeLimit)
struct ReleasedObserverTests {
  private final class Owner {}

  /// An observer whose end does something.
  private final class EndingObserver: ResourceObserver {
    let probe: DeinitProbe
    init(_ probe: DeinitProbe) { self.probe = probe }
    func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {}
  }

  @Test("Deallocating an observer that an owner is removed from may change the resource")
  func removedOwner() async {
    await #expect(processExitsWith: .success) {
      await StoreActor.mainActor.run { actor in
        let resource = ServiceFixture().text("a")
        let (owner, other) = (Owner(), Owner())
        do {
          let observer = EndingObserver(
            DeinitProbe {
              resource.overrideLocalContent("x")
              resource.removeObservers(ownedBy: other)
            })
          resource.addObserver(observer)
          resource.addObserver(observer, owner: owner)
        }
        resource.removeObservers(ownedBy: owner)
      }
    }
  }

  private static func service(
    keeping count: Int, isolation: isolated any Actor = #isolation
  ) -> Service {
    Service(
      baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
      limits: Service.RetentionLimits(resourceCount: count), isolation: isolation)
  }

  /// What an owner keeps until it is released.
  enum Observing: CaseIterable, Sendable {
    case closure, object
  }

  @Test(
    "What an owner kept is released when the service looks for what it may evict",
    arguments: StoreActor.allCases, Observing.allCases)
  func ownerReleasedWithoutEvent(actor: StoreActor, observing: Observing) async {
    await actor.run { actor in
      let service = Self.service(keeping: 1)
      let resource = service.resource("a", of: String.self)
      var log: [String] = []
      do {
        let (owner, probe) = (Owner(), DeinitProbe { log.append("released") })
        switch observing {
        case .closure: resource.addObserver(owner: owner) { _, _ in withExtendedLifetime(probe) {} }
        case .object: resource.addObserver(EndingObserver(probe), owner: owner)
        }
        // From now on the limit does not count the first one.
        _ = service.resource("b", of: String.self)
      }
      #expect(log == [], "Nothing has happened since")
      _ = service.resource("c", of: String.self)
      #expect(log == ["released"])
      #expect(!resource.isObserved)
    }
  }

  @Test(
    "So it is where the limits still counted the resource, which nothing but that kept in memory",
    arguments: StoreActor.allCases, [false, true])
  func ownerReleasedWithinLimits(actor: StoreActor, evicts: Bool) async {
    await actor.run { actor in
      let service = Self.service(keeping: 1)
      weak var watched: AnyResource?
      var log: [String] = []
      do {
        let (owner, probe) = (Owner(), DeinitProbe { log.append("released") })
        let resource = service.resource("a", of: String.self)
        watched = resource
        resource.addObserver(owner: owner) { _, _ in withExtendedLifetime((resource, probe)) {} }
      }
      #expect(log == [] && watched != nil)
      if evicts { service.evictUnused() } else { _ = service.resource("b", of: String.self) }
      #expect(log == ["released"] && watched == nil)
    }
  }

  @Test(
    "So are those of others when the last observer of a resource is removed, as screens are closed together",
    arguments: StoreActor.allCases)
  func ownersReleasedWithRemoval(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(keeping: 1)
      let (last, observer) = (
        service.resource("d", of: String.self), EndingObserver(DeinitProbe {})
      )
      weak var watched: AnyResource?
      var log: [String] = []
      do {
        let owner = Owner()
        for path in ["a", "b", "c"] {
          let probe = DeinitProbe { log.append(path) }
          service.resource(path, of: String.self).addObserver(owner: owner) { _, _ in
            withExtendedLifetime(probe) {}
          }
        }
        watched = service.resource("a", of: String.self)
        last.addObserver(observer)
        // From now on the limit counts none of them.
        service.evictUnused()
        withExtendedLifetime(owner) {}
      }
      #expect(log == [] && watched != nil)
      last.removeObserver(observer)
      #expect(log.sorted() == ["a", "b", "c"] && watched == nil)
      service.store.checkInvariants()
    }
  }

  @Test(
    "An event of the resource releases what an owner kept", arguments: StoreActor.allCases)
  func ownerReleasedBeforeEvent(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      var log: [String] = []
      do {
        let (owner, probe) = (Owner(), DeinitProbe { log.append("released") })
        resource.addObserver(owner: owner) { _, _ in withExtendedLifetime(probe) {} }
      }
      resource.overrideLocalContent("x")
      #expect(log == ["released"])
    }
  }

  @Test(
    "What ends when the service looks for what it may evict may come back to it",
    arguments: StoreActor.allCases)
  func endComesBack(actor: StoreActor) async {
    await actor.run { actor in
      let service = Self.service(keeping: 1)
      var made: [Resource<String>] = []
      do {
        let owner = Owner()
        for index in 0..<10 {
          let probe = DeinitProbe {
            made.append(service.resource("made\(index)", of: String.self))
            service.resource("\((index + 1) % 10)", of: String.self).wipe()
          }
          service.resource("\(index)", of: String.self).addObserver(owner: owner) { _, _ in
            withExtendedLifetime(probe) {}
          }
        }
        _ = service.resource("b", of: String.self)
      }
      _ = service.resource("c", of: String.self)
      #expect(made.count == 10)
      #expect(service.resources.allSatisfy { !$0.isObserved })
    }
  }

  @Test("An observer that ends when the service looks at its resource may make it look again")
  func endLooks() async {
    await #expect(processExitsWith: .success) {
      await StoreActor.plainActor.run { _ in
        let service = Self.service(keeping: 1)
        let resource = service.resource("a", of: String.self)
        var made: Resource<String>?
        do {
          let owner = Owner()
          let observer = EndingObserver(DeinitProbe { made = service.resource("made") })
          resource.addObserver(observer)
          resource.addObserver(observer, owner: owner)
          // From now on the limit does not count the first one.
          _ = service.resource("b", of: String.self)
        }
        _ = service.resource("c", of: String.self)
        precondition(made != nil && !resource.isObserved)
        service.store.checkInvariants()
      }
    }
  }
}
