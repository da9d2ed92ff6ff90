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
        let rows = Locked(Array(1...before))
        let stub = StubTransport { request in
          let page = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
          let items = rows.withLock { Array($0.dropFirst((page - 1) * 2).prefix(2)) }
          return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"],
            body: Data("{\"items\":\(items),\"next\":\"/rows?page=\(page + 1)\"}".utf8),
            url: request.url)
        }
        let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
        var options = PagedCollection<Int>.Options()
        options.retainedPageLimit = window
        options.concurrentLoads = atOnce
        options.emptyPageLimit = 3
        let style = PageStyle.nextURL(at: "next").items(at: "items")
        let list = service.pages("rows", of: Int.self, style: style, options: options)
        list.loadAll()
        await list.settled()
        rows.withLock { $0 = Array(1...after) }
        list.refresh()
        await list.settled()
        #expect(!list.items.isEmpty, "\(before) → \(after): after the refresh \(list.state)")
        list.loadAll()
        await list.settled()
        #expect(list.items.last == after, "\(before) → \(after): \(list.items), \(list.state)")
        guard case .incomplete(let walk) = list.state, case .emptyPages(3) = walk.reason else {
          Issue.record("\(before) → \(after): \(list.state)")
          continue
        }
      }
    }
  }

  @Test("So it does where the link of the last page must not be followed", arguments: [1, 2])
  @MainActor func refusedLink(window: Int) async {
    for after in 1...5 {
      let rows = Locked(Array(1...8))
      let stub = StubTransport { request in
        let page = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
        let items = rows.withLock { Array($0.dropFirst((page - 1) * 2).prefix(2)) }
        let next = page < 4 ? "/rows?page=\(page + 1)" : "https://other.test/rows"
        return HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: Data("{\"items\":\(items),\"next\":\"\(next)\"}".utf8), url: request.url)
      }
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = window
      let style = PageStyle.nextURL(at: "next").items(at: "items")
      let list = service.pages("rows", of: Int.self, style: style, options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items.last == 8)
      rows.withLock { $0 = Array(1...after) }
      list.refresh()
      await list.settled()
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
    let stub = StubTransport { request in
      let page = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      let isEmpty = isChanged.withLock { $0 } && page == 3
      let next =
        page == 4 ? "null" : isEmpty ? #""https://other.test/""# : #""/rows?page=\#(page + 1)""#
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: Data("{\"items\":\(isEmpty ? [] : [page]),\"next\":\(next)}".utf8),
        url: request.url)
    }
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    var options = PagedCollection<Int>.Options()
    options.retainedPageLimit = 2
    let style = PageStyle.nextURL(at: "next").items(at: "items")
    let list = service.pages("rows", of: Int.self, style: style, options: options)
    list.loadAll()
    await list.settled()
    #expect(list.items == [3, 4])
    isChanged.withLock { $0 = true }
    let count = stub.requests.count
    list.refresh()
    await list.settled()
    #expect(list.items == [4] && stub.requests.count == count + 1, "\(list.state)")
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
