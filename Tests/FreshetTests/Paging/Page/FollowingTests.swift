import Foundation
import Freshet
import FreshetTesting
import Testing

/// A link that was followed before is not resolved again, as long as it leads to the same page.
@Suite("Following a link again", .standardTimeLimit)
struct FollowingTests {
  private static func response(
    from url: String, status: Int = 200, next: String = "?page=2"
  ) throws -> StubTransport.Response {
    .response(
      HTTPResponse(
        status: status,
        headers: [
          "Content-Type": "application/json", "ETag": "\"1\"", "Link": "<\(next)>; rel=\"next\"",
        ],
        body: Data((status == 304 ? "" : "[1]").utf8), url: try #require(URL(string: url))))
  }

  private static func next(of page: Resource<Page<Int>>) throws -> Resource<Page<Int>> {
    let link = try #require(page.content?.next)
    return try page.following(link)
  }

  @Test("It leads to the same page while the data stays", arguments: StoreActor.allCases)
  func same(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture(isolation: actor)
      fixture.stub.on(.get, "/items", try Self.response(from: "https://api.test/items"))
      let page: Resource<Page<Int>> = fixture.service.resource("items", decoder: .page(.linkHeader))
      await page.load().completed()
      let next = try Self.next(of: page)
      #expect(next.key.url == "https://api.test/items?page=2")
      #expect(try Self.next(of: page) === next)
      page.invalidate()
      #expect(try Self.next(of: page) === next)
      #expect(try page.following(PageLink(.follow("?page=3"))) !== next)
      #expect(try Self.next(of: page) === next)
    }
  }

  @Test(
    "It is resolved again when another URL responds, from the first event on",
    arguments: [200, 304], StoreActor.allCases)
  func moved(status: Int, actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture(isolation: actor)
      fixture.stub.on(.get, "/items", try Self.response(from: "https://api.test/items"))
      let page: Resource<Page<Int>> = fixture.service.resource("items", decoder: .page(.linkHeader))
      await page.load().completed()
      #expect(try Self.next(of: page).key.url == "https://api.test/items?page=2")
      let moved = "https://api.test/v2/items"
      // A 304 from there confirms nothing, and is asked about once more.
      fixture.stub.on(
        .get, "/items", try Self.response(from: moved, status: status),
        try Self.response(from: moved))
      var targets: [String?] = []
      let token = page.observe { _, event in
        if [.newData(.network), .notModified].contains(event) {
          targets.append(try? Self.next(of: page).key.url)
        }
      }
      await page.load().completed()
      #expect(targets == [moved + "?page=2"])
      #expect(try Self.next(of: page).key.url == moved + "?page=2")
      token.cancel()
    }
  }

  @Test("It is resolved again after a local write", arguments: StoreActor.allCases)
  func written(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture(isolation: actor)
      let moved = "https://api.test/v2/items"
      fixture.stub.on(.get, "/items", try Self.response(from: moved))
      let page: Resource<Page<Int>> = fixture.service.resource("items", decoder: .page(.linkHeader))
      await page.load().completed()
      let link = try #require(page.content?.next)
      #expect(try page.following(link).key.url == moved + "?page=2")
      page.overrideLocalContent(Page(items: [], next: link, style: .linkHeader))
      #expect(try page.following(link).key.url == "https://api.test/items?page=2")
      page.wipe()
      #expect(try page.following(link).key.url == "https://api.test/items?page=2")
    }
  }
}
