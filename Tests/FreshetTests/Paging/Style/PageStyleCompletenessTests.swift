import FreshetTesting
import Testing

@testable import Freshet

/// Responses that look complete and are not, and others that look odd and are.
@Suite("PageStyle: complete or not", .standardTimeLimit) struct PageStyleCompletenessTests {
  @Test(
    "A string at a member that holds nothing but links is a URI reference",
    arguments: [
      "next_url", "nextUrl", "nextURL", "next_href", "next_link", "nextLink", "next_page_url",
      "@odata.nextLink",
    ])
  func linkMembers(name: String) throws {
    let sample = PageSample(response: #"{"items":[{}],"\#(name)":"b"}"#)
    #expect(try sample.next(.auto)?.url == "https://api.example.com/b")
    expectContinuation(at: name) {
      try PageSample(response: #"{"items":[{}],"\#(name)":2}"#).page(.auto)
    }
  }

  @Test(
    "So it is in an object of links, alone or in an object with a reference",
    arguments: ["links", "_links", "link"])
  func linkObjects(name: String) throws {
    for link in [#""b""#, #""./b""#, #""a/../b""#, #"{"href":"b","meta":{"n":1}}"#] {
      let sample = PageSample(response: #"{"items":[{}],"\#(name)":{"next":\#(link)}}"#)
      #expect(try sample.next(.auto)?.url == "https://api.example.com/b", "\(link)")
    }
    // Deeper inside, a word may be a token.
    func nested(_ link: String) -> PageSample {
      PageSample(response: #"{"items":[{}],"meta":{"\#(name)":{"next":\#(link)}}}"#)
    }
    #expect(try nested(#""./b""#).next(.auto)?.url == "https://api.example.com/b")
    expectContinuation(at: "meta.\(name).next") { try nested(#""b""#).page(.auto) }
    let plain = PageSample(response: #"{"items":[{}],"next":{"href":"b"}}"#)
    #expect(try plain.next(.auto)?.url == "https://api.example.com/b")
  }

  @Test(
    "A member that may hold a token or a number is a link only where it looks like one",
    arguments: ["next", "next_page", "paging.next", "pagination.next", "meta.next", "page.next"])
  func otherMembers(path: String) throws {
    let names = path.split(separator: ".").map(String.init)
    func sample(_ value: String) -> PageSample {
      let object = names.reversed().reduce(value) { #"{"\#($1)":\#($0)}"# }
      return PageSample(response: #"{"items":[{}],"# + object.dropFirst())
    }
    #expect(try sample(#""/b""#).next(.auto)?.url == "https://api.example.com/b")
    for token in [#""b""#, "2", "true"] {
      expectContinuation(at: path, "\(token)") {
        try sample(token).page(.auto)
      }
    }
    #expect(try sample("null").page(.auto).next == nil)
  }

  @Test(
    "A link object without a reference ends a list, an object that is none does not",
    arguments: ["{}", #"{"href":null}"#, #"{"title":"more"}"#, #"{"meta":{}}"#])
  func linkObjectEnds(value: String) throws {
    let sample = PageSample(response: #"{"items":[],"next":\#(value)}"#)
    #expect(try sample.page(.nextURL(at: "next")).next == nil)
    #expect(try sample.page(.auto).next == nil)
    let other = PageSample(response: #"{"items":[],"next":{"after":"x"}}"#)
    #expect(throws: PageError.unusableLink(at: "next", .object)) {
      try other.page(.nextURL(at: "next"))
    }
    expectContinuation(at: "next") { try other.page(.auto) }
  }

  @Test("A cursor style accepts a page without its item array, as token styles do")
  func cursorWithoutItems() throws {
    let style = PageStyle.cursor(at: "next", bodyKey: "after").items(at: "items")
    let more = PageSample(body: "{}", response: #"{"next":"x"}"#)
    #expect(try more.page(style).items.isEmpty)
    #expect(try more.nextBody(style) == #"{"after":"x"}"#)
    #expect(try PageSample(body: "{}", response: "{}").page(style).next == nil)
    #expect(throws: PageError.noItems(at: "items", nil)) {
      try PageSample(body: "{}", response: #"{"other":1}"#).page(style)
    }
    #expect(throws: PageError.reported(["1"])) {
      try PageSample(body: "{}", response: #"{"error":1}"#).page(style)
    }
  }

  @Test("A cursor style that reads of more and gets no cursor is an error")
  func moreWithoutCursor() throws {
    let style = PageStyle.cursor(at: "c", bodyKey: "after", more: "more")
    expectContinuation(at: "more") {
      try PageSample(body: "{}", response: #"{"items":[1],"c":null,"more":true}"#).page(style)
    }
    let last = PageSample(body: "{}", response: #"{"items":[1],"c":null,"more":false}"#)
    #expect(try last.page(style).next == nil)
  }

  @Test("A list of Stripe's kind that cannot be continued names the style that can")
  func stripe() throws {
    func response(_ items: String) -> String {
      #"{"object":"list","url":"/v1/charges","has_more":true,"data":\#(items)}"#
    }
    let numbers = PageSample(response: response(#"[{"id":1},{"id":7}]"#))
    #expect(try numbers.next(.auto)?.url == "https://api.example.com/items?starting_after=7")
    for sample in [
      PageSample(response: response(#"[{"key":"a"}]"#)), PageSample(response: response("[]")),
      PageSample(
        "https://api.example.com/items?ending_before=x", response: response(#"[{"id":"a"}]"#)),
    ] {
      let error = try #require(throws: PageError.self) { try sample.page(.auto) }
      #expect(error == .lastItemNeeded(query: "starting_after", more: "has_more"))
      #expect(error.description.contains("PageStyle.lastItem(_:query:more:)"))
      #expect(error.description.contains("ending_before"))
    }
  }

  @Test(
    "A sign of more items beside the items is seen wherever these are",
    arguments: [
      (#"{"data":{"items":[{"id":1}],"next":"b"}}"#, "data.next"),
      (#"{"result":{"rows":[{"id":1}],"has_more":true}}"#, "result.has_more"),
      (#"{"a":{"next_token":"t","b":{"rows":[{"id":1}]}}}"#, "a.next_token"),
      (#"{"response":{"rows":[{"id":1}],"total":7}}"#, "response.total"),
    ])
  func enclosedSigns(body: String, path: String) throws {
    let error = try #require(throws: PageError.self) { try PageSample(response: body).page(.auto) }
    #expect(error.continuation?.description == path)
  }

  @Test(
    "A page without a link whose body says that there is more is no end, where the style was recognized",
    arguments: [
      #""next": "/b""#, #""next_page_token": "t""#, #""links": {"next": "/b"}"#,
    ])
  func flaggedEnd(link: String) throws {
    let style = try PageSample(response: #"{"items":[{}],"has_more":true,\#(link)}"#).page(.auto)
      .style
    for more in [#""has_more":true"#, #""meta":{"isLast":false}"#, #""paging":{"more":"true"}"#] {
      let body = #"{"items":[{}],\#(more),"next":null}"#
      #expect(throws: PageError.self) { try PageSample(response: body).page(style) }
      // What the program has chosen defines the end.
      #expect(try PageSample(response: body).page(.nextURL(at: "next")).next == nil)
    }
    for end in [#""has_more":false"#, #""meta":{"isLast":true}"#, #""last":"x""#] {
      #expect(try PageSample(response: #"{"items":[{}],\#(end)}"#).page(style).next == nil)
    }
  }

  @Test("A link beside the items is followed wherever these are")
  func enclosedLinks() throws {
    let body = #"{"data":{"items":[{"id":1}],"next":"https://api.example.com/b"}}"#
    #expect(try PageSample(response: body).next(.auto)?.url == "https://api.example.com/b")
  }

  @Test("Members of objects that hold other things are no sign of more items")
  func otherObjects() throws {
    let body = #"{"user":{"next":"soon","total":9},"data":{"items":[{"id":1}],"next":null}}"#
    #expect(try PageSample(response: body).page(.auto).next == nil)
  }

  @Test(
    "A page without items that reports a failure is no end",
    arguments: [
      (#"{"items":[],"error":"quota exceeded"}"#, "quota exceeded"),
      (#"{"items":null,"error":{"code":429,"message":"slow down"}}"#, "slow down"),
      (#"{"ok":false,"error":"invalid_auth","items":[]}"#, "invalid_auth"),
      (#"{"success":false,"items":[]}"#, nil),
      (#"{"success":false,"message":"boom","items":[]}"#, "boom"),
    ] as [(String, String?)])
  func reportedFailures(body: String, message: String?) throws {
    let error = try #require(throws: PageError.self) {
      try PageSample(response: body).page(.linkHeader.items(at: "items"))
    }
    #expect(error == .reported(message.map { [$0] } ?? []))
  }

  @Test(
    "A page with items, or with an empty report, is a page",
    arguments: [
      #"{"items":[{"id":1}],"error":"one row is missing"}"#, #"{"items":[],"error":null}"#,
      #"{"items":[],"error":""}"#, #"{"items":[],"error":{}}"#, #"{"items":[],"error":false}"#,
      #"{"items":[],"ok":true,"status":"success"}"#,
    ])
  func noFailure(body: String) throws {
    #expect(throws: Never.self) {
      try PageSample(response: body).page(.linkHeader.items(at: "items"))
    }
  }

  @Test(
    "JSON is read under the label of text where it parses whole",
    arguments: ["text/html", "text/html; charset=utf-8", "text/plain"])
  func mislabeled(type: String) async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      let (entries, entry) = AsyncStream<Service.LogEntry>.makeStream()
      fixture.service.configure(nil) { $0.log = { entry.yield($0) } }
      fixture.stub.on(.get, "/items", .json("[1,2]", headers: ["Content-Type": type]))
      let page = fixture.service.resource("items", decoder: ContentDecoder<Page<Int>>.page(.auto))
      let content = try await page.load().value()
      #expect(content.items == [1, 2])
      entry.finish()
      var warnings: [String] = []
      for await entry in entries where entry.category == .mislabeledContent {
        warnings.append("\(entry)")
      }
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains(type.prefix { $0 != ";" }) == true)
    }
  }

  @Test(
    "A login page is never a page of a list",
    arguments: ["<html>Log in</html>", "Log in", #""Log in""#, "1", "[1] <p>", "[1", "null"])
  func loginPages(body: String) throws {
    let sample = PageSample(headers: ["Content-Type": "text/html"], response: body)
    for style in [PageStyle.auto, .linkHeader, .linkHeader.items(at: .root)] {
      #expect(throws: PageError.notJSON(mediaType: "text/html")) { try sample.page(style) }
      #expect(throws: PageError.notJSON(mediaType: "text/html")) {
        try style.page(of: Int.self, from: sample.response, to: sample.request)
      }
    }
  }

  @Test("202 without items is not a list that is complete")
  func accepted() throws {
    for style in [PageStyle.auto, .linkHeader, .pageNumber("p")] {
      let error = try #require(throws: PageError.self) {
        try PageSample(status: 202, response: "[]").page(style)
      }
      #expect(error.description.contains("202"))
    }
    let counted = PageSample(status: 202, response: #"{"items":[],"pages":3}"#)
    #expect(throws: PageError.notReady(status: 202)) {
      try counted.page(.pageNumber("p", totalPageCount: "pages"))
    }
    #expect(try PageSample(status: 202, response: "[1]").page(.auto).items.count == 1)
    #expect(try PageSample(status: 201, response: "[]").page(.auto).items.isEmpty)
  }

  @Test(
    "A Content-Range that states more, and of more than there is, is not a complete list",
    arguments: [
      ("items 0-0/500", "[]"), ("items 0-0/500", "[1]"), ("0-24/319", "[1,2]"),
      ("items 0-4/*", "[1,2]"), ("items */500", "[]"), ("items 0-4/5", "[1,2]"),
      ("items 0-0/99999999999999999999", "[1]"),
      ("items=0-0/500", "[1]"), ("items 0-0 / 500", "[1]"), ("ITEMS  0-0/500", "[1]"),
    ])
  func contentRange(field: String, body: String) throws {
    for style in [PageStyle.auto, .linkHeader, .nextURL(at: "next").items(at: .root)] {
      var sample = PageSample(response: body)
      sample.response.headers.append(field, for: "Content-Range")
      let error = try #require(throws: PageError.self, "\(style)") { try sample.page(style) }
      #expect(error.description.contains("Content-Range"), "\(error)")
      sample.response.headers["Link"] = "</2>; rel=next"
      #expect(throws: Never.self) { try sample.page(.linkHeader) }
    }
  }

  @Test(
    "A Content-Range that states no more is no matter",
    arguments: [
      ("items 0-1/2", "[1,2]", ""), ("items 0-2/2", "[1,2]", ""), ("items 0-0/0", "[]", ""),
      ("items */0", "[]", ""), ("items 0-1/*", "[1,2]", ""), ("items 4-5/6", "[1,2]", ""),
      ("bytes 0-1/500", "[1]", ""), ("nonsense", "[]", ""), ("items 5-3/9", "[]", ""),
      ("items */500", "[]", "?offset=500"),
    ])
  func contentRangeAtEnd(field: String, body: String, query: String) throws {
    var sample = PageSample("https://a.org/items" + query, response: body)
    sample.response.headers.append(field, for: "Content-Range")
    #expect(try sample.page(.linkHeader).next == nil)
  }

  @Test(
    "A Content-Range that ends at the last item shows that the list is whole",
    arguments: [
      ("items 0-1/2", true), ("resources 0-1/2", true), ("0-1/2", true), ("items 4-5/6", true),
      ("items */2", true), ("items 0-1/*", false), ("bytes 0-1/2", false), ("nonsense", false),
    ])
  func contentRangeOfAll(field: String, isWhole: Bool) throws {
    for (body, end) in [
      ("[1,2]", PresumedEnd.bareArray), (#"{"items":[1,2]}"#, .object),
    ] {
      var sample = PageSample(response: body)
      sample.response.headers.append(field, for: "Content-Range")
      #expect(try sample.page(.auto).presumedEnd == (isWhole ? nil : end))
    }
    var sample = PageSample(response: #"{"items":[1,2],"count":9}"#)
    sample.response.headers.append(field, for: "Content-Range")
    #expect((try? sample.page(.auto)) != nil || !isWhole)
  }

  @Test(
    "A page that links a later last page and no next one is no end, where the style reads those links",
    arguments: [PageStyle.linkHeader, PageStyle.linkHeader.recognized()])
  func lostNext(style: PageStyle) throws {
    func page(_ number: Int, last: String) throws -> Page<JSONText> {
      try PageSample(
        "https://a.org/items?page=\(number)", headers: ["Link": .init("<\(last)>; rel=last")],
        response: "[1]"
      ).page(style)
    }
    #expect(throws: PageError.self) { try page(3, last: "?page=5") }
    #expect(try page(5, last: "?page=5").next == nil)
    #expect(try page(6, last: "?page=5").next == nil)
    #expect(try page(3, last: "/items/last").next == nil)
    let body = #"{"items":[1],"links":{"last":"?page=5"}}"#
    let sample = PageSample("https://a.org/items?page=3", response: body)
    let links = PageStyle.nextURL(at: "links.next")
    #expect(throws: PageError.self) { try sample.page(links.recognized()) }
    #expect(try sample.page(links).next == nil)
  }

  @Test(
    "A chosen style that finds no next page, where one is named in another way, says so",
    arguments: [
      (PageStyle.nextURL(at: "nxt"), #""next":"/b""#, "'url=next'"),
      (.token(at: "meta.nxt", query: "c"), #""meta":{"next_cursor":"x"}"#, "'meta.next_cursor'"),
      (.linkHeader, #""has_more":true"#, "'has_more'"),
      (.header("X-Nxt"), #""total":9"#, "'total'"),
      (.single, #""next":"/b""#, nil), (.nextURL(at: "next"), #""next":null,"total":1"#, nil),
      (.nextURL(at: "next"), #""a":1"#, nil), (.custom("c") { _ in .init() }, #""next":"/b""#, nil),
    ] as [(PageStyle, String, String?)])
  func overlooked(style: PageStyle, members: String, named: String?) throws {
    let body = #"{"items":[{}],\#(members)}"#
    let end = try PageSample(response: body).page(style).presumedEnd
    #expect(end?.description.contains(named ?? "-") == (named == nil ? nil : true))
    // At a later page it is the end.
    let later = PageSample("https://a.org/items?cursor=x&page=2", response: body)
    #expect(try later.page(style).presumedEnd == nil)
  }

  @Test(
    "A chosen style that finds nothing at its path says so, unless the response says that this is all",
    arguments: [
      ("", #"{"items":[{}]}"#, false), ("", #"{"items":[{}],"total_things":2}"#, false),
      ("?limit=1", #"{"items":[{}]}"#, false), ("?limit=5", #"{"items":[{}]}"#, true),
      ("", #"{"rooms":[{}],"total_rooms":1}"#, true), ("", #"{"items":[{}],"total":1}"#, true),
      ("", #"{"items":[{}],"has_more":false}"#, true),
    ])
  func nothing(query: String, body: String, isAll: Bool) throws {
    for style in [PageStyle.token(at: "nxt", query: "t"), .nextURL(at: "nxt")] {
      let page = try PageSample("https://a.org/items" + query, response: body).page(style)
      #expect(page.pathOfNothing == (isAll ? nil : "nxt"))
    }
  }

  @Test(
    "An empty list beside an array of objects says so, where nothing says that it is empty",
    arguments: [
      (#"{"results":[],"articles":[{"id":1}]}"#, "articles"),
      (#"{"data":{"items":[],"posts":[{"id":1}]}}"#, "data.posts"),
      (#"{"results":[],"articles":[{"id":1}],"total":0}"#, nil), (#"{"results":[]}"#, nil),
      (#"{"results":[],"facets":[{"id":1}]}"#, nil), (#"{"rows":[],"columns":[{"id":1}]}"#, nil),
      (#"{"results":[],"articles":[]}"#, nil), (#"{"results":[],"tags":["a"]}"#, nil),
      (#"{"results":[],"included":[{"id":1}],"user":{"roles":[{"id":1}]}}"#, nil),
    ] as [(String, String?)])
  func emptyBeside(body: String, path: String?) throws {
    let end = try PageSample(response: body).page(.auto).presumedEnd
    if case .empty(_, let other) = end { #expect("\(other)" == path) } else { #expect(path == nil) }
  }

  @Test(
    "Items under no usual name beside an empty array say so, unless something counts them",
    arguments: [
      (
        #"{"accounts":[{"id":1}],"added":[],"modified":[],"removed":[],"has_more":false,"next_cursor":"x"}"#,
        "added"
      ),
      (#"{"geocoded_waypoints":[{"id":1}],"routes":[]}"#, "routes"),
      (#"{"data":{"accounts":[{"id":1}],"added":[]}}"#, "data.added"),
      (#"{"accounts":[{"id":1}],"added":[],"total":1}"#, nil),
      (#"{"accounts":[{"id":1}],"added":[],"count":1}"#, nil),
      (#"{"accounts":[{"id":1}],"errors":[],"messages":[],"filters":[]}"#, nil),
      (#"{"accounts":[{"id":1}],"included":[],"links":[],"accounts_links":[]}"#, nil),
      (#"{"accounts":[{"id":1}],"columns":[],"tags":[],"user":{"added":[]}}"#, nil),
      (#"{"accounts":[{"id":1}]}"#, nil), (#"{"items":[{"id":1}],"added":[]}"#, nil),
    ] as [(String, String?)])
  func besideEmpty(body: String, path: String?) throws {
    let sample = PageSample(response: body)
    let page = try sample.page(.auto)
    #expect(page.items.count == 1 && page.next == nil)
    if case .found(_, let other) = page.presumedEnd {
      #expect("\(other)" == path)
    } else {
      #expect(path == nil)
    }
    // Where the program has named the list, it knows.
    let named = try sample.page(.auto.items(at: #require(page.style.itemsPath))).presumedEnd
    #expect(named == nil || named == .object)
  }
}
