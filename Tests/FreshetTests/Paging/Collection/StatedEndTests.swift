import Freshet
import FreshetTesting
import Testing

/// Servers that name a next page in every response, and say with the last one that there is no more.
@Suite("Lists whose last page names a next one, and says that there is none", .standardTimeLimit)
struct StatedEndTests {
  /// A page of Zendesk's time-based exports, as far as the end goes.
  private static func response(_ items: [Int], next: Int, isEnd: Bool?) -> StubTransport.Response {
    let flag = isEnd.map { #""end_of_stream":\#($0),"# } ?? ""
    return .json(#"{"items":\#(items),\#(flag)"next_page":"/rows?page=\#(next)"}"#)
  }

  @Test(
    "It ends at the page without items, or where the link leads back",
    arguments: [
      // To the page after the end, which has no items.
      ([([1], 2, false), ([2], 3, true), ([], 3, true)], [1, 2]),
      // To the last page itself, to the first one, and to the only one.
      ([([1], 2, false), ([2], 2, true)], [1, 2]),
      ([([1], 2, false), ([2], 3, false), ([3], 1, true)], [1, 2, 3]),
      ([([1], 1, true)], [1]), ([([], 2, true)], []),
      // The second page says so too soon.
      ([([1], 2, false), ([2], 3, true), ([3], 4, false), ([4], 4, true)], [1, 2, 3, 4]),
      // A page in between has no items, and says nothing.
      ([([1], 2, false), ([], 3, false), ([3], 3, true)], [1, 3]),
    ] as [([([Int], Int, Bool)], [Int])])
  @MainActor
  func ends(pages: [([Int], Int, Bool)], items: [Int]) async throws {
    let stub = StubTransport(numbered: { number in
      guard number <= pages.count else { return .status(500) }
      let (items, next, isEnd) = pages[number - 1]
      return Self.response(items, next: next, isEnd: isEnd)
    })
    for retained in [nil, 1] {
      stub.forgetRequests()
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = retained
      let list = service.pages("rows?page=1", of: Int.self, options: options)
      if retained != nil {
        // Where pages were dropped before the walk begins again, as it does after an edit.
        list.loadIfNeeded()
        list.loadMore()
        await list.settled()
        let last = try #require(list.pages.last)
        last.updateContent { $0.items = $0.items.map { $0 + 10 } }?.rollBack()
      }
      list.loadAll()
      await list.settled()
      #expect(list.state == .ended && stub.requests.count == pages.count)
      #expect(list.firstItemIndex + list.items.count == items.count)
      if retained == nil { #expect(list.items == items) }
      let log = QueryLog(service.resource("rows?page=1", decoder: .page(.auto)))
      log.query.start()
      await log.query.settled()
      #expect(log.items == items && log.query.isEnded && log.lines.last == "end", "\(log.lines)")
    }
  }

  @Test("A link back is a loop where the page says nothing, or that there is more")
  @MainActor func loops() async {
    for isEnd in [nil, false] {
      let stub = StubTransport(numbered: { number in
        Self.response([number], next: 3 - number, isEnd: isEnd)
      })
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      let list = service.pages("rows?page=1", of: Int.self)
      list.loadAll()
      await list.settled()
      guard case .incomplete(let walk) = list.state else {
        Issue.record("\(list.state)")
        continue
      }
      #expect(walk.reason == .loop(backTo: 0) && list.items == [1, 2])
      let log = QueryLog(list.firstPage)
      log.query.start()
      await log.query.settled()
      #expect(log.query.latestError == .link(.loop(backTo: 0)))
    }
  }

  @Test("A query from a cursor ends where the last page leads back to the first one")
  @MainActor func cursor() async {
    let stub = StubTransport(numbered: { number in
      Self.response([number], next: number % 3 + 1, isEnd: number == 3)
    })
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let page: Resource<Page<Int>> = service.resource("rows?page=1", decoder: .page(.auto))
    let begun = QueryLog(page)
    begun.query.pageBudget = 1
    begun.query.start()
    await begun.query.settled()
    let log = QueryLog(page, from: begun.query.cursor)
    log.query.start()
    await log.query.settled()
    #expect(log.items == [2, 3] && log.query.isEnded && log.lines.last == "end", "\(log.lines)")
  }

  @Test("A list that has grown since is walked on after a refresh")
  @MainActor func growth() async {
    let stub = StubTransport()
    func serve(_ number: Int, _ items: [Int], next: Int, isEnd: Bool) {
      stub.on(
        .get, "/rows?page=\(number)", Self.response(items, next: next, isEnd: isEnd))
    }
    serve(1, [1], next: 2, isEnd: false)
    serve(2, [2], next: 2, isEnd: true)
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let list = service.pages("rows?page=1", of: Int.self)
    list.displayedCount = .max
    list.loadIfNeeded()
    await list.settled()
    #expect(list.items == [1, 2] && list.state == .ended)
    serve(2, [2], next: 3, isEnd: false)
    serve(3, [3], next: 3, isEnd: true)
    list.refresh()
    await list.settled()
    #expect(list.items == [1, 2, 3] && list.state == .ended)
  }
}
