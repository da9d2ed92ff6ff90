import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Resources and lists by POST", .standardTimeLimit)
struct PostListTests {
  private struct Search: Encodable { var filter = "open" }

  private static let style = PageStyle.cursor(at: "after", bodyKey: "after").items(at: "rows")

  /// Two pages, which the cursor in the body distinguishes.
  private static func serve(_ stub: StubTransport) {
    stub.on(.post, "/search") { request in
      let body = request.body.flatMap { try? JSONText(parsing: $0) }
      return body?["after"]?.string == "b"
        ? .json(#"{"rows": [3], "after": null}"#) : .json(#"{"rows": [1, 2], "after": "b"}"#)
    }
  }

  @Test(
    "A path and the absolute URL name the same resource, and so does GET by its name",
    arguments: StoreActor.allCases)
  func resources(actor: StoreActor) async throws {
    try await actor.run { actor in
      let service = ServiceFixture().service
      let body = try JSONText(encoding: Search())
      let resource = service.resource(
        .post, "search", query: ["q": "a b"], body: body, of: String.self)
      let url = "https://api.test/search?q=a%20b"
      #expect(resource.key.url == url && resource.key.method == .post)
      #expect(
        resource === service.resource(.post, absoluteURL: url, body: body, of: String.self))
      #expect(
        resource
          === service.resource(
            .post, "search?q=a%20b", body: body, decoder: ContentDecoder<String>.standard))
      #expect(resource !== service.resource(.post, "search?q=a%20b", of: String.self))
      #expect(
        service.resource(.get, "search", of: String.self)
          === service.resource("search", of: String.self))
    }
  }

  @Test(
    "A list by POST sets the cursor in its body, and continues at one",
    arguments: StoreActor.allCases)
  func lists(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      Self.serve(fixture.stub)
      let (service, url) = (fixture.service, "https://api.test/search")
      let body = try JSONText(encoding: Search())
      let list = service.pages(.post, "search", body: body, of: Int.self, style: Self.style)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.state == .ended)
      let bodies = fixture.stub.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
      #expect(bodies == [#"{"filter":"open"}"#, #"{"filter":"open","after":"b"}"#])
      let same = service.pages(
        .post, absoluteURL: url, body: body, of: Int.self, style: Self.style)
      #expect(same.firstPage === list.firstPage)

      let cursor = try #require(list.pages[0].content?.next)
      let rest = try service.pages(
        .post, "search", body: body, from: cursor, of: Int.self, style: Self.style)
      #expect(rest.firstPage.key == list.pages[1].key)
      let texts = try service.pages(
        .post, absoluteURL: url, body: body, from: cursor, of: JSONText.self, style: Self.style)
      texts.loadAll()
      await texts.settled()
      #expect(texts.items.map(\.description) == ["3"] && texts.state == .ended)
    }
  }

  @Test("A query of pages by POST does so too", arguments: StoreActor.allCases)
  func queries(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      Self.serve(fixture.stub)
      let body = try JSONText(encoding: Search())
      let numbers = fixture.service.pageQuery(
        .post, "search", body: body, of: Int.self, style: Self.style)
      var items: [Int?] = []
      numbers.itemReceived = { items.append($0) }
      numbers.pageBudget = 1
      numbers.start()
      await numbers.settled()
      #expect(items == [1, 2])
      let values = fixture.service.pageQuery(
        .post, absoluteURL: "https://api.test/search", body: body, from: numbers.cursor,
        of: JSONText.self, style: Self.style)
      values.itemReceived = { items.append($0.int) }
      values.start()
      await values.settled()
      #expect(items == [1, 2, 3] && values.isEnded)
    }
  }

  @Test("A failed load by POST is retried if it has an idempotency key", arguments: [false, true])
  @MainActor func retries(hasKey: Bool) async throws {
    let fixture = ServiceFixture {
      $0.retryPolicy = .standard
      if hasKey { $0.headers["Idempotency-Key"] = "1" }
    }
    fixture.stub.on(.post, "/search", .status(503), .text("done"))
    let request = fixture.service.resource(
      .post, "search", body: try JSONText(encoding: Search()), of: String.self
    ).load()
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(fixture.stub.requests.count == (hasKey ? 2 : 1))
    #expect(await request.failure()?.status == (hasKey ? nil : 503))
  }
}
