import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Ends before the last page that the server counts", .standardTimeLimit)
struct PagedCollectionCountedEndTests {
  /// A service whose numbered pages are these. For nil, and for each page after the last, it responds with the status
  /// `absent`.
  private func service(
    _ pages: [String?], headers: HTTPHeaders = [:], absent: Int = 404,
    isolation: isolated any Actor
  ) -> Service {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let number = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      guard let page = pages.indices.contains(number - 1) ? pages[number - 1] : nil else {
        return .status(absent)
      }
      return .json(page, headers: headers)
    }
    return Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: isolation)
  }

  private static let counted = PageStyle.pageNumber("page", totalPageCount: "total_pages")
  private static let plain = PageStyle.pageNumber("page")

  @Test("A 416 after the last item of a Content-Range is the end, as with PostgREST")
  func ranges() async {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      stub.on(where: { _ in true }) { request in
        let offset = request.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 0
        guard offset < 4 else { return .status(416) }
        return .json(
          "[\(offset),\(offset + 1)]", status: 206,
          headers: ["Content-Range": "\(offset)-\(offset + 1)/4"])
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let list = service.pages("rows", of: Int.self, style: .offset("offset"))
      list.loadAll()
      await list.settled()
      #expect(list.isEnded && list.items == [0, 1, 2, 3] && list.totalCount == 4)
      #expect(stub.requests.count == 3)
    }
  }

  @Test(
    "A 404 for a page that the one before it counts is no end",
    arguments: [
      (counted, #""total_pages":5"#, [:]), (plain, #""total_pages":5"#, [:]),
      (plain, #""page":1,"pages":5"#, [:]), (plain, #""total":20"#, [:]),
      (plain, #""a":1"#, ["X-Total-Pages": "5"]), (plain, #""a":1"#, ["X-Total-Count": "5"]),
    ] as [(PageStyle, String, HTTPHeaders)])
  func countedPage(style: PageStyle, member: String, headers: HTTPHeaders) async throws {
    await StoreActor.mainActor.run { actor in
      let pages = [#"{"items":[1,2],\#(member)}"#, #"{"items":[3,4],\#(member)}"#]
      let service = service(pages, headers: headers, isolation: actor)
      let list = service.pages("rows", of: Int.self, style: style.items(at: "items"))
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3, 4])
      #expect(list.state.description == "failed(page 2, http)")
      let query = PageQuery(
        firstPage: service.resource("rows", decoder: .page(style.items(at: "items")))
          as Resource<Page<Int>>)
      query.start()
      await query.settled()
      #expect(query.latestError != nil && !query.isEnded)
    }
  }

  @Test(
    "Nor is it where a window has dropped the first page, which shows the size of a page",
    arguments: [1, 2])
  func countedPageAfterWindow(window: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let pages = (0..<3).map { #"{"items":[\#(2 * $0 + 1),\#(2 * $0 + 2)],"total":20}"# }
      let service = service(pages, isolation: actor)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = window
      let list = service.pages(
        "rows", of: Int.self, style: Self.plain.items(at: "items"), options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items.last == 6)
      #expect(list.latestError?.status == 404, "\(list.state)")
    }
  }

  @Test(
    "It is an end where no page is counted there, or the size of a page is not known",
    arguments: [
      ("rows", #""total_pages":2"#), ("rows", #""total":3"#), ("rows", #""total":4"#),
      ("rows", #""pages":9"#), ("rows", #""total":null"#), ("rows?page=2", #""total":8"#),
    ])
  func uncountedPage(path: String, member: String) async throws {
    await StoreActor.mainActor.run { actor in
      let pages = [#"{"items":[1,2],\#(member)}"#, #"{"items":[3],\#(member)}"#]
      let service = service(pages, isolation: actor)
      let list = service.pages(path, of: Int.self, style: Self.plain.items(at: "items"))
      list.loadAll()
      await list.settled()
      #expect(list.items == (path == "rows" ? [1, 2, 3] : [3]))
      #expect(list.state.description == "ended")
    }
  }

  @Test(
    "Where fewer pages are counted than before, the server shows whether the list ends",
    arguments: [true, false])
  func shrunkCount(hasMore: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let rest = hasMore ? [#"{"items":[5],"total_pages":3}"#] : []
      let service = service(
        [#"{"items":[1,2],"total_pages":4}"#, #"{"items":[3,4],"total_pages":2}"#] + rest,
        isolation: actor)
      let style = Self.counted.items(at: "items")
      let list = service.pages("rows", of: Int.self, style: style)
      list.loadAll()
      await list.settled()
      #expect(list.items == (hasMore ? [1, 2, 3, 4, 5] : [1, 2, 3, 4]))
      #expect(list.state.description == "ended")
      let query = PageQuery(
        firstPage: service.resource("rows", decoder: .page(style)) as Resource<Page<Int>>)
      var items: [Int] = []
      query.itemReceived = { items.append($0) }
      query.start()
      await query.settled()
      #expect(items == list.items && query.isEnded)
    }
  }

  @Test("Where all items that the server counts are loaded, no further page is requested")
  func shorterList() async throws {
    await StoreActor.mainActor.run { actor in
      let service = service(
        [
          #"{"items":[1,2],"total_pages":4,"total":8}"#,
          #"{"items":[3],"total_pages":2,"total":3}"#,
          #"{"items":[9],"total_pages":2,"total":3}"#,
        ], isolation: actor)
      let list = service.pages("rows", of: Int.self, style: Self.counted.items(at: "items"))
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.state.description == "ended")
    }
  }

  @Test("A page that an optimistic edit has emptied is no end, whatever was inserted before it")
  func emptiedByEdit() async throws {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      for number in 1...3 {
        var headers: HTTPHeaders = ["X-Total-Count": "3"]
        if number < 3 { headers["Link"] = "</rows?page=\(number + 1)>; rel=next" }
        let path = number == 1 ? "/rows" : "/rows?page=\(number)"
        stub.on(.get, path, .json("[\(number)]", headers: headers))
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let list = service.pages("rows", of: Int.self, style: .linkHeader)
      list.loadPages(through: 1)
      await list.settled()
      #expect(list.items == [1, 2] && list.state == .idle)
      var edits = [10, 11].map { list.insert($0, at: 0) }
      edits.append(list.pages[1].updateContent { $0.items = [] })
      #expect(list.items == [11, 10, 1] && list.state == .idle)
      list.loadAll()
      await list.settled()
      #expect(list.items == [11, 10, 1, 3] && list.state == .ended)
      for edit in edits { edit?.rollBack() }
      #expect(list.items == [1, 2, 3] && list.state == .ended)
    }
  }

  @Test(
    "Items that are inserted in a page before a window drops it are none that the server counts")
  func editedAndDropped() async throws {
    await StoreActor.mainActor.run { actor in
      let pages = [#"{"items":[1,2],"total":6}"#, #"{"items":[3,4],"total":6}"#]
      let service = service(pages, absent: 416, isolation: actor)
      let list = service.pages(
        "rows", of: Int.self, style: Self.plain.items(at: "items"),
        options: .with { $0.retainedPageLimit = 1 })
      list.loadIfNeeded()
      await list.settled()
      let edits = [10, 11].map { list.insert($0, at: 0) }
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4] && list.firstItemIndex == 4)
      #expect(list.state.description == "failed(page 1, http)")
      withExtendedLifetime(edits) {}
    }
  }

  @Test(
    "Copies that are hidden in a page before a window drops it are items that the server counts")
  func hiddenAndDropped() async throws {
    await StoreActor.mainActor.run { actor in
      let pages = [
        #"{"items":[1,2],"total":5}"#, #"{"items":[2,3],"total":5}"#, #"{"items":[4],"total":5}"#,
      ]
      let service = service(pages, absent: 416, isolation: actor)
      var options = PagedCollection<Int>.Options()
      options.retainedPageLimit = 1
      options.identity = ItemIdentity(showing: .newest) { $0 }
      let list = service.pages(
        "rows", of: Int.self, style: Self.plain.items(at: "items"), options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items == [4] && list.state == .ended)
    }
  }

  @Test(
    "An offset ends a list by what it skips, wherever the list begins", arguments: [3, 4],
    [416, 404])
  func offsets(total: Int, status: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/rows", .json(#"{"items":[1,2],"total":\#(total)}"#))
      stub.on(.get, "/rows?skip=2", .json(#"{"items":[3],"total":\#(total)}"#))
      stub.on(.get, "/rows?skip=3", .status(status))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let style = PageStyle.offset("skip").items(at: "items")
      let list = service.pages("rows?skip=2", of: Int.self, style: style)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3] && (list.state == .ended) == (total == 3), "\(list.state)")
      let query = PageQuery<Int>(
        firstPage: service.resource("rows", decoder: .page(style)),
        from: .next(PageLink(.query("skip", "2"))))
      query.start()
      await query.settled()
      #expect(query.isEnded == (total == 3) && query.itemCount == 1)
    }
  }

  @Test(
    "A window that was refreshed ends where the server refuses the page after the last one",
    arguments: [400, 404, 416, 422], [1, 2])
  func refreshedWindow(status: Int, retained: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let pages = ["[1,2]", "[3,4]", "[5]"].map { #"{"items":\#($0),"total":5}"# }
      let service = service(pages, absent: status, isolation: actor)
      let list = service.pages(
        "rows", of: Int.self, style: Self.plain.items(at: "items"),
        options: .with { $0.retainedPageLimit = retained })
      list.loadAll()
      await list.settled()
      #expect(list.items.last == 5 && list.state == .ended)
      list.refresh()
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(list.items.last == 5 && list.state == .ended)
    }
  }

  @Test("An optimistic edit of the last page does not reopen a list that ended with 404")
  func editedLastPage() async throws {
    await StoreActor.mainActor.run { actor in
      let service = service([#"{"items":[1,2,3]}"#], isolation: actor)
      let list = service.pages("rows", of: Int.self, style: Self.plain.items(at: "items"))
      list.loadAll()
      await list.settled()
      #expect(list.state == .ended)
      let edit = list.insert(4, at: 3)
      #expect(list.items == [1, 2, 3, 4] && list.state == .ended)
      edit?.rollBack()
      #expect(list.items == [1, 2, 3] && list.state == .ended)
    }
  }

  @Test("Optimistic edits of the first page change nothing about how many pages are counted")
  func editedFirstPage() async throws {
    await StoreActor.mainActor.run { actor in
      let service = service([#"{"items":[1,2],"total":4}"#], isolation: actor)
      let list = service.pages("rows", of: Int.self, style: Self.plain.items(at: "items"))
      list.loadIfNeeded()
      await list.settled()
      let edits = [10, 11].map { list.insert($0, at: 0) }
      list.loadAll()
      await list.settled()
      #expect(list.items == [11, 10, 1, 2])
      #expect(list.state.description == "failed(page 1, http)")
      withExtendedLifetime(edits) {}
    }
  }

  @Test(
    "A page that an optimistic edit has emptied is followed by those that were counted before it")
  func emptiedAndCounted() async throws {
    await StoreActor.mainActor.run { actor in
      let service = service(
        [
          #"{"items":[1,2],"total_pages":3}"#, #"{"items":[3,4],"total_pages":2}"#,
          #"{"items":[5],"total_pages":3}"#,
        ], isolation: actor)
      let list = service.pages("rows", of: Int.self, style: Self.counted.items(at: "items"))
      list.loadPages(through: 1)
      await list.settled()
      let edit = list.pages[1].updateContent { $0.items = [] }
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 5] && list.state == .ended)
      withExtendedLifetime(edit) {}
    }
  }

  @Test("Items that the program has inserted are none that the server counts")
  func insertedItems() async throws {
    await StoreActor.mainActor.run { actor in
      let pages = [#"{"items":[1,2],"total":4}"#, #"{"items":[3,4],"total":4}"#]
      // While the server refuses the second page.
      let refused = Locked(true)
      let stub = StubTransport()
      stub.on(where: { _ in true }) { request in
        switch request.url.query {
        case nil: .json(pages[0])
        case "page=2"?: refused.withLock { $0 } ? .status(416) : .json(pages[1])
        default: .status(416)
        }
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let list = service.pages(
        "rows", of: Int.self, style: Self.plain.items(at: "items"))
      list.loadIfNeeded()
      await list.settled()
      let edits = [10, 11].map { list.insert($0, at: 0) }
      list.loadAll()
      await list.settled()
      #expect(list.items == [11, 10, 1, 2])
      #expect(list.state.description == "failed(page 1, http)")
      refused.withLock { $0 = false }
      list.retry()
      list.loadAll()
      await list.settled()
      #expect(list.items == [11, 10, 1, 2, 3, 4] && list.state == .ended)
      withExtendedLifetime(edits) {}
    }
  }
}
