import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Observing a resource", .standardTimeLimit)
struct ObserverTests {
  @Test("Only the new observer is notified that it was added", arguments: StoreActor.allCases)
  func addedEvent(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let (first, second) = (EventRecorder(), EventRecorder())
      resource.addObserver(first)
      resource.addObserver(second)
      resource.invalidate()
      #expect(first.events == [.observerAdded, .invalidated])
      #expect(second.events == [.observerAdded, .invalidated])
    }
  }

  @Test("The same object is added once", arguments: StoreActor.allCases)
  func addedOnce(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let (recorder, owner) = (EventRecorder(), Owner())
      resource.addObserver(recorder).addObserver(recorder).addObserver(recorder, owner: owner)
      resource.invalidate()
      #expect(recorder.events == [.observerAdded, .invalidated])
      resource.removeObserver(recorder)
      resource.invalidate()
      #expect(recorder.events == [.observerAdded, .invalidated])
      #expect(recorder.stopped.count == 1)
      resource.addObserver(recorder)
      #expect(recorder.events == [.observerAdded, .invalidated, .observerAdded])
    }
  }

  @Test("The same object is added once also among many", arguments: StoreActor.allCases)
  func addedOnceAmongMany(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let recorders = (0..<100).map { _ in EventRecorder() }
      for _ in 0..<2 { for recorder in recorders { resource.addObserver(recorder) } }
      for recorder in recorders.prefix(60) { resource.removeObserver(recorder) }
      for recorder in recorders { resource.addObserver(recorder) }
      resource.invalidate()
      let added: [ResourceEvent] = [.observerAdded, .observerAdded, .invalidated]
      #expect(recorders.prefix(60).allSatisfy { $0.events == added })
      #expect(recorders.dropFirst(60).allSatisfy { $0.events == [.observerAdded, .invalidated] })
    }
  }

  @Test("Delivery is in the order of insertion", arguments: StoreActor.allCases)
  func insertionOrder(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let owner = Owner()
      var received: [Int] = []
      for number in 0..<50 {
        resource.addObserver(owner: owner) { _, event in
          if event == .invalidated { received.append(number) }
        }
      }
      resource.invalidate()
      #expect(received == Array(0..<50))
    }
  }

  @Test(
    "An observer that is removed during a delivery receives nothing more",
    arguments: StoreActor.allCases)
  func removedDuringDelivery(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let (first, second, third) = (EventRecorder(), EventRecorder(), EventRecorder())
      for recorder in [first, second, third] { resource.addObserver(recorder) }
      first.onEvent = { resource, _ in
        resource.removeObserver(second)
        resource.removeObserver(first)
      }
      resource.invalidate()
      resource.invalidate()
      #expect(first.events == [.observerAdded, .invalidated])
      #expect(second.events == [.observerAdded])
      #expect(third.events == [.observerAdded, .invalidated, .invalidated])
      #expect(second.stopped.count == 1)
    }
  }

  @Test(
    "An observer that is added during a delivery receives only its own event",
    arguments: StoreActor.allCases
  )
  func addedDuringDelivery(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let (first, late) = (EventRecorder(), EventRecorder())
      resource.addObserver(first)
      first.onEvent = { [unowned first] resource, event in
        // The wipe has been posted before the observer is added, so it does not receive that
        // either.
        if event == .invalidated { resource.wipe() }
        resource.addObserver(late)
        first.onEvent = nil
      }
      resource.invalidate()
      #expect(first.events == [.observerAdded, .invalidated, .newData(.wipe)])
      #expect(late.events == [.observerAdded])
      resource.invalidate()
      #expect(late.events == [.observerAdded, .invalidated])
    }
  }

  @Test("A token ends its observation, by call or by its end", arguments: StoreActor.allCases)
  func tokens(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let owner = Owner()
      var events: [ResourceEvent] = []
      let first = resource.addObserver(owner: owner) { _, event in events.append(event) }
      first.cancel()
      first.cancel()
      var second: ObservationToken? = resource.observe { _, event in events.append(event) }
      resource.invalidate()
      second = nil
      resource.invalidate()
      #expect(events == [.observerAdded, .observerAdded, .invalidated])
      #expect(second == nil)
      #expect(!resource.isObserved)
    }
  }

  @Test(
    "A token that is cancelled in a delivery keeps the event from its closure, and may be its own",
    arguments: StoreActor.allCases, [true, false])
  func cancelledInDelivery(actor: StoreActor, isOwned: Bool) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let owner = Owner()
      var tokens: [ObservationToken] = []
      var received: [Int] = []
      for number in 0..<4 {
        let body = { (_: Resource<String>, event: ResourceEvent) in
          guard event == .invalidated else { return }
          received.append(number)
          // Its own one, one before it that has received the event, and one after it.
          if number == 1 { for token in tokens.prefix(3) { token.cancel() } }
        }
        tokens.append(
          isOwned ? resource.addObserver(owner: owner, body) : resource.observe(body))
      }
      resource.invalidate()
      #expect(received == [0, 1, 3])
      resource.invalidate()
      #expect(received == [0, 1, 3, 3])
      for token in tokens + tokens { token.cancel() }
      resource.invalidate()
      #expect(received == [0, 1, 3, 3])
      #expect(!resource.isObserved)
    }
  }

  @Test(
    "A token whose release does not end the observation can be discarded",
    arguments: StoreActor.allCases)
  func discardedTokens(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let paginator = fixture.service.paginator("items?page=:currentPage", of: Int.self)
      fixture.stub.on(.get, "/items?page=9", .status(500))
      let typed = fixture.service.resource("a", of: String.self)
      let untyped: AnyResource = fixture.service.resource("b", of: String.self)
      var owner: Owner? = Owner()
      var received: [String] = []
      if let owner {
        typed.addObserver(owner: owner) { _, event in received.append("a \(event)") }
        untyped.addObserver(owner: owner) { _, event in received.append("b \(event)") }
        fixture.list.addObserver(owner: owner) { _, event in received.append("list \(event)") }
        paginator.addObserver(owner: owner) { _, event in received.append("pages \(event)") }
        paginator.onSuccess(owner: owner) { _, items, _ in received.append("success \(items)") }
        paginator.onFailure(owner: owner) { _, error in received.append("failure \(error.kind)") }
      }
      #expect(received == ["a", "b", "list", "pages"].map { "\($0) observerAdded" })
      for isOwned in [true, false] {
        if !isOwned { owner = nil }
        received = []
        typed.invalidate()
        untyped.invalidate()
        fixture.list.refresh()
        await fixture.list.settled()
        for page in [1, 9] {
          try paginator.loadPage(page)
          await paginator.settled()
        }
        let names = Set(received.compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(names == (isOwned ? ["a", "b", "list", "pages", "success", "failure"] : []))
      }
      #expect(owner == nil)
    }
  }

  @Test("What a removed closure captured is released", arguments: StoreActor.allCases)
  func closuresAreReleased(actor: StoreActor) async {
    await actor.run { actor in
      let resource = ServiceFixture().text("a")
      let (owner, others) = (Owner(), (0..<5).map { _ in EventRecorder() })
      for other in others { resource.addObserver(other) }
      var captured: Owner? = Owner()
      let watched = Weak(captured)
      let token = resource.addObserver(owner: owner) { [captured] _, _ in _ = captured }
      captured = nil
      #expect(watched.object != nil)
      token.cancel()
      #expect(watched.object == nil)
    }
  }

  @Test(
    "An observer of a list that is removed before it is notified that it was added receives nothing",
    arguments: StoreActor.allCases)
  func removedBeforeAdded(actor: StoreActor) async {
    await actor.run { actor in
      let page = ServiceFixture().service.resource(
        "items", decoder: ContentDecoder<Page<Int>>.page(.auto))
      let owner = Owner()
      var list: PagedCollection<Int>?
      var token: ObservationToken?
      var received: [String] = []
      // Before the list is notified: the new observer waits while the list receives the change.
      page.addObserver(owner: owner) { _, event in
        guard event == .newData(.localOverride) else { return }
        token = list?.observe { _, event in received.append("\(event)") }
      }
      list = PagedCollection(firstPage: page)
      list?.addObserver(owner: owner) { _, event in
        if case .itemsChanged = event { token?.cancel() }
      }
      page.overrideLocalContent(Page(items: [1]))
      #expect(list?.items == [1])
      #expect(token != nil)
      #expect(received == [])
    }
  }
}
