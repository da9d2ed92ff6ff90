import Freshet
import FreshetTesting
import Testing

@Suite("A window of a list whose rows move")
struct PagedCollectionMovedRowsTests {
  private func scene(
    _ server: RowServer, maxPages: Int? = 2, on home: isolated any Actor = #isolation
  ) async -> RowScene {
    let scene = RowScene(server) { $0.maxPages = maxPages }
    await scene.loadAll()
    return scene
  }

  @Test(
    "A next link to the cursor of a dropped page, whose row has moved, is no loop",
    arguments: Home.allCases, RowServer.Style.allCases)
  func noLoop(home: Home, style: RowServer.Style) async throws {
    await home.run { home in
      let scene = await scene(RowServer(Array(1...8), style: style))
      #expect(scene.list.items == [5, 6, 7, 8])
      scene.server.rows = [1, 3, 4, 5, 6, 9, 2, 7, 8]
      scene.list.refresh()
      await scene.list.settled()
      await scene.loadAll()
      #expect(scene.list.state.description == "ended")
      #expect(!scene.list.items.isEmpty && scene.list.items.isEnd(of: scene.server.rows))
      #expect(scene.mirror.failure == nil)
      await scene.loadBack()
      #expect(!scene.list.items.isEmpty && scene.list.items.isStart(of: scene.server.rows))
    }
  }

  @Test(
    "A dropped page that comes back with another next link is not joined to its old neighbor",
    arguments: Home.allCases, RowServer.Style.allCases)
  func anotherNeighbor(home: Home, style: RowServer.Style) async throws {
    for isRefreshed in [false, true] {
      await home.run { home in
        let scene = await scene(RowServer(Array(1...8), style: style))
        scene.server.rows = [1, 2, 3, 9, 4, 5, 6, 7, 8]
        scene.clock.advance(by: .seconds(31))
        if isRefreshed { scene.list.refresh() }
        await scene.list.settled()
        scene.list.loadPrevious()
        await scene.list.settled()
        #expect(scene.list.items.contains(3) && scene.list.items.isRun(of: scene.server.rows))
        await scene.loadAll()
        #expect(scene.list.state.description == "ended")
        #expect(!scene.list.items.isEmpty && scene.list.items.isEnd(of: scene.server.rows))
        #expect(scene.mirror.failure == nil)
      }
    }
  }

  @Test(
    "The expired cursor of the window's first page begins the list again at its first page",
    arguments: Home.allCases, [400, 404, 410])
  func expiredFirst(home: Home, status: Int) async throws {
    await home.run { home in
      let scene = await scene(RowServer(Array(1...8), statusOfExpired: status))
      scene.server.delete(4)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.refreshState.description == "idle")
      #expect(!scene.list.items.isEmpty && scene.list.items.isStart(of: scene.server.rows))
      #expect(scene.list.firstItemIndex == 0)
      #expect(scene.list.previousState.description == "ended")
      await scene.loadAll()
      #expect(scene.list.state.description == "ended")
      #expect(!scene.list.items.isEmpty && scene.list.items.isEnd(of: scene.server.rows))
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "Where the cursors of all pages of the window have expired, the list begins again",
    arguments: Home.allCases, [400, 404, 410])
  func allExpired(home: Home, status: Int) async throws {
    await home.run { home in
      let scene = await scene(RowServer(Array(1...8), statusOfExpired: status))
      scene.server.delete(4)
      scene.server.delete(6)
      scene.list.pages[1].invalidate()
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(!scene.list.state.description.hasPrefix("failed"))
      #expect(scene.list.refreshState.description == "idle")
      #expect(!scene.list.items.isEmpty && scene.list.items.isStart(of: scene.server.rows))
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "The expired cursor of a dropped page begins the list again at its first page",
    arguments: Home.allCases, [400, 404, 410])
  func expiredDropped(home: Home, status: Int) async throws {
    await home.run { home in
      let scene = await scene(RowServer(Array(1...8), statusOfExpired: status))
      scene.server.delete(2)
      scene.clock.advance(by: .seconds(31))
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.list.previousState.description == "ended")
      #expect(!scene.list.items.isEmpty && scene.list.items.isStart(of: scene.server.rows))
      #expect(scene.list.firstItemIndex == 0)
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A list that began again, and was cancelled, begins again at the next expired cursor",
    arguments: Home.allCases, [400, 404, 410])
  func expiredTwice(home: Home, status: Int) async throws {
    await home.run { home in
      let scene = RowScene(RowServer(Array(1...8), statusOfExpired: status))
      scene.list.loadIfNeeded()
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3, 4])
      scene.server.delete(4)
      let gate = scene.stub.hold(.get, "/rows")
      scene.list.loadMore()
      await gate.arrived()
      scene.list.cancelLoad()
      scene.clock.advance(by: .seconds(2))
      await scene.loadAll()
      #expect(scene.list.state.description == "ended")
      #expect(scene.list.items == scene.server.rows)
      #expect(scene.mirror.failure == nil)
    }
  }
}
