import Foundation
import Testing

@testable import Freshet
@testable import FreshetTesting

@Suite(
  "A window on a list that becomes shorter, whose missing pages are empty",
  .standardTimeLimit)
struct ShrinkingWindowTests {
  @Test("It shows rows that the server has", arguments: [1, 2, 3], [false, true])
  @MainActor func empty(window: Int, isOffset: Bool) async {
    for before in 1...12 {
      for after in 1...before {
        for atOnce in [1, 4] {
          let rows = Locked(Array(1...before))
          let stub = StubTransport { request in
            let number = request.url.query?.split(separator: "=").last.flatMap { Int($0) }
            let start = isOffset ? number ?? 0 : ((number ?? 1) - 1) * 2
            let items = rows.withLock { Array($0.dropFirst(start).prefix(2)) }
            return HTTPResponse(
              status: 200, headers: ["Content-Type": "application/json"],
              body: Data("[\(items.map(String.init).joined(separator: ","))]".utf8),
              url: request.url)
          }
          let service = Service(
            baseURL: "https://api.test", transport: stub, clock: ManualClock())
          var options = PagedCollection<Int>.Options()
          options.retainedPageLimit = window
          options.concurrentLoads = atOnce
          let list = service.pages(
            "rows", of: Int.self, style: isOffset ? .offset("o") : .pageNumber("page"),
            options: options)
          list.loadAll()
          await list.settled()
          rows.withLock { $0 = Array(1...after) }
          list.refresh()
          await list.settled()
          #expect(
            !list.items.isEmpty,
            "\(before) → \(after), \(atOnce) at once: after the refresh \(list.state) \(list.previousState), pages \(list.pages.map { $0.url?.query ?? "" })"
          )
          list.loadAll()
          await list.settled()
          #expect(
            list.items.last == after,
            "\(before) → \(after), \(atOnce) at once: \(list.items), \(list.state)")
        }
      }
    }
  }

  @Test("So it does where the server always names a next page", arguments: [1, 2, 3], [1, 4])
  @MainActor func alwaysNamed(window: Int, atOnce: Int) async {
    for before in 3...9 {
      for after in 1..<before {
        let server = NamingServer(before)
        let fixture = ServedListFixture(server) {
          $0.retainedPageLimit = window
          $0.concurrentLoads = atOnce
          $0.emptyPageLimit = 3
        }
        let list = fixture.list
        await fixture.loadAll()
        server.shorten(to: after)
        await fixture.refresh()
        #expect(!list.items.isEmpty, "\(before) → \(after): after the refresh \(list.state)")
        await fixture.loadAll()
        #expect(list.items.last == after, "\(before) → \(after): \(list.items), \(list.state)")
        guard case .incomplete(let walk) = list.state, case .emptyPages(3) = walk.reason else {
          Issue.record("\(before) → \(after): \(list.state)")
          continue
        }
      }
    }
  }

  @Test("So it does where a page after its empty ones fails", arguments: [1, 2, 3], [1, 4])
  @MainActor func failing(window: Int, atOnce: Int) async {
    for before in 3...9 {
      for after in 1..<before {
        for isRefresh in [true, false] {
          let isShortened = Locked(false)
          let server = NamingServer(before) { page in
            page * 2 < before || isShortened.withLock { $0 } ? "/rows?page=\(page + 1)" : nil
          }
          let fixture = ServedListFixture(server) {
            $0.retainedPageLimit = window
            $0.concurrentLoads = atOnce
            $0.emptyPageLimit = 6
          }
          let list = fixture.list
          await fixture.loadAll()
          #expect(list.isEnded && list.items.last == before)
          isShortened.withLock { $0 = true }
          server.shorten(to: after, failingAfter: (before + 1) / 2)
          fixture.clock.advance(by: .seconds(31))
          let isEmptied = after <= list.firstItemIndex
          isRefresh ? list.refresh() : list.loadIfNeeded()
          await list.settled()
          let what = "\(before) → \(after), refresh \(isRefresh)"
          #expect(list.items.last == after, "\(what): \(list.items), \(list.state)")
          #expect(list.items.isEnd(of: Array(1...after)), "\(what): \(list.items)")
          if isRefresh || isEmptied {
            #expect(list.latestError?.status == 500, "\(what): \(list.state)")
          }
          server.shorten(to: after)
          await fixture.retry()
          await fixture.loadAll()
          #expect(list.items.last == after, "\(what), again: \(list.items)")
          #expect(list.latestError == nil, "\(what), again: \(list.state), \(list.refreshState)")
          #expect(fixture.mirror.failure == nil)
        }
      }
    }
  }

  @Test("It stays failed where the way back uses up the budget", arguments: [true, false])
  @MainActor func failingWithinBudget(isRefresh: Bool) async {
    let isShortened = Locked(false)
    let server = NamingServer(6) { page in
      page < 3 || isShortened.withLock { $0 } ? "/rows?page=\(page + 1)" : nil
    }
    let fixture = ServedListFixture(server) {
      $0.retainedPageLimit = 1
      $0.requestBudget = 1
    }
    let list = fixture.list
    for _ in 0..<6 where !list.isEnded { await fixture.loadAll() }
    #expect(list.isEnded && list.items == [5, 6])
    isShortened.withLock { $0 = true }
    server.shorten(to: 2, failingAfter: 3)
    fixture.clock.advance(by: .seconds(31))
    isRefresh ? list.refresh() : list.loadIfNeeded()
    list.loadAll()
    await list.settled()
    #expect(list.latestError?.status == 500, "\(list.state)")
  }

  @Test("So it does where the link of the last page must not be followed", arguments: [1, 2])
  @MainActor func refusedLink(window: Int) async {
    for after in 1...5 {
      let server = NamingServer(8) { $0 < 4 ? "/rows?page=\($0 + 1)" : "https://other.test/rows" }
      let fixture = ServedListFixture(server) { $0.retainedPageLimit = window }
      let list = fixture.list
      await fixture.loadAll()
      #expect(list.items.last == 8)
      server.shorten(to: after)
      await fixture.refresh()
      #expect(list.items.last == after, "\(after): \(list.items), \(list.state)")
      guard case .incomplete(let walk) = list.state, case .crossOrigin = walk.reason else {
        Issue.record("\(after): \(list.state)")
        continue
      }
    }
  }

  @Test("It goes nowhere while it shows stale items after its empty page")
  @MainActor func staleItems() async {
    let isChanged = Locked(false)
    let server = NamingServer(8) { page in
      if page == 4 { return nil }
      return page == 3 && isChanged.withLock { $0 }
        ? "https://other.test/" : "/rows?page=\(page + 1)"
    }
    let fixture = ServedListFixture(server) { $0.retainedPageLimit = 2 }
    let list = fixture.list
    await fixture.loadAll()
    #expect(list.items == [5, 6, 7, 8])
    isChanged.withLock { $0 = true }
    server.shorten(to: 4)
    let count = fixture.stub.requests.count
    await fixture.refresh()
    #expect(list.items == [7, 8] && fixture.stub.requests.count == count + 1, "\(list.state)")
  }

  /// The last page is stale and those after it no longer exist; their responses come in the other order.
  @Test(
    "It keeps the page with rows while later ones are confirmed", arguments: [1, 2], [1, 2, 4])
  @MainActor func staleLaterPages(window: Int, atOnce: Int) async {
    for reversed in [false, true] {
      let rows = Locked(Array(1...6))
      let requests = HeldRequests { request in
        let start = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 0
        let items = rows.withLock { Array($0.dropFirst(start).prefix(2)) }
        return HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: Data(
            "{\"items\":[\(items.map(String.init).joined(separator: ","))]}".utf8),
          url: request.url)
      }
      let stub = StubTransport { try await requests.respond(to: $0) }
      let clock = ManualClock()
      let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
      let style = PageStyle.offset("o").items(at: "items")
      func finish(_ list: PagedCollection<Int>) async {
        for _ in 0..<50 where list.isLoading {
          _ = await requests.exactCount(from: service)
          for offset in reversed ? ["o=6", "o=4", "o=2", "rows"] : ["rows", "o=2", "o=4", "o=6"] {
            let count = requests.count
            requests.release(offset)
            if requests.count < count { break }
          }
          _ = await requests.exactCount(from: service)
        }
      }
      let first = service.pages("rows", of: Int.self, style: style)
      first.loadAll()
      await finish(first)
      #expect(first.items == Array(1...6))
      clock.advance(by: .seconds(31))
      rows.withLock { $0 = [1, 2] }
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = window
      options.concurrentLoads = atOnce
      let list = service.pages("rows", of: Int.self, style: style, options: options)
      list.loadIfNeeded()
      await finish(list)
      #expect(list.items == [1, 2] && list.pageCount == 1)
      list.loadAll()
      await finish(list)
      #expect(
        list.items == [1, 2],
        "window \(window), \(atOnce) at once, reversed \(reversed): \(list.items), \(list.state), pages \(list.pages.map { $0.url?.query ?? "" })"
      )
      list.loadIfNeeded()
      await finish(list)
      list.loadAll()
      await finish(list)
      #expect(list.items == [1, 2], "again: \(list.items), \(list.state)")
      list.refresh()
      await finish(list)
      #expect(list.items == [1, 2], "after a refresh: \(list.items), \(list.state)")
    }
  }
}

/// A server of rows in pages of two, each of which names a next one by default: also those after the last row.
private struct NamingServer: ListServer {
  private let rows: Locked<[Int]>
  /// The last page whose requests do not fail.
  private let last = Locked(Int.max)
  private let next: @Sendable (_ page: Int) -> String?

  init(
    _ count: Int,
    next: @escaping @Sendable (_ page: Int) -> String? = { "/rows?page=\($0 + 1)" }
  ) {
    rows = Locked(Array(1...count))
    self.next = next
  }

  func shorten(to count: Int, failingAfter page: Int = .max) {
    rows.withLock { $0 = Array(1...count) }
    last.withLock { $0 = page }
  }

  func number(_ url: URL?) -> Int {
    url?.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let page = number(request.url)
    guard page <= last.withLock({ $0 }) else { return HTTPResponse(status: 500, url: request.url) }
    let items = rows.withLock { Array($0.dropFirst((page - 1) * 2).prefix(2)) }
    let link = next(page).map { "\"\($0)\"" } ?? "null"
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"],
      body: Data("{\"items\":\(items),\"next\":\(link)}".utf8), url: request.url)
  }

  func list(in service: Service, options: PagedCollection<Int>.Options) -> PagedCollection<Int> {
    service.pages(
      "rows", of: Int.self, style: .nextURL(at: "next").items(at: "items"), options: options)
  }
}
