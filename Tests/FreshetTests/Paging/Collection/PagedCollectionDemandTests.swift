import Freshet
import FreshetTesting
import Testing

@Suite("Demands on a list of pages", .standardTimeLimit)
struct PagedCollectionDemandTests {
  @Test("Empty pages with a next link are crossed", arguments: StoreActor.allCases)
  func emptyPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[], [], [1], [], [2], []])
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [1])
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2])
      #expect(fixture.list.state.description == "idle")
      await fixture.loadMore()
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test(
    "An item near the end asks for the next page, others do not", arguments: StoreActor.allCases)
  func itemShown(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<5).map { page in Array(page * 4..<(page + 1) * 4) }) {
        $0.prefetchDistance = 2
      }
      await fixture.loadIfNeeded()
      fixture.list.itemShown(at: 1)
      #expect(!fixture.list.state.isLoading)
      fixture.list.itemShown(at: 2)
      #expect(fixture.list.state.isLoading)
      await fixture.list.settled()
      #expect(fixture.list.items.count == 8)
      fixture.list.itemShown(at: 12)
      await fixture.list.settled()
      #expect(fixture.list.items.count == 16)
    }
  }

  @Test("As many items are loaded as the options say are displayed", arguments: StoreActor.allCases)
  func displayedCount(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]]) { $0.displayedCount = 3 }
      #expect(fixture.list.displayedCount == 3)
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test("The prefetch distance is five items", arguments: StoreActor.allCases)
  func prefetchDistance(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([Array(0..<10), [10]])
      await fixture.loadIfNeeded()
      fixture.list.itemShown(at: 4)
      #expect(!fixture.list.state.isLoading)
      fixture.list.itemShown(at: 5)
      #expect(fixture.list.state.isLoading)
    }
  }

  @Test("Raised while a page loads, the displayed count is loaded", arguments: StoreActor.allCases)
  func displayedCountWhileLoading(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...9).map { [$0] })
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.loadIfNeeded()
      await gate.arrived()
      fixture.list.displayedCount = 4
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3, 4])
    }
  }

  @Test("A displayed count alone loads nothing", arguments: StoreActor.allCases)
  func displayedCountAlone(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...4).map { [$0] })
      fixture.list.displayedCount = 2
      #expect(!fixture.list.state.isLoading)
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [1, 2])
    }
  }

  @Test(
    "As many as are displayed stay loaded when pages become shorter", arguments: StoreActor.allCases
  )
  func pagesBecomeShorter(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4], [5, 6]])
      fixture.list.displayedCount = 4
      await fixture.loadIfNeeded()
      fixture.page(1).updateContent { $0.items = [] }
      await fixture.list.settled()
      #expect(fixture.list.items == [3, 4, 5, 6])
    }
  }

  @Test(
    "More, asked for while a page loads, survives a change of another page",
    arguments: StoreActor.allCases)
  func moreIsNotUsedUp(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...5).map { [$0] })
      await fixture.loadIfNeeded()
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.loadMore()
      await gate.arrived()
      fixture.list.loadMore()
      fixture.list.loadMore()
      fixture.page(1).updateContent { $0.items = [7] }
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.items == [7, 2, 3])
    }
  }

  @Test(
    "More items, requested during a refresh, are more than there were",
    arguments: StoreActor.allCases)
  func moreDuringRefresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...5).map { [$0] })
      fixture.list.displayedCount = 2
      await fixture.loadIfNeeded()
      fixture.list.refresh()
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test("An observer may request more", arguments: StoreActor.allCases)
  func fromWithinAnObserver(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...5).map { [$0] })
      fixture.mirror.onEvent = { list, event in
        if case .itemsChanged = event, list.items.count < 3 { list.loadMore() }
      }
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A cancelled load is not resumed automatically", arguments: StoreActor.allCases)
  func cancelledLoad(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...5).map { [$0] })
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.loadAll()
      await gate.arrived()
      fixture.list.cancelLoad()
      #expect(fixture.list.state.description == "idle")
      #expect(fixture.list.items == [1])
      fixture.page(1).overrideLocalContent(Page(items: [8], next: PageLink(.follow("?page=2"))))
      #expect(fixture.list.items == [8])
      #expect(!fixture.list.state.isLoading)
      await fixture.loadMore()
      #expect(fixture.list.items == [8, 2])
    }
  }

  @Test(
    "A list cancelled before its first page loads when asked again", arguments: StoreActor.allCases)
  func cancelledFirstPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.loadIfNeeded()
      await gate.arrived()
      fixture.list.cancelLoad()
      fixture.list.loadIfNeeded()
      #expect(fixture.list.state.isLoading)
      await fixture.list.settled()
      #expect(fixture.list.items == [1])
    }
  }

  @Test(
    "A local write to the page that is awaited takes the refresh further",
    arguments: StoreActor.allCases)
  func overrideDuringRefresh(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh()
      await gate.arrived()
      var page = try #require(fixture.page(2).content)
      page.items = [9]
      fixture.page(2).overrideLocalContent(page)
      await fixture.list.settled()
      #expect(fixture.asked == [1, 2, 3])
      #expect(fixture.list.items == [1, 9, 3])
      #expect(fixture.list.lastRefreshDate != nil)
    }
  }
}
