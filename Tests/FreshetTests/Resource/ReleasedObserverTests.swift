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

  @Test("The end of an observer that an owner is removed from may change the resource")
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
}
