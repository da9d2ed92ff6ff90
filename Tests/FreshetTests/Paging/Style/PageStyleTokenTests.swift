import Testing

@testable import Freshet

/// Clients that count, and servers that hand out tokens.
@Suite("PageStyle: counting and tokens") struct PageStyleTokenTests {
  @Test(
    "A token beside a boolean that says that there are no more ends a list",
    arguments: [
      .token(at: "next", query: "t", more: "more"), .token(at: "next", header: "T", more: "more"),
      .token(at: "next", query: "t", more: "more", untilRepeated: true),
    ] as [PageStyle])
  func tokenWithMore(style: PageStyle) throws {
    func next(_ members: String) throws -> PageLink? {
      try PageSample(response: #"{"items":[1],\#(members)}"#).page(style).next
    }
    #expect(try next(#""next":"x","more":false"#) == nil)
    #expect(try next(#""next":"x","more":true"#) != nil)
    #expect(try next(#""next":"x""#) != nil)
    #expect(try next(#""next":null"#) == nil)
    expectContinuation(at: "more") {
      try PageSample(response: #"{"items":[1],"next":null,"more":true}"#).page(style)
    }
  }

  @Test("Page numbers count up until a page is empty")
  func pageNumbers() throws {
    let style = PageStyle.pageNumber("page")
    #expect(style.endsAtNotFound)
    let first = PageSample("https://a.org/?q=x", response: #"[{"a":1}]"#)
    #expect(try first.next(style)?.url == "https://a.org/?q=x&page=2")
    #expect(try first.page(style).previous == nil)
    let third = PageSample("https://a.org/?page=3&q=x", response: #"[{"a":1}]"#)
    #expect(try third.next(style)?.url == "https://a.org/?page=4&q=x")
    #expect(try third.page(style).previous == PageLink(.query("page", "2")))
    #expect(try PageSample("https://a.org/?page=3", response: "[]").page(style).next == nil)
    #expect(throws: PageError.notCounting(parameter: "page")) {
      try PageSample("https://a.org/?page=x", response: "[1]").page(style)
    }
  }

  @Test("A known number of pages ends the list without an empty page")
  func pageCount() throws {
    let style = PageStyle.pageNumber("p", startingAt: 0, totalPageCount: "meta.total_pages")
    func sample(_ number: Int) -> PageSample {
      PageSample(
        "https://a.org/?p=\(number)", response: #"{"meta":{"total_pages":2},"items":[{}]}"#)
    }
    #expect(try sample(0).next(style)?.url == "https://a.org/?p=1")
    #expect(try sample(1).page(style).next == nil)
    #expect(try sample(1).page(style).previous == PageLink(.query("p", "0")))
    let empty = PageSample("https://a.org/", response: #"{"meta":{"total_pages":2},"items":[]}"#)
    #expect(try empty.next(style)?.url == "https://a.org/?p=1", "as where a filter leaves none")
  }

  @Test("An offset advances by what was received, short pages included")
  func offset() throws {
    let style = PageStyle.offset("offset", limit: "limit")
    let sample = PageSample("https://a.org/?limit=3&offset=6", response: "[1,2]")
    #expect(try sample.next(style)?.url == "https://a.org/?limit=3&offset=8")
    #expect(try sample.page(style).previous == PageLink(.query("offset", "3")))
    #expect(try PageSample("https://a.org/?limit=3", response: "[1]").page(style).previous == nil)
    #expect(try PageSample("https://a.org/?offset=8", response: "[]").page(style).next == nil)
  }

  @Test(
    "Numbers that cannot be counted on from are errors",
    arguments: ["x", "-1", "1.5", "\(Int.max)", "99999999999999999999"])
  func notCounting(value: String) {
    let sample = PageSample("https://a.org/?n=\(value)", response: "[1,2]")
    for style in [PageStyle.pageNumber("n"), .offset("n")] {
      #expect(throws: PageError.notCounting(parameter: "n")) { try sample.page(style) }
    }
  }

  @Test(
    "A number of pages that makes no sense traps nothing",
    arguments: [
      ("\(Int.max)", true), ("\(Int.min)", true), ("0", true), ("1e999", true), (#""2""#, true),
      ("1", false),
    ])
  func hostilePageCount(value: String, continues: Bool) throws {
    let sample = PageSample(response: #"{"n":\#(value),"items":[1]}"#)
    let page = try sample.page(.pageNumber("page", totalPageCount: "n"))
    #expect((page.next != nil) == continues)
  }

  @Test("AIP-158: the token is sent with all parameters of the first request")
  func aip158() throws {
    let sample = PageSample(
      "https://a.org/v1/books?page_size=2&filter=a%2Fb",
      response: #"{"books":[{"name":"a"}],"next_page_token":"a+b/c==%2F"}"#)
    #expect(
      try sample.page(.auto).style
        == .token(at: "next_page_token", query: "page_token").items(at: "books"))
    #expect(
      try sample.next(.auto)?.url
        == "https://a.org/v1/books?page_size=2&filter=a%2Fb&page_token=a%2Bb%2Fc%3D%3D%252F")
  }

  @Test("AIP-158 in JSON leaves out what is empty: items, token or both")
  func emptyMembers() throws {
    let style = PageStyle.token(at: "nextPageToken", query: "pageToken").items(at: "files")
    #expect(try PageSample(response: #"{"nextPageToken":"t"}"#).page(style).items.isEmpty)
    #expect(try PageSample(response: "{}").page(style).next == nil)
    #expect(throws: PageError.reported(["403"])) {
      try PageSample(response: #"{"error":{"code":403}}"#).page(style)
    }
    #expect(throws: PageError.noItems(at: "files", nil)) {
      try PageSample(response: #"{"kind":"x"}"#).page(style)
    }
  }

  @Test("So it may where the item array is not named, unless there is another array")
  func emptyMembersBeforeItems() throws {
    let styles = [
      PageStyle.token(at: "nextPageToken", query: "pageToken"),
      .token(at: "nextPageToken", header: "T"), .cursor(at: "nextPageToken", bodyKey: "pageToken"),
    ]
    for style in styles {
      let last = try PageSample(body: "{}", response: "{}").page(style)
      #expect(last.items.isEmpty && last.next == nil)
      let first = try PageSample(body: "{}", response: #"{"nextPageToken":"t"}"#).page(style)
      #expect(first.items.isEmpty && first.next != nil && first.style.itemsPath == nil)
      #expect(throws: PageError.noItems(at: nil, nil)) {
        try PageSample(body: "{}", response: #"{"a":1}"#).page(style)
      }
      #expect(throws: PageError.noItems(at: nil, nil)) {
        try PageSample(body: "{}", response: #"{"nextPageToken":"t","user":{"roles":[{}]}}"#)
          .page(style)
      }
    }
    let found = try PageSample(response: #"{"nextPageToken":"t"}"#).page(.auto)
    #expect(found.items.isEmpty && found.next == PageLink(.query("pageToken", "t")))
    let second = try PageSample(response: #"{"files":[{}]}"#).page(found.style)
    #expect(second.items.count == 1 && second.style.itemsPath == "files")
    for body in ["{}", #"{"nextPageToken":""}"#, #"{"next":"/b"}"#] {
      #expect(throws: PageError.noItems(at: nil, nil)) {
        try PageSample(response: body).page(.auto)
      }
    }
  }

  @Test(
    "A token is a string or the digits of a number",
    arguments: [
      (#""x""#, "x"), ("9007199254740993", "9007199254740993"), ("0", "0"), ("null", nil),
      (#""""#, nil),
    ])
  func tokens(value: String, token: String?) throws {
    let sample = PageSample(response: #"{"items":[{}],"t":\#(value)}"#)
    #expect(
      try sample.page(.token(at: "t", query: "q")).next == token.map { PageLink(.query("q", $0)) })
    #expect(
      try sample.page(.token(at: "t", header: "X-T")).next
        == token.map { PageLink(.header("X-T", $0)) })
  }

  @Test(
    "A token of another kind is an error", arguments: ["true", "false", "{}", "[1]", #""\ud800""#])
  func unusableTokens(value: String) {
    #expect(throws: PageError.self) {
      try PageSample(response: #"{"items":[],"t":\#(value)}"#).page(.token(at: "t", query: "q"))
    }
  }

  @Test("Stripe: the last item's id, as long as has_more is true")
  func stripe() throws {
    let style = PageStyle.lastItem("id", query: "starting_after", more: "has_more")
    func sample(_ items: String, _ more: String) -> PageSample {
      PageSample(
        "https://api.stripe.com/v1/charges?limit=2",
        response: #"{"object":"list","url":"/v1/charges","has_more":\#(more),"data":\#(items)}"#)
    }
    let items = #"[{"id":"ch_1","refunds":{"data":[]}},{"id":"ch_2"}]"#
    #expect(
      try sample(items, "true").next(style)?.url
        == "https://api.stripe.com/v1/charges?limit=2&starting_after=ch_2")
    #expect(try sample(items, "false").page(style).next == nil)
    #expect(throws: PageError.noLastItem("id")) { try sample("[]", "true").page(style) }
    #expect(try sample(items, "true").page(.auto).style == style.items(at: "data"))
    #expect(try sample(items, "false").page(.auto).next == nil)
    expectContinuation(at: "has_more") {
      try PageSample(response: #"{"has_more":true,"data":[{"id":"ch_1"}]}"#).page(.auto)
    }
  }

  @Test("DynamoDB: the last key goes back as the object it is")
  func dynamoDB() throws {
    let style = PageStyle.cursor(at: "LastEvaluatedKey", bodyKey: "ExclusiveStartKey").items(
      at: "Items")
    let sample = PageSample(
      body: #"{"Limit":2,"TableName":"t"}"#,
      headers: ["Content-Type": "application/x-amz-json-1.0"],
      response:
        #"{"Count":1,"Items":[{"id":{"N":"1"}}],"LastEvaluatedKey":{ "id" : {"N":"12345678901234567890.10"}}}"#
    )
    #expect(
      try sample.nextBody(style)
        == #"{"Limit":2,"TableName":"t","ExclusiveStartKey":{ "id" : {"N":"12345678901234567890.10"}}}"#
    )
    #expect(try sample.page(style).totalCount == nil)
  }

  @Test("GraphQL: endCursor into the variables until hasNextPage is false")
  func graphQL() throws {
    let style = PageStyle.cursor(
      at: "data.r.issues.pageInfo.endCursor", bodyKey: "variables.after",
      more: "data.r.issues.pageInfo.hasNextPage")
    func sample(_ more: Bool) -> PageSample {
      PageSample(
        body: #"{"query":"query($after: String) { … }","variables":null}"#,
        response:
          #"{"data":{"r":{"issues":{"nodes":[{"id":"a"}],"edges":[{"node":{"id":"a"}}],"pageInfo":{"hasNextPage":\#(more),"endCursor":"Y3Vyc29yOnYyOpK5=="}}}}}"#
      )
    }
    #expect(
      try sample(true).nextBody(style)
        == #"{"query":"query($after: String) { … }","variables":{"after":"Y3Vyc29yOnYyOpK5=="}}"#)
    #expect(try sample(true).page(style).style.itemsPath == "data.r.issues.nodes")
    #expect(try sample(false).page(style).next == nil)
    expectContinuation(at: "data.r.issues.pageInfo.hasNextPage") {
      try sample(true).page(.auto)
    }
  }

  @Test("GraphQL: errors in a response with status 200 are an error, not an end")
  func graphQLErrors() {
    let sample = PageSample(
      body: "{}", response: #"{"data":null,"errors":[{"message":"rate limited","path":["r"]}]}"#)
    #expect(throws: PageError.reported(["rate limited"])) {
      try sample.page(.cursor(at: "data.c", bodyKey: "after").items(at: "data.nodes"))
    }
  }

  @Test("Elasticsearch: search_after from the last hit, ending at an empty page")
  func elasticsearch() throws {
    let style = PageStyle.cursor(at: "hits.hits.-1.sort", bodyKey: "search_after")
    let sample = PageSample(
      body: #"{"size":2,"sort":[{"t":"asc"}]}"#,
      response:
        #"{"took":1,"_shards":{"total":1,"failures":[{}]},"hits":{"total":{"value":10000},"hits":[{"_id":"1","sort":[1]},{"_id":"2","sort":[9007199254740993,"b"]}]}}"#
    )
    #expect(
      try sample.nextBody(style)
        == #"{"size":2,"sort":[{"t":"asc"}],"search_after":[9007199254740993,"b"]}"#)
    #expect(try sample.page(style).items.count == 2)
    #expect(try sample.page(style).totalCount == 10_000)
    #expect(try PageSample(body: "{}", response: #"{"hits":{"hits":[]}}"#).page(style).next == nil)
  }

  @Test("CloudKit: the continuation marker joins the same query")
  func cloudKit() throws {
    let style = PageStyle.cursor(at: "continuationMarker", bodyKey: "continuationMarker")
    let sample = PageSample(
      body: #"{"query":{"recordType":"Note"},"resultsLimit":2}"#,
      response:
        #"{"records":[{"recordName":"a"},{"recordName":"b","serverErrorCode":"NOT_FOUND"}],"continuationMarker":"AQ%2F+="}"#
    )
    #expect(
      try sample.nextBody(style)
        == #"{"query":{"recordType":"Note"},"resultsLimit":2,"continuationMarker":"AQ%2F+="}"#)
  }

  @Test(
    "A cursor that is none ends the list, and no other",
    arguments: [
      ("null", true), (#""""#, true), ("{}", true), ("{ }", true), ("0", false), ("false", false),
      ("[]", false), (#"" ""#, false),
    ])
  func cursorEnds(value: String, ends: Bool) throws {
    let page = try PageSample(body: "{}", response: #"{"items":[],"c":\#(value)}"#)
      .page(.cursor(at: "c", bodyKey: "c"))
    #expect((page.next == nil) == ends)
  }
}
