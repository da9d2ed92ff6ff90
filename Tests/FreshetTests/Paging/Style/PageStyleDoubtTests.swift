import FreshetTesting
import Testing

@testable import Freshet

/// Responses that can be read, and are not what was requested, or not all of it.
@Suite("PageStyle: odd pages", .standardTimeLimit) struct PageStyleDoubtTests {
  /// The page, and what is odd about it.
  private func doubts(
    _ query: String, _ response: String, _ style: PageStyle
  ) throws -> [String] {
    var doubts: [String] = []
    let sample = PageSample("https://a.org/items" + query, response: response)
    _ = try sample.page(style) { doubts.append($0) }
    return doubts
  }

  @Test(
    "A page with another number than was requested is an error where the numbers were recognized",
    arguments: [
      ("?page=2", #""page":1,"total_pages":2"#, 1, 2),
      ("?page=3", #""page":1,"total_pages":5"#, 1, 3),
      ("?page=3", #""meta":{"current_page":2,"total_pages":5}"#, 2, 3),
    ])
  func otherPage(query: String, members: String, number: Int, requested: Int) throws {
    let path: JSONPath = members.contains("meta") ? "meta.total_pages" : "total_pages"
    let style = PageStyle.pageNumber("page", totalPageCount: path)
    let body = #"{"items":[{}],\#(members)}"#
    #expect(throws: PageError.otherPage(number, requested: requested)) {
      try doubts(query, body, style.recognized())
    }
    // Another page than a neighbor is only odd: some servers count from 0.
    #expect(try doubts(query, body, style).count == (requested - number > 1 ? 1 : 0))
  }

  @Test(
    "A page that repeats its number or offset as servers do is none",
    arguments: [
      ("?page=3", #""page":3"#, PageStyle.pageNumber("page")),
      ("?page=3", #""page":2,"totalPages":9"#, .pageNumber("page")),
      ("?page=0", #""number":0,"totalPages":9"#, .pageNumber("page", startingAt: 0)),
      ("?page=3", #""page":{"size":1}"#, .pageNumber("page")),
      ("?page=3", #""user":{"page":9}"#, .pageNumber("page")),
      ("", #""page":7"#, .pageNumber("page")),
      ("?offset=20", #""offset":20"#, .offset("offset")),
      ("?offset=20", #""offset":21"#, .offset("offset")),
      ("?startIndex=21", #""startIndex":21"#, .offset("startIndex")),
    ])
  func ownNumber(query: String, members: String, style: PageStyle) throws {
    #expect(try doubts(query, #"{"items":[{}],\#(members)}"#, style) == [])
  }

  @Test("An offset that is not the requested one is odd")
  func otherOffset() throws {
    #expect(try doubts("?offset=20", #"{"items":[{}],"offset":0}"#, .offset("offset")).count == 1)
  }

  @Test(
    "A later page that says that there is more, where the chosen style finds no next one, is odd")
  func overlookedLater() throws {
    let body = #"{"items":[{}],"next":null,"token":"","has_more":true}"#
    let last = body.replacing("true", with: "false")
    for style in [PageStyle.nextURL(at: "next"), .token(at: "token", query: "after")] {
      #expect(
        try doubts("?after=x", body, style) == [
          "the chosen style finds no next page, although 'has_more' says that there is more"
        ])
      #expect(try doubts("?after=x", last, style) == [])
      // On the first page it is that the end is presumed.
      #expect(try doubts("", body, style) == [])
    }
    #expect(try doubts("?after=x", body, .single) == [])
  }

  @Test(
    "A page with several items that a repeated token ends is odd: the server may have ignored the token",
    arguments: [
      PageStyle.token(at: "t", query: "q", untilRepeated: true),
      .cursor(at: "t", bodyKey: "q", untilRepeated: true),
      .lastItem("id", query: "q", untilRepeated: true),
      .cursor(at: "items.-1.id", bodyKey: "q", untilRepeated: true),
    ])
  func repeatedToken(style: PageStyle) throws {
    func doubts(_ items: Int, sent: String = "7") throws -> Int {
      var doubts = 0
      let array = Array(repeating: #"{"id":7}"#, count: items).joined(separator: ",")
      let sample = PageSample(
        "https://a.org/items?q=\(sent)", body: #"{"q":\#(sent)}"#,
        response: #"{"items":[\#(array)],"t":7}"#)
      _ = try sample.page(style) { _ in doubts += 1 }
      return doubts
    }
    #expect(try doubts(2) == 1)
    #expect(try doubts(1) == 0, "the item that was sent")
    #expect(try doubts(2, sent: "6") == 0)
  }

  @Test(
    "A page with items that says that some are missing is odd",
    arguments: [
      (#""timed_out":true"#, true), (#""incomplete_results":true"#, true),
      (#""success":false"#, true),
      (#""ok":false"#, true), (#""error":"shard 3 is down""#, true),
      (#""_shards":{"failed":1}"#, true),
      (#""timed_out":false"#, false), (#""incomplete_results":false"#, false),
      (#""success":true"#, false),
      (#""error":null"#, false), (#""_shards":{"failed":0}"#, false), (#""errors":[]"#, false),
      (#""success":0,"failure":3"#, false), (#""status":"failed""#, false),
    ])
  func missingItems(members: String, isOdd: Bool) throws {
    for style in [PageStyle.auto, .linkHeader] {
      #expect(try doubts("", #"{"items":[{}],\#(members)}"#, style).isEmpty != isOdd)
    }
  }

  @Test("A program is notified of an odd page by the log")
  func logged() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      let (entries, entry) = AsyncStream<Service.LogEntry>.makeStream()
      fixture.service.configure(nil) { $0.log = { entry.yield($0) } }
      fixture.stub.on(.get, "/items", .json(#"{"items":[1],"incomplete_results":true}"#))
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Page<Int>>.page(.linkHeader))
      _ = try await page.load().value()
      entry.finish()
      var messages: [String] = []
      for await entry in entries where entry.category == .doubtfulPage {
        messages.append(entry.message)
      }
      #expect(messages.count == 1 && messages.first?.contains("'incomplete_results'") == true)
    }
  }
}
