import FreshetTesting
import Testing

@testable import Freshet

@Suite("The list of observers")
struct ObserverListTests {
  @Test("One that is added and removed again and again leaves nothing in the table of a long list")
  func addedAndRemoved() throws {
    let recorders = (0..<10_000).map { _ in EventRecorder() }
    let list = ObserverList<ResourceListener>()
    for recorder in recorders { _ = list.append(ResourceListener(recorder, owner: nil)) }
    for step in 0..<5_000 {
      let recorder = recorders[step % 3]
      let serial = try #require(list.serial(of: ObjectIdentifier(recorder)))
      #expect(list.remove(serial) != nil)
      #expect(list.serial(of: ObjectIdentifier(recorder)) == nil)
      if step.isMultiple(of: 100) { list.checkInvariants() }
      list.sweep()
      let added = list.append(ResourceListener(recorder, owner: nil))
      #expect(list.contains(added) && !list.contains(serial))
    }
    #expect(list.byIdentity?.count == 10_000)
    #expect(recorders.allSatisfy { list.serial(of: ObjectIdentifier($0)) != nil })
  }

  @Test(
    "To find one that exists, those that do not are looked at once, however many are removed",
    arguments: [true, false])
  func living(removesNewestFirst: Bool) {
    let (list, reads) = (ObserverList<Observation>(), Locked(0))
    for _ in 0..<1_000 { _ = list.append(CountedObservation(isAlive: false, reads)) }
    let living = (0..<1_000).map { _ in list.append(CountedObservation(isAlive: true, reads)) }
    for serial in removesNewestFirst ? living.reversed() : living {
      #expect(list.hasLiving)
      #expect(list.remove(serial) != nil)
      list.sweep()
    }
    #expect(!list.hasLiving)
    #expect(reads.withLock { $0 } < 10_000)
    list.checkInvariants()
  }

  @Test("Where many come and go in one delivery, which sweeps none, additions look at few")
  func withinDelivery() {
    let (list, reads) = (ObserverList<Observation>(), Locked(0))
    func add(isAlive: Bool) -> ObserverSerial {
      for expired in list.expiredWhenCrowded() { _ = list.remove(expired) }
      return list.append(CountedObservation(isAlive: isAlive, reads))
    }
    for _ in 0..<10 { _ = add(isAlive: true) }
    for _ in 0..<10_000 { _ = list.remove(add(isAlive: true)) }
    #expect(reads.withLock { $0 } < 1_000)
    #expect(list.sweep() == false)
    list.checkInvariants()
    // Nor do those that nothing keeps pile up after that.
    for _ in 0..<1_000 {
      _ = add(isAlive: false)
      list.sweep()
      #expect(list.endIndex < 100)
    }
    list.checkInvariants()
  }
}

/// An observer that counts how often a list asks whether it still has an owner.
private final class CountedObservation: Observation {
  private let result: Bool
  private let reads: Locked<Int>

  init(isAlive: Bool, _ reads: Locked<Int>) {
    (result, self.reads) = (isAlive, reads)
    super.init(owner: nil)
  }

  override var isAlive: Bool {
    reads.withLock { $0 += 1 }
    return result
  }
}
