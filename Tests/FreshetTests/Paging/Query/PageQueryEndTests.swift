import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Where a query ends", .standardTimeLimit)
struct PageQueryEndTests {
  @Test("A 404 after the first page ends a list of numbered pages", arguments: StoreActor.allCases)
  func notFoundEnds(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/rows?p=1", .json("[1]"))
      fixture.stub.on(.get, "/rows?p=2", .json("[2]"))
      fixture.stub.on(.get, "/rows?p=3", .status(404))
      let page: Resource<Page<Int>> = fixture.service.resource(
        "rows?p=1", decoder: .page(.pageNumber("p")))
      let log = QueryLog(page)
      log.query.start()
      await log.query.settled()
      #expect(log.items == [1, 2] && log.lines.last == "end" && log.query.isEnded)
      let again = QueryLog(page)
      again.query.start()
      #expect(again.lines.last == "end", "the 404 is as fresh as the pages")
    }
  }

  @Test(
    "Pages without items that always name another one are followed as far as the limit allows",
    arguments: StoreActor.allCases)
  func emptyPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(where: { $0.url.path() == "/rows" }) { request in
        let page = request.url.query()?.split(separator: "=").last.flatMap { Int($0) } ?? 1
        return .json(page == 1 ? "[1]" : "[]", headers: ["Link": "</rows?p=\(page + 1)>; rel=next"])
      }
      let log = QueryLog(fixture.service.resource("rows", decoder: .page(.linkHeader)))
      log.query.emptyPageLimit = 3
      log.query.start()
      await log.query.settled()
      #expect(log.query.latestError == .link(.emptyPages(3)) && fixture.stub.requests.count == 4)
      log.query.start()
      await log.query.settled()
      #expect(log.items == [1] && fixture.stub.requests.count == 7, "as many again")
      log.query.emptyPageLimit = 0
      log.query.start()
      await log.query.settled()
      #expect(log.query.latestError == .link(.emptyPages(1)), "one at least is allowed")
    }
  }

  @Test(
    "A page without items ends the list where all that it counts were received",
    arguments: StoreActor.allCases)
  func emptyPageAfterAll(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let style = PageStyle.nextURL(at: "next").items(at: "rows")
      for (page, rows) in [(1, "[1,2]"), (2, "[3]"), (3, "[]")] {
        fixture.stub.on(
          .get, "/rows?p=\(page)",
          .json(#"{"rows":\#(rows),"total":3,"next":"/rows?p=\#(page + 1)"}"#))
      }
      let page: Resource<Page<Int>> = fixture.service.resource("rows?p=1", decoder: .page(style))
      let log = QueryLog(page)
      log.query.start()
      await log.query.settled()
      #expect(log.items == [1, 2, 3] && log.query.isEnded)
    }
  }

  @Test(
    "A refusal to count on ends the list where all that it counts were received",
    arguments: [400, 416, 422])
  @MainActor func refusedAfterAll(status: Int) async {
    let fixture = ServiceFixture()
    for (page, rows) in [(1, "[1,2]"), (2, "[3]")] {
      fixture.stub.on(.get, "/rows?p=\(page)", .json(#"{"rows":\#(rows),"total":3}"#))
    }
    fixture.stub.on(.get, "/rows?p=3", .status(status))
    let page: Resource<Page<Int>> = fixture.service.resource(
      "rows?p=1", decoder: .page(.pageNumber("p").items(at: "rows")))
    let log = QueryLog(page)
    log.query.start()
    await log.query.settled()
    #expect(log.items == [1, 2, 3] && log.query.isEnded)
  }

  @Test(
    "A page that counts fewer pages than an earlier one is no end before all items were received")
  @MainActor func fewerPages() async {
    let fixture = ServiceFixture()
    for (page, rows, count) in [(1, "[1,2]", 3), (2, "[3,4]", 2), (3, "[5]", 3)] {
      fixture.stub.on(
        .get, "/rows?p=\(page)", .json(#"{"rows":\#(rows),"pages":\#(count),"total":5}"#))
    }
    let style = PageStyle.pageNumber("p", totalPageCount: "pages").items(at: "rows")
    let list = fixture.service.pages("rows?p=1", of: Int.self, style: style)
    list.loadAll()
    await list.settled()
    let log = QueryLog(list.firstPage)
    log.query.start()
    await log.query.settled()
    #expect(log.items == [1, 2, 3, 4, 5] && log.query.isEnded)
    #expect(list.items == log.items && list.state == .ended)
  }

  @Test("A 404 of the first page is a failure, and so is one after a page with links")
  @MainActor
  func notFoundFails() async {
    let fixture = PageListFixture([[1], [2]])
    fixture.stub.on(.get, "/items?page=2", .status(404))
    let log = QueryLog(fixture.page(1))
    log.query.start()
    await log.query.settled()
    #expect(log.lines.last == "load http" && !log.query.isEnded)
    fixture.stub.on(.get, "/rows", .status(404))
    let first = QueryLog(fixture.service.resource("rows", decoder: .page(.pageNumber("p"))))
    first.query.start()
    await first.query.settled()
    #expect(first.lines == ["load http"] && !first.query.isEnded)
  }

  @Test("What the server has sent is an end, not what optimistic edits have made of it")
  @MainActor func editedPages() async {
    let fixture = ServiceFixture()
    let style = PageStyle.nextURL(at: "next").items(at: "rows")
    for (page, rows) in [(1, "[1,2]"), (2, "[3]"), (3, "[4]")] {
      let next = page < 3 ? "\"/rows?p=\(page + 1)\"" : "null"
      fixture.stub.on(
        .get, "/rows?p=\(page)", .json(#"{"rows":\#(rows),"total":2,"next":\#(next)}"#))
    }
    let first: Resource<Page<Int>> = fixture.service.resource("rows?p=1", decoder: .page(style))
    await first.load().completed()
    let second: Resource<Page<Int>> = fixture.service.resource("rows?p=2", decoder: .page(style))
    await second.load().completed()
    // Empty, after as many as the total says; but the server has sent an item.
    let update = second.updateContent { $0.items = [] }
    let log = QueryLog(first)
    log.query.start()
    await log.query.settled()
    #expect(log.items == [1, 2, 4] && log.query.isEnded)
    update?.rollBack()
  }
}
