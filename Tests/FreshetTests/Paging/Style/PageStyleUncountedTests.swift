import Testing

@testable import Freshet

/// Numbers where a count is expected, which count nothing.
@Suite("PageStyle: counts that are none", .standardTimeLimit) struct PageStyleUncountedTests {
  /// The members of a response, and the three items of a page.
  private func sample(_ query: String, _ members: String) -> PageSample {
    PageSample("https://a.org/items\(query)", response: #"{\#(members),"items":[{},{},{}]}"#)
  }

  @Test(
    "A number that servers send where they have not counted says nothing of the end",
    arguments: [
      ("", #""page":1,"perPage":3,"totalItems":-1,"totalPages":-1"#),
      (
        "?page=1&perPage=3&skipTotal=1", #""page":1,"perPage":3,"totalItems":-1,"totalPages":-1"#
      ),
      ("", #""total":-1"#), ("", #""nbHits":-1"#), ("", #""page":1,"total_pages":0"#),
      ("?page=1", #""page":1,"total_pages":0"#), ("?page=0", #""number":0,"totalPages":0"#),
      ("?page=3", #""page":3,"total_pages":2"#), ("", #""found":0"#),
    ])
  func uncounted(query: String, members: String) throws {
    let page = try sample(query, members).page(.auto)
    #expect(page.style.name == "auto" && page.next == nil)
    #expect(page.presumedEnd == .object)
  }

  @Test("Nor does it in a header field", arguments: ["X-Total-Count", "X-Total-Pages"])
  func uncountedField(name: String) throws {
    for value in ["-1", "-9223372036854775809"] + (name == "X-Total-Pages" ? ["0"] : []) {
      let headers = HTTPHeaders([.init(name: name, value: value)])
      let sample = PageSample(headers: headers, response: "[{},{}]")
      #expect(try sample.page(.auto).presumedEnd == .bareArray)
      let page = try sample.page(.pageNumber("page"))
      #expect(page.totalCount == nil && page.countedPages == nil)
    }
  }

  @Test(
    "A style that reads the number of pages counts on to an empty page where that is no count",
    arguments: ["-1", "0", "-9223372036854775809", "-1e400", "null"])
  func namedCount(count: String) throws {
    let style = PageStyle.pageNumber("page", totalPageCount: "totalPages")
    let page = try sample("?page=2", #""totalPages":\#(count)"#).page(style)
    #expect(page.next == PageLink(.query("page", "3")) && page.countedPages == nil)
    let empty = PageSample(
      "https://a.org/items?page=3", response: #"{"items":[],"totalPages":\#(count)}"#)
    #expect(try empty.page(style).next == nil)
  }

  @Test("An empty list has no pages")
  func emptyList() throws {
    let response = #"{"items":[],"page":1,"total_pages":0,"total":0}"#
    let page = try PageSample("https://a.org/items?page=1", response: response).page(.auto)
    #expect(page.next == nil && page.presumedEnd == nil && page.totalCount == 0)
  }

  /// A search of Elasticsearch with two hits.
  private func search(
    _ total: String, body: String = #"{"size":2}"#, sort: String = ""
  ) -> PageSample {
    let hit = #"{"_id":"1"\#(sort)}"#
    return PageSample(
      body: body, response: #"{"took":1,"hits":{"total":{\#(total)},"hits":[\#(hit),\#(hit)]}}"#)
  }

  @Test(
    "Elasticsearch: a total that is a lower bound says that there may be more hits",
    arguments: [
      (#""value":2,"relation":"gte""#, "hits.total.relation"),
      (#""value":1,"relation":"gte""#, "hits.total.relation"),
      (#""value":10000,"relation":"gte""#, "hits.total.value"),
      (#""value":2,"relation":"eq""#, nil), (#""value":2"#, nil),
    ] as [(String, String?)])
  func lowerBound(total: String, sign: String?) throws {
    guard let sign else {
      let page = try search(total).page(.auto)
      #expect(page.next == nil && page.presumedEnd == nil && page.totalCount == 2)
      return
    }
    expectContinuation(at: sign) { try search(total).page(.auto) }
    // It is no total, at which a list would end where the server refuses to count further.
    #expect(try search(total).page(.single).totalCount == nil)
    let sorted = search(total, body: #"{"sort":["_id"]}"#, sort: #","sort":["x"]"#)
    #expect(
      try sorted.nextBody(.auto) == #"{"sort":["_id"],"search_after":["x"]}"#)
  }

  @Test("A later page that reaches a lower bound need not be the last one")
  func laterLowerBound() throws {
    for (relation, end) in [
      ("gte", .count(9, at: "hits.total.value")), ("eq", nil),
    ] as [(String, PresumedEnd?)] {
      let total = #""value":9,"relation":"\#(relation)""#
      let page = try search(total, body: #"{"size":2,"from":7}"#).page(.auto)
      #expect(page.next == nil && page.presumedEnd == end && page.presumption?.isBeforeEnd != true)
    }
  }

  @Test("API-Football: a total beside the current page alone counts pages")
  func totalOfPages() throws {
    for total in [2, 3, 40] {
      let members = #""results":3,"errors":[],"paging":{"current":1,"total":\#(total)}"#
      let error = try #require(throws: PageError.self) { try sample("", members).page(.auto) }
      #expect(error.continuation?.description == "paging.total")
      #expect(error.continuation?.kind == .pageCount)
      let page = try sample("?page=1", members).page(.auto)
      #expect(
        page.style == .pageNumber("page", totalPageCount: "paging.total").items(at: "items"))
      #expect(page.next == PageLink(.query("page", "2")) && page.totalCount == nil)
      #expect(page.countedPages == total)
    }
    for (query, number) in [("?page=3", 3), ("", 1)] {
      let members = #""paging":{"current":\#(number),"total":\#(number)}"#
      let page = try sample(query, members).page(.auto)
      #expect(page.next == nil && page.presumedEnd == nil)
    }
  }

  @Test(
    "It counts items beside the size of a page, and where it is less than what is current",
    arguments: [
      #""meta":{"current":1,"per_page":20,"total":3}"#, #""current":1,"pageSize":20,"total":3"#,
      #""meta":{"current":1,"count":3,"total":3}"#, #""meta":{"current":72,"total":3}"#,
      #""meta":{"current":{"page":1},"total":3}"#,
    ])
  func totalOfItems(members: String) throws {
    let page = try sample("", members).page(.auto)
    #expect(page.next == nil && page.presumedEnd == nil && page.totalCount == 3)
  }
}
