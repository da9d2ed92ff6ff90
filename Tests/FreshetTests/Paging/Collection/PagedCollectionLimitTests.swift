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
      #expect(reason(scene.list) == .requestBudget(4) && scene.asked.count == 4)
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
