import Freshet
import FreshetTesting
import Testing

@Suite("More of a list that has ended")
struct PagedCollectionMoreAfterEndTests {
  private func scene(
    _ server: PagedServer, on home: isolated any Actor = #isolation
  ) async -> (list: PagedCollection<Int>, clock: ManualClock, mirror: ListMirror<Int>) {
    let clock = ManualClock()
    let service = Service(baseURL: "https://api.test", transport: server.transport, clock: clock)
    let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
    let mirror = ListMirror<Int>()
    list.addObserver(mirror)
    list.loadAll()
    await list.settled()
    server.forget()
    mirror.forget()
    return (list, clock, mirror)
  }

  @Test("A stale last page is asked whether there is more, and it alone", arguments: Home.allCases)
  func nothingNew(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 4)
      let (list, clock, mirror) = await scene(server)
      clock.advance(by: .seconds(31))
      list.loadMore()
      await list.settled()
      #expect(server.confirmed == [3] && server.fetched.isEmpty)
      #expect(list.state.description == "ended")
      #expect(list.items == server.items && mirror.changeCount == 0)
      #expect(mirror.failure == nil)
    }
  }

  @Test("The list grows where the last page names another one by then", arguments: Home.allCases)
  func grows(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 3)
      let (list, clock, mirror) = await scene(server)
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

  @Test("The list grows where the last page has become longer", arguments: Home.allCases)
  func longerPage(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pages: [[0, 1], [2]])
      let (list, clock, mirror) = await scene(server)
      server.change { $0[1] = [2, 3] }
      clock.advance(by: .seconds(31))
      list.loadMore()
      await list.settled()
      #expect(server.fetched == [1] && server.confirmed.isEmpty)
      #expect(list.items == [0, 1, 2, 3] && list.state.description == "ended")
      #expect(mirror.failure == nil)
    }
  }

  @Test("A fresh last page is believed", arguments: Home.allCases)
  func fresh(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 3)
      let (list, clock, _) = await scene(server)
      clock.advance(by: .seconds(29))
      list.loadMore()
      await list.settled()
      #expect(server.fetched.isEmpty && server.confirmed.isEmpty)
      #expect(list.state.description == "ended")
    }
  }
}

@Suite("When a list was last loaded")
struct PagedCollectionLastLoadedTests {
  @Test("It is the date of the newest load of any page", arguments: Home.allCases)
  func loads(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      #expect(scene.list.lastLoaded == nil)
      scene.list.loadIfNeeded()
      #expect(scene.list.lastLoaded == nil)
      await scene.list.settled()
      #expect(scene.list.lastLoaded == scene.clock.date)
      #expect(scene.list.lastRefreshed == nil)
      scene.clock.advance(by: .seconds(5))
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.lastLoaded == scene.clock.date)
      let date = scene.clock.date
      scene.clock.advance(by: .seconds(5))
      scene.fail(1)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.lastLoaded == date, "a failure is no load")
      await scene.page(2).load().ended()
      #expect(scene.list.lastLoaded == scene.clock.date, "whoever loads the page")
      #expect(scene.list.lastRefreshed == nil)
    }
  }

  @Test(
    "What was loaded before the list began has its date, though it is stale",
    arguments: Home.allCases)
  func stale(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      let date = scene.clock.date
      scene.clock.advance(by: .seconds(40))
      scene.fail(1)
      let later = scene.service.pages("items?page=1", of: Int.self, style: .linkHeader)
      later.loadIfNeeded()
      #expect(later.items == [1] && later.lastLoaded == date)
      await later.settled()
      #expect(later.items == [1] && later.lastLoaded == date)
    }
  }

  @Test("A confirmation by the server counts as well", arguments: Home.allCases)
  func confirmations(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 2)
      let clock = ManualClock()
      let service = Service(baseURL: "https://api.test", transport: server.transport, clock: clock)
      let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.lastLoaded == clock.date)
      clock.advance(by: .seconds(40))
      list.loadIfNeeded()
      await list.settled()
      #expect(server.confirmed == [0, 1])
      #expect(list.lastLoaded == clock.date && list.lastRefreshed == nil)
    }
  }
}

@Suite("What one demand may cost")
struct PagedCollectionBudgetTests {
  @Test("The first page is part of it", arguments: Home.allCases, [1, 4])
  func firstPage(home: Home, concurrentLoads: Int) async throws {
    await home.run { home in
      let scene = PageListScene((0..<20).map { _ in [] } + [[1]]) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 3, 4])
      guard case .incomplete(let walk) = scene.list.state else {
        Issue.record("the state is \(scene.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 3, 4, 5, 6, 7, 8], "and of the next demand nothing is lost")
    }
  }

  @Test("It is the same toward the start", arguments: Home.allCases, [1, 4])
  func backwards(home: Home, concurrentLoads: Int) async throws {
    await home.run { home in
      let scene = TwoWayScene([[9]] + (0..<18).map { _ in [] } + [[1]], startingAt: 20) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      scene.list.loadIfNeeded()
      await scene.settled()
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.asked == [19, 18, 17, 16])
      guard case .incomplete(let walk) = scene.list.previousState else {
        Issue.record("the state is \(scene.list.previousState)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
    }
  }

  @Test(
    "Pages that are asked for ahead are part of it", arguments: Home.allCases, [1, 3, 8])
  func ahead(home: Home, concurrentLoads: Int) async throws {
    await home.run { home in
      let server = CountedServer(itemCount: 40)
      let scene = CountedScene(server, .pageNumber) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      scene.list.displayedCount = 30
      scene.list.loadIfNeeded()
      await scene.settle()
      #expect(scene.stub.requests.count == 4)
      #expect(scene.list.items == Array(0..<8))
      guard case .incomplete(let walk) = scene.list.state else {
        Issue.record("the state is \(scene.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
    }
  }
}
