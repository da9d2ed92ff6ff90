import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Numbers and places in a list of pages", .standardTimeLimit)
struct PagedCollectionNumberTests {
  @Test(
    "An item keeps its number when a page with a copy of another comes before it, and is removed",
    arguments: StoreActor.allCases)
  func copies(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[5, 4], [5, 6], [7], [8]], startingAt: 2) {
        $0.identity = ItemIdentity { $0 }
        $0.retainedPageLimit = 2
      }
      let list = fixture.list
      list.loadIfNeeded()
      await list.settled()
      #expect(list.index(identifiedBy: 6).map { $0 + list.firstItemIndex } == 1)
      list.loadPreviousPage()
      await list.settled()
      #expect(list.items == [5, 4, 6])
      #expect(list.index(identifiedBy: 6).map { $0 + list.firstItemIndex } == 1)
      list.loadMore()
      await list.settled()
      #expect(list.items == [5, 6, 7])
      #expect(list.index(identifiedBy: 6).map { $0 + list.firstItemIndex } == 1)
      #expect(list.index(identifiedBy: 7).map { $0 + list.firstItemIndex } == 2)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Equal items that come and go are reported where the numbers change",
    arguments: StoreActor.allCases
  )
  func equalItems(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[5], [5]]) { $0.retainedPageLimit = 1 }
      var reported = 0
      fixture.mirror.onEvent = { _, event in
        if case .itemsChanged(let change) = event { reported = change.firstItemIndex }
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [5] && fixture.list.firstItemIndex == 1)
      #expect(reported == 1)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "What is before a list that begins in the middle is not known until its start is",
    arguments: StoreActor.allCases)
  func placeholders(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      for page in 1...4 {
        let links = [
          page < 4 ? "\"next\": \"/items?page=\(page + 1)\"" : "\"next\": null",
          page > 1 ? "\"previous\": \"/items?page=\(page - 1)\"" : "\"previous\": null",
        ]
        stub.on(
          .get, "/items?page=\(page)",
          .json(
            "{\"count\": 8, \"results\": [\(page * 2), \(page * 2 + 1)], "
              + links.joined(separator: ", ") + "}"))
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = 2
      let list = service.pages("items?page=2", of: Int.self, options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items == [6, 7, 8, 9] && list.totalCount == 8)
      #expect(list.placeholderCounts == nil, "there is a page before the one that was dropped")
      list.loadPreviousPage()
      await list.settled()
      list.loadPreviousPage()
      await list.settled()
      #expect(list.items == [2, 3, 4, 5] && list.firstItemIndex == -2)
      #expect(list.placeholderCounts?.before == 0 && list.placeholderCounts?.after == 4)
      list.loadMore()
      await list.settled()
      #expect(list.items == [4, 5, 6, 7])
      #expect(list.placeholderCounts?.before == 2 && list.placeholderCounts?.after == 2)
    }
  }

  @Test("The limit of items counts those that were dropped", arguments: StoreActor.allCases)
  func itemLimit(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<9).map { [$0 * 2, $0 * 2 + 1] }) {
        $0.retainedPageLimit = 2
        $0.itemLimit = 8
      }
      await fixture.loadAll()
      #expect(fixture.list.items == [4, 5, 6, 7])
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .itemLimit(8))
    }
  }

  @Test("Any distance may be set", arguments: StoreActor.allCases)
  func anyDistance(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) {
        $0.prefetchDistance = .max
        $0.retainedPageLimit = 1
      }
      await fixture.loadIfNeeded()
      fixture.list.itemShown(at: 0)
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test(
    "A request that was made before is a further page in a window too",
    arguments: StoreActor.allCases)
  func repeatedPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([]) {
        $0.allowsRepeatedPages = true
        $0.retainedPageLimit = 2
      }
      let link = "/items?page=1"
      fixture.stub.on(
        .get, link, PageListFixture.response([1], next: link),
        PageListFixture.response([2], next: link),
        PageListFixture.response([3], next: link), PageListFixture.response([4], next: link),
        PageListFixture.response([5], next: nil))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [4, 5])
      #expect(fixture.list.firstItemIndex == 3)
      for _ in 0..<3 {
        await fixture.loadPreviousPage()
        fixture.list.checkInvariants()
      }
      #expect(fixture.list.firstItemIndex == 0)
      #expect(fixture.mirror.failure == nil)
    }
  }
}
