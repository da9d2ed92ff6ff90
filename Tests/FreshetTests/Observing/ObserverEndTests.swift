import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The end of an observer while its list looks at it", .standardTimeLimit)
struct ObserverEndTests {
  /// Each read may hold the last reference: what that releases runs where the read ends.
  @Test("Whatever a list calls of an observer may call the list again")
  func reentrantCalls() async {
    await #expect(processExitsWith: .success) { reenter() }
  }

  @Test("An observer that its owner has kept may look for observers when it is deallocated")
  func keptByOwner() async {
    await #expect(processExitsWith: .success) {
      await StoreActor.plainActor.run { _ in
        let resource = ServiceFixture().text("a")
        var found: Bool?
        var owner: Owner? = Owner()
        do {
          let observer = EndingObserver { [unowned resource] in found = resource.isObserved }
          resource.addObserver(observer)
          resource.addObserver(observer, owner: owner)
        }
        precondition(found == nil && resource.isObserved)
        owner = nil
        _ = resource.isObserved
        precondition(owner == nil && found == false && !resource.isObserved)
      }
    }
  }

  @Test("All objects are found while the list notes their identities")
  func searchWhileNoting() {
    let list = ObserverList<Observation>()
    let observers = (0..<40).map { _ in ReentrantObservation(owner: nil) }
    var missing: [Int] = []
    for observer in observers {
      observer.onCall = { [unowned observer] in
        observer.onCall = {}
        missing += observers.indices.filter {
          $0 < 16 && list.serial(of: ObjectIdentifier(observers[$0])) == nil
        }
      }
      _ = list.append(observer)
    }
    #expect(missing == [])
    #expect(observers.allSatisfy { list.serial(of: ObjectIdentifier($0)) != nil })
  }

  @Test(
    "The last reference may be released on another thread while the actor checks for observers",
    .standardTimeLimit)
  func lastReferenceElsewhere() async {
    await #expect(processExitsWith: .success) {
      if #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) { await race() }
    }
  }
}

/// An observer that calls a closure when it is deallocated.
private final class EndingObserver: ResourceObserver {
  private let probe: DeinitProbe

  init(atEnd: @escaping () -> Void) { probe = DeinitProbe(onDeinit: atEnd) }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {}
}

/// An observer that performs an action whenever its list reads it.
private final class ReentrantObservation: Observation {
  var onCall: () -> Void = {}

  override var identity: ObjectIdentifier? {
    onCall()
    return ObjectIdentifier(self)
  }
  override var isAlive: Bool {
    onCall()
    return true
  }
  override func isOwned(by owner: AnyObject) -> Bool {
    onCall()
    return false
  }
  override func addOwner(_ owner: AnyObject) { onCall() }
  override func removeOwner(_ owner: AnyObject) -> Bool {
    onCall()
    return true
  }
}

private func reenter() {
  let list = ObserverList<Observation>()
  let observers = (0..<40).map { _ in ReentrantObservation(owner: nil) }
  let owner = Owner()
  for observer in observers { _ = list.append(observer) }
  var calls = 0
  for (index, observer) in observers.enumerated() {
    observer.onCall = { [unowned observer] in
      calls += 1
      observer.onCall = {}
      if index.isMultiple(of: 3) { _ = list.remove(index + 1) }
      _ = list.append(ReentrantObservation(owner: nil))
      list.sweep()
    }
  }
  precondition(list.hasLiving)
  precondition(!list.isAlive(1), "it has removed itself")
  precondition(list.isAlive(2))
  list.addOwner(owner, to: 3)
  _ = list.serial(of: ObjectIdentifier(owner))
  precondition(list.serials(ownedBy: owner).isEmpty)
  _ = list.expiredWhenCrowded()
  precondition(calls == 40)
}

@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
@MainActor private final class ReadingObserver: @MainActor ResourceObserver {
  private let resource: AnyResource

  init(_ resource: AnyResource) {
    self.resource = resource
    resource.addObserver(self)
  }

  isolated deinit { _ = resource.isObserved }

  func resourceChanged(_ resource: AnyResource, event: ResourceEvent) {}
}

/// Where the main actor puts an object whose last reference another thread drops.
@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
private final class ReferenceDropper: Sendable {
  // Not a `Mutex`, which the thread sanitizer does not see.
  private let object = Locked<ReadingObserver?>(nil)
  private let isDone = Locked(false)

  func give(_ given: ReadingObserver) { object.withLock { $0 = given } }
  func finish() { isDone.withLock { $0 = true } }

  func dropAll() {
    while !isDone.withLock({ $0 }) {
      var dropped: ReadingObserver?
      object.withLock { swap(&dropped, &$0) }
      // Or the main actor may wait long for the lock.
      if dropped == nil { sched_yield() }
    }
  }
}

@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
@MainActor private func race() async {
  let resource = ServiceFixture().text("a")
  let dropper = ReferenceDropper()
  Thread.detachNewThread { dropper.dropAll() }
  for _ in 0..<trialCount(3_000) {
    dropper.give(ReadingObserver(resource))
    while resource.isObserved {}
    await Task.yield()
  }
  dropper.finish()
}
