import Freshet
import FreshetTesting
import Testing

@Suite("Both ends of a list of pages")
struct PagedCollectionPreviousTests {
  @Test(
    "A list that begins in the middle grows at both ends, and tells by how much it moved",
    arguments: Home.allCases)
  func startsInTheMiddle(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1, 2], [3], [4, 5], [6]], startingAt: 3)
      var indices: [Int] = []
      scene.mirror.onEvent = { _, event in
        if case .itemsChanged(let change) = event { indices.append(change.firstItemIndex) }
      }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.hasPrevious)
      #expect(scene.list.previousState.description == "idle")
      scene.list.loadPrevious()
      #expect(scene.list.previousState.isLoading && scene.list.isLoading)
      await scene.list.settled()
      #expect(scene.list.items == [3, 4, 5])
      scene.list.loadPrevious()
      await scene.list.settled()
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3, 4, 5, 6])
      #expect(indices == [0, -1, -3, -3])
      #expect(!scene.list.hasPrevious)
      #expect(scene.list.previousState.description == "ended")
      #expect(scene.asked == [3, 2, 1, 4])
      #expect(scene.mirror.failure == nil)
      scene.list.loadPrevious()
      #expect(!scene.list.isLoading)
    }
  }

  @Test("An item near the start asks for the page before", arguments: Home.allCases)
  func itemShown(home: Home) async throws {
    await home.run { home in
      let pages = (0..<5).map { page in Array(page * 4..<(page + 1) * 4) }
      let scene = TwoWayScene(pages, startingAt: 3) { $0.prefetchDistance = 2 }
      scene.list.loadIfNeeded()
      await scene.settled()
      scene.list.itemShown(at: 2)
      await scene.settled()
      #expect(scene.list.items == Array(8..<16))
      scene.list.itemShown(at: 1)
      await scene.list.settled()
      #expect(scene.asked == [2])
      #expect(scene.list.items == Array(4..<16))
      #expect(scene.list.firstItemIndex == -4)
    }
  }

  @Test(
    "A page before the first that fails keeps the items, and a retry asks for it only",
    arguments: Home.allCases)
  func failure(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1], [2], [3]], startingAt: 2)
      scene.list.loadAll()
      await scene.settled()
      scene.scene.fail(1)
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.list.previousState.description == "failed(page 0, http)")
      #expect(scene.list.state.description == "ended", "the other end is not concerned")
      #expect(scene.list.items == [2, 3])
      scene.serve([[1], [2], [3]])
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.asked == [1, 1])
      #expect(
        scene.mirror.previousStates.suffix(3) == ["failed(page 0, http)", "loading", "ended"])
    }
  }

  @Test("A load before the first page is given up", arguments: Home.allCases)
  func cancelled(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1], [2]], startingAt: 2)
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.scene.stub.hold(.get, "/items?page=1", ignoringCancellation: true)
      scene.list.loadPrevious()
      await gate.arrived()
      scene.list.cancelLoad()
      #expect(scene.list.previousState.description == "idle")
      gate.release()
      #expect(scene.list.items == [2])
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test(
    "A link before the first page that leads into the chain is a loop", arguments: Home.allCases)
  func loop(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1], [2]], startingAt: 1)
      scene.scene.stub.on(
        .get, "/items?page=1",
        .json("[1]", headers: ["Link": "</items?page=1>; rel=prev, </items?page=2>; rel=next"]))
      scene.list.loadAll()
      await scene.list.settled()
      scene.list.loadPrevious()
      guard case .incomplete(let walk) = scene.list.previousState else {
        Issue.record("the state is \(scene.list.previousState)")
        return
      }
      #expect(walk.reason == .loop(backTo: 0))
    }
  }
}
