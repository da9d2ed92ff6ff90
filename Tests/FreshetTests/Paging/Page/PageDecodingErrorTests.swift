import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The place of what cannot be decoded in a page", .standardTimeLimit)
struct PageDecodingErrorTests {
  struct Item: Decodable, Sendable { let name: String }

  @Test(
    "The path leads from the root of the response",
    arguments: [
      (#"[{"name": "a"}, {"name": 1}]"#, PageStyle.linkHeader, "at $[1].name: expected String"),
      (#"[{"name": 1}]"#, .auto, "at $[0].name: expected String"),
      (#"{"results": [{"name": 1}]}"#, .auto, "at $.results[0].name: expected String"),
      (#"{"results": [{}]}"#, .auto, #"at $.results[0]: no member "name""#),
      (
        #"{"data": {"rows": [{"name": "a"}, {"name": null}]}}"#, .linkHeader.items(at: "data.rows"),
        "at $.data.rows[1].name: expected String, found null"
      ),
      (
        #"{"next": null, "issues": {"nodes": [3]}}"#, .nextURL(at: "next"),
        "at $.issues.nodes[0]: "
      ),
    ])
  @MainActor func path(json: String, style: PageStyle, place: String) async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/items", .json(json))
    let list = fixture.service.pages("items", of: Item.self, style: style)
    list.loadIfNeeded()
    await list.settled()
    let error = try #require(list.latestError)
    #expect(error.message.contains(place), "\(error.message)")
    guard case .failed = list.state else {
      Issue.record("\(list.state)")
      return
    }
  }

  @Test("A program that reads the error has the whole path") func codingPath() throws {
    let url = try #require(URL(string: "https://api.test/items"))
    let response = HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"],
      body: Data(#"{"data": {"items": [{"name": 1}]}}"#.utf8), url: url)
    let error = #expect(throws: DecodingError.self) {
      try PageStyle.auto.page(
        of: Item.self, from: response, to: ResourceKey(url: url.absoluteString))
    }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["data", "items", "Index 0", "name"])
  }

  @Test("A paginator's page names the same place")
  @MainActor func numberedPage() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/rows?page=1", .json(#"{"total": 1, "rows": [{"name": 1}]}"#))
    let paginator = fixture.service.paginator("rows?page=:currentPage", of: Item.self)
    try paginator.loadPage(1)
    await paginator.settled()
    let error = try #require(paginator.latestError)
    #expect(error.message.contains("at $.rows[0].name: expected String"), "\(error.message)")
  }
}
