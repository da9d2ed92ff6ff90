import Freshet
import FreshetTesting
import Testing

@Suite("More of a list that has ended", .standardTimeLimit)
struct PagedCollectionMoreAfterEndTests {
  private func fixture(
    _ server: PagedServer, on actor: isolated any Actor = #isolation
  ) async -> (list: PagedCollection<Int>, clock: ManualClock, mirror: ListMirror<Int>) {
    let clock = ManualClock()
    let service = server.service(clock: clock)
    let list = server.list(in: service)
    let mirror = ListMirror<Int>()
    list.addObserver(mirror)
    list.loadAll()
    await list.settled()
    server.forget()
    mirror.forget()
    return (list, clock, mirror)
  }

  @Test(
    "A stale last page is asked whether there is more, and it alone", arguments: StoreActor.allCases
  )
  func nothingNew(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 4)
      let (list, clock, mirror) = await fixture(server)
      clock.advance(by: .seconds(31))
      list.loadMore()
      await list.settled()
      #expect(server.confirmed == [3] && server.fetched.isEmpty)
      #expect(list.state.description == "ended")
      #expect(list.items == server.items && mirror.changeCount == 0)
      #expect(mirror.failure == nil)
    }
  }

  @Test(
    "The list grows where the last page names another one by then", arguments: StoreActor.allCases)
  func grows(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 3)
      let (list, clock, mirror) = await fixture(server)
      server.change { $0.append([6, 7]) }
      clock.advance(by: .seconds(31))
      list.loadMore()
      await list.settled()
      #expect(server.fetched == [2, 3] && server.confirmed.isEmpty)
      #expect(list.items == server.items)
      list.loadMore()
      await list.settled()
      #expect(list.state.description == "ended")
      #expect(mirror.failure == nil)
    }
  }

  @Test("The list grows where the last page has become longer", arguments: StoreActor.allCases)
  func longerPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pages: [[0, 1], [2]])
      let (list, clock, mirror) = await fixture(server)
      server.change { $0[1] = [2, 3] }
      clock.advance(by: .seconds(31))
      list.loadMore()
      await list.settled()
      #expect(server.fetched == [1] && server.confirmed.isEmpty)
      #expect(list.items == [0, 1, 2, 3] && list.state.description == "ended")
      #expect(mirror.failure == nil)
    }
  }

  @Test("A fresh last page is believed", arguments: StoreActor.allCases)
  func fresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 3)
      let (list, clock, _) = await fixture(server)
      clock.advance(by: .seconds(29))
      list.loadMore()
      await list.settled()
      #expect(server.fetched.isEmpty && server.confirmed.isEmpty)
      #expect(list.state.description == "ended")
    }
  }
}

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

@Suite("What one demand may cost", .standardTimeLimit)
struct PagedCollectionBudgetTests {
  @Test("The first page is part of it", arguments: StoreActor.allCases, [1, 4])
  func firstPage(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<20).map { _ in [] } + [[1]]) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [1, 2, 3, 4])
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
      await fixture.loadMore()
      #expect(fixture.asked == [1, 2, 3, 4, 5, 6, 7, 8], "and of the next demand nothing is lost")
    }
  }

  @Test("It is the same toward the start", arguments: StoreActor.allCases, [1, 4])
  func backwards(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[9]] + (0..<18).map { _ in [] } + [[1]], startingAt: 20) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      fixture.list.loadIfNeeded()
      await fixture.settled()
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      #expect(fixture.asked == [19, 18, 17, 16])
      guard case .incomplete(let walk) = fixture.list.previousState else {
        Issue.record("the state is \(fixture.list.previousState)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
    }
  }

  @Test(
    "Pages that are asked for ahead are part of it", arguments: StoreActor.allCases, [1, 3, 8])
  func ahead(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      fixture.list.displayedCount = 30
      fixture.list.loadIfNeeded()
      await fixture.respondToAll()
      #expect(fixture.stub.requests.count == 4)
      #expect(fixture.list.items == Array(0..<8))
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
    }
  }
}
