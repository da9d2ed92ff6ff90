import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Freshness of a list of pages")
struct PagedCollectionFreshnessTests {
  @Test(
    "A fresh list is confirmed without a look at any page, however long", arguments: Home.allCases)
  func confirmed(home: Home) async throws {
    for pageCount in [10, 1_000] {
      await home.run { home in
        let server = PagedServer(pageCount: pageCount)
        let service = Service(
          baseURL: "https://api.test", transport: server.transport, clock: ManualClock())
        service.configure { $0.expirationTime = .seconds(60) }
        let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
        list.loadAll()
        await list.settled()
        #expect(list.visitCount == pageCount)
        for _ in 0..<50 { list.loadIfNeeded() }
        #expect(list.visitCount == pageCount)
        #expect(server.fetched.count == pageCount && server.confirmed.isEmpty)
      }
    }
  }

  @Test("After an invalidation the walk looks at pages from there only", arguments: Home.allCases)
  func invalidated(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...10).map { [$0] }) { $0.reloadsWhenInvalidated = false }
      await scene.loadAll()
      let visits = scene.list.visitCount
      scene.page(7).invalidate()
      #expect(!scene.list.state.isLoading, "an invalidation loads nothing by itself here")
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.asked == [7])
      #expect(scene.list.visitCount - visits == 4)
      #expect(scene.list.state.description == "ended")
      scene.list.loadIfNeeded()
      #expect(scene.list.visitCount - visits == 4)
    }
  }

  @Test(
    "After the expiration every page is asked for again, and 304 changes nothing",
    arguments: Home.allCases)
  func expired(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 6)
      let clock = ManualClock()
      let service = Service(
        baseURL: "https://api.test", transport: server.transport, clock: clock)
      let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
      let mirror = ListMirror<Int>()
      list.loadAll()
      await list.settled()
      list.addObserver(mirror)
      server.forget()
      clock.advance(by: .seconds(29))
      list.loadIfNeeded()
      #expect(!list.state.isLoading)
      clock.advance(by: .seconds(1))
      list.loadIfNeeded()
      await list.settled()
      #expect(server.confirmed == Array(0..<6) && server.fetched.isEmpty)
      #expect(mirror.changeCount == 0)
    }
  }

  @Test("A changed configuration is noticed, once", arguments: Home.allCases)
  func configurationChanges(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...4).map { [$0] })
      await scene.loadAll()
      let visits = scene.list.visitCount
      scene.clock.advance(by: .seconds(5))
      scene.service.configure { $0.expirationTime = .seconds(60) }
      scene.list.loadIfNeeded()
      scene.list.loadIfNeeded()
      #expect(scene.list.visitCount - visits == 4 && scene.asked.isEmpty)
      scene.service.configure { $0.expirationTime = .seconds(4) }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 3, 4])
    }
  }

  @Test("A page that somebody loads with a shorter life counts", arguments: Home.allCases)
  func shorterLife(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...3).map { [$0] })
      scene.service.configure { $0.usesServerFreshness = true }
      await scene.loadAll()
      scene.stub.on(
        .get, "/items?page=2",
        .json(
          "[2]",
          headers: ["Link": "</items?page=3>; rel=\"next\"", "Cache-Control": "max-age=3"]))
      await scene.page(2).load().ended()
      scene.stub.forgetRequests()
      scene.clock.advance(by: .seconds(4))
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.asked == [2])
    }
  }

  @Test(
    "Refreshing 3,000 stale pages synchronously never shows more items than there are",
    arguments: Home.allCases)
  func threeThousandPages(home: Home) async throws {
    await home.run { home in
      let count = 3_000
      let server = PagedServer(pageCount: count, size: 1)
      let service = Service(
        baseURL: "https://api.test", transport: server.transport, clock: ManualClock())
      let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      let pages = list.pages
      var most = 0
      var changes = 0
      let token = list.observe { list, event in
        most = max(most, list.items.count)
        if case .itemsChanged = event { changes += 1 }
      }
      // All in one turn, and in one delivery.
      let writer = pages[0].observe { _, event in
        guard event == .invalidated else { return }
        for page in pages { page.updateContent { $0.items = $0.items.map { $0 + 1 } } }
      }
      pages[0].invalidate()
      #expect(list.items == Array(1...count))
      #expect(most == count && changes == 1)
      // One page after the other, each with its event.
      for page in pages.reversed() { page.updateContent { $0.items = [-1] } }
      #expect(list.items.count == count && changes == 1 + count)
      service.wipe()
      #expect(list.items.isEmpty && most == count)
      // With the answers of a server that has become shorter.
      server.change { $0.removeLast(count - 40) }
      most = 0
      list.refresh()
      list.loadAll()
      await list.settled()
      #expect(list.items == server.items && most == 40)
      writer.remove()
      token.remove()
    }
  }

  @Test("A refresh never shows more items than before or after", arguments: Home.allCases)
  func refreshNeverShowsMore(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 60, size: 3)
      let service = Service(
        baseURL: "https://api.test", transport: server.transport, clock: ManualClock())
      let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      var most = 0
      let token = list.observe { list, _ in most = max(most, list.items.count) }
      server.change { pages in pages = pages.map { $0.map { $0 * 2 } }.reversed() }
      list.refresh()
      await list.settled()
      #expect(list.items == server.items && most == 180)
      token.remove()
    }
  }
}
