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
    "No page is skipped where the first one has the first number of the style, none, or was requested by one",
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

  @Test(
    "Items are counted from 1 where the response to a request without a number has that one",
    arguments: [
      #""startIndex":1"#, #""startIndex":"1""#,
      #""totalResults":5,"startIndex":1,"itemsPerPage":2"#,
      #""meta":{"startIndex":1}"#,
    ])
  func itemsFromOne(members: String) throws {
    let page = try sample("", members).page(.offset("startIndex"))
    #expect(page.next == PageLink(.query("startIndex", "3")))
    let second = try sample("?startIndex=3", members.replacing("1", with: "3")).page(page.style)
    #expect(second.next == PageLink(.query("startIndex", "5")))
    // A total of 5 is that of items from 1 to 5.
    let ahead = members.contains("5") ? [PageLink(.query("startIndex", "5"))] : []
    #expect(page.links(ahead: 9) == ahead)
    let one = PageSample(response: #"{"items":[{}],"startIndex":1}"#)
    #expect(try one.page(.offset("startIndex")).next == PageLink(.query("startIndex", "2")))
  }

  @Test(
    "They are counted from 0 otherwise, and from the number of a request that has one",
    arguments: [
      ("", #""startIndex":0"#, "2"), ("", #""size":2"#, "2"), ("", #""StartIndex":1"#, "2"),
      ("", #""user":{"startIndex":1}"#, "2"), ("?startIndex=1", #""startIndex":1"#, "3"),
      ("", #""startIndex":2"#, "2"),
    ])
  func itemsFromZero(query: String, members: String, next: String) throws {
    let page = try sample(query, members).page(.offset("startIndex"))
    #expect(page.next == PageLink(.query("startIndex", next)) && page.style.statedFirst == nil)
    // This may be the offset of the next page.
    let one = PageSample(response: #"{"items":[{}],"offset":1}"#)
    #expect(try one.page(.offset("offset")).next == PageLink(.query("offset", "1")))
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
