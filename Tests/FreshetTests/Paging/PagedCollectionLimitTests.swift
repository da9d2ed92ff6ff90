import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Limits of a list of pages")
struct PagedCollectionLimitTests {
  private func reason(_ list: PagedCollection<Int>) -> IncompleteWalk.Reason? {
    guard case .incomplete(let walk) = list.state else { return nil }
    return walk.reason
  }

  @Test(
    "A demand that brings nothing stops after its budget, and the next one goes on",
    arguments: Home.allCases)
  func budget(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1]] + (0..<9).map { _ in [] } + [[2]]) { $0.requestBudget = 4 }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(reason(scene.list) == nil)
      scene.list.loadMore()
      await scene.list.settled()
      #expect(reason(scene.list) == .requestBudget(4))
      #expect(scene.asked == [1, 2, 3, 4, 5])
      scene.list.loadMore()
      await scene.list.settled()
      #expect(reason(scene.list) == .requestBudget(4))
      #expect(scene.asked.count == 9)
      scene.list.displayedCount = 2
      await scene.list.settled()
      #expect(scene.list.items == [1, 2] && scene.asked.count == 11)
    }
  }

  @Test("A list that is asked for again goes on behind its budget", arguments: Home.allCases)
  func loadIfNeededGoesOn(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((0..<6).map { _ in [] } + [[2]]) { $0.requestBudget = 4 }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(reason(scene.list) == .requestBudget(4) && scene.asked.count == 5)
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [2])
    }
  }

  @Test("The budget is fifty pages, and the whole list has none", arguments: Home.allCases)
  func standard(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1]] + (0..<80).map { _ in [] } + [[2]])
      scene.list.loadIfNeeded()
      scene.list.loadMore()
      await scene.list.settled()
      #expect(reason(scene.list) == .requestBudget(50) && scene.asked.count == 51)
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test("More items than allowed are incomplete", arguments: Home.allCases)
  func itemLimit(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1, 2], [3, 4], [5]]) { $0.itemLimit = 3 }
      await scene.loadAll()
      #expect(reason(scene.list) == .itemLimit(3))
      #expect(scene.list.items == [1, 2, 3, 4])
      scene.list.loadMore()
      #expect(!scene.list.isLoading)
    }
  }

  @Test(
    "A request that was made before is a further page where that is allowed",
    arguments: Home.allCases)
  func repeatedPages(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([]) { $0.allowsRepeatedPages = true }
      // A server that remembers how far the client has read.
      let link = "/items?page=1"
      scene.stub.on(
        .get, link, PageListScene.answer([1], next: link), PageListScene.answer([2], next: link),
        PageListScene.answer([3], next: nil))
      await scene.loadAll()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }
}

@Suite("Refreshes of a list of pages")
struct PagedCollectionRefreshTests {
  @Test("A refresh of stale pages asks for those only", arguments: Home.allCases)
  func stale(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.list.refresh(.stale)
      #expect(!scene.list.isLoading && scene.list.lastRefreshed != nil)
      scene.page(2).invalidate()
      scene.list.refresh(.stale)
      await scene.list.settled()
      #expect(scene.asked == [2])
    }
  }

  @Test("A refresh from the first page ends at one that has not changed", arguments: Home.allCases)
  func firstPage(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3], [4]])
      await scene.loadAll()
      scene.list.refresh(.firstPage)
      await scene.list.settled()
      #expect(scene.asked == [1])
      scene.serve([[9], [8], [3], [7]])
      scene.list.refresh(.firstPage)
      await scene.list.settled()
      #expect(scene.asked == [1, 1, 2, 3])
      #expect(scene.list.items == [9, 8, 3, 4])
      #expect(scene.list.state.description == "ended")
      scene.list.loadIfNeeded()
      #expect(!scene.list.isLoading)
      scene.clock.advance(by: .seconds(30))
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [9, 8, 3, 7], "what was left alone expires as it did before")
    }
  }

  @Test("What a refresh changes can be shown at once when it is complete", arguments: Home.allCases)
  func whenComplete(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.publication = .whenComplete }
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.mirror.changeCount == 3, "a first walk shows each page as it arrives")
      scene.serve([[4], [5], [6]])
      let gate = scene.stub.hold(.get, "/items?page=3")
      scene.mirror.forget()
      scene.list.refresh()
      await gate.arrived()
      #expect(scene.list.items == [1, 2, 3])
      let late = ListMirror<Int>()
      scene.list.addObserver(late)
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [4, 5, 6])
      #expect(scene.mirror.changeCount == 1 && late.changeCount == 1)
      #expect(scene.mirror.failure == nil && late.failure == nil)
    }
  }

  @Test("A refresh that fails or is given up shows what it has changed", arguments: Home.allCases)
  func whenIncomplete(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.publication = .whenComplete }
      await scene.loadAll()
      scene.serve(1, [4], next: "/items?page=2")
      scene.fail(2)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [4, 2, 3])
      scene.serve(1, [5], next: "/items?page=2")
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.refresh()
      await gate.arrived()
      #expect(scene.list.items == [4, 2, 3])
      scene.list.cancelLoad()
      #expect(scene.list.items == [5, 2, 3])
      #expect(scene.list.refreshState.description == "idle")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A refresh outranks the page that is being loaded at the end, which comes after it",
    arguments: Home.allCases)
  func outranks(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.loadMore()
      await gate.arrived()
      scene.list.refresh()
      #expect(!scene.list.state.isLoading && scene.list.refreshState.isLoading)
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test(
    "A cursor that has expired or a last page that has gone begins the list again, once",
    arguments: Home.allCases, [400, 404, 410])
  func restarts(home: Home, status: Int) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      scene.list.loadMore()
      await scene.list.settled()
      scene.stub.forgetRequests()
      scene.stub.on(.get, "/items?page=3", .status(status))
      scene.serve(1, [1], next: "/items?page=4")
      scene.serve(4, [4], next: nil)
      let gate = scene.stub.hold(.get, "/items?page=4")
      scene.list.loadMore()
      await gate.arrived()
      #expect(scene.asked == [3, 1, 4])
      #expect(scene.list.items == [1, 2], "the old items stay visible meanwhile")
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [1, 4])
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("A page that is still not there after that is a failure", arguments: Home.allCases)
  func restartsOnce(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.stub.on(.get, "/items?page=3", .status(410))
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 3, 1, 2, 3])
      #expect(scene.list.state.description == "failed(page 3, http)")
      scene.clock.advance(by: .seconds(2))
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.asked.count == 7, "not again, until something goes through")
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.asked.count == 8 + 3, "but where somebody asks for it")
    }
  }

  @Test("A reset forgets the items and late answers", arguments: Home.allCases)
  func reset(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.stub.hold(.get, "/items?page=2", ignoringCancellation: true)
      scene.list.loadMore()
      await gate.arrived()
      scene.list.reset()
      #expect(scene.list.items.isEmpty && !scene.list.isLoading && scene.list.pageCount == 0)
      gate.release()
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.mirror.failure == nil)
    }
  }
}

@Suite("Servers that want to be left alone")
struct PagedCollectionWaitTests {
  @Test(
    "A wait for the server is a state with its time, and can be given up",
    arguments: Home.allCases)
  func waits(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      scene.service.configure { $0.retries = .standard }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.stub.on(
        .get, "/items?page=2", .status(429, headers: ["Retry-After": "20"]),
        PageListScene.answer([2], next: nil))
      var waited: Date?
      scene.mirror.onEvent = { list, event in
        if case .stateChanged(.waiting(let date)) = event {
          waited = date
          list.cancelLoad()
        }
      }
      scene.list.loadMore()
      await scene.list.settled()
      #expect(waited == scene.clock.date.addingTimeInterval(20))
      #expect(scene.list.state.description == "idle" && scene.list.items == [1])
    }
  }

  @Test("A wait that is too long is a failure with its time", arguments: Home.allCases)
  func tooLong(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.stub.on(.get, "/items?page=2", .status(429, headers: ["Retry-After": "4000"]))
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.state.description == "failed(page 2, rateLimited)")
      #expect(scene.list.state.retryDate == scene.clock.date.addingTimeInterval(4000))
    }
  }
}

@Suite("Totals of a list of pages")
struct PagedCollectionTotalTests {
  @Test(
    "Where the server tells a total, the rows that are not loaded are known",
    arguments: Home.allCases)
  func placeholders(home: Home) async throws {
    await home.run { home in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"{"total": 6, "items": [1, 2], "next": "/items?page=2"}"#))
      stub.on(
        .get, "/items?page=2", .json(#"{"total": 6, "items": [3, 4], "next": "/items?page=3"}"#))
      stub.on(.get, "/items?page=3", .json(#"{"total": 6, "items": [5, 6], "next": null}"#))
      let service = Service(baseURL: "https://api.test", transport: stub)
      var options = PagedCollection<Int>.Options()
      options.maxPages = 2
      let list = service.pages("items", of: Int.self, options: options)
      #expect(list.placeholders == nil)
      list.loadIfNeeded()
      await list.settled()
      #expect(list.placeholders?.before == 0 && list.placeholders?.after == 4)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4, 5, 6])
      #expect(list.placeholders?.before == 2 && list.placeholders?.after == 0)
    }
  }
}
