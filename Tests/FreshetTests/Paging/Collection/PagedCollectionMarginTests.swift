import Freshet
import FreshetTesting
import Testing

@Suite("What a window keeps, counts and remembers", .standardTimeLimit)
struct PagedCollectionMarginTests {
  @Test("The limit of pages counts those that were dropped", arguments: StoreActor.allCases)
  func pageLimit(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...9).map { [$0] }) {
        $0.retainedPageLimit = 2
        $0.pageLimit = 5
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.asked == [1, 2, 3, 4, 5])
      #expect(fixture.list.items == [4, 5])
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .pageLimit(5))
    }
  }

  @Test(
    "Around what is on screen as many items stay as are displayed", arguments: StoreActor.allCases)
  func margin(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<10).map { [$0 * 2, $0 * 2 + 1] }) {
        $0.retainedPageLimit = 2
        $0.prefetchDistance = 1
      }
      fixture.list.displayedCount = 10
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == Array(0..<10))
      fixture.list.displayedCount = 6
      fixture.list.itemsShown(in: 8..<9)
      fixture.list.loadAll()
      await fixture.list.settled()
      // Those from 2 on are within 6 of the one that is shown.
      #expect(fixture.list.firstItemIndex == 2)
      #expect(fixture.list.items == Array(2..<20))
    }
  }

  @Test(
    "A refresh that leaves pages alone leaves them their expiry as well",
    arguments: StoreActor.allCases)
  func expiry(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 4)
      let clock = ManualClock()
      let service = server.service(clock: clock)
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      server.forget()
      clock.advance(by: .seconds(20))
      list.refresh(.firstPage)
      await list.settled()
      #expect(server.confirmed == [0] && server.fetched.isEmpty)
      clock.advance(by: .seconds(9))
      list.loadIfNeeded()
      #expect(!list.isLoading)
      server.change { $0[2] = [44] }
      clock.advance(by: .seconds(1))
      list.loadIfNeeded()
      await list.settled()
      #expect(server.confirmed == [0, 1, 3] && server.fetched == [2])
      #expect(list.items == [0, 1, 2, 3, 44, 6, 7])
    }
  }
}
