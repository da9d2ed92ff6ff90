import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Lists of numbered pages that end with 404", .standardTimeLimit)
struct PagedCollectionMissingPageTests {
  @Test(
    "A list of which a page was wiped is not at its end before that page is loaded again",
    arguments: [1, 2])
  func wipedPageBeforeMissing(index: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RefusingListFixture(RefusingServer(.pageNumber, rows: [1, 2, 3, 4, 5]))
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3, 4, 5] && fixture.list.state == .ended)
      fixture.list.pages[index].wipe()
      #expect(fixture.list.state == .idle)
      await fixture.loadAll()
      #expect(
        fixture.list.state != .ended || fixture.list.items == [1, 2, 3, 4, 5],
        "\(fixture.list.items)")
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2, 3, 4, 5], "\(fixture.list.state)")
    }
  }

  @Test("A list that has ended stays so when its last page is loaded again and is as before")
  func lastPageLoadedAgain() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RefusingListFixture(RefusingServer(.pageNumber, rows: [1, 2, 3]))
      await fixture.loadAll()
      #expect(fixture.list.state == .ended)
      await fixture.list.pages[1].load().completed()
      await fixture.list.settled()
      #expect(fixture.list.state == .ended && fixture.list.items == [1, 2, 3])
    }
  }

  @Test(
    "A retry at both ends asks for the page that failed at each")
  func retryBothEnds() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3], [4], [5]], startingAt: 3)
      fixture.list.loadIfNeeded()
      await fixture.settled()
      fixture.fixture.fail(2)
      fixture.fixture.fail(4)
      fixture.list.loadMore()
      await fixture.list.settled()
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      #expect(fixture.list.state.description == "failed(page 1, http)")
      #expect(fixture.list.previousState.description == "failed(page -1, http)")
      fixture.serve([[1], [2], [3], [4], [5]])
      fixture.fixture.stub.forgetRequests()
      fixture.list.retry()
      await fixture.list.settled()
      #expect(fixture.asked.sorted() == [2, 4] && fixture.list.items == [2, 3, 4])
    }
  }

  @Test(
    "A refresh asks the server, also where the persistent cache has a fresh first page",
    arguments: RefreshScope.allCases)
  func refreshOfCached(scope: RefreshScope) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RelaunchFixture()
      fixture.stub.on(.get, "/rows", .json("[1]"))
      let list = fixture.launch().pages("rows", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      await fixture.cache.writes(atLeast: 1)
      fixture.stub.on(.get, "/rows", .json("[2]"))
      fixture.stub.forgetRequests()
      let later = fixture.launch().pages("rows", of: Int.self, style: .linkHeader)
      later.refresh(scope)
      await later.settled()
      if scope == .stale {
        #expect(later.items == [1])
      } else {
        #expect(
          later.items == [2] && fixture.stub.requests.count == 1, "\(later.lastRefreshDate != nil)")
      }
    }
  }

  @Test("An edit of a page that is awaited or ahead is replayed, and the walk loses nothing")
  func editsDuringRefresh() async throws {
    await StoreActor.mainActor.run { actor in
      for seed in UInt64(1)...50 {
        let fixture = await LinkedPagesFixture(pageCount: 8) { $0.concurrentLoads = 3 }
        fixture.list.refresh()
        _ = await fixture.inFlight()
        var random = SeededGenerator(seed: seed)
        let updates = fixture.list.pages.map { page in
          page.updateContent { $0.items.append(1000) }
        }
        for _ in 0..<3 {
          fixture.requests.release(&random)
          _ = await fixture.inFlight()
        }
        for update in updates { update?.rollBack() }
        await fixture.respondToAll(seed: seed)
        #expect(fixture.list.items == Array(0..<16), "seed \(seed)")
        #expect(fixture.list.state == .ended && fixture.list.refreshState == .idle)
        #expect(fixture.mirror.failure == nil)
      }
    }
  }
}
