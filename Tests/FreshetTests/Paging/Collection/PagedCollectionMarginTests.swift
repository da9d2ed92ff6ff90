import Freshet
import FreshetTesting
import Testing

@Suite("What a window keeps, counts and remembers")
struct PagedCollectionMarginTests {
  @Test("The limit of pages counts those that were dropped", arguments: Home.allCases)
  func pageLimit(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...9).map { [$0] }) {
        $0.maxPages = 2
        $0.pageLimit = 5
      }
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 3, 4, 5])
      #expect(scene.list.items == [4, 5])
      guard case .incomplete(let walk) = scene.list.state else {
        Issue.record("the state is \(scene.list.state)")
        return
      }
      #expect(walk.reason == .pageLimit(5))
    }
  }

  @Test(
    "Around what is on screen as many items stay as are displayed", arguments: Home.allCases)
  func margin(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((0..<10).map { [$0 * 2, $0 * 2 + 1] }) {
        $0.maxPages = 2
        $0.prefetchDistance = 1
      }
      scene.list.displayedCount = 10
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == Array(0..<10))
      scene.list.displayedCount = 6
      scene.list.itemsShown(in: 8..<9)
      scene.list.loadAll()
      await scene.list.settled()
      // Those from 2 on are within 6 of the one that is shown.
      #expect(scene.list.firstItemIndex == 2)
      #expect(scene.list.items == Array(2..<20))
    }
  }

  @Test(
    "A refresh that leaves pages alone leaves them their expiry as well", arguments: Home.allCases)
  func expiry(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 4)
      let clock = ManualClock()
      let service = Service(baseURL: "https://api.test", transport: server.transport, clock: clock)
      let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
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
