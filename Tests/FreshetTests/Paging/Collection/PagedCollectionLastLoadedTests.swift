import Freshet
import FreshetTesting
import Testing

@Suite("When a list was last loaded", .standardTimeLimit)
struct PagedCollectionLastLoadedTests {
  @Test("It is the date of the newest load of any page", arguments: StoreActor.allCases)
  func loads(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      #expect(fixture.list.lastLoadDate == nil)
      fixture.list.loadIfNeeded()
      #expect(fixture.list.lastLoadDate == nil)
      await fixture.list.settled()
      #expect(fixture.list.lastLoadDate == fixture.clock.date)
      #expect(fixture.list.lastRefreshDate == nil)
      fixture.clock.advance(by: .seconds(5))
      await fixture.loadMore()
      #expect(fixture.list.lastLoadDate == fixture.clock.date)
      let date = fixture.clock.date
      fixture.clock.advance(by: .seconds(5))
      fixture.fail(1)
      await fixture.refresh()
      #expect(fixture.list.lastLoadDate == date, "a failure is no load")
      await fixture.page(2).load().completed()
      #expect(fixture.list.lastLoadDate == fixture.clock.date, "whoever loads the page")
      #expect(fixture.list.lastRefreshDate == nil)
    }
  }

  @Test(
    "What was loaded before the list began has its date, though it is stale",
    arguments: StoreActor.allCases)
  func stale(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      let date = fixture.clock.date
      fixture.clock.advance(by: .seconds(40))
      fixture.fail(1)
      let later = fixture.service.pages("items?page=1", of: Int.self, style: .linkHeader)
      later.loadIfNeeded()
      #expect(later.items == [1] && later.lastLoadDate == date)
      await later.settled()
      #expect(later.items == [1] && later.lastLoadDate == date)
    }
  }

  @Test(
    "A local write is no load, also where the list looks at its page",
    arguments: StoreActor.allCases)
  func localWrite(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      let date = fixture.clock.date
      fixture.clock.advance(by: .seconds(5))
      fixture.page(2).overrideLocalContent(Page(items: [3], style: .linkHeader))
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 3] && fixture.list.lastLoadDate == date)
    }
  }

  @Test("A confirmation by the server counts as well", arguments: StoreActor.allCases)
  func confirmations(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 2)
      let clock = ManualClock()
      let service = server.service(clock: clock)
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      #expect(list.lastLoadDate == clock.date)
      clock.advance(by: .seconds(40))
      list.loadIfNeeded()
      await list.settled()
      #expect(server.confirmed == [0, 1])
      #expect(list.lastLoadDate == clock.date && list.lastRefreshDate == nil)
    }
  }
}
