import FreshetTesting
import Testing

@testable import Freshet

@Suite("Events of a list of pages", .standardTimeLimit)
struct PagedCollectionEventTests {
  @Test("Every page that comes is one change", arguments: StoreActor.allCases)
  func oneEventPerChange(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3], [4]])
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.mirror.changeCount == 3)
      #expect(fixture.mirror.states == ["loading", "ended"])
      #expect(fixture.mirror.copy == [1, 2, 3, 4])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Only what differs is in a change, and what is equal is none", arguments: StoreActor.allCases)
  func onlyDifferences(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2, 3], [4]])
      await fixture.loadAll()
      let recorder = PagedCollectionRecorder<Int>()
      fixture.list.addObserver(recorder)
      fixture.page(1).updateContent { $0.items = [1, 9, 3] }
      fixture.page(2).load()
      await fixture.page(2).load().completed()
      #expect(recorder.lines == ["observerAdded", "itemsChanged(1..<2 → [9])"], "\(recorder)")
    }
  }

  @Test("An owner removes what it owns here, itself too", arguments: StoreActor.allCases)
  func removesByOwner(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      let (owner, other) = (ListMirror<Int>(), ListMirror<Int>())
      var received: [String] = []
      fixture.list.addObserver(owner: owner) { _, _ in received.append("own") }
      fixture.list.addObserver(owner: other) { _, _ in received.append("other") }
      received = []
      let changes = fixture.mirror.changeCount
      fixture.list.removeObservers(ownedBy: owner)
      fixture.list.removeObservers(ownedBy: fixture.mirror)
      fixture.page(1).updateContent { $0.items = [9] }
      #expect(received == ["other"])
      #expect(fixture.mirror.changeCount == changes)
      withExtendedLifetime((owner, other)) {}
    }
  }

  @Test(
    "Changes made together come as one event, with splices to apply in order",
    arguments: StoreActor.allCases)
  func changesTogether(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.reloadsWhenInvalidated = false }
      await fixture.loadAll()
      let token = fixture.page(2).observe { _, event in
        guard event == .invalidated else { return }
        for number in 1...3 { fixture.page(number).updateContent { $0.items.append(number * 10) } }
      }
      fixture.page(2).invalidate()
      #expect(fixture.mirror.changeCount == 1)
      #expect(fixture.mirror.copy == [1, 10, 2, 20, 3, 30])
      #expect(fixture.mirror.failure == nil)
      token.cancel()
    }
  }

  @Test(
    "An observer added during a delivery begins with the list as it is then",
    arguments: StoreActor.allCases)
  func addedDuringDelivery(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      var late: [ListMirror<Int>] = []
      fixture.mirror.onEvent = { list, _ in
        guard late.count < 20 else { return }
        let mirror = ListMirror<Int>()
        late.append(mirror)
        list.firstPage.updateContent { $0.items.append(late.count) }
        list.addObserver(mirror)
        list.firstPage.updateContent { $0.items.append(late.count) }
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      await fixture.refresh()
      #expect(late.count > 5)
      for mirror in late + [fixture.mirror] {
        #expect(mirror.failure == nil)
        #expect(mirror.copy == fixture.list.items)
      }
    }
  }

  @Test(
    "A state is delivered after the changes that came before it", arguments: StoreActor.allCases)
  func statesAfterChanges(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.refresh()
      await gate.arrived()
      // The write cancels the load and changes the items, in one turn.
      fixture.page(1).overrideLocalContent(Page(items: [5, 6]))
      await fixture.list.settled()
      #expect(fixture.mirror.failure == nil)
      #expect(fixture.mirror.copy == [5, 6])
    }
  }

  @Test("An observer may remove itself, and receives nothing more", arguments: StoreActor.allCases)
  func removesItself(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.mirror.onEvent = { [unowned mirror = fixture.mirror] list, event in
        if case .itemsChanged = event { list.removeObserver(mirror) }
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.mirror.copy == [1])
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test("An observer may refresh", arguments: StoreActor.allCases)
  func refreshesFromWithin(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      var refreshes = 0
      fixture.mirror.onEvent = { list, event in
        switch event {
        case .stateChanged(.ended), .refreshStateChanged(.idle):
          guard refreshes < 3 else { return }
          refreshes += 1
          list.refresh()
        default: break
        }
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.asked == [1, 2, 1, 2, 1, 2, 1, 2])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "An observer may wipe the service, and nothing is loaded by itself",
    arguments: StoreActor.allCases)
  func wipesFromWithin(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.mirror.onEvent = { list, event in
        if case .itemsChanged = event, list.items == [1, 2] { fixture.service.wipe() }
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items.isEmpty && fixture.mirror.copy == [])
      #expect(fixture.list.state.description == "idle")
      #expect(fixture.mirror.failure == nil)
      fixture.mirror.onEvent = nil
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [1])
    }
  }

  @Test(
    "After a log-out no error of a refresh remains, and no date",
    arguments: StoreActor.allCases, [2, 3])
  func wipesErrorsAndDates(actor: StoreActor, failing: Int) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      await fixture.list.refreshAndWait()
      fixture.fail(failing)
      await fixture.refresh()
      #expect(fixture.list.latestError != nil)
      #expect(fixture.list.lastLoadDate != nil && fixture.list.lastRefreshDate != nil)
      fixture.mirror.forget()
      fixture.service.wipe()
      #expect(fixture.list.refreshState == .idle && fixture.list.latestError == nil)
      #expect(fixture.list.lastLoadDate == nil && fixture.list.lastRefreshDate == nil)
      #expect(ResourceStatus(of: fixture.list).phase == .idle)
      fixture.stub.forgetRequests()
      await fixture.retry()
      #expect(fixture.asked.isEmpty, "nothing has failed")
      fixture.serve([[1], [2], [3]])
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3] && fixture.list.isEnded)
      #expect(fixture.list.lastLoadDate != nil && fixture.list.lastRefreshDate == nil)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "After a log-out the list has neither ended nor failed at its end",
    arguments: StoreActor.allCases, [2, nil])
  func wipesEnd(actor: StoreActor, failing: Int?) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      if let failing { fixture.fail(failing) }
      await fixture.loadAll()
      #expect((fixture.list.state == .ended) == (failing == nil))
      #expect((fixture.list.latestError == nil) == (failing == nil))
      fixture.mirror.forget()
      fixture.service.wipe()
      #expect(fixture.list.state == .idle && fixture.list.latestError == nil)
      #expect(fixture.mirror.states == ["idle"])
    }
  }

  @Test(
    "The error of a refresh stays where only a later page is wiped", arguments: StoreActor.allCases)
  func wipesAnotherPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.fail(2)
      await fixture.refresh()
      fixture.page(3).wipe()
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      fixture.page(2).wipe()
      #expect(fixture.list.refreshState == .idle && fixture.list.items == [1])
      #expect(fixture.list.lastLoadDate != nil, "that of the first page")
      fixture.serve([[1], [2], [3]])
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test(
    "The error of the page before the first one ends with a wipe of that page, or of the first one",
    arguments: StoreActor.allCases, [1, 2, 3, nil])
  func wipesPreviousError(actor: StoreActor, wiped: Int?) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3]], startingAt: 2)
      await fixture.loadedWithFailedPrevious()
      #expect(fixture.list.previousState.description == "failed(page -1, http)")
      if let wiped { fixture.fixture.page(wiped).wipe() } else { fixture.fixture.service.wipe() }
      let stays = wiped == 3
      #expect(fixture.list.previousState.description == (stays ? "failed(page -1, http)" : "idle"))
      #expect((fixture.list.latestError != nil) == stays)
      fixture.fixture.clock.advance(by: .seconds(2))
      fixture.serve([[1], [2], [3]])
      fixture.list.loadAll()
      await fixture.settled()
      fixture.list.loadPreviousPage()
      await fixture.settled()
      #expect(fixture.list.items == [1, 2, 3] && fixture.list.previousState == .ended)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A demand after a wipe in the same turn is met", arguments: StoreActor.allCases)
  func asksAfterWipe(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      let token = fixture.page(1).observe { _, event in
        guard event == .invalidated else { return }
        fixture.service.wipe()
        fixture.list.loadIfNeeded()
      }
      fixture.page(1).invalidate()
      #expect(fixture.list.state.isLoading)
      await fixture.list.settled()
      #expect(fixture.list.items == [1])
      #expect(fixture.mirror.failure == nil)
      token.cancel()
    }
  }
}
