import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about values", .standardTimeLimit)
@MainActor
struct ValueSnippetTests {
  private let stub = StubTransport()
  private let service: Service

  init() { service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock()) }

  @Test("Header fields, links and media types are what their comments say")
  func http() {
    #expect(ValueExamples.headers() == ["application/json"])
    #expect(ValueExamples.links() == ["https://api.example.com/items?page=3"])
    #expect(ValueExamples.mediaType() == ["true", "true", "utf-8"])
  }

  @Test("A key that a test makes is that of the service's resource, and tests a decoder")
  func keys() throws {
    #expect(ValueExamples.key() == ["https://api.example.com/items?page=2"])
    #expect(
      ResourceKey(absoluteURL: "items") == nil && ResourceKey(absoluteURL: "ftp://a/b") == nil)
    service.configure {
      $0.headers = ["X-Region": "7", "Accept-Language": "cs", "X-Other": "1"]
      $0.varyingHeaders = ["X-Region", "Accept-Language"]
    }
    let body = try JSONText(parsing: #"{ "q": "a" }"#)
    let search = service.resource(
      .post, absoluteURL: "https://api.test/search", body: body,
      decoder: ContentDecoder<String>.text)
    let key = ResourceKey(
      method: .post, absoluteURL: "https://API.test/search",
      body: try JSONText(parsing: #"{"q":"a"}"#),
      headers: ["x-region": "7", "accept-language": "cs"])
    #expect(key == search.key && key?.digest == search.key.digest)

    func decodePage(_ input: DecodingInput) -> String {
      "\(input.key.url): \(String(decoding: input.response.body, as: UTF8.self))"
    }
    let items = try #require(ResourceKey(absoluteURL: "https://api.test/items"))
    let url = try #require(URL(string: items.url))
    let response = HTTPResponse(status: 200, body: Data("one".utf8), url: url)
    #expect(
      decodePage(DecodingInput(response: response, key: items)) == "https://api.test/items: one")
  }

  @Test("A value keeps its bytes, and so does what is not set")
  func json() throws {
    #expect(try ValueExamples.json() == ["9007199254740993", "null"])
    #expect(
      try ValueExamples.setting() == [#"{"query": "{ … }","variables":{"after":"Y3Vyc29y"}}"#])
  }

  @Test("A decoder reads the content from an envelope, with the settings for JSON")
  func envelope() async throws {
    stub.on(.get, "/profile", .json(#"{"data": {"first_name": "Ada"}}"#))
    service.configure { $0.json.keyDecodingStrategy = .convertFromSnakeCase }
    #expect(try await ValueExamples.envelope(service).freshContent().firstName == "Ada")
  }

  @Test("A path follows members, elements from the end, and names with dots")
  func paths() throws {
    let bodies = [
      #"{"links": {"next": "found"}}"#,
      #"{"hits": {"hits": [{"sort": "first"}, {"sort": "found"}]}}"#,
      #"{"@odata.nextLink": "found"}"#,
    ]
    for (path, body) in zip(ValueExamples.paths(), bodies) {
      #expect(try JSONText(parsing: body)[at: path]?.string == "found", "\(path)")
    }
  }

  @Test("Links name what they change, and styles where they look")
  func paging() {
    #expect(
      ValueExamples.pageLinks() == [
        "PageLink(follow)", "PageLink(query page_token)", "PageLink(body variables.after)",
      ])
    #expect(ValueExamples.styles().count == 4 && Set(ValueExamples.styles()).count == 4)
    #expect(ValueExamples.styles()[1].hasSuffix("items=results"))
    #expect(ValueExamples.cursors().count == 2)
    #expect(ValueExamples.cursors()[1].hasSuffix("items=hits.hits"))
    #expect(ValueExamples.bodyOffset()[0].hasSuffix("items=results"))
  }

  @Test("A custom style continues after the last id")
  func custom() async {
    stub.on(.get, "/rows", .json(#"[{"id": "a"}, {"id": "b"}]"#))
    stub.on(.get, "/rows?after=b", .json(#"[{"id": "c"}]"#))
    stub.on(.get, "/rows?after=c", .json("[]"))
    let rows = service.pages("rows", of: JSONText.self, style: ValueExamples.custom())
    rows.loadAll()
    await rows.settled()
    #expect(rows.items.map { $0["id"]?.string } == ["a", "b", "c"])
    #expect(rows.state == .ended)
  }

  @Test("A mapping has the totals, and a pattern the pages")
  func paginator() async throws {
    stub.on(
      .get, "/articles?per_page=25&page=1",
      .json(
        #"""
        {"items": ["a"], "pagination": {"per_page": 1, "total_pages": 3, "total_objects": 3}}
        """#))
    let patterns = try ValueExamples.patterns("rows?limit=:perPage&skip=:offset")
    #expect(patterns.last == "rows?limit=:perPage&skip=:offset")
    let articles = service.paginator(
      patterns[0], of: String.self, mapping: ValueExamples.mapping())
    try articles.loadPage(1)
    await articles.settled()
    #expect(articles.perPage == 1 && articles.totalPageCount == 3 && articles.totalCount == 3)
  }
}
