import Testing

@testable import Freshet

/// What single members and fields of the responses of known servers say.
@Suite("PageStyle.auto: members and fields of known servers", .standardTimeLimit)
struct PageStyleServerMembersTests {
  @Test(
    "A header field that says that there is more is no complete list",
    arguments: [
      ("X-Has-More", "true", "false"), ("X-Cursor", "eyJi", ""),
      ("x-ms-continuationtoken", "3;4", ""), ("X-Is-Last-Page", "false", "true"),
      ("X-Offset", "rec7", "20"), ("Last-Page", "false", "true"), ("X-Last-Page", "False", "1"),
      ("X-Nomad-Nexttoken", "default/7", ""),
    ])
  func fields(name: String, more: String, last: String) throws {
    let sample = { (value: String) in
      PageSample(headers: .init([.init(name: name, value: value)]), response: "[{}]")
    }
    expectContinuation(at: name) { try sample(more).page(.auto) }
    #expect(try sample(last).page(.auto).next == nil)
    #expect(try sample(more).page(.single).next == nil)
  }

  @Test("A token may be the same number as the size of a page, as with Azure DevOps")
  func tokenOfPageSize() throws {
    let headers = HTTPHeaders([.init(name: "x-ms-continuationtoken", value: "5")])
    let sample = { (name: String) in
      PageSample("https://a.org/items?\(name)=5", headers: headers, response: "[{}]")
    }
    expectContinuation(at: "x-ms-continuationtoken") { try sample("$top").page(.auto) }
    #expect(try sample("continuationToken").page(.auto).next == nil)
  }

  @Test("A number in the variables of GraphQL counts there")
  func variables() throws {
    let body = #"{"query":"…","variables":{"page":1}}"#
    let info = #""pageInfo":{"currentPage":1,"lastPage":2}"#
    let sample = PageSample(body: body, response: #"{"data":{"Page":{\#(info),"media":[{}]}}}"#)
    #expect(try sample.nextBody(.auto) == #"{"query":"…","variables":{"page":2}}"#)
  }

  @Test(
    "The number of the last page beside a flag is no token, even if the last item has it for an id",
    arguments: [#""last_page":5"#, #""last":5"#, #""lastPage":5,"total":5"#])
  func lastPageBesideFlag(members: String) throws {
    let body = #"{"items":[{"id":4},{"id":5}],\#(members),"has_more":true}"#
    expectContinuation(at: "has_more") { try PageSample(response: body).page(.auto) }
  }

  @Test(
    "A page that is known to be the last one is not doubtful",
    arguments: [
      #"{"d":{"results":[{"ID":1}]}}"#, #"{"odata.metadata":"x","value":[{"ID":1}]}"#,
      #"{"@context":"$metadata#P","value":[{"ID":1}]}"#,
      #"{"items":[{"a":1}],"page_context":{"page":1,"per_page":9,"has_more_page":false,"a":1}}"#,
      #"{"images":[{"id":1}],"first":"/v2/images?limit=9"}"#,
      #"{"kind":"calendar#events","defaultReminders":[{"method":"popup"}],"items":[]}"#,
    ])
  func end(body: String) throws {
    let page = try PageSample(response: body).page(.auto)
    #expect(page.next == nil && page.presumedEnd == nil)
  }

  @Test("An empty array beside the items is no doubt where a header field counts these")
  func countedItems() throws {
    let body = #"{"stories":[{"id":1}],"rels":[]}"#
    let total = HTTPHeaders([.init(name: "Total", value: "1")])
    #expect(try PageSample(headers: total, response: body).page(.auto).presumedEnd == nil)
    #expect(try PageSample(response: body).page(.auto).presumedEnd != nil)
  }

  @Test("A warning of Google's is no item, and an empty result of Sanity's is the list")
  func emptyLists() throws {
    let warning = #""warning":{"code":"NO_RESULTS","data":[{"key":"scope","value":"z"}]}"#
    for body in [
      #"{"kind":"compute#imageList",\#(warning)}"#, #"{"result":[],"syncTags":["s1:x"],"ms":3}"#,
    ] {
      let page = try PageSample(response: body).page(.auto)
      #expect(page.items.isEmpty && page.next == nil)
    }
  }

  @Test("A scroll whose hits are all on its first page leads to no more")
  func wholeScroll() throws {
    let body = { (total: Int) in
      #"{"_scroll_id":"D","hits":{"total":{"value":\#(total),"relation":"eq"},"hits":[{}]}}"#
    }
    #expect(try PageSample(response: body(1)).page(.auto).next == nil)
    expectContinuation(at: "_scroll_id") { try PageSample(response: body(2)).page(.auto) }
  }

  @Test(
    "A total that is no more than a full page may be that of the page, as with Weaviate and Artifactory",
    arguments: [
      ("", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 25, true),
      ("", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 3, false),
      ("?limit=3", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 3, true),
      ("?limit=4", #"{"objects":[I],"totalResults":N,"deprecations":null}"#, 3, false),
      ("", #"{"results":[I],"range":{"start_pos":0,"end_pos":N,"total":N,"limit":3}}"#, 3, true),
      ("", #"{"results":[I],"range":{"start_pos":0,"end_pos":N,"total":N,"limit":4}}"#, 3, false),
      ("", #"{"items":[I],"totalResults":N}"#, 25, false),
      ("?limit=25", #"{"items":[I],"total":N,"next":null}"#, 25, false),
    ])
  func totalOfPage(query: String, body: String, count: Int, isDoubtful: Bool) throws {
    let items = (0..<count).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    let response = body.replacing("I", with: items).replacing("N", with: "\(count)")
    let page = try PageSample("https://a.org/v1/objects" + query, response: response).page(.auto)
    #expect(page.items.count == count && page.next == nil)
    #expect((page.presumedEnd != nil) == isDoubtful)
  }

  @Test(
    "A description of columns is not the list where there are rows",
    arguments: [
      (#"{"schema":[{"name":"a","type":"text"}],"datarows":[[1],[2]],"total":2}"#, "datarows"),
      (#"{"columns":[{"name":"a"}],"cells":[[1],[2]]}"#, "cells"),
      (#"{"columns":[{"name":"a"}],"names":["b"]}"#, "columns"),
      (#"{"categories":[{"id":1}],"bounds":[[0,9]]}"#, "categories"),
    ])
  func columns(body: String, path: JSONPath) throws {
    #expect(try PageSample(response: body).page(.auto).style.itemsPath == path)
  }

  @Test(
    "That there is no more counts under a name for more alone",
    arguments: [
      #"{"success":"No more records","data":[]}"#,
      #"{"items":[{"id":1}],"done":"no more results"}"#,
      #"{"items":[{"id":1}],"more":"no more results"}"#,
    ])
  func noMore(body: String) throws {
    #expect(try PageSample(response: body).page(.auto).next == nil)
  }

  @Test("Rows that come after a page with nothing but columns are not left out, as with Trino")
  func lateRows() throws {
    let columns = #""columns":[{"name":"a"}]"#
    let first = try PageSample(response: #"{\#(columns),"nextUri":"/2"}"#).page(.auto)
    #expect(first.next == PageLink(.follow("/2")))
    #expect(throws: PageError.ambiguousItems(["columns", "data"])) {
      try PageSample(response: #"{\#(columns),"data":[[1],[2]]}"#).page(first.style)
    }
  }

  @Test(
    "A server that leaves out an empty list ends one that is counted with {}",
    arguments: [PageStyle.pageNumber("page"), .offset("offset")])
  func emptyObject(style: PageStyle) throws {
    let first = try PageSample(response: #"{"things":[{"id":1}]}"#).page(style)
    let last = try PageSample("https://a.org/?page=2&offset=1", response: "{}").page(first.style)
    #expect(last.items.isEmpty && last.next == nil)
    // Anything else may be a failure.
    #expect(throws: PageError.noItems(at: "things", nil)) {
      try PageSample("https://a.org/?page=2&offset=1", response: #"{"ok":true}"#).page(first.style)
    }
  }

  @Test("openFDA: the total in an object that describes the results")
  func totalInResults() throws {
    let body = #"{"meta":{"results":{"skip":0,"limit":1,"total":3}},"results":[{}]}"#
    #expect(try PageSample(response: body).page(.offset("skip")).totalCount == 3)
  }

  @Test("NOAA: an offset from 1 beside the number of items in a result set")
  func offsetFrom1() throws {
    let body = #"{"metadata":{"resultset":{"offset":1,"count":3,"limit":2}},"results":[{},{}]}"#
    #expect(
      try PageSample(response: body).next(.offset("offset"))?.url
        == "https://api.example.com/items?offset=3")
  }

  @Test(
    "A header field that says that there is no more is the end, and a number is none",
    arguments: [
      ("X-Has-More", "false", true), ("X-Is-Last-Page", "true", true), ("Last-Page", "true", true),
      ("X-Next-Page", "", true), ("X-Nomad-Nexttoken", "", true), ("X-Cursor", "", true),
      ("Last-Page", "1", false), ("X-Has-More", "0", false), ("X-Total-Pages", "true", false),
    ])
  func endingFields(name: String, value: String, isEnd: Bool) throws {
    let sample = PageSample(headers: .init([.init(name: name, value: value)]), response: "[{}]")
    #expect(try sample.page(.auto).presumedEnd == (isEnd ? nil : .bareArray))
  }

  @Test(
    "A result that is yet to come is no empty list",
    arguments: [
      #"{"kind":"bigquery#getQueryResultsResponse","etag":"x","jobReference":{"projectId":"p","jobId":"j"},"jobComplete":false}"#,
      #"{"rows":[],"jobComplete":false}"#, #"{"results":[],"meta":{"isReady":false}}"#,
      #"{"items":null,"search_done":false}"#,
    ])
  func notReady(body: String) throws {
    for style in [PageStyle.auto, .linkHeader, .pageNumber("page")] {
      #expect(throws: PageError.notReady(status: 200)) {
        try PageSample(response: body).page(style)
      }
      let ready = body.replacing("false", with: "true")
      #expect(try PageSample(response: ready).page(style).items.isEmpty)
    }
  }

  @Test(
    "A flag of a thing or of a filter says nothing of the list, and none does beside items",
    arguments: [
      #"{"items":[],"profileComplete":false}"#, #"{"items":[],"include_done":false}"#,
      #"{"items":[],"user":{"isReady":false}}"#, #"{"items":[{}],"jobComplete":false}"#,
      #"{"todos":[],"completed":false}"#, #"{"items":[],"meta":{"ready":false}}"#,
    ])
  func otherFlags(body: String) {
    for style in [PageStyle.auto, .single, .linkHeader] {
      #expect(throws: Never.self) { try PageSample(response: body).page(style) }
    }
  }

  @Test(
    "Nor does one that repeats a parameter of the request",
    arguments: ["isReady=false", "is_ready=0", "filter%5BisReady%5D=false"])
  func repeatedFlags(query: String) {
    let body = #"{"items":[],"isReady":false}"#
    for style in [PageStyle.auto, .single, .linkHeader] {
      #expect(throws: Never.self) {
        try PageSample("https://a.org/items?\(query)", response: body).page(style)
      }
      #expect(throws: PageError.notReady(status: 200)) {
        try PageSample("https://a.org/items?ready=1", response: body).page(style)
      }
    }
  }
}
