import Freshet
import FreshetTesting
import Testing

@Suite("A window of a list whose rows move", .standardTimeLimit)
struct PagedCollectionMovedRowsTests {
  private func fixture(
    _ server: RowServer, retainedPageLimit: Int? = 2, on actor: isolated any Actor = #isolation
  ) async -> RowListFixture {
    let fixture = RowListFixture(server) { $0.retainedPageLimit = retainedPageLimit }
    await fixture.loadAll()
    return fixture
  }

  @Test(
    "A next link to the cursor of a dropped page, whose row has moved, is no loop",
    arguments: StoreActor.allCases, RowServer.Style.allCases)
  func noLoop(actor: StoreActor, style: RowServer.Style) async throws {
    await actor.run { actor in
      let fixture = await fixture(RowServer(Array(1...8), style: style))
      #expect(fixture.list.items == [5, 6, 7, 8])
      fixture.server.rows = [1, 3, 4, 5, 6, 9, 2, 7, 8]
      await fixture.refresh()
      await fixture.loadAll()
      #expect(fixture.list.state.description == "ended")
      #expect(!fixture.list.items.isEmpty && fixture.list.items.isEnd(of: fixture.server.rows))
      #expect(fixture.mirror.failure == nil)
      await fixture.loadBack()
      #expect(!fixture.list.items.isEmpty && fixture.list.items.isStart(of: fixture.server.rows))
    }
  }

  @Test(
    "A dropped page that comes back with another next link is not joined to its old neighbor",
    arguments: StoreActor.allCases, RowServer.Style.allCases)
  func anotherNeighbor(actor: StoreActor, style: RowServer.Style) async throws {
    for isRefreshed in [false, true] {
      await actor.run { actor in
        let fixture = await fixture(RowServer(Array(1...8), style: style))
        fixture.server.rows = [1, 2, 3, 9, 4, 5, 6, 7, 8]
        fixture.clock.advance(by: .seconds(31))
        if isRefreshed { fixture.list.refresh() }
        await fixture.list.settled()
        await fixture.loadPreviousPage()
        #expect(fixture.list.items.contains(3) && fixture.list.items.isRun(of: fixture.server.rows))
        await fixture.loadAll()
        #expect(fixture.list.state.description == "ended")
        #expect(!fixture.list.items.isEmpty && fixture.list.items.isEnd(of: fixture.server.rows))
        #expect(fixture.mirror.failure == nil)
      }
    }
  }

  @Test(
    "The expired cursor of the window's first page begins the list again at its first page",
    arguments: StoreActor.allCases, [400, 404, 410])
  func expiredFirst(actor: StoreActor, status: Int) async throws {
    await actor.run { actor in
      let fixture = await fixture(RowServer(Array(1...8), statusOfExpired: status))
      fixture.server.delete(4)
      await fixture.refresh()
      #expect(fixture.list.refreshState.description == "idle")
      #expect(!fixture.list.items.isEmpty && fixture.list.items.isStart(of: fixture.server.rows))
      #expect(fixture.list.firstItemIndex == 0)
      #expect(fixture.list.previousState.description == "ended")
      await fixture.loadAll()
      #expect(fixture.list.state.description == "ended")
      #expect(!fixture.list.items.isEmpty && fixture.list.items.isEnd(of: fixture.server.rows))
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Where the cursors of all pages of the window have expired, the list begins again",
    arguments: StoreActor.allCases, [400, 404, 410])
  func allExpired(actor: StoreActor, status: Int) async throws {
    await actor.run { actor in
      let fixture = await fixture(RowServer(Array(1...8), statusOfExpired: status))
      fixture.server.delete(4)
      fixture.server.delete(6)
      fixture.list.pages[1].invalidate()
      await fixture.loadIfNeeded()
      #expect(!fixture.list.state.description.hasPrefix("failed"))
      #expect(fixture.list.refreshState.description == "idle")
      #expect(!fixture.list.items.isEmpty && fixture.list.items.isStart(of: fixture.server.rows))
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "The expired cursor of a dropped page begins the list again at its first page",
    arguments: StoreActor.allCases, [400, 404, 410])
  func expiredDropped(actor: StoreActor, status: Int) async throws {
    await actor.run { actor in
      let fixture = await fixture(RowServer(Array(1...8), statusOfExpired: status))
      fixture.server.delete(2)
      fixture.clock.advance(by: .seconds(31))
      await fixture.loadPreviousPage()
      #expect(fixture.list.previousState.description == "ended")
      #expect(!fixture.list.items.isEmpty && fixture.list.items.isStart(of: fixture.server.rows))
      #expect(fixture.list.firstItemIndex == 0)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "No observer sees the end of a list that begins again without pages",
    arguments: StoreActor.allCases)
  func beginsAgainAtItsEnd(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = RowServer(Array(1...8), statusOfExpired: 410)
      let fixture = await fixture(server, retainedPageLimit: 1)
      #expect(fixture.list.items == [7, 8] && fixture.list.state == .ended)
      // The page is empty by now, and the one before it does not exist.
      for row in [4, 7, 8] { server.delete(row) }
      var claims = 0
      fixture.mirror.onEvent = { list, _ in
        if list.state == .ended, list.pageCount == 0 { claims += 1 }
      }
      await fixture.refresh()
      #expect(claims == 0)
      await fixture.loadAll()
      #expect(fixture.list.state == .ended && fixture.list.items.isEnd(of: [1, 2, 3, 5, 6]))
      #expect(fixture.list.firstItemIndex + fixture.list.items.count == 5)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A list that began again, and was cancelled, begins again at the next expired cursor",
    arguments: StoreActor.allCases, [400, 404, 410])
  func expiredTwice(actor: StoreActor, status: Int) async throws {
    await actor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8), statusOfExpired: status))
      fixture.list.loadIfNeeded()
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2, 3, 4])
      fixture.server.delete(4)
      let gate = fixture.stub.hold(.get, "/rows")
      fixture.list.loadMore()
      await gate.arrived()
      fixture.list.cancelLoad()
      fixture.clock.advance(by: .seconds(2))
      await fixture.loadAll()
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.list.items == fixture.server.rows)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Where the list begins again to find a page before it, and cannot, nothing is loading",
    arguments: ["cancelled", "first page cancelled", "failed"])
  func notFoundAgain(end: String) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await fixture(RowServer(Array(1...8)))
      fixture.server.rows = [1, 3, 4, 5, 6, 9, 2, 7, 8]
      await fixture.refresh()
      await fixture.loadAll()
      #expect(fixture.list.items == [9, 2, 7, 8])
      fixture.clock.advance(by: .seconds(31))
      let gate = fixture.stub.hold(.get, "/rows")
      // The page before them is loaded, and the one before that is the last of these.
      fixture.list.itemsShown(in: 0..<4)
      await gate.arrived()
      #expect(fixture.list.previousState == .loading)
      switch end {
      case "cancelled": fixture.list.cancelLoad()
      case "failed":
        gate.release(with: .status(500))
        await until { !fixture.list.state.isLoading }
      default: fixture.list.firstPage.cancelLoad()
      }
      #expect(!fixture.list.isLoading, "\(fixture.list.state), \(fixture.list.refreshState)")
      // The list is at its first page.
      #expect(fixture.list.previousState == .ended && fixture.list.firstItemIndex == 0)
      #expect(fixture.mirror.failure == nil)
    }
  }
}
