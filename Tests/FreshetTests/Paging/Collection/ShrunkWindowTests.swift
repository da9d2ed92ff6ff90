import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A window on a list that becomes shorter", .standardTimeLimit)
struct ShrunkWindowTests {
  /// Pages of two rows by number; one that does not exist is a 404.
  private func fixture(
    _ rows: [Int], window: Int, isolation: isolated any Actor = #isolation
  ) -> RefusingListFixture {
    RefusingListFixture(RefusingServer(.pageNumber, rows: rows)) { $0.retainedPageLimit = window }
  }

  @Test(
    "It ends at the page before the one that no longer exists", arguments: [1, 2, 3],
    [Duration.zero, .seconds(2), .seconds(40)])
  func shorterThanWindow(window: Int, pause: Duration) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = fixture([1, 2, 3, 4], window: window)
      await fixture.loadAll()
      #expect(fixture.list.state == .ended && fixture.list.items.last == 4)
      fixture.server.rows = [1, 2]
      await fixture.refresh()
      fixture.clock.advance(by: pause)
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2], "\(fixture.list.refreshState)")
      #expect(fixture.list.state == .ended && fixture.list.refreshState == .idle)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "It begins again whatever status refuses what is beyond the end, at either end of the window",
    arguments: [400, 404, 416, 422], [true, false])
  func refused(status: Int, isRefresh: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let (rows, clock) = (Locked(Array(1...8)), ManualClock())
      let stub = StubTransport(numbered: { page in
        let (count, items) = rows.withLock { ($0.count, $0.dropFirst((page - 1) * 2).prefix(2)) }
        return items.isEmpty
          ? .status(status) : .json(#"{"items":\#(Array(items)),"total":\#(count)}"#)
      })
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: actor)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = 1
      let list = service.pages(
        "rows", of: Int.self, style: .pageNumber("page").items(at: "items"), options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items == [7, 8] && list.state == .ended)
      rows.withLock { $0 = [1, 2, 3, 4] }
      clock.advance(by: .seconds(31))
      isRefresh ? list.refresh() : list.loadPreviousPage()
      await list.settled()
      #expect(list.items == [1, 2] && list.latestError == nil, "\(list.items), \(list.state)")
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4] && list.state == .ended, "\(list.items), \(list.state)")
    }
  }

  @Test("The last rows stay also where no items are displayed", arguments: [1, 2])
  func noneDisplayed(window: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport(numbered: { page in .json(page < 4 ? "[\(page)]" : "[]") })
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = window
      options.displayedCount = 0
      let list = service.pages("rows", of: Int.self, style: .pageNumber("page"), options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3] && list.state == .ended)
    }
  }

  @Test("A last page that turns out to be empty stays the end of the list")
  func emptiedLastPage() async throws {
    await StoreActor.mainActor.run { actor in
      let (count, clock) = (Locked(2), ManualClock())
      let stub = StubTransport(numbered: { page in
        .json(page <= count.withLock { $0 } ? "[\(page)]" : "[]")
      })
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: actor)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = 1
      let style = PageStyle.pageNumber("page")
      let list = service.pages("rows", of: Int.self, style: style, options: options)
      list.loadIfNeeded()
      await list.settled()
      // Its former content is shown until it is loaded again, and the first page is dropped for it.
      let second: Resource<Page<Int>> = service.resource("rows?page=2", decoder: .page(style))
      _ = await second.load().completed()
      clock.advance(by: .seconds(31))
      count.withLock { $0 = 1 }
      list.refresh()
      await list.settled()
      #expect(list.items == [1] && list.state == .ended)
    }
  }

  @Test("So it does by any number of pages, from any number", arguments: [1, 2, 3])
  func anyLength(window: Int) async throws {
    await StoreActor.mainActor.run { actor in
      for (before, after) in [(6, 2), (8, 2), (8, 4), (8, 6), (10, 3), (12, 1)] {
        let fixture = fixture(Array(1...before), window: window)
        await fixture.loadAll()
        fixture.server.rows = Array(1...after)
        await fixture.refresh()
        await fixture.loadAll()
        let rows = Array(1...after)
        #expect(
          fixture.list.items.isEnd(of: rows) && fixture.list.items.last == after,
          "\(before) → \(after): \(fixture.list.items)")
        #expect(fixture.list.state == .ended, "\(before) → \(after): \(fixture.list.state)")
        #expect(fixture.mirror.failure == nil)
      }
    }
  }

  /// A list with a window in a later launch of the program, when the pages of an earlier one are stale.
  private func relaunched(
    _ server: some ListServer, window: Int, atOnce: Int = 1, changing change: () -> Void = {},
    isolation: isolated any Actor = #isolation
  ) async -> (list: PagedCollection<Int>, service: Service, launches: RelaunchFixture) {
    let launches = RelaunchFixture(StubTransport { server.respond(to: $0) })
    let earlier = launches.launch()
    let loaded = server.list(in: earlier, options: .init())
    loaded.loadAll()
    await loaded.settled()
    await earlier.flushCache()
    launches.clock.advance(by: .seconds(31))
    launches.stub.forgetRequests()
    change()
    let service = launches.launch()
    let options = PagedCollection<Int>.Options.with {
      $0.retainedPageLimit = window
      $0.concurrentLoads = atOnce
    }
    return (server.list(in: service, options: options), service, launches)
  }

  @Test(
    "It ends before a page that only the persistent cache still has",
    arguments: RefusingServer.Style.allCases, [1, 4])
  func cachedBeyondEnd(style: RefusingServer.Style, atOnce: Int) async throws {
    await StoreActor.mainActor.run { actor in
      for (window, before) in [(1, 4), (1, 9), (2, 4), (2, 9), (3, 4), (3, 9)] {
        for after in 1...before {
          let server = RefusingServer(style, rows: Array(1...before))
          let (list, service, launches) = await relaunched(
            server, window: window, atOnce: atOnce, changing: { server.rows = Array(1...after) })
          list.loadAll()
          await list.settled()
          let what = "\(window): \(before) → \(after): \(list.items), \(list.state)"
          #expect(list.items.last == after && list.items.isEnd(of: Array(1...after)), "\(what)")
          #expect(list.state == .ended && list.pageCount <= window, "\(what)")
          let urls = launches.stub.requests.map(\.url)
          #expect(Set(urls).count == urls.count, "\(what), requested again")
          withExtendedLifetime(service) {}
        }
      }
    }
  }

  @Test(
    "It ends at the last row where pages follow by links and cursors",
    arguments: RowServer.Style.allCases, [1, 4])
  func cachedBeyondLastLink(style: RowServer.Style, atOnce: Int) async throws {
    await StoreActor.mainActor.run { actor in
      for status in [nil, 410] {
        for (window, before) in [(1, 4), (1, 9), (2, 4), (2, 9), (3, 9)] {
          for after in 1...before {
            let server = RowServer(Array(1...before), style: style, statusOfExpired: status)
            let (list, service, launches) = await relaunched(
              server, window: window, atOnce: atOnce, changing: { server.rows = Array(1...after) })
            list.loadAll()
            await list.settled()
            let what =
              "\(status ?? 0), \(window): \(before) → \(after): \(list.items), \(list.state)"
            #expect(list.items.last == after && list.items.isEnd(of: Array(1...after)), "\(what)")
            #expect(list.state == .ended && list.pageCount <= window, "\(what)")
            let requests = launches.stub.requests
            if atOnce == 1 {
              #expect(requests.count == (after + 1) / 2, "\(what), \(requests.count) requests")
            }
            let pages = Set(requests.map { [Data($0.url.absoluteString.utf8), $0.body ?? Data()] })
            #expect(pages.count == requests.count, "\(what), requested again")
            withExtendedLifetime(service) {}
          }
        }
      }
    }
  }

  /// The server confirms pages whose links have expired.
  @Test(
    "It begins again where the cursor of a page that the persistent cache has is refused",
    arguments: RowServer.Style.allCases, [1, 2, 3])
  func cachedAndExpired(style: RowServer.Style, window: Int) async throws {
    await StoreActor.mainActor.run { actor in
      for (expired, atOnce) in [(1, 1), (4, 1), (6, 1), (1, 4), (4, 4), (6, 4)] {
        for after in [2, 5, 9, 11] {
          let server = RowServer(
            Array(1...9), style: style, sendsTags: true, confirmsExpiredLinks: true,
            statusOfExpired: 410)
          let (list, service, _) = await relaunched(server, window: window, atOnce: atOnce) {
            server.rows = Array(1...after)
            server.expireCursors(from: expired)
          }
          list.loadAll()
          await list.settled()
          let what = "from \(expired), \(atOnce) at once, → \(after): \(list.items), \(list.state)"
          #expect(list.items.last == after && list.items.isEnd(of: Array(1...after)), "\(what)")
          #expect(list.state == .ended && list.pageCount <= window, "\(what)")
          for _ in 0..<10 where list.hasPreviousPage {
            list.loadPreviousPage()
            await list.settled()
          }
          #expect(list.items.isStart(of: Array(1...after)), "\(what), back: \(list.items)")
          withExtendedLifetime(service) {}
        }
      }
    }
  }

  @Test(
    "It keeps the last page where others show one that only the persistent cache still has",
    arguments: [false, true])
  func cachedForOthers(isList: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let server = RefusingServer(.pageNumber, rows: [1, 2, 3, 4])
      let (list, service, launches) = await relaunched(
        server, window: 1, changing: { server.rows = [1, 2] })
      list.loadIfNeeded()
      await list.settled()
      #expect(list.items == [1, 2] && list.state == .idle)
      let page: Resource<Page<Int>> = service.resource(
        "rows?n=2", decoder: .page(server.pageStyle))
      if isList {
        // It shows what the persistent cache has before the page is requested.
        let other = PagedCollection(firstPage: page)
        other.loadIfNeeded()
        await other.settled()
      } else {
        await page.load().completed()
      }
      await list.settled()
      #expect(list.items == [1, 2] && list.state == .ended, "\(list.items), \(list.state)")
      #expect(launches.stub.requests.count == 2)
    }
  }

  @Test("A page that the persistent cache has and that fails stays beside the one before it")
  func cachedAndFailing() async throws {
    await StoreActor.mainActor.run { actor in
      let server = RefusingServer(.pageNumber, rows: [1, 2, 3, 4])
      let (list, service, _) = await relaunched(server, window: 1)
      server.content.failing = 2
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3, 4])
      #expect(list.state.description == "failed(page 1, http)")
      server.content.failing = nil
      list.retry()
      await list.settled()
      #expect(list.items == [3, 4] && list.firstItemIndex == 2 && list.pageCount == 1)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4] && list.state == .ended)
      withExtendedLifetime(service) {}
    }
  }
}
