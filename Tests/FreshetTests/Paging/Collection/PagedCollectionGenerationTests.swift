import Freshet
import FreshetTesting
import Testing

/// Rows 1…8, two a page; then 9 comes between 3 and 4, so that the first page stays as it was.
@Suite("Pages that are older than the last refresh of a list")
struct PagedCollectionGenerationTests {
  private static let newRows = [1, 2, 3, 9, 4, 5, 6, 7, 8]
  private static let oldSecondPage = StubTransport.Answer.json(
    "[3,4]", headers: ["Link": "</rows?after=4>; rel=\"next\""])

  @Test(
    "Fresh pages of another list, older than the refresh, are loaded again",
    arguments: Home.allCases, [1, 4])
  func otherList(home: Home, concurrentLoads: Int) async throws {
    await home.run { home in
      let scene = RowScene(RowServer(Array(1...8)))
      await scene.loadAll()
      var options = PagedCollection<Int>.Options()
      options.concurrentLoads = concurrentLoads
      let list = scene.server.list(in: scene.service, options: options)
      let mirror = ListMirror<Int>()
      list.addObserver(mirror)
      list.loadIfNeeded()
      #expect(list.items == [1, 2] && scene.list.items == Array(1...8))
      scene.server.rows = Self.newRows
      list.refresh()
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(list.items == Self.newRows)
      #expect(list.state.description == "ended")
      #expect(mirror.failure == nil && scene.mirror.failure == nil)
    }
  }

  @Test(
    "Pages that a window dropped before a refresh come back with new content",
    arguments: Home.allCases)
  func droppedPages(home: Home) async throws {
    await home.run { home in
      let scene = RowScene(RowServer(Array(1...8))) { $0.maxPages = 2 }
      await scene.loadAll()
      scene.server.rows = Self.newRows
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [5, 6, 7, 8])
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.list.items.contains(3) && scene.list.items.isRun(of: Self.newRows))
      await scene.loadBack()
      #expect(scene.list.items.contains(1) && scene.list.items.isStart(of: Self.newRows))
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A page whose load was under way when the refresh began is loaded again",
    arguments: Home.allCases, [false, true])
  func inFlight(home: Home, isAwaited: Bool) async throws {
    await home.run { home in
      let scene = RowScene(RowServer(Array(1...8)))
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let other = scene.server.list(in: scene.service)
      let gate = scene.stub.hold(.get, "/rows?after=2")
      other.loadIfNeeded()
      other.loadMore()
      await gate.arrived()
      scene.server.rows = Self.newRows
      scene.list.refresh()
      await scene.list.settled()
      if isAwaited {
        scene.list.loadAll()
        gate.release(with: Self.oldSecondPage)
      } else {
        gate.release(with: Self.oldSecondPage)
        await other.settled()
      }
      await scene.list.settled()
      await scene.loadAll()
      #expect(scene.list.items == Self.newRows)
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A page that the list itself was loading when the refresh began is loaded again",
    arguments: Home.allCases)
  func ownLoad(home: Home) async throws {
    await home.run { home in
      let scene = RowScene(RowServer(Array(1...8)))
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.stub.hold(.get, "/rows?after=2", ignoringCancellation: true)
      scene.list.loadAll()
      await gate.arrived()
      scene.server.rows = Self.newRows
      let refresh = scene.stub.hold(.get, "/rows")
      scene.list.refresh()
      await refresh.arrived()
      gate.release(with: Self.oldSecondPage)
      refresh.release()
      await scene.list.settled()
      await scene.loadAll()
      #expect(scene.list.items == Self.newRows)
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A page that was loaded after the refresh began is not loaded again", arguments: Home.allCases)
  func newerPages(home: Home) async throws {
    await home.run { home in
      let scene = RowScene(RowServer(Array(1...8)))
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.list.refresh()
      await scene.list.settled()
      let other = scene.server.list(in: scene.service)
      other.loadAll()
      await other.settled()
      scene.stub.forgetRequests()
      await scene.loadAll()
      #expect(scene.list.items == Array(1...8))
      #expect(scene.asked.isEmpty)
    }
  }
}
