import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("How many pages load at once", .standardTimeLimit)
struct PagedCollectionAtOnceTests {
  @Test("An edit of a page that is being revalidated ahead lets no further request begin")
  func editWhileAhead() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 12) { $0.concurrentLoads = 2 }
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 2)
      for page in fixture.list.pages.dropFirst() { page.updateContent { $0.items[0] += 100 } }
      let most = await fixture.inFlight()
      #expect(most <= 2, "asked for \(fixture.asked)")
    }
  }

  @Test("What an edited page was asked for ahead is cancelled with the refresh")
  func editThenCancel() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 12) { $0.concurrentLoads = 4 }
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      fixture.list.pages[2].updateContent { $0.items[0] += 100 }
      fixture.list.cancelLoad()
      #expect(fixture.service.loadingCount == 0)
    }
  }

  @Test(
    "A page that leads elsewhere or is wiped leaves what is under way far before it",
    arguments: [false, true])
  func laterPage(isWiped: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 12) { $0.concurrentLoads = 4 }
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      let page = fixture.list.pages[9]
      if isWiped {
        page.wipe()
      } else {
        let next = PageLink(.follow("/items?page=12"))
        page.overrideLocalContent(Page(items: [18, 19], next: next, style: .linkHeader))
      }
      #expect(await fixture.inFlight() == 4)
      #expect(fixture.asked.sorted() == [1, 2, 3, 4])
      await fixture.respondToAll()
      fixture.list.loadAll()
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<20) + (isWiped ? Array(20..<24) : [22, 23]))
      #expect(fixture.list.state == .ended && fixture.mirror.failure == nil)
    }
  }

  @Test("Pages that the persistent cache has are asked for no more at once")
  func warmCache() async throws {
    await StoreActor.mainActor.run { actor in
      let (cache, clock) = (MemoryCache(), ManualClock())
      let server = CountedServer(itemCount: 60)
      let style = PageStyle.pageNumber("page", totalPageCount: "pages").items(at: "items")
      var options = PagedCollection<Int>.Options()
      options.concurrentLoads = 2
      var most = 0
      for isWarm in [false, true] {
        let requests = HeldRequests { server.respond(to: $0) }
        let service = Service(
          baseURL: "https://api.test",
          transport: StubTransport { try await requests.respond(to: $0) },
          clock: clock, isolation: #isolation)
        service.configure { $0.cache = cache }
        let list = service.pages("rows", of: Int.self, style: style, options: options)
        list.loadAll()
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 where list.isLoading {
          await list.restored()
          _ = await requests.haveArrived(from: service)
          if isWarm { most = max(most, requests.count) }
          requests.release(&random)
        }
        #expect(list.items == Array(0..<60))
        await cache.writes(atLeast: 30)
        clock.advance(by: .seconds(100))
      }
      #expect(most <= 2, "\(most) requests were under way at once")
    }
  }

  @Test("A refresh cancels the load before the list, also of a page that comes after it too")
  func pageAtBothEnds() async {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      stub.on(
        .get, "/items?page=2",
        .json(
          "[2]",
          headers: ["Link": "</items?page=3>; rel=\"next\", </items?page=1>; rel=\"prev\""]))
      stub.on(
        .get, "/items?page=3", .json("[3]", headers: ["Link": "</items?page=1>; rel=\"next\""]))
      let list = service.pages("items?page=2", of: Int.self, style: .linkHeader)
      list.loadIfNeeded()
      await list.settled()
      list.loadMore()
      await list.settled()
      #expect(list.items == [2, 3])
      let previous = stub.hold(.get, "/items?page=1")
      list.loadPreviousPage()
      await previous.arrived()
      let first = stub.hold(.get, "/items?page=2")
      list.refresh()
      #expect(list.list.loads.count == 1 && service.loadingCount == 1)
      await previous.cancelled()
      await first.arrived()
      list.cancelLoad()
      #expect(service.loadingCount == 0)
    }
  }
}
