import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Owners of observers", .standardTimeLimit)
struct ObserverOwnerTests {
  @Test("An observer without an owner is held weakly", arguments: StoreActor.allCases)
  func heldWeakly(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      var recorder: EventRecorder? = EventRecorder()
      let watched = Weak(recorder)
      if let recorder { resource.addObserver(recorder) }
      #expect(resource.isObserved)
      recorder = nil
      #expect(watched.object == nil)
      #expect(!resource.isObserved)
      resource.invalidate()
    }
  }

  @Test(
    "An observer stays until its last owner is deallocated, and is notified",
    arguments: StoreActor.allCases)
  func lastOwner(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      var (one, two): (Owner?, Owner?) = (Owner(), Owner())
      var log: [String] = []
      var recorder: LoggingObserver? = LoggingObserver { log.append($0) }
      let watched = Weak(recorder)
      if let recorder {
        resource.addObserver(recorder, owner: one).addObserver(recorder, owner: two)
      }
      recorder = nil
      one = nil
      resource.invalidate()
      #expect(log == ["observerAdded", "invalidated"])
      #expect(resource.isObserved)
      two = nil
      #expect(!resource.isObserved)
      resource.invalidate()
      #expect(log == ["observerAdded", "invalidated", "stopped", "deallocated"])
      #expect(watched.object == nil)
      #expect(one == nil && two == nil)
    }
  }

  @Test("Removing owners removes what they alone own", arguments: StoreActor.allCases)
  func removeOwned(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let (one, two) = (Owner(), Owner())
      var log: [String] = []
      resource.addObserver(LoggingObserver { log.append("A \($0)") }, owner: one)
      let shared = LoggingObserver { log.append("B \($0)") }
      resource.addObserver(shared, owner: one).addObserver(shared, owner: two)
      resource.addObserver(owner: one) { _, event in log.append("C \(event)") }
      log = []
      resource.removeObservers(ownedBy: one)
      #expect(log == ["A stopped", "A deallocated"])
      resource.invalidate()
      #expect(log == ["A stopped", "A deallocated", "B invalidated"])
      resource.removeObservers(ownedBy: two)
      #expect(log.last == "B stopped")
      #expect(!resource.isObserved)
    }
  }

  @Test("Of several owners, each may be removed, in any order", arguments: StoreActor.allCases)
  func removeOneOwner(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]] {
        let owners = [Owner(), Owner(), Owner()]
        let recorder = EventRecorder()
        for owner in owners { resource.addObserver(recorder, owner: owner) }
        for (step, index) in order.enumerated() {
          resource.removeObservers(ownedBy: Owner())
          resource.removeObservers(ownedBy: owners[index])
          #expect(resource.isObserved == (step < 2), "\(order)")
          #expect(recorder.stopped.count == (step < 2 ? 0 : 1), "\(order)")
        }
      }
    }
  }

  @Test(
    "An observer that owns itself is released by the last owner besides",
    arguments: StoreActor.allCases)
  func removeOwnerBeside(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let owner = Owner()
      var recorder: EventRecorder? = EventRecorder()
      let watched = Weak(recorder)
      if let recorder { resource.addObserver(recorder).addObserver(recorder, owner: owner) }
      resource.removeObservers(ownedBy: owner)
      #expect(resource.isObserved && recorder?.stopped.isEmpty == true)
      recorder = nil
      #expect(watched.object == nil)
      #expect(!resource.isObserved)
    }
  }

  @Test(
    "It is released also where that owner was deallocated, without an event",
    arguments: StoreActor.allCases)
  func releaseOwnerBeside(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      var owner: Owner? = Owner()
      var recorder: EventRecorder? = EventRecorder()
      let watched = Weak(recorder)
      if let recorder { resource.addObserver(recorder).addObserver(recorder, owner: owner) }
      owner = nil
      recorder = nil
      #expect(!resource.isObserved)
      #expect(watched.object == nil && owner == nil)
    }
  }

  @Test(
    "An observer that no longer owns itself stays for its other owner",
    arguments: StoreActor.allCases)
  func removeSelf(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      var owner: Owner? = Owner()
      let recorder = EventRecorder()
      resource.addObserver(recorder).addObserver(recorder, owner: owner)
      resource.removeObservers(ownedBy: recorder)
      resource.invalidate()
      #expect(recorder.events == [.observerAdded, .invalidated])
      owner = nil
      resource.invalidate()
      #expect(recorder.events == [.observerAdded, .invalidated])
      #expect(recorder.stopped.count == 1)
      #expect(owner == nil)
    }
  }

  @Test(
    "Objects that others own stay when another observer is removed", arguments: StoreActor.allCases)
  func removeStranger(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let (first, second) = (EventRecorder(), EventRecorder())
      resource.addObserver(first).addObserver(second)
      resource.removeObservers(ownedBy: first)
      resource.invalidate()
      #expect(first.events == [.observerAdded])
      #expect(second.events == [.observerAdded, .invalidated])
    }
  }

  @Test(
    "A token that is dropped takes its closure with it, and what that captured",
    arguments: StoreActor.allCases)
  func droppedToken(actor: StoreActor) async {
    await actor.run { actor in
      let list = ServiceFixture().service.resource(
        "items", decoder: ContentDecoder<Page<Int>>.page(.auto))
      var resource: Resource<String>? = ServiceFixture().text("a")
      var pages: PagedCollection<Int>? = PagedCollection(firstPage: list)
      let watched = (Weak(resource), Weak(pages))
      var received: [String] = []
      var tokens = [
        resource?.observe { [resource] _, event in received.append("\(event) \(resource == nil)") },
        pages?.observe { [pages] _, event in received.append("\(event) \(pages == nil)") },
      ]
      (resource, pages) = (nil, nil)
      watched.0.object?.invalidate()
      #expect(received == ["observerAdded false", "observerAdded false", "invalidated false"])
      tokens = []
      #expect(watched.0.object == nil)
      #expect(watched.1.object == nil)
      #expect(tokens.isEmpty)
    }
  }

  @Test(
    "An observer that is its own owner is removed as an owner too", arguments: StoreActor.allCases)
  func ownOwner(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      resource.removeObservers(ownedBy: recorder)
      resource.invalidate()
      #expect(recorder.events == [.observerAdded])
      #expect(recorder.stopped.count == 1)
    }
  }

  @Test("An observer that owns itself is never kept alive by that", arguments: StoreActor.allCases)
  func ownOwnerTwice(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      var recorder: EventRecorder? = EventRecorder()
      var owner: Owner? = Owner()
      let watched = Weak(recorder)
      if let recorder {
        resource.addObserver(recorder, owner: owner)
        resource.addObserver(recorder, owner: recorder).addObserver(recorder)
      }
      owner = nil
      resource.invalidate()
      recorder = nil
      #expect(watched.object == nil)
      #expect(owner == nil)
    }
  }

  @Test(
    "An observer that is added again after its owner was deallocated is a new one",
    arguments: StoreActor.allCases)
  func comesBack(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let recorder = EventRecorder()
      var owner: Owner? = Owner()
      resource.addObserver(recorder, owner: owner)
      owner = nil
      resource.addObserver(recorder)
      resource.invalidate()
      #expect(recorder.events == [.observerAdded, .observerAdded, .invalidated])
      #expect(recorder.stopped.count == 1)
      #expect(owner == nil)
    }
  }

  @Test(
    "A new observer at the address of a dead one is a new observer", arguments: StoreActor.allCases)
  func addressReuse(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      var addresses: Set<ObjectIdentifier> = []
      for _ in 0..<1_000 {
        let recorder = EventRecorder()
        addresses.insert(ObjectIdentifier(recorder))
        resource.addObserver(recorder)
        #expect(recorder.events == [.observerAdded])
      }
      #expect(addresses.count < 1_000, "No address was used again; the test shows nothing")
      #expect(!resource.isObserved)
    }
  }

  @Test(
    "Observers that nothing keeps do not pile up without events", arguments: StoreActor.allCases)
  func expiredObserversAreRemoved(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      for _ in 0..<10_000 { resource.addObserver(owner: Owner()) { _, _ in } }
      #expect(resource.observers.endIndex < 100)
      resource.invalidate()
      #expect(recorder.events == [.observerAdded, .invalidated])
    }
  }

  @Test(
    "Lists hold an observer for its owners too, and weakly without one",
    arguments: StoreActor.allCases)
  func observersOfLists(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let list = service.pages("a", of: Int.self, style: .linkHeader)
      let paginator = service.paginator("a?p=:currentPage", of: Int.self)
      var (one, two): (Owner?, Owner?) = (Owner(), Owner())
      var log: [String] = []
      var observer: LoggingObserver? = LoggingObserver { log.append($0) }
      if let observer {
        list.addObserver(observer).addObserver(observer, owner: one)
        list.addObserver(observer, owner: two)
        paginator.addObserver(observer, owner: two)
      }
      #expect(log == ["list: observerAdded", "paginator: observerAdded"])
      observer = nil
      one = nil
      log = []
      list.emit(.invalidated)
      paginator.emit(.slotsChanged)
      #expect(log == ["list: invalidated", "paginator: slotsChanged"])
      log = []
      list.removeObservers(ownedBy: two ?? Owner())
      #expect(log == [])
      two = nil
      list.emit(.invalidated)
      paginator.emit(.slotsChanged)
      list.emit(.invalidated)
      #expect(log == ["list: invalidated", "deallocated"])
      #expect(!list.hasObservers && !paginator.hasObservers)
      #expect(one == nil && two == nil)
    }
  }

  /// Records what it receives, and when it is deallocated.
  private final class LoggingObserver: ResourceObserver, PagedCollectionObserver, PaginatorObserver
  {
    private let log: (String) -> Void
    init(_ log: @escaping (String) -> Void) { self.log = log }
    deinit { log("deallocated") }
    func resourceChanged(_ resource: AnyResource, event: ResourceEvent) { log("\(event)") }
    func stoppedObserving(_ resource: AnyResource) { log("stopped") }
    func collectionChanged(_ list: PagedCollection<Int>, event: PagedCollectionEvent<Int>) {
      log("list: \(event)")
    }
    func paginatorChanged(_ paginator: Paginator<Int>, event: PaginatorEvent) {
      log("paginator: \(event)")
    }
  }
}
