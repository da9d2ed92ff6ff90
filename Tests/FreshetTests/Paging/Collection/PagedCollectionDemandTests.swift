import Freshet
import FreshetTesting
import Testing

@Suite("What is asked of a list of pages")
struct PagedCollectionDemandTests {
  @Test("Empty pages with a next link are crossed", arguments: Home.allCases)
  func emptyPages(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[], [], [1], [], [2], []])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [1])
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
      #expect(scene.list.state.description == "idle")
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.state.description == "ended")
    }
  }

  @Test("An item near the end asks for the next page, others do not", arguments: Home.allCases)
  func itemShown(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((0..<5).map { page in Array(page * 4..<(page + 1) * 4) }) {
        $0.prefetchDistance = 2
      }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.list.itemShown(at: 1)
      #expect(!scene.list.state.isLoading)
      scene.list.itemShown(at: 2)
      #expect(scene.list.state.isLoading)
      await scene.list.settled()
      #expect(scene.list.items.count == 8)
      scene.list.itemShown(at: 12)
      await scene.list.settled()
      #expect(scene.list.items.count == 16)
    }
  }

  @Test("The prefetch distance is five items", arguments: Home.allCases)
  func prefetchDistance(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([Array(0..<10), [10]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.list.itemShown(at: 4)
      #expect(!scene.list.state.isLoading)
      scene.list.itemShown(at: 5)
      #expect(scene.list.state.isLoading)
    }
  }

  @Test("Raised while a page loads, the displayed count is loaded", arguments: Home.allCases)
  func displayedCountWhileLoading(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...9).map { [$0] })
      let gate = scene.stub.hold(.get, "/items?page=1")
      scene.list.loadIfNeeded()
      await gate.arrived()
      scene.list.displayedCount = 4
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3, 4])
    }
  }

  @Test("A displayed count alone loads nothing", arguments: Home.allCases)
  func displayedCountAlone(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...4).map { [$0] })
      scene.list.displayedCount = 2
      #expect(!scene.list.state.isLoading)
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test("As many as are displayed stay loaded when pages become shorter", arguments: Home.allCases)
  func pagesBecomeShorter(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1, 2], [3, 4], [5, 6]])
      scene.list.displayedCount = 4
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.page(1).updateContent { $0.items = [] }
      await scene.list.settled()
      #expect(scene.list.items == [3, 4, 5, 6])
    }
  }

  @Test(
    "More, asked for while a page loads, survives a change of another page",
    arguments: Home.allCases)
  func moreIsNotUsedUp(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...5).map { [$0] })
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.loadMore()
      await gate.arrived()
      scene.list.loadMore()
      scene.list.loadMore()
      scene.page(1).updateContent { $0.items = [7] }
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [7, 2, 3])
    }
  }

  @Test("More, asked for during a refresh, is more than there was", arguments: Home.allCases)
  func moreDuringRefresh(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...5).map { [$0] })
      scene.list.displayedCount = 2
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.list.refresh()
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
    }
  }

  @Test("An observer may ask for more", arguments: Home.allCases)
  func fromWithinAnObserver(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...5).map { [$0] })
      scene.mirror.onEvent = { list, event in
        if case .itemsChanged = event, list.items.count < 3 { list.loadMore() }
      }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("What was given up is not taken up by itself", arguments: Home.allCases)
  func cancelledLoad(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...5).map { [$0] })
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.loadAll()
      await gate.arrived()
      scene.list.cancelLoad()
      #expect(scene.list.state.description == "idle")
      #expect(scene.list.items == [1])
      scene.page(1).overrideLocalContent(Page(items: [8], next: PageLink(.follow("?page=2"))))
      #expect(scene.list.items == [8])
      #expect(!scene.list.state.isLoading)
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [8, 2])
    }
  }

  @Test("A list given up before its first page loads when asked again", arguments: Home.allCases)
  func cancelledFirstPage(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1]])
      let gate = scene.stub.hold(.get, "/items?page=1")
      scene.list.loadIfNeeded()
      await gate.arrived()
      scene.list.cancelLoad()
      scene.list.loadIfNeeded()
      #expect(scene.list.state.isLoading)
      await scene.list.settled()
      #expect(scene.list.items == [1])
    }
  }

  @Test(
    "A local write to the page that is awaited takes the refresh further", arguments: Home.allCases)
  func overrideDuringRefresh(home: Home) async throws {
    try await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.refresh()
      await gate.arrived()
      var page = try #require(scene.page(2).content)
      page.items = [9]
      scene.page(2).overrideLocalContent(page)
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 3])
      #expect(scene.list.items == [1, 9, 3])
      #expect(scene.list.lastRefreshed != nil)
    }
  }
}
