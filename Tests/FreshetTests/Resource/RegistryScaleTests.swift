import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The work is counted, not timed: the resources looked at by each call.
@Suite("The registry at scale", .standardTimeLimit)
struct RegistryScaleTests {
  @Test(
    "100,000 resources through a limit of 2,048 cost one look each",
    arguments: StoreActor.allCases)
  func noCliff(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture(count: 2_048)
      for number in 0..<100_000 {
        let before = fixture.looks
        _ = fixture.resource("\(number)")
        guard fixture.looks - before <= 1, fixture.kept.count <= 2_048 else {
          Issue.record("\(fixture.looks - before) looks, \(fixture.kept.count) kept")
          return
        }
      }
      #expect(fixture.kept.count == 2_048)
      #expect(fixture.registry.entries.count == 2_048 + 1)
    }
  }

  @Test(
    "A use costs one look at most, however often it is repeated", arguments: StoreActor.allCases)
  func uses(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture(count: 256)
      for number in 0..<20_000 {
        _ = fixture.resource("\(number)")
        // Half of them are used once more, and these three times, before they can be evicted.
        if number.isMultiple(of: 2) {
          for _ in 0..<3 { _ = fixture.resource("\(number)") }
        }
      }
      #expect(fixture.kept.count == 256)
      #expect(fixture.looks <= 20_000 + 10_000)
    }
  }

  @Test("The most that one call looks at is everything once", arguments: StoreActor.allCases)
  func revolution(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture(count: 1_000)
      for _ in 0..<2 { for number in 0..<1_000 { _ = fixture.resource("\(number)") } }
      #expect(fixture.looks == 0)
      _ = fixture.resource("new")
      // All others, which lose their second chance, the new one, and the one that is evicted.
      #expect(fixture.looks == 1_000 + 2)
      _ = fixture.resource("newer")
      #expect(fixture.looks == 1_000 + 3)
    }
  }

  @Test("Resources that all are held or observed cost no more", arguments: StoreActor.allCases)
  func nothingToEvict(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture(count: 64)
      let recorder = EventRecorder()
      var held: [AnyResource] = []
      for number in 0..<5_000 {
        let resource = fixture.resource("\(number)")
        if number.isMultiple(of: 2) {
          held.append(resource)
        } else {
          resource.addObserver(recorder)
        }
        guard fixture.kept.count <= 64, fixture.looks <= 4 * (number + 1) else {
          Issue.record("\(fixture.looks) looks, \(fixture.kept.count) kept")
          return
        }
      }
      #expect(fixture.registry.all.count == 5_000)
      fixture.registry.entries.checkInvariants()
    }
  }

  @Test("200,000 resources that come and go leave the memory of a few")
  @MainActor func bounded() {
    let fixture = Fixture(count: 16)
    // All under names that come again, which is where places could be lost.
    for number in 0..<200_000 { _ = fixture.resource("\(number % 20_000)") }
    #expect(fixture.registry.entries.count <= 17)
    #expect(fixture.registry.all.count <= 16)
  }

  @Test("The places of resources that were held beyond the limits are used again")
  @MainActor func heldAndDropped() {
    let fixture = Fixture(count: 16)
    for round in 0..<100 {
      let held = (0..<1_000).map { fixture.resource("\(round).\($0)") }
      #expect(fixture.registry.all.count <= 1_000 + 16)
      withExtendedLifetime(held) {}
    }
    #expect(fixture.registry.entries.count <= 1_000 + 32)
    fixture.registry.entries.checkInvariants()
  }

  @Test("Random observing keeps the limits and loses nothing", arguments: [1, 2, 3] as [UInt64])
  @MainActor func randomObserving(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixture = Fixture(count: 5)
    let observer = Observer()
    var observed: [String: ObjectIdentifier] = [:]
    for step in 0..<5_000 {
      let name = "\(Int.random(in: 0..<40, using: &random))"
      let resource = fixture.resource(name)
      if let known = observed[name] { #expect(known == ObjectIdentifier(resource)) }
      if random.chance(0.3) {
        resource.addObserver(observer)
        observed[name] = ObjectIdentifier(resource)
      } else if random.chance(0.5) {
        resource.removeObserver(observer)
        observed[name] = nil
      }
      fixture.registry.entries.checkInvariants()
      let count = fixture.registry.all.count
      guard fixture.kept.count <= 5, count >= observed.count, count <= observed.count + 6 else {
        Issue.record("seed \(seed) step \(step): \(fixture.kept.count) of \(count)")
        return
      }
    }
  }
}

/// Observes without holding anything.
private final class Observer: ResourceObserver {
  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {}
}

/// A registry that counts its looks, and the store of its resources.
private final class Fixture {
  let registry: Registry
  private let store: Store
  private let counter: Counter
  private final class Counter { var value = 0 }

  init(count: Int, isolation: isolated any Actor = #isolation) {
    let counter = Counter()
    self.counter = counter
    registry = Registry(limits: Service.RetentionLimits(resourceCount: count, byteCount: .max)) {
      counter.value += 1
      return $0.isObserved
    }
    store = Store(
      base: BaseURL("https://api.test"), transport: StubTransport(), clock: ManualClock(),
      isolation: StoreIsolation(isolation: isolation), registry: registry)
  }

  var looks: Int { counter.value }
  var kept: RegistryEntries.Ring { registry.entries.kept }

  func resource(_ name: String) -> AnyResource {
    store.resource(
      ResourceKey(url: "https://api.test/\(name)"), decoder: ContentDecoder<Data>.data)
  }
}
