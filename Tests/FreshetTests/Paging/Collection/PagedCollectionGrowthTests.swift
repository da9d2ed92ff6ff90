import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Lists that grow, are reset, or are kept by a cache", .standardTimeLimit)
struct PagedCollectionGrowthTests {
  @Test("loadMore at the empty page that ended a list loses none of the rows that came since")
  func growthAtEmptyEnd() async throws {
    await StoreActor.mainActor.run { actor in
      let clock = ManualClock()
      let rows = Locked([1, 2, 3, 4, 5])
      let stub = StubTransport { request in
        let page = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
        let items = rows.withLock { Array($0.dropFirst((page - 1) * 2).prefix(2)) }
        return HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: Data("[\(items.map(String.init).joined(separator: ","))]".utf8), url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      let list = service.pages("rows", of: Int.self, style: .pageNumber("page"))
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3, 4, 5] && list.state.description == "ended")
      rows.withLock { $0 += [6, 7] }
      clock.advance(by: .seconds(31))
      list.loadMore()
      await list.settled()
      #expect(list.items.isRun(of: [1, 2, 3, 4, 5, 6, 7]), "\(list.items), \(list.state)")
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3, 4, 5, 6, 7], "\(list.items), \(list.state)")
    }
  }

  @Test("After a refresh and a reset, a list does not join two ages of the server")
  func resetAfterRefresh() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadAll()
      let other = fixture.server.list(in: fixture.service)
      other.loadIfNeeded()
      fixture.server.rows = [9, 2, 4, 5, 6, 7, 8]
      other.refresh(.firstPage)
      await other.settled()
      other.reset()
      other.loadAll()
      await other.settled()
      #expect(other.items == fixture.server.rows, "\(other.state)")
    }
  }

  @Test("What a list has asked for ahead is cancelled though the list was sent back to its start")
  func sentBack() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 4
      }
      fixture.list.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      fixture.list.pages[0].invalidate()
      await fixture.respondToAll()
      let counts = Dictionary(grouping: fixture.asked) { $0 }.mapValues(\.count)
      #expect(fixture.list.items == Array(0..<40))
      let isTwice = counts.contains { $0.key != 1 && $0.value > 1 }
      #expect(!isTwice, "asked for \(fixture.asked)")
    }
  }

  @Test("A wipe of a page that was loaded ahead is not undone by the walk")
  func wipedAhead() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 4
      }
      fixture.list.loadAll()
      await fixture.respond(1)
      fixture.service.wipe()
      #expect(fixture.service.loadingCount == 0 && !fixture.list.isLoading)
      #expect(fixture.list.items.isEmpty && fixture.list.state.description == "idle")
    }
  }

  @Test("The refresh of a list in a window confirms all of its pages, and the window holds")
  func windowedRefresh() async throws {
    await StoreActor.mainActor.run { actor in
      for limit in [1, 2, 8] {
        let fixture = await LinkedPagesFixture(pageCount: 9) {
          $0.concurrentLoads = limit
          $0.retainedPageLimit = 3
        }
        #expect(fixture.list.pageCount == 3)
        fixture.list.refresh()
        let most = await fixture.respondToAll()
        #expect(fixture.asked.sorted() == [7, 8, 9] && most == min(limit, 3))
        #expect(fixture.list.state.description == "ended" && fixture.list.items == Array(12..<18))
      }
    }
  }

  @Test("A refresh of several pages at once fails where one does, and a retry completes it")
  func failedAmongSeveral() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 8) {
        $0.concurrentLoads = 4
        $0.publication = .whenComplete
      }
      fixture.server.change { $0[3] = [100] }
      fixture.server.fail(2)
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      await fixture.respond(3)
      #expect(await fixture.inFlight() == 3)
      fixture.server.fail()
      let most = await fixture.respondToAll()
      #expect(most <= 3)
      #expect(fixture.list.refreshState.description == "failed(page 2, http)")
      #expect(fixture.list.state.description == "ended")
      fixture.list.retry()
      await fixture.respondToAll()
      #expect(fixture.list.refreshState.description == "idle")
      #expect(
        fixture.list.items == fixture.server.items && fixture.list.state.description == "ended")
    }
  }

  @Test("A page of the persistent cache that is older than the refresh of a list is asked for")
  func cachedBeforeRefresh() async throws {
    await StoreActor.mainActor.run { actor in
      let rows = Locked([1, 2, 3, 4])
      let stub = StubTransport { request in
        let page = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
        let items = rows.withLock { Array($0.dropFirst((page - 1) * 2).prefix(2)) }
        let hasMore = rows.withLock { $0.count > page * 2 }
        return HTTPResponse(
          status: 200,
          headers: [
            "Content-Type": "application/json",
            "Link": hasMore ? "</rows?page=\(page + 1)>; rel=\"next\"" : "</rows>; rel=\"first\"",
          ],
          body: Data("[\(items.map(String.init).joined(separator: ","))]".utf8), url: request.url)
      }
      let fixture = RelaunchFixture(stub)
      let list = fixture.launch().pages("rows", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3, 4])
      await fixture.cache.writes(atLeast: 2)
      rows.withLock { $0 = [9, 1, 2, 3, 4] }
      // The program is started again, and the user pulls to refresh.
      let later = fixture.launch().pages("rows", of: Int.self, style: .linkHeader)
      later.loadIfNeeded()
      await later.settled()
      later.refresh()
      await later.settled()
      later.loadAll()
      await later.settled()
      #expect(later.items == [9, 1, 2, 3, 4], "\(later.state)")
    }
  }
}
