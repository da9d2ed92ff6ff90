import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Where a query continues, and how far it is", .standardTimeLimit)
struct PageCursorTests {
  @Test(
    "A stored end begins a query that loads nothing, and a stored start the whole list",
    arguments: StoreActor.allCases)
  func ends(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      func stored(_ cursor: PageCursor) throws -> PageCursor {
        try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode(cursor))
      }
      let first = QueryLog(fixture.page(1))
      #expect(first.query.cursor == .start)
      first.query.start()
      await first.query.settled()
      #expect(first.query.cursor == .end && fixture.asked == [1, 2])

      let none = QueryLog(fixture.page(1), from: try stored(first.query.cursor))
      none.query.start()
      none.query.retry()
      await none.query.settled()
      #expect(none.query.isEnded && none.lines.isEmpty && fixture.asked == [1, 2])

      let all = QueryLog(fixture.page(1), from: try stored(.start))
      all.query.start()
      await all.query.settled()
      #expect(all.items == [1, 2] && all.query.isEnded)
    }
  }

  @Test(
    "A cursor is stored as its link, or as its place in the list",
    arguments: [
      (.start, #"{"place":"start"}"#), (.end, #"{"place":"end"}"#),
      (.next(PageLink(.follow("a"))), #"{"edits":[{"follow":"a"}]}"#),
    ] as [(PageCursor, String)])
  func storedForm(cursor: PageCursor, text: String) throws {
    #expect(String(decoding: try JSONEncoder().encode(cursor), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(PageCursor.self, from: Data(text.utf8)) == cursor)
    let list = try PropertyListEncoder().encode(cursor)
    #expect(try PropertyListDecoder().decode(PageCursor.self, from: list) == cursor)
  }

  @Test(
    "What is neither a link nor a place is refused",
    arguments: ["{}", "null", #"{"place": "middle"}"#, #""end""#])
  func refused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PageCursor.self, from: Data(text.utf8))
    }
  }

  @Test(
    "A query counts what it has completed, and its budgets count from each start",
    arguments: StoreActor.allCases)
  func counts(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4], [5]])
      let query = PageQuery(firstPage: fixture.page(1))
      var counts: [[Int]] = []
      query.pageCompleted = { [unowned query] _ in
        counts.append([query.pageCount, query.itemCount])
      }
      query.pageBudget = 1
      for _ in 1...3 {
        query.start()
        await query.settled()
      }
      #expect(counts == [[1, 2], [2, 4], [3, 5]] && query.isEnded)
      #expect(query.totalCount == nil, "this server sends none")
    }
  }

  @Test("The total is known from the first item on", arguments: StoreActor.allCases)
  func total(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/rows", .json(#"{"results": [1], "count": 2, "next": "/rows?page=2"}"#))
      fixture.stub.on(.get, "/rows?page=2", .json(#"{"results": [2], "count": 2, "next": null}"#))
      let query = fixture.service.pageQuery("rows", of: Int.self)
      #expect(query.totalCount == nil)
      var totals: [Int?] = []
      query.itemReceived = { [unowned query] _ in totals.append(query.totalCount) }
      query.start()
      await query.settled()
      #expect(totals == [2, 2] && query.isEnded)
    }
  }
}
