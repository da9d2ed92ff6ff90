import Freshet
import FreshetTesting
import Testing

@Suite("Limits of a list of pages", .standardTimeLimit)
struct PagedCollectionLimitTests {
  private func reason(_ list: PagedCollection<Int>) -> IncompleteWalk.Reason? {
    guard case .incomplete(let walk) = list.state else { return nil }
    return walk.reason
  }

  @Test(
    "A demand that loads no items stops after its budget, and the next one continues",
    arguments: StoreActor.allCases)
  func budget(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]] + (0..<9).map { _ in [] } + [[2]]) {
        $0.requestBudget = 4
      }
      await fixture.loadIfNeeded()
      #expect(reason(fixture.list) == nil)
      await fixture.loadMore()
      #expect(reason(fixture.list) == .requestBudget(4))
      #expect(fixture.asked == [1, 2, 3, 4, 5])
      await fixture.loadMore()
      #expect(reason(fixture.list) == .requestBudget(4))
      #expect(fixture.asked.count == 9)
      fixture.list.displayedCount = 2
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2] && fixture.asked.count == 11)
    }
  }

  @Test("Another demand continues after the budget of the first", arguments: StoreActor.allCases)
  func loadIfNeededContinues(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<6).map { _ in [] } + [[2]]) { $0.requestBudget = 4 }
      await fixture.loadIfNeeded()
      #expect(reason(fixture.list) == .requestBudget(4) && fixture.asked.count == 4)
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [2])
    }
  }

  @Test("The budget is fifty pages, and the whole list has none", arguments: StoreActor.allCases)
  func standard(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]] + (0..<80).map { _ in [] } + [[2]])
      fixture.list.loadIfNeeded()
      await fixture.loadMore()
      #expect(reason(fixture.list) == .requestBudget(50) && fixture.asked.count == 51)
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2])
    }
  }

  @Test("More items than allowed are incomplete", arguments: StoreActor.allCases)
  func itemLimit(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4], [5]]) { $0.itemLimit = 3 }
      await fixture.loadAll()
      #expect(reason(fixture.list) == .itemLimit(3))
      #expect(fixture.list.items == [1, 2, 3, 4])
      fixture.list.loadMore()
      #expect(!fixture.list.isLoading)
    }
  }

  @Test(
    "A request that was made before is a further page where that is allowed",
    arguments: StoreActor.allCases)
  func repeatedPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([]) { $0.allowsRepeatedPages = true }
      // A server that remembers how far the client has read.
      let link = "/items?page=1"
      fixture.stub.on(
        .get, link, PageListFixture.response([1], next: link),
        PageListFixture.response([2], next: link),
        PageListFixture.response([3], next: nil))
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }
}
