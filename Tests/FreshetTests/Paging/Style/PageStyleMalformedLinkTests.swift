import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A next link that cannot be read or followed is no end.
@Suite("PageStyle: malformed links", .standardTimeLimit) struct PageStyleMalformedLinkTests {
  static let headers = [
    "<ht\tp://api.example.com/items?page=2>; rel=\"next\"",
    "</items?page=2; rel=\"next\"", "</items?page=2&token=hunter2; rel=next",
    "</items?page=2>; title=\"open; rel=\"next", "</items?page=2>; rel=\"next",
    "</items>; rel=first; title=\"open, </items?page=2>; rel=next",
    "</items?\u{1}page=2>; rel=next", "/items?page=2; rel=next", "</items?page=2> rel=next",
    "</items?page=2>; rel=\"next\"x; a=b", "</items?page=2>; rel='next'",
    "</items?page=2>; rel=\"next\u{B}\"", "</items?page=2>; rel=\"\u{7F}next\"",
    "</items?page=2>; rel=&quot;next&quot;", "</items?page=2>; rel=%22next%22",
    "</items?page=2>; rel=\u{201C}next\u{201D}", "</a>b>; REL=NEXT",
    "</items?page=2>; rel=\"'next'\"", "</items?page=2>; rel=\"\u{201C}next\u{201D}\"",
    #"</items?page=2>; rel="\"next\""; a=b"#, "</items?page=2>; title='more; rel=next'",
    "<https://user:hunter2@api.example.com/items; rel=next", "</1>; rel=prev, </2; rel=next",
    "</items?page=2; rel=\"next\", </items?page=1>; rel=\"prev\"",
    "</items?page=1>; rel=\"prev\"; title=\"5\" disk\", </items?page=2>; rel=\"next\"",
    "</items; rel=prev, </items?page=2>; rel=next",
    "</items?page=1>; rel=\"prev\"; title=\"a, </items?page=2>; rel=\"next\"",
    "</items?page=5>; rel=\"last\" </items?page=2>; rel=\"next\"",
    "</items?page=2>; rel=\"next,last\"", "</items?page=2>; rel=\"last next;\"",
    "</items?page=2>; rel=<next>", "</items?page=2>; rel=\"[next]\"",
    "</items?page=2; rel=\"next\">", "</items?page=2;rel=next>",
    "</items?page=2 ; Rel = next>; a=b", "</items?page=2>; rel;\"next\"",
  ]

  @Test(
    "An element of Link that may be the next link keeps the items and cannot be followed",
    arguments: headers)
  func linkHeader(field: String) throws {
    for style in [PageStyle.linkHeader, .auto] {
      var sample = PageSample(response: "[1,2]")
      sample.response.headers.append(field, for: "Link")
      let page = try sample.page(style)
      #expect(page.items.count == 2 && page.style.name == "link")
      let next = try #require(page.next, "\(style)")
      let error = try #require(throws: PageLinkError.self) {
        try next.applied(to: sample.request, responseURL: sample.request.url)
      }
      let text = error.description
      #expect(text.contains("items") || text.contains("/a") || text.contains("/2"), "\(text)")
      #expect(!text.contains("hunter2") && !text.contains("page=2"))
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
      let stored = next.after(nil, responseURL: sample.request.url)
      #expect(throws: PageLinkError.self, "nor once it was stored") {
        try stored.applied(to: sample.request, responseURL: sample.request.url)
      }
    }
  }

  @Test(
    "A garbled link is a fault of the server, and not of the style",
    arguments: [
      "</p3>; rel=next X: y", "</items?page=2; rel=next", "<http:///p3>; rel=next",
      "<http://exa mple/2>; rel=next", "<http://exa%20mple/2>; rel=next",
    ])
  func advice(field: String) throws {
    let sample = PageSample(headers: ["Link": .init(field)], response: "[1]")
    let error = try #require(throws: PageLinkError.self) { try sample.next(.linkHeader) }
    #expect(error.description.hasSuffix(": report it to the server's owner"), "\(error)")
  }

  @Test(
    "A malformed element that is not about the next page, or beside one that is, does not matter",
    arguments: [
      ("garbage", nil), ("<a; rel=prev", nil), ("</next>; rel=\"prev", nil), (",,;", nil),
      ("</n>; rel=next, </p; rel=next", "/n"), ("</p> x; rel=next, </n>; rel=next", "/n"),
      ("</n>; rel=next; t=a b", "/n"),
      ("</n;rel=next>; rel=next", "/n;rel=next"), ("</a;rel=next>; rel=prev", nil),
      ("</rel;a=next>; as=x", nil), ("</a;relation=next>; as=x", nil),
      ("</n?price<5>; rel=next", "/n?price<5"), ("</n>; title=\"rel=next\"", nil),
      ("</style.css>; title=%E4", nil), ("</a>; as=&x", nil), ("</p>; rel=\"prev,first\"", nil),
      ("</p>; rel=\"https://a.org/next,last\"", nil), ("</n>; rel=\"a,b next\"", "/n"),
    ])
  func unconcerned(field: String, next: String?) throws {
    var sample = PageSample(response: "[1]")
    sample.response.headers.append(field, for: "Link")
    #expect(try sample.page(.linkHeader).next == next.map { PageLink(.follow($0)) })
  }

  @Test(
    "A reference with control characters, or in angle brackets, is followed nowhere",
    arguments: [
      #"ht\tp://api.example.com/b"#, #"/b\u0000c"#, #"/b?x=\r\ny"#, "</b?page=2>",
      #"/b\u007fc"#,
    ])
  func references(written: String) throws {
    let text = try #require(JSONText(parsing: Data("\"\(written)\"".utf8)).string)
    let samples: [(PageSample, PageStyle)] = [
      (PageSample(headers: ["X-Next-Page": .init(text)], response: "[1]"), .header("X-Next-Page")),
      (PageSample(response: #"{"items":[1],"next":"\#(written)"}"#), .nextURL(at: "next")),
      (PageSample(response: #"{"items":[1],"next_url":"\#(written)"}"#), .auto),
    ]
    for (sample, style) in samples {
      #expect(try sample.page(style).items.count == 1)
      let error = try #require(throws: PageLinkError.self, "\(style)") { try sample.next(style) }
      #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }
  }

  @Test(
    "So is one whose control characters a server has sent in a header field",
    arguments: [
      ("Link", "</items?cursor=ab\u{B}cd>; rel=\"next\"", .linkHeader),
      ("Link", "<ht\u{B}tp://api.example.com/items>; rel=next", .auto),
      ("X-Next-Page", "/items?cursor=ab\u{B}cd", .header("X-Next-Page")),
    ] as [(String, String, PageStyle)])
  func received(name: String, value: String, style: PageStyle) throws {
    var reader = ResponseHeadReader()
    var sample = PageSample(response: "[1]")
    for line in ["HTTP/1.1 200 OK\r\n", "\(name): \(value)\r\n", "\r\n"] {
      let head = Array(line.utf8).withUnsafeBytes { line in
        Result { () throws(ResponseHeadReader.Refusal) in try reader.receive(line) }
      }
      for field in try head.get()?.headers.fields ?? [] {
        sample.response.headers.append(field.value, for: field.name)
      }
    }
    #expect(try sample.page(style).items.count == 1)
    let error = try #require(throws: PageLinkError.self) { try sample.next(style) }
    #expect(error.description.contains("items"))
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test("A reference that leads nowhere is named without its query, and in part if it is long")
  func named() throws {
    let long = "http:///" + String(repeating: "x", count: 5_000) + "?token=hunter2"
    let error = try #require(throws: PageLinkError.self) {
      try PageSample(response: #"{"items":[],"next":"\#(long)"}"#).next(.nextURL(at: "next"))
    }
    #expect(error.description.contains("http:///xxx"))
    #expect(error.description.utf8.count < 500 && !error.description.contains("hunter2"))
  }

  @Test(
    "A list that names a next page in a malformed way is incomplete, with all items so far",
    arguments: StoreActor.allCases)
  func list(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.stub.on(
        .get, "/items?page=2", .json("[2]", headers: ["Link": "</items?page=3; rel=next"]))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2])
      guard case .incomplete(let walk) = fixture.list.state, case .unusableLink = walk.reason else {
        return #expect(Bool(false), "\(fixture.list.state)")
      }
      #expect(walk.page == 1 && "\(walk)".contains("/items"))
    }
  }
}
