import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("An item and its own resource agree, however their content came", .standardTimeLimit)
struct ItemDetailsAgreementTests {
  /// Another list of pages that were loaded before, and the resource of its fourth row.
  private func loadedBefore(isolation: isolated any Actor = #isolation) async -> (
    fixture: ItemDetailsFixture, list: PagedCollection<Row>, row: Resource<Row>
  ) {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let service = fixture.service
    let list = service.pages("rows?page=1", of: Row.self, style: .linkHeader)
    return (fixture, list, list.details { service.resource("rows/\($0)", of: Row.self) }[4])
  }

  @Test("A page that was loaded before shows what the resource has", arguments: StoreActor.allCases)
  func knownPage(actor: StoreActor) async throws {
    await actor.run { _ in
      let (fixture, list, row) = await loadedBefore()
      fixture.server.rows[3].value = 41
      row.load()
      await fixture.respond(to: "rows/4")
      list.loadAll()
      await list.settled()
      #expect(list.items.map(\.value) == [10, 20, 30, 41, 50] && row.content?.value == 41)
    }
  }

  @Test(
    "A page that was loaded before, and that the list has observed since, shows what the resource has",
    arguments: StoreActor.allCases)
  func pageBeyond(actor: StoreActor) async throws {
    await actor.run { _ in
      let (fixture, list, row) = await loadedBefore()
      list.loadIfNeeded()
      #expect(list.items.map(\.value) == [10, 20, 30])
      fixture.server.rows[3].value = 41
      row.load()
      await fixture.respond(to: "rows/4")
      let update = row.updateContent { $0.value += 1 }
      list.loadMore()
      #expect(list.items.map(\.value) == [10, 20, 30, 42, 50] && row.content?.value == 42)
      update?.rollBack()
      #expect(list.items.map(\.value) == [10, 20, 30, 41, 50] && row.content?.value == 41)
    }
  }

  @Test("The resource shows what a page ahead has brought, once the list comes to that")
  @MainActor func pageAhead() async throws {
    let stub = StubTransport()
    for id in 1...3 {
      let row = #"{"id":\#(id),"value":\#(id)1}"#
      stub.on(.get, "/rows?page=\(id)", .json(#"{"items":[\#(row)],"pages":3}"#))
    }
    stub.on(.get, "/rows/3", .json(#"{"id":3,"value":30}"#))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    let style = PageStyle.pageNumber("page", totalPageCount: "pages").items(at: "items")
    let list = service.pages(
      "rows?page=1", of: Row.self, style: style, options: .with { $0.concurrentLoads = 2 })
    let row = list.details { service.resource("rows/\($0)", of: Row.self) }[3]
    await row.load().completed()
    let gate = stub.hold(.get, "/rows?page=2")
    list.loadAll()
    await gate.arrived()
    let third: Resource<Page<Row>> = service.resource("rows?page=3", decoder: .page(style))
    await third.settled()
    #expect(third.content?.items == [Row(id: 3, value: 31)] && list.items.count == 1)
    gate.release()
    await list.settled()
    #expect(list.items.map(\.value) == [11, 21, 31] && row.content?.value == 31)
  }

  /// A list that keeps two pages of twelve rows, with its first page.
  @MainActor private func twoPageWindow() async -> (
    server: RowsServer, list: PagedCollection<Row>, details: ItemDetails<Row, Row>
  ) {
    let server = RowsServer(12)
    let stub = StubTransport { server.respond(to: $0) }
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let list = service.pages(
      "rows?page=1", of: Row.self, style: .linkHeader, options: .with { $0.retainedPageLimit = 2 })
    let details = list.details { service.resource("rows/\($0)", of: Row.self) }
    list.loadIfNeeded()
    await list.settled()
    return (server, list, details)
  }

  @Test("A page that a window has dropped at the end comes back with what the resource has")
  @MainActor func windowEnd() async throws {
    let (server, list, details) = await twoPageWindow()
    for _ in 1...2 {
      list.loadMore()
      await list.settled()
    }
    let row = details[7]
    list.loadPreviousPage()
    await list.settled()
    #expect(list.items.map(\.id) == Array(1...6))
    server.rows[6].value = 71
    await row.load().completed()
    list.loadMore()
    await list.settled()
    #expect(list.items.map(\.id) == Array(4...9))
    #expect(list.items[3].value == 71 && row.content?.value == 71)
  }

  @Test("A page that comes back into a window shows what the resource has")
  @MainActor func window() async throws {
    let (server, list, details) = await twoPageWindow()
    let row = details[1]
    let update = details[2].updateContent { $0.value = 5 }
    for _ in 1...3 {
      list.loadMore()
      await list.settled()
    }
    #expect(list.items.first?.id == 7)
    server.rows[0].value = 11
    await row.load().completed()
    for _ in 1...2 {
      list.loadPreviousPage()
      await list.settled()
    }
    #expect(list.items.prefix(2).map(\.value) == [11, 5])
    update?.rollBack()
    #expect(list.items.prefix(2).map(\.value) == [11, 20])
  }

  @Test("A page that the persistent cache brings back into a window shows what the resource has")
  @MainActor func cachedWindow() async throws {
    let (cache, clock) = (MemoryCache(), ManualClock())
    let server = RowsServer(6)
    func service(isolation: isolated any Actor = #isolation) -> Service {
      let stub = StubTransport { server.respond(to: $0) }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock,
        limits: Service.RetentionLimits(resourceCount: 0), isolation: #isolation)
      service.configure("rows") { $0.cache = cache }
      return service
    }
    let earlier = service().pages("rows?page=1", of: Row.self, style: .linkHeader)
    earlier.loadAll()
    await earlier.settled()
    await cache.writes(atLeast: 2)
    let later = service()
    let list = later.pages(
      "rows?page=1", of: Row.self, style: .linkHeader, options: .with { $0.retainedPageLimit = 1 })
    let details = list.details { later.resource("rows/\($0)", of: Row.self) }
    list.loadIfNeeded()
    await list.settled()
    let row = details[1]
    server.rows[0].value = 11
    await row.load().completed()
    for _ in 1...10 {
      #expect(list.items.first == Row(id: 1, value: 11))
      list.loadMore()
      await list.settled()
      #expect(list.items.first == Row(id: 4, value: 40))
      list.loadPreviousPage()
      await list.settled()
    }
  }

  @Test("Of two contents of the persistent cache, the later one counts", arguments: [true, false])
  @MainActor func cache(rowIsNewer: Bool) async throws {
    let cache = MemoryCache()
    let server = RowsServer(3)
    let clock = ManualClock()
    func service(isolation: isolated any Actor = #isolation) -> Service {
      let stub = StubTransport { server.respond(to: $0) }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      service.configure(nil) { $0.cache = cache }
      return service
    }
    let earlier = service()
    let loads =
      [
        { @MainActor in
          earlier.pages("rows?page=1", of: Row.self, style: .linkHeader).firstPage.load()
        },
        { @MainActor in earlier.resource("rows/2", of: Row.self).load() },
      ] as [@MainActor () -> AnyRequest]
    for load in rowIsNewer ? loads : loads.reversed() {
      await load().completed()
      clock.advance(by: .seconds(5))
      server.rows[1].value += 1
    }
    let service = service()
    let row = service.resource("rows/2", of: Row.self)
    await row.loadIfNeeded()?.completed()
    let list = service.pages("rows?page=1", of: Row.self, style: .linkHeader)
    list.loadIfNeeded()
    await list.settled()
    let details = list.details { service.resource("rows/\($0)", of: Row.self) }
    #expect(details[2] === row)
    #expect(list.items[1].value == 21 && row.content?.value == 21)
  }

  @Test("The persistent cache has more than the item that a resource starts with")
  @MainActor func cacheForItem() async throws {
    let (cache, clock) = (MemoryCache(), ManualClock())
    func service(_ article: String?, isolation: isolated any Actor = #isolation) -> Service {
      let stub = StubTransport()
      stub.on(.get, "/rows", .json(#"[{"id":1,"value":11}]"#))
      stub.on(.get, "/rows/1", article.map { .json($0) } ?? .status(500))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      service.configure(nil) { $0.cache = cache }
      return service
    }
    let earlier = service(#"{"id":1,"value":10,"text":"text"}"#)
    await earlier.resource("rows/1", of: Article.self).load().completed()
    clock.advance(by: .seconds(3600))
    let service = service(nil)
    let list = service.pages("rows", of: Row.self)
    list.loadIfNeeded()
    await list.settled()
    let article = list.articles(in: service)[1]
    let update = article.updateContent { $0.value += 1 }
    #expect(article.content == Article(id: 1, value: 12))
    await article.loadIfNeeded()?.completed()
    #expect(article.latestError?.status == 500)
    #expect(article.content == Article(id: 1, value: 12, text: "text"))
    #expect(list.items == [Row(id: 1, value: 12)])
    update?.rollBack()
    #expect(article.content == Article(id: 1, value: 11, text: "text"))
    #expect(list.items == [Row(id: 1, value: 11)])
  }

  @Test("A response replaces an edit that was committed before an earlier one")
  @MainActor func committedOutOfOrder() async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let row = fixture.details[4]
    let one = fixture.list.update(id: 4) { $0.value += 1 }
    fixture.list.update(id: 4) { $0.value = 7 }?.commit()
    fixture.server.rows[3].value = 30
    fixture.list.pages[1].load()
    await fixture.respond(to: "page=2")
    #expect(fixture.value(4) == 31 && row.content?.value == 31)
    one?.rollBack()
    #expect(fixture.value(4) == 30 && row.content?.value == 30)
  }

  @Test(
    "A later confirmation replaces what the other has received meanwhile", arguments: [true, false])
  @MainActor func confirmed(pageIsLater: Bool) async throws {
    let fixture = ItemDetailsFixture()
    await fixture.loadAll()
    let (row, page) = (fixture.details[4], fixture.list.pages[1])
    row.load()
    await fixture.respond(to: "rows/4")
    let (earlier, later): (AnyResource, AnyResource) = pageIsLater ? (row, page) : (page, row)
    for resource in [earlier, later] {
      resource.load()
      _ = await fixture.requests.exactCount(from: fixture.service)
    }
    let addresses = ["rows/4", "page=2"]
    fixture.server.rows[3].value = 41
    await fixture.respond(to: addresses[pageIsLater ? 0 : 1])
    #expect(fixture.value(4) == 41 && row.content?.value == 41)
    fixture.server.rows[3].value = 40
    var events: [ResourceEvent] = []
    let token = later.observe { _, event in events.append(event) }
    await fixture.respond(to: addresses[pageIsLater ? 1 : 0])
    #expect(fixture.value(4) == 40 && row.content?.value == 40)
    #expect(events == [.observerAdded, .newData(.network)])
    token.cancel()
  }

  @Test("An edit may depend on content that the item does not have")
  @MainActor func editOfMore() async throws {
    let fixture = ItemDetailsFixture()
    let (list, details) = await fixture.loadedArticles()
    let article = details[4]
    article.overrideLocalContent(Article(id: 4, value: 5, text: "text"))
    let text = article.updateContent { $0.text = "longer" }
    let count = article.updateContent { $0.value = $0.text?.count ?? 0 }
    #expect(article.content?.value == 6 && list.items[3].value == 6)
    text?.rollBack()
    #expect(article.content?.value == 4 && list.items[3].value == 4)
    article.load()
    await fixture.respond(to: "rows/4")
    #expect(article.content?.value == 0 && list.items[3].value == 0)
    count?.rollBack()
    #expect(article.content?.value == 40 && list.items[3].value == 40)
  }

  @Test("The resource of an item may be a page of another list")
  @MainActor func pageAsDetail() async throws {
    let fixture = ItemDetailsFixture(8)
    let service = fixture.service
    let folders = service.pages("newest?page=1", of: Row.self, style: .linkHeader)
    let rows = service.pages("rows?page=1", of: Row.self, style: .linkHeader)
    let details = folders.details { _ in
      rows.firstPage
    } item: {
      Row(id: 8, value: $0.items.first?.value ?? 0)
    } detail: {
      $1 ?? Page(items: [$0])
    }
    folders.loadIfNeeded()
    await fixture.respond(to: "newest?page=1")
    rows.loadIfNeeded()
    await fixture.respond(to: "rows?page=1")
    let page = details[8]
    let update = page.updateContent { $0.items[0].value = 77 }
    #expect(folders.items[0].value == 77)
    // This follows the link of the page, which is attached to it as well.
    rows.loadMore()
    await fixture.respond(to: "rows?page=2")
    page.load()
    await fixture.respond(to: "rows?page=1")
    update?.rollBack()
    #expect(rows.items[0].value == 10 && folders.items[0].value == 10)
    page.updateContent { $0.items[0].value = 78 }
    #expect(folders.items[0].value == 78)
  }
}
