import Testing

@testable import Freshet

/// Prefect, SCIM searches, Elasticsearch and many others take the offset or the number of a page in the body of a POST.
@Suite("PageStyle: counting in the request body", .standardTimeLimit)
struct PageStyleBodyCountTests {
  @Test("An offset that the body has is counted there, and all else in it stays as it was sent")
  func offset() throws {
    let sample = PageSample(
      body: #"{ "sort":"NAME", "limit":2,"offset":4.0e0 ,"big":1.0e400}"#, response: "[1,2]")
    #expect(throws: PageError.notCounting(parameter: "offset")) {
      try sample.page(.offset("offset"))
    }
    let later = PageSample(
      body: #"{"sort":"NAME","limit":2,"offset":4,"big":1.0e400}"#, response: "[1,2]")
    let style = PageStyle.offset("offset", limit: "limit")
    #expect(
      try later.nextBody(style) == #"{"sort":"NAME","limit":2,"offset":6,"big":1.0e400}"#)
    #expect(try later.next(style)?.url == "https://api.example.com/items")
    let previous = try later.page(style).previous
    #expect(previous == PageLink(.body("offset", JSONText(int: 2))))
  }

  @Test("A page number that the body has is counted there, from the number that it has")
  func page() throws {
    let first = PageSample(body: #"{"page":0}"#, response: "[1]")
    #expect(try first.nextBody(.pageNumber("page", startingAt: 0)) == #"{"page":1}"#)
    #expect(try first.page(.pageNumber("page", startingAt: 0)).previous == nil)
    let empty = PageSample(body: #"{"page":7}"#, response: "[]")
    #expect(try empty.page(.pageNumber("page")).next == nil)
  }

  @Test("The name is a path in the body, and null there is the first page")
  func path() throws {
    let graph = PageSample(
      body: #"{"query":"q","variables":{"offset":null}}"#, response: #"{"data":{"rows":[1,2]}}"#)
    #expect(
      try graph.nextBody(.offset("variables.offset"))
        == #"{"query":"q","variables":{"offset":2}}"#)
  }

  @Test("The number of the response is found by the last name of the path")
  func numberOfPath() throws {
    let style = PageStyle.offset("variables.offset").items(at: "rows")
    for (offset, count) in [(20, 0), (70, 1)] {
      let sample = PageSample(
        body: #"{"variables":{"offset":20}}"#,
        response: #"{"rows":[1],"pagination":{"page":2,"offset":\#(offset)}}"#)
      var doubts: [String] = []
      _ = try sample.page(style) { doubts.append($0) }
      #expect(doubts.count == count, "\(offset)")
    }
    let first = PageSample(
      body: #"{"variables":{"startIndex":null}}"#, response: #"{"rows":[1,2],"startIndex":1}"#)
    #expect(
      try first.nextBody(.offset("variables.startIndex").items(at: "rows"))
        == #"{"variables":{"startIndex":3}}"#)
  }

  @Test("A name with a dot is not a path")
  func dottedName() throws {
    let sample = PageSample(
      body: #"{"page.number":1}"#, response: #"{"items":[{"id":1}],"page.number":1,"total":3}"#)
    let body = try? sample.nextBody(.auto)
    #expect(body == nil || body == #"{"page.number":2}"#)
  }

  @Test(
    "Where the query has the parameter, or the body has something else of its name, the query counts",
    arguments: [
      ("?offset=2", #"{"offset":9}"#), ("?offset=2", "{}"), ("?offset=2", "[1]"),
    ])
  func query(query: String, body: String) throws {
    let sample = PageSample("https://a.org/" + query, body: body, response: "[1,2]")
    let next = try sample.next(.offset("offset"))
    #expect(next?.url == "https://a.org/?offset=4")
    #expect(next?.body.map { String(decoding: $0, as: UTF8.self) } == body)
    for other in [#"{"offset":{"a":1}}"#, #"{"offset":"2"}"#, "{}", "1", "not JSON"] {
      let sample = PageSample("https://a.org/", body: other, response: "[1,2]")
      #expect(try sample.next(.offset("offset"))?.url == "https://a.org/?offset=2")
    }
  }

  @Test("Pages after the next one are counted in the body as well")
  func ahead() throws {
    let sample = PageSample(
      body: #"{"offset":0}"#, response: #"{"items":[1,2],"total":7}"#)
    let links = try sample.page(.offset("offset")).links(ahead: 9)
    #expect(links == [4, 6].map { PageLink(.body("offset", JSONText(int: $0))) })
  }

  @Test("A body whose number the response repeats is recognized", arguments: [false, true])
  func recognition(isInQuery: Bool) throws {
    let query = isInQuery ? "?page=1" : ""
    let body = isInQuery ? #"{"limit":1}"# : #"{"page":1,"limit":1}"#
    let sample = PageSample(
      "https://a.org/" + query, body: body,
      response: #"{"results":[{"id":"a"}],"count":3,"limit":1,"pages":3,"page":1}"#)
    let style = PageStyle.pageNumber("page", totalPageCount: "pages")
    #expect(try sample.page(.auto).style == style.items(at: "results"))
    #expect(try sample.next(.auto)?.url == "https://a.org/" + (isInQuery ? "?page=2" : ""))
    #expect(try sample.nextBody(.auto) == body.replacing(#""page":1"#, with: #""page":2"#))
    let offsets = PageSample(
      body: #"{"offset":0}"#, response: #"{"items":[1],"offset":0,"total":3}"#)
    #expect(try offsets.nextBody(.auto) == #"{"offset":1}"#)
  }

  @Test(
    "Without a number in the request nothing is recognized in the response to one with a body",
    arguments: [
      #"{"items":[1],"page":1,"next_page":2}"#, #"{"items":[1],"offset":0,"next_offset":1}"#,
      #"{"issues":[1],"startAt":0,"maxResults":1,"total":3}"#,
      #"{"items":[1],"page":1,"total_pages":3}"#,
    ])
  func numbersOfTheResponse(response: String) {
    for body in ["{}", #"{"page":"1","offset":"0"}"#] {
      #expect(throws: PageError.self) {
        try PageSample(body: body, response: response).page(.auto)
      }
    }
  }

  @Test(
    "A sign of more items has the style that counts as the body does",
    arguments: [
      (#"{"limit":1,"offset":0}"#, PageStyle.offset("offset")),
      (#"{"count":1,"startIndex":1}"#, .offset("startIndex")),
      (#"{"page":0}"#, .pageNumber("page", startingAt: 0)),
    ])
  func sign(body: String, style: PageStyle) {
    let sample = PageSample(body: body, response: #"{"items":[1],"total":3}"#)
    let error = #expect(throws: PageError.self) { try sample.page(.auto) }
    #expect(error?.continuation?.counting == style)
  }
}
