import Testing

@testable import Freshet

@Suite("PageStyle: auto, the start of a list and the names of tokens") struct PageStyleStartTests {
  @Test(
    "A total larger than the page is an error at the start of a list, however it is requested",
    arguments: [
      "", "page=1", "p=1", "page=0", "offset=0", "start=0", "start=1", "skip=0", "cursor=", "after",
      "page=1&offset=0", "from=2025-11-01", "created_after=2025-11-01T08:00:00Z",
      "startDate=2025-11-01",
      "from=1700000000", "api_token=x", "access_token=x", "csrfToken=x", "lastname=Smith",
      "last_name=Smith", "page_id=7", "index=products", "from_address=x", "itemsperpage=50",
      "key=x", "keys=x", "item_key=x", "search_key=x", "id_token=x", "idToken=x",
    ])
  func surplus(query: String) {
    expectContinuation(at: "total") {
      try PageSample("https://a.org/?q=x&\(query)", response: #"{"items":[{"a":1}],"total":25}"#)
        .page(.auto)
    }
  }

  @Test(
    "The last word of a filter or of the fields to send is no position",
    arguments: ["fields[page]=title", "filter[from]=x", "filter[last]=x", "fields%5Bpage%5D=title"])
  func filters(query: String) {
    let items = Array(repeating: #"{"id":1}"#, count: 10).joined(separator: ",")
    let body = #"{"data":[\#(items)],"meta":{"total":50},"links":{"self":"/pages"}}"#
    expectContinuation(at: "meta.total") {
      try PageSample("https://a.org/pages?\(query)", response: body).page(.auto)
    }
  }

  @Test(
    "It is none elsewhere in the list",
    arguments: [
      "page=2", "offset=1", "skip=1", "offset=10", "start=20", "cursor=0x", "p=3", "cursor=1",
      "since_id=1", "after=1", "max_id=1", "page_token=1", "starting_after=1", "marker=1",
      "listPage=2", "pagenumber=2", "startkey=x", "nexttoken=x", "continuationToken=x", "token=x",
      "fromId=7", "scroll_id=x", "page_info=x", "$skiptoken=x", "access_token=x&page=2",
      "lastKey=x", "next_key=x", "from_key=x", "continuation=x", "continuation_key=x",
      "key=x&page=2", "page[cursor]=x", "pagination[start]=20", "searchCriteria[currentPage]=2",
    ])
  func elsewhere(query: String) throws {
    let sample = PageSample(
      "https://a.org/?q=x&\(query)", response: #"{"items":[{"a":1}],"total":25}"#)
    #expect(try sample.page(.auto).next == nil)
  }

  @Test(
    "Where a parameter may be a position or a filter, the number in the response decides",
    arguments: [
      ("user_after=x", #""page":1"#, true), ("from=Berlin", #""startIndex":0"#, true),
      ("token=x", #""meta":{"current_page":1}"#, true), ("from=Berlin", #""startIndex":7"#, false),
      ("cursor=x", #""page":1"#, false), ("page=2", #""page":1"#, false),
      ("startkey=x", #""offset":0"#, false),
    ])
  func statedStart(query: String, members: String, isStart: Bool) throws {
    let sample = PageSample(
      "https://a.org/?\(query)", response: #"{"items":[{"a":1}],"total":25,\#(members)}"#)
    if isStart {
      expectContinuation(at: "total") { try sample.page(.auto) }
    } else {
      #expect(try sample.page(.auto).next == nil)
    }
  }

  @Test(
    "A total above a later page says nothing of its end, unless the page has the last item",
    arguments: [
      ("cursor=x", #""total":25"#, .count(25, at: "total")),
      ("token=x&limit=50", #""total":25"#, .count(25, at: "total")),
      ("page=2", #""meta":{"total":25}"#, .count(25, at: "meta.total")),
      ("offset=10", #""total":25"#, .count(25, at: "total")),
      ("cursor=x", #""nbHits":25"#, .count(25, at: "nbHits")),
      ("offset=24", #""total":25"#, nil), ("page=2&per_page=24", #""total":25"#, nil),
      ("startIndex=24", #""total":25"#, .count(25, at: "total")),
      ("cursor=x", #""total":25,"startIndex":24"#, .count(25, at: "total")),
      ("startIndex=25", #""total":25"#, nil), ("from=24", #""total":25"#, nil),
      ("startAt=24", #""total":25,"maxResults":50"#, nil),
      ("page=2", #""total":25,"per_page":24"#, nil), ("cursor=x", #""total":25,"offset":24"#, nil),
      ("page=2", #""numFound":25,"start":1,"offset":null"#, .count(25, at: "numFound")),
      ("page=2", #""numFound":25,"cursor":null"#, nil),
      ("cursor=x", #""total":25,"next":null"#, nil), ("cursor=x", #""total":1"#, nil),
      ("cursor=x", #""total":25,"has_more":false"#, nil),
      ("after=x", #""total":25,"links":{"self":"/a"}"#, nil),
      ("$skiptoken=x", #""@odata.context":"x","@odata.count":25"#, nil),
    ] as [(String, String, PresumedEnd?)])
  func laterTotal(query: String, members: String, end: PresumedEnd?) throws {
    let sample = PageSample(
      "https://a.org/?\(query)", response: #"{"items":[{"a":1}],\#(members)}"#)
    #expect(try sample.page(.auto).presumedEnd == end)
  }

  @Test(
    "The last page of a chosen style is the end, whatever its position looks like",
    arguments: [
      (
        .lastItem("id", query: "last_seen_id", more: "has_more"), "last_seen_id=24",
        #"{"items":[{"id":25}],"has_more":false,"total":25}"#
      ),
      (
        .token(at: "next", query: "before"), "before=2025-11-01T08:00:00Z",
        #"{"items":[{"id":25}],"total":25}"#
      ),
      (
        .token(at: "next", query: "nextForwardToken"), "nextForwardToken=x",
        #"{"items":[{"id":25}],"total":25}"#
      ),
    ] as [(PageStyle, String, String)])
  func chosenEnd(style: PageStyle, query: String, body: String) throws {
    let last = PageSample("https://a.org/?\(query)", response: body)
    #expect(try last.page(style).presumedEnd == nil)
    // The number of all items says at the start that another style is needed.
    let first = PageSample("https://a.org/", response: body)
    #expect(try first.page(style).presumedEnd?.description.contains("'total'") == true)
  }

  @Test(
    "So is an empty one with the number of all items in Content-Range",
    arguments: ["before=2025-11-01T08:00:00Z", "last_seen_id=319"])
  func chosenEndInField(query: String) throws {
    let headers: HTTPHeaders = ["Content-Range": "items */319"]
    let style = PageStyle.lastItem("created_at", query: String(query.prefix { $0 != "=" }))
    let last = PageSample("https://a.org/?\(query)", headers: headers, response: "[]")
    #expect(try last.page(style).next == nil)
    #expect(throws: PageError.partOfRange("items */319", itemCount: 0)) {
      try PageSample("https://a.org/", headers: headers, response: "[]").page(style)
    }
  }

  @Test("So it is in a header field")
  func laterTotalInField() throws {
    func end(_ headers: HTTPHeaders) throws -> PresumedEnd? {
      try PageSample("https://a.org/?cursor=x", headers: headers, response: "[{}]").page(.auto)
        .presumedEnd
    }
    #expect(try end(["X-Total-Count": "25"]) == .count(25, at: "X-Total-Count"))
    #expect(try end(["X-Total-Count": "25", "X-Next-Cursor": ""]) == nil)
    #expect(try end(["X-Total-Count": "1"]) == nil)
  }

  @Test(
    "The start in a body is no position either",
    arguments: [
      #"{"from":0,"cursor":""}"#, #"{"cursor":null}"#, #"{"after":null,"page":1}"#,
      #"{"page":"1","search_after":null}"#,
    ])
  func body(request: String) {
    expectContinuation(at: "total") {
      try PageSample(body: request, response: #"{"items":[{}],"total":25}"#).page(.auto)
    }
  }

  @Test(
    "A later part in a body is one",
    arguments: [#"{"cursor":"x"}"#, #"{"after":1}"#, #"{"page":2}"#])
  func laterBody(request: String) throws {
    let sample = PageSample(body: request, response: #"{"items":[{}],"total":25}"#)
    #expect(try sample.page(.auto).next == nil)
  }

  @Test(
    "The parameter of a page token is that of the request, or of the convention that the response has",
    arguments: [
      ("", #""next_page_token":"t""#, "page_token"),
      ("", #""next_page_token":"t","page_size":1"#, "next_page_token"),
      ("", #""next_page_token":"t","page_count":3,"total_records":1"#, "next_page_token"),
      ("page_token=s", #""next_page_token":"t","page_size":1"#, "page_token"),
      ("next_page_token=s", #""next_page_token":"t""#, "next_page_token"),
      ("", #""nextPageToken":"t""#, "pageToken"),
      ("", #""nextPageToken":"t","isLast":false"#, "nextPageToken"),
      ("pageToken=s", #""nextPageToken":"t","isLast":false"#, "pageToken"),
      ("nextPageToken=s", #""nextPageToken":"t""#, "nextPageToken"),
      ("", #""next_page_token":"t","total_size":9"#, "page_token"),
      // Databricks, ElevenLabs, Marketo, Wrike, Google Places, CircleCI.
      ("", #""next_page_token":"t","has_more":true,"prev_page_token":"""#, "page_token"),
      ("", #""next_page_token":"t","has_more":true,"total_count":9"#, "next_page_token"),
      ("", #""nextPageToken":"t","moreResult":true,"success":true"#, "nextPageToken"),
      ("", #""nextPageToken":"t","kind":"tasks","responseSize":1"#, "nextPageToken"),
      ("", #""next_page_token":"t","html_attributions":[],"status":"OK""#, "pagetoken"),
      ("page-token=s", #""next_page_token":"t""#, "page-token"),
    ])
  func tokens(query: String, members: String, parameter: String) throws {
    let sample = PageSample(
      "https://a.org/?\(query)", response: "{\"items\":[{\"a\":1}],\(members)}")
    #expect(try sample.page(.auto).next == PageLink(.query(parameter, "t")))
  }

  @Test("The number of the last page says nothing of whether this one is")
  func lastPageNumber() throws {
    let empty = #"{"first":1,"prev":null,"next":null,"last":0,"pages":0,"items":0,"data":[]}"#
    #expect(try PageSample(response: #"{"last":0,"data":[]}"#).page(.auto).items.isEmpty)
    #expect(try PageSample(response: empty).page(.auto).next == nil)
    expectContinuation(at: "last") {
      try PageSample(response: #"{"last":false,"data":[{}]}"#).page(.auto)
    }
  }

  @Test(
    "The optional parameters of a templated link are left out",
    arguments: [
      ("/x?page=2{&sort}", "/x?page=2"), ("/x/2{?sort,filter*}", "/x/2"),
      ("/x?page=2{&sort}{&size}", "/x?page=2"), ("/x/{id}?page=2", "/x/{id}?page=2"),
    ])
  func templates(template: String, target: String) throws {
    func sample(_ templated: String) -> PageSample {
      PageSample(
        response:
          #"{"items":[{"a":1}],"_links":{"next":{"href":"\#(template)"\#(templated)}}}"#)
    }
    #expect(try sample(#","templated":true"#).page(.auto).next == PageLink(.follow(target)))
    #expect(try sample("").page(.auto).next == PageLink(.follow(template)))
  }

  @Test("A link whose parameter says that it has no results ends the list")
  func results() throws {
    for (results, hasNext) in [("true", true), ("false", false)] {
      let link = "</x?c=1>; rel=\"next\"; results=\"\(results)\""
      let sample = PageSample(headers: ["Link": link], response: "[1]")
      #expect(try (sample.page(.auto).next != nil) == hasNext)
      #expect(try sample.page(.auto).style.name == "link")
      #expect(try sample.page(.linkHeader).presumedEnd == nil, "the style is the right one")
    }
  }
}
