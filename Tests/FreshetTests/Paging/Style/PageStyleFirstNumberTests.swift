import FreshetTesting
import Testing

@testable import Freshet

/// Requests without a number, to which a server responds with its own first one.
@Suite("PageStyle: the number of the first page", .standardTimeLimit)
struct PageStyleFirstNumberTests {
  private func sample(_ query: String, _ members: String) -> PageSample {
    PageSample("https://a.org/items" + query, response: #"{"items":[{},{}],\#(members)}"#)
  }

  @Test(
    "A page after a first one with the number 0 is an error where it is the third one",
    arguments: [
      #""page":%"#, #""page":"%""#, #""meta":{"currentPage":%}"#, #""number":%,"size":2"#,
      #""number":%,"totalPages":9"#, #""pagination":{"page":%,"limit":2}"#,
    ])
  func skipped(members: String) throws {
    let style = try sample("", members.replacing("%", with: "0")).page(.pageNumber("page")).style
    #expect(style == .pageNumber("page").items(at: "items"))
    let third = sample("?page=2", members.replacing("%", with: "2"))
    #expect(throws: PageError.skippedPage(parameter: "page", first: 0)) { try third.page(style) }
    // A server that counts from 0 in its responses alone, as Spring Data may.
    let second = try sample("?page=2", members.replacing("%", with: "1")).page(style)
    #expect(try sample("?page=3", members.replacing("%", with: "2")).page(second.style).next != nil)
  }

  @Test("The parameter's own name counts, too")
  func ownName() throws {
    let style = try sample("", #""slice":0"#).page(.pageNumber("slice")).style
    #expect(throws: PageError.skippedPage(parameter: "slice", first: 0)) {
      try sample("?slice=2", #""slice":2"#).page(style)
    }
  }

  @Test(
    "Where the first page has the first number of the style, none, or was requested by its number, no page is skipped",
    arguments: [
      ("", #""page":1"#, PageStyle.pageNumber("page")), ("", #""size":2"#, .pageNumber("page")),
      ("?page=1", #""page":0"#, .pageNumber("page")), ("", #""number":0"#, .pageNumber("page")),
      ("", #""page":0"#, .pageNumber("page", startingAt: 0)), ("", #""page":0"#, .offset("page")),
      ("", #""user":{"page":0}"#, .pageNumber("page")),
    ])
  func healthy(query: String, members: String, style: PageStyle) throws {
    let style = try sample(query, members).page(style).style
    #expect(style.statedFirst == nil)
    #expect(try sample("?page=2", #""page":2"#).page(style).next != nil)
  }

  @Test("A list stops before a page was skipped", arguments: StoreActor.allCases, [200, 404])
  func list(actor: StoreActor, status: Int) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"{"items":[1],"page":0}"#))
      stub.on(
        .get, "/items?page=2",
        status == 404 ? .status(404) : .json(#"{"items":[],"page":2}"#))
      let list = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      ).pages("items", of: Int.self, style: .pageNumber("page"))
      list.loadAll()
      await list.settled()
      guard case .failed = list.state else { return #expect(Bool(false), "\(list.state)") }
      #expect(list.items == [1])
    }
  }
}
