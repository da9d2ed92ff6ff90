import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Freshness of a list of pages", .standardTimeLimit)
struct PagedCollectionFreshnessTests {
  @Test(
    "A fresh list is confirmed without a look at any page, however long",
    arguments: StoreActor.allCases)
  func confirmed(actor: StoreActor) async throws {
    for pageCount in [10, 1_000] {
      await actor.run { actor in
        let server = PagedServer(pageCount: pageCount)
        let service = server.service()
        service.configure { $0.freshnessLifetime = .seconds(60) }
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

  @Test(
    "After an invalidation the walk looks at pages from there only", arguments: StoreActor.allCases)
  func invalidated(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...10).map { [$0] }) { $0.reloadsWhenInvalidated = false }
      await fixture.loadAll()
      let visits = fixture.list.visitCount
      fixture.page(7).invalidate()
      #expect(!fixture.list.state.isLoading, "an invalidation loads nothing by itself here")
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [7])
      #expect(fixture.list.visitCount - visits == 4)
      #expect(fixture.list.state.description == "ended")
      fixture.list.loadIfNeeded()
      #expect(fixture.list.visitCount - visits == 4)
    }
  }

  @Test(
    "After the expiration every page is asked for again, and 304 changes nothing",
    arguments: StoreActor.allCases)
  func expired(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 6)
      let clock = ManualClock()
      let service = server.service(clock: clock)
      let list = server.list(in: service)
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

  @Test("A changed configuration is noticed, once", arguments: StoreActor.allCases)
  func configurationChanges(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...4).map { [$0] })
      await fixture.loadAll()
      let visits = fixture.list.visitCount
      fixture.clock.advance(by: .seconds(5))
      fixture.service.configure { $0.freshnessLifetime = .seconds(60) }
      fixture.list.loadIfNeeded()
      fixture.list.loadIfNeeded()
      #expect(fixture.list.visitCount - visits == 4 && fixture.asked.isEmpty)
      fixture.service.configure { $0.freshnessLifetime = .seconds(4) }
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [1, 2, 3, 4])
    }
  }

  @Test(
    "A page that another user loads with a shorter lifetime counts", arguments: StoreActor.allCases)
  func shorterLife(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...3).map { [$0] })
      fixture.service.configure { $0.responseFreshness = .init() }
      await fixture.loadAll()
      fixture.stub.on(
        .get, "/items?page=2",
        .json(
          "[2]",
          headers: ["Link": "</items?page=3>; rel=\"next\"", "Cache-Control": "max-age=3"]))
      await fixture.page(2).load().completed()
      fixture.stub.forgetRequests()
      fixture.clock.advance(by: .seconds(4))
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [2])
    }
  }

  @Test(
    "Refreshing 3,000 stale pages synchronously never shows more items than there are",
    arguments: StoreActor.allCases)
  func threeThousandPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let count = trialCount(3_000)
      let server = PagedServer(pageCount: count, size: 1)
      let service = server.service()
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
      // With the responses of a server that has become shorter.
      server.change { $0.removeLast(count - 40) }
      most = 0
      list.refresh()
      list.loadAll()
      await list.settled()
      #expect(list.items == server.items && most == 40)
      writer.cancel()
      token.cancel()
    }
  }

  @Test("A refresh never shows more items than before or after", arguments: StoreActor.allCases)
  func refreshNeverShowsMore(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 60, size: 3)
      let service = server.service()
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      var most = 0
      let token = list.observe { list, _ in most = max(most, list.items.count) }
      server.change { pages in pages = pages.map { $0.map { $0 * 2 } }.reversed() }
      list.refresh()
      await list.settled()
      #expect(list.items == server.items && most == 180)
      token.cancel()
    }
  }
}
