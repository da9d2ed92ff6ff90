import Foundation
import Testing

@testable import Freshet

/// What all styles have in common: items, errors, names, decoding.
@Suite("PageStyle") struct PageStyleTests {
  @Test(
    "The item array is found where lists usually have it",
    arguments: [
      ("[1]", ""), (#"{"items":[],"tags":[{}]}"#, "items"),
      (#"{"things":[{}],"names":["a"]}"#, "things"),
      (#"{"names":["a"]}"#, "names"),
      (#"{"message":{"facets":[{}],"items":[{}]}}"#, "message.items"),
      (#"{"a.b":{"c.d":[{}]}}"#, #"a\.b.c\.d"#), (#"{"items":null}"#, "items"),
      (#"{"data":{"a":{"b":{"edges":[{"node":{}}]}}}}"#, "data.a.b.edges"),
      (#"{"errors":[],"list":[1]}"#, "list"),
    ])
  func foundItems(body: String, path: String) throws {
    #expect(try PageSample(response: body).page(.auto).style.itemsPath == JSONPath(path))
  }

  @Test("Several arrays that may hold the items are an error that names them and what to do")
  func ambiguous() throws {
    let error = try #require(throws: PageError.self) {
      try PageSample(response: #"{"a":[{}],"b":[{}],"c":[1]}"#).page(.auto)
    }
    #expect(error == .ambiguousItems(["a", "b"]))
    #expect(
      error.description.contains(
        "(a, b): give the path of the item array with PageStyle.items(at:)"))
  }

  @Test(
    "A response without an item array is an error",
    arguments: [
      ("{}", nil, nil), ("1", nil, nil), (#"{"a":{"b":1}}"#, nil, nil), ("{}", "a", nil),
      (#"{"a":{}}"#, "a", .object), (#"{"a":"x"}"#, "a", .string),
    ] as [(String, JSONPath?, JSONText.Kind?)])
  func noItems(body: String, path: JSONPath?, kind: JSONText.Kind?) {
    let style = path.map { PageStyle.auto.items(at: $0) } ?? .auto
    #expect(throws: PageError.noItems(at: path, kind)) {
      try PageSample(response: body).page(style)
    }
  }

  @Test("A style that reads only headers still reads the total that the body has")
  func total() throws {
    let sample = PageSample(response: #"{"items":[1,2],"total":40}"#)
    #expect(try sample.page(.offset("o")).totalCount == 40)
    #expect(
      try PageSample(headers: ["X-Total-Count": "9"], response: "[]").page(.linkHeader).totalCount
        == 9)
    #expect(
      try PageSample(response: #"{"items":[1,2],"count":2}"#).page(.offset("o")).totalCount == nil)
  }

  @Test("A recognized style sticks: it reads the page that its own link leads to")
  func sticks() throws {
    let first = try PageSample(response: #"{"things":[{}],"names":[],"next":"/?page=2"}"#).page(
      .auto)
    let last = try PageSample(response: #"{"things":[],"names":[],"next":null}"#).page(first.style)
    #expect(last.items.isEmpty && last.next == nil)
    #expect(last.style == first.style)
  }

  @Test("A list without any sign of a next page is a single page")
  func singlePage() throws {
    let page = try PageSample(response: #"{"items":[{"next":"/x"}],"next":"","has_more":false}"#)
      .page(.auto)
    #expect(page.next == nil)
    #expect(page.style == .auto.items(at: "items"))
  }

  @Test(
    "A sign of more that does not say how to ask for it is an error",
    arguments: [
      ("next", "2"), ("next", #""opaque""#), ("hasMore", "true"), ("next_cursor", #""abc""#),
      ("LastEvaluatedKey", #"{"a":1}"#), ("continuationMarker", #""x""#),
    ])
  func unknownContinuation(member: String, value: String) {
    expectContinuation(at: member) {
      try PageSample(response: #"{"items":[],"\#(member)":\#(value)}"#).page(.auto)
    }
    expectContinuation(at: "X-Next-Page") {
      try PageSample(headers: ["X-Next-Page": "2"], response: "[]").page(.auto)
    }
  }

  @Test("No content is no page", arguments: [(204, ""), (205, ""), (206, "[]"), (200, "")])
  func noContent(status: Int, body: String) {
    #expect(throws: PageError.noContent(status: status)) {
      try PageSample(status: status, response: body).page(.linkHeader)
    }
  }

  @Test("A part in items is a page, and without a next link not the whole list")
  func part() throws {
    let sample = PageSample(
      "https://a.org/rows?limit=2", status: 206, headers: ["Content-Range": "0-1/3"],
      response: "[1,2]")
    #expect(try sample.next(.offset("offset"))?.url == "https://a.org/rows?limit=2&offset=2")
    for style in [PageStyle.auto, .single] {
      let error = #expect(throws: PageError.self) { try sample.page(style) }
      #expect(error == .partOfRange("0-1/3", itemCount: 2))
      #expect(error?.description.contains("perhaps 'offset=offset' or 'page=page'") == true)
    }
    let last = PageSample(
      "https://a.org/rows?limit=2&offset=2", status: 206, headers: ["Content-Range": "2-2/3"],
      response: "[3]")
    #expect(try last.page(.auto).presumedEnd == nil)
    let beyond = PageSample(
      "https://a.org/rows?limit=2&offset=3", status: 206, headers: ["Content-Range": "*/3"],
      response: "[]")
    #expect(try last.next(.offset("offset"))?.url == beyond.request.url)
    #expect(try beyond.next(.offset("offset")) == nil)
  }

  @Test(
    "A part whose end is not known is not the last one",
    arguments: ["items 0-1/*", "0-1/*", "*/*", "id 01..45; max=2", "items 0-1"])
  func partOfUnknown(range: String) throws {
    var sample = PageSample(
      status: 206, headers: ["Content-Range": .init(range)], response: #"[{"id":1},{"id":2}]"#)
    for style in [PageStyle.auto, .single, .linkHeader] {
      let error = #expect(throws: PageError.self, "\(style)") { try sample.page(style) }
      #expect(error == .partOfRange(range, itemCount: 2))
    }
    sample.response.headers["Link"] = "</2>; rel=next"
    #expect(try sample.page(.auto).next != nil)
    let empty = PageSample(status: 206, headers: ["Content-Range": "*/*"], response: "[]")
    #expect(try empty.next(.offset("offset")) == nil)
    #expect(throws: PageError.self) { try empty.page(.linkHeader) }
  }

  @Test("A collection that only links to its first page names that")
  func firstPage() throws {
    let body = #"{"type":"OrderedCollection","totalItems":3,"first":"https://a.org/outbox?page=1"}"#
    #expect(throws: PageError.itemsOnFirstPage("first")) {
      try PageSample(response: body).page(.auto)
    }
    #expect(throws: PageError.noItems(at: nil, nil)) {
      try PageSample(response: #"{"first":"Ada","last":"Lovelace"}"#).page(.auto)
    }
  }

  @Test(
    "Content of another type is an error that names the type",
    arguments: [
      "text/html; charset=utf-8", "application/xml", "image/png", "text/csv",
    ])
  func otherTypes(type: String) throws {
    let error = try #require(throws: PageError.self) {
      try PageSample(headers: ["Content-Type": type], response: "<p>").page(.auto)
    }
    #expect(error.description.contains(type.prefix { $0 != ";" }))
  }

  @Test(
    "JSON is read under any of the types that servers give it",
    arguments: [
      "application/json; charset=utf-8", "application/vnd.api+json", "text/json", "text/plain",
      "application/octet-stream", "application/x-amz-json-1.0", "text/javascript", "nonsense", "",
    ])
  func jsonTypes(type: String) throws {
    #expect(
      try PageSample(headers: ["Content-Type": type], response: "[1]").page(.auto).items.count == 1)
  }

  @Test("A malformed body is an error with its place, decoded or not")
  func malformed() throws {
    let sample = PageSample(
      headers: ["Content-Type": "text/plain"], response: "[{\"id\":1},\n <p>]")
    let place = try #require(throws: JSONText.SyntaxError.self) {
      try JSONText(parsing: sample.response.body)
    }
    #expect(place.line == 2)
    #expect(throws: PageError.malformed(place)) { try sample.page(.linkHeader) }
    #expect(throws: PageError.malformed(place)) {
      try PageStyle.linkHeader.page(
        of: [String: Int].self, from: sample.response, to: sample.request)
    }
  }

  private struct Item: Decodable, Hashable {
    var id: Int
  }

  @Test("Items are decoded the same from a body that is an array and from a member of one")
  func decoding() throws {
    let root = PageSample(headers: ["Link": "</2>; rel=next"], response: #" [{"id":1},{"id":2}]"#)
    let member = PageSample(response: #"{"next":"/2","a":{"list":[{"id":1},{"id":2}]}}"#)
    for style in [PageStyle.auto, .linkHeader, .linkHeader.items(at: .root)] {
      let page = try style.page(of: Item.self, from: root.response, to: root.request)
      #expect(page.items == [Item(id: 1), Item(id: 2)])
      #expect(page.next == PageLink(.follow("/2")))
      #expect(page.style == .linkHeader.items(at: .root))
    }
    let page = try PageStyle.auto.page(of: Item.self, from: member.response, to: member.request)
    #expect(page.items == [Item(id: 1), Item(id: 2)])
    #expect(page.style == .nextURL(at: "next").items(at: "a.list"))
    #expect(throws: DecodingError.self) {
      try PageStyle.auto.page(of: String.self, from: root.response, to: root.request)
    }
  }

  @Test("A style of your own sees request, headers, items and body")
  func custom() throws {
    struct Refusal: Error {}
    let style = PageStyle.custom("after") { response in
      guard response.head.headers["X-Fail"] == nil else { throw Refusal() }
      let id = response.items.last?["id"]?.description ?? ""
      return .init(next: PageLink(.query("after", id)), totalCount: response.body["n"]?.int)
    }
    let page = try PageSample(response: #"{"items":[{"id":7}],"n":3}"#).page(style)
    #expect(page.next == PageLink(.query("after", "7")))
    #expect(page.totalCount == 3)
    #expect(style.description == "custom=after")
    #expect(throws: Refusal.self) {
      try PageSample(headers: ["X-Fail": "1"], response: #"{"items":[]}"#).page(style)
    }
  }

  @Test("Styles with different values are different, also where their names are the same text")
  func equality() {
    let styles: [PageStyle] = [
      .pageNumber("a", startingAt: 0), .pageNumber("a,from 0"), .offset("a", limit: "b"),
      .offset("a,limit b"), .token(at: "a", header: "b"), .token(at: "a", query: "header b"),
      .token(at: "a", query: "b", more: "c"), .token(at: "a", query: "b,c"),
    ]
    #expect(Set(styles.map(\.name)).count * 2 == styles.count)
    #expect(Set(styles).count == styles.count)
    #expect(styles[0] == .pageNumber("a", startingAt: 0))
    #expect(styles[0] != styles[0].items(at: "b"))
  }

  @Test(
    "The name of a style has all its values",
    arguments: [
      (.auto, "auto"), (.single, "single"), (.linkHeader, "link"),
      (.header("X-Next-Page"), "header=X-Next-Page"),
      (.nextURL(at: "_links.next.href"), "url=_links.next.href"),
      (.pageNumber("p"), "page=p"), (.pageNumber("p", startingAt: 0), "page=p,from 0"),
      (.pageNumber("p", startingAt: 0, totalPageCount: "n"), "page=p,from 0,of n"),
      (.offset("o"), "offset=o"), (.offset("o", limit: "l"), "offset=o,limit l"),
      (.token(at: "t", query: "q"), "token=t,q"),
      (
        .token(at: "t", query: "q", more: "m", untilRepeated: true), "token=t,q,m,until repeated"
      ),
      (.token(at: "t", header: "X"), "token=t,header X"),
      (.token(inHeader: "X", query: "q"), "token=header X,q"),
      (
        .init(sending: .headerField("X"), in: .header("Y"), untilRepeated: true),
        "token=header X,header Y,until repeated"
      ),
      (.lastItem("id", query: "q", more: "m"), "last=id,q,m"),
      (.cursor(at: #"a\.b"#, bodyKey: "c", more: "d"), #"cursor=a\.b,c,d"#),
    ] as [(PageStyle, String)])
  func name(style: PageStyle, name: String) {
    #expect(style.name == name)
  }
}
