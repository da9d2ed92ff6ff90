import Freshet
import FreshetTesting
import Testing

@Suite("Invalidations of a list on the screen", .standardTimeLimit)
struct PagedCollectionInvalidationTests {
  @Test(
    "They are an event, once for each call however many pages",
    arguments: StoreActor.allCases, [false, true])
  func event(actor: StoreActor, reloads: Bool) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.reloadsWhenInvalidated = reloads }
      await fixture.loadAll()
      fixture.service.invalidate(matching: "items")
      #expect(fixture.mirror.invalidationCount == 1)
      await fixture.list.settled()
      fixture.service.invalidate()
      #expect(fixture.mirror.invalidationCount == 2)
      await fixture.list.settled()
      fixture.page(2).invalidate()
      #expect(fixture.mirror.invalidationCount == 3)
      await fixture.list.settled()
      #expect(fixture.mirror.invalidationCount == 3)
      fixture.service.invalidate(matching: "others")
      #expect(fixture.mirror.invalidationCount == 3)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("An observed list loads again and shows what has changed", arguments: StoreActor.allCases)
  func reloads(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.serve([[1], [22], [3], [4]])
      fixture.service.invalidate(matching: "items")
      #expect(fixture.list.isLoading)
      await fixture.list.settled()
      #expect(fixture.asked.starts(with: [1, 2, 3]))
      #expect(fixture.list.items.starts(with: [1, 22, 3]))
      #expect(!fixture.list.state.description.hasPrefix("ended"), "the last page names another one")
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 22, 3, 4])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("Of several pages those are loaded that were invalidated", arguments: StoreActor.allCases)
  func onePage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...10).map { [$0] })
      await fixture.loadAll()
      fixture.serve(7, [77], next: "/items?page=8")
      fixture.page(7).invalidate()
      await fixture.list.settled()
      #expect(fixture.asked == [7])
      #expect(fixture.list.items == [1, 2, 3, 4, 5, 6, 77, 8, 9, 10])
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test("A list without observers reloads nothing automatically", arguments: StoreActor.allCases)
  func unobserved(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      fixture.list.removeObserver(fixture.mirror)
      fixture.serve([[1], [22]])
      fixture.service.invalidate(matching: "items")
      #expect(!fixture.list.isLoading)
      await fixture.list.settled()
      #expect(fixture.asked.isEmpty && fixture.list.items == [1, 2])
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [1, 22])
    }
  }

  @Test("By option it is an event only, and loads nothing", arguments: StoreActor.allCases)
  func eventOnly(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]]) { $0.reloadsWhenInvalidated = false }
      await fixture.loadAll()
      fixture.service.invalidate(matching: "items")
      #expect(fixture.mirror.invalidationCount == 1)
      #expect(!fixture.list.isLoading)
      await fixture.list.settled()
      #expect(fixture.asked.isEmpty)
    }
  }

  @Test(
    "An observer that loads the list itself causes no second load", arguments: StoreActor.allCases)
  func observerLoads(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      fixture.mirror.onEvent = { list, event in
        if case .invalidated = event { list.loadIfNeeded() }
      }
      fixture.service.invalidate(matching: "items")
      await fixture.list.settled()
      #expect(fixture.asked == [1, 2])
      #expect(fixture.mirror.invalidationCount == 1)
    }
  }

  @Test("A list without a demand stays idle", arguments: StoreActor.allCases)
  func notStarted(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      fixture.service.invalidate()
      #expect(!fixture.list.isLoading)
      await fixture.list.settled()
      #expect(fixture.asked.isEmpty)
    }
  }

  @Test("An invalidation during a load survives it", arguments: StoreActor.allCases)
  func duringLoad(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.refresh()
      await gate.arrived()
      fixture.service.invalidate(matching: "items")
      gate.release(with: PageListFixture.response([1], next: "/items?page=2"))
      fixture.serve([[11], [22]])
      await fixture.list.settled()
      #expect(fixture.list.items == [11, 22])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("So does one while a page before the first is loading", arguments: StoreActor.allCases)
  func duringLoadAtStart(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3]], startingAt: 2)
      fixture.list.loadAll()
      await fixture.settled()
      let gate = fixture.fixture.stub.hold(.get, "/items?page=1")
      fixture.list.loadPreviousPage()
      await gate.arrived()
      fixture.fixture.service.invalidate(matching: "items")
      gate.release(with: PageListFixture.response([1], next: "/items?page=2"))
      fixture.serve([[11], [22], [33]])
      await fixture.list.settled()
      #expect(fixture.list.items == [11, 22, 33])
      #expect(fixture.asked == [1, 1, 2, 3], "each once after the invalidation")
      let isStale = fixture.list.pages.contains { !$0.isUpToDate }
      #expect(!isStale && fixture.mirror.failure == nil)
    }
  }
}
