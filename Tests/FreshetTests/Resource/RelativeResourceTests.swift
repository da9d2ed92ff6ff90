import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Resources relative to others", .standardTimeLimit)
struct RelativeResourceTests {
  private typealias Text = Resource<String>

  @Test("A child is below its parent, and its path is data", arguments: StoreActor.allCases)
  func children(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let parent: Text = service.resource("users?page=2")
      let cases = [
        ("1", "/users/1"), ("/1", "/users/1"), ("a b", "/users/a%20b"), ("a/b", "/users/a/b"),
        ("a?b=c", "/users/a%3Fb%3Dc"), ("a#b", "/users/a%23b"), ("50%", "/users/50%25"),
        ("%2e%2e", "/users/%252e%252e"), ("e\u{301}", "/users/e%CC%81"), ("a:b", "/users/a%3Ab"),
        ("https://x.test", "/users/https%3A//x.test"), ("...", "/users/..."),
      ]
      for (path, expected) in cases {
        let child: Text = parent.child(path)
        #expect(child.url?.absoluteString == "https://api.test" + expected, "\(path)")
        #expect(child === parent.child(path, of: String.self))
      }
      let nested: Text = service.resource("users/", of: String.self).child("1")
      #expect(nested === service.resource("users/1", of: String.self))
    }
  }

  @Test("A child path cannot lead elsewhere", arguments: StoreActor.allCases)
  func childrenStayBelow(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let parent: Text = service.resource("users")
      for path in ["..", "../admin", "a/../b", "./a", "a/.", "/.."] {
        let child: Text = parent.child(path)
        #expect(child.url == nil, "\(path)")
        await child.load().completed()
        #expect(child.latestError?.kind == .invalidRequest)
      }
    }
  }

  @Test(
    "A URL leads to one resource, whether it is found to the letter or has to be taken apart",
    arguments: StoreActor.allCases)
  func oneResource(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let page: Text = service.resource("items?page=1")
      let next: Text = service.resource("items?page=2")
      let urls = [
        "https://api.test/items?page=2", "HTTPS://API.test:443/items?page=2",
        "https://api.test/items?page=2#top", "https://api.test/a/../items?page=2",
      ]
      let references = [
        "/items?page=2", "?page=2", "items?page=2", "./items?page=2", "/items?page=2#top",
        "//api.test/items?page=2", " /items?page=2 ", "/a/../items?page=2",
      ]
      for url in urls {
        #expect(service.resource(absoluteURL: url, of: String.self) === next, "\(url)")
      }
      for reference in urls + references {
        #expect(page.relative(reference, of: String.self) === next, "\(reference)")
        #expect(page.relative(reference, to: .response, of: String.self) === next, "\(reference)")
      }
      #expect(service.resource(absoluteURL: urls[0], of: Data.self) !== next)
      #expect(page.relative("https://other.test/items?page=2", of: String.self).url == nil)
      #expect(
        service.resource(absoluteURL: "https://other.test/items", of: String.self).url?
          .absoluteString
          == "https://other.test/items")
    }
  }

  @Test("References resolve as RFC 3986 says, on the same origin", arguments: StoreActor.allCases)
  func references(actor: StoreActor) async {
    await actor.run { actor in
      let service = Service(
        baseURL: "https://api.test/v1", transport: StubTransport(), clock: ManualClock(),
        isolation: #isolation)
      let from: Text = service.resource("users/1?x=1")
      let cases = [
        ("2", "/v1/users/2"), ("?page=2", "/v1/users/1?page=2"), ("/a", "/a"), ("..", "/v1/"),
        ("", "/v1/users/1?x=1"), ("#f", "/v1/users/1?x=1"), ("./2?b=a%2Fb", "/v1/users/2?b=a%2Fb"),
        ("HTTPS://API.test:443/x", "/x"), ("//api.test/y", "/y"),
      ]
      for (reference, expected) in cases {
        let resource: Text = from.relative(reference)
        #expect(resource.url?.absoluteString == "https://api.test" + expected, "\(reference)")
      }
      #expect(from === from.relative("", of: String.self))
      for reference in ["https://other.test/", "http://api.test/", "//api.test:8443/", "ftp://a/b"]
      {
        let resource: Text = from.relative(reference)
        #expect(resource.url == nil, "\(reference)")
        await resource.load().completed()
        #expect(resource.latestError?.message.contains("another origin") == true)
      }
    }
  }

  @Test("A link that may be missing gives no resource", arguments: StoreActor.allCases)
  func optionalReferences(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let from: Text = service.resource("a/b")
      let missing: Text? = from.optionalRelative(nil)
      #expect(missing == nil)
      #expect(
        from.optionalRelative("c", of: String.self) === service.resource("a/c", of: String.self))
    }
  }

  @Test(
    "After a redirect references resolve against the URL of the response",
    arguments: StoreActor.allCases)
  func redirects(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      let responseURL = try #require(URL(string: "https://api.test/v2/deep/latest"))
      stub.on(
        .get, "/latest",
        .response(HTTPResponse(status: 200, body: Data("x".utf8), url: responseURL)))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let latest: Text = service.resource("latest")
      let before: Text = latest.relative("next", to: .response)
      #expect(before.url?.path == "/next")
      _ = try await latest.load().value()
      let after: Text = latest.relative("next", to: .response)
      #expect(after.url?.path == "/v2/deep/next")
      #expect(latest.optionalRelative("next", to: .response, of: String.self) === after)
      #expect(latest.relative("next", of: String.self) === before)
    }
  }

  @Test("After a redirect from http to https on one host references lead to https")
  @MainActor func upgrade() async throws {
    let responseURL = try #require(URL(string: "https://api.test/v2/latest"))
    let stub = StubTransport { _ in HTTPResponse(status: 200, url: responseURL) }
    let service = Service(baseURL: "http://api.test", transport: stub, clock: ManualClock())
    let latest: Text = service.resource("latest")
    await latest.load().completed()
    let next: Text = latest.relative("next", to: .response)
    #expect(next.url?.absoluteString == "https://api.test/v2/next")
    #expect(next.relative("http://api.test/a", of: String.self).url == nil)
  }

  @Test("A response from another origin is no way out of this one", arguments: StoreActor.allCases)
  func foreignRedirects(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      let responseURL = try #require(URL(string: "https://evil.test/a"))
      stub.on(.get, "/a", .response(HTTPResponse(status: 200, url: responseURL)))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resource: Text = service.resource("a")
      _ = try await resource.load().value()
      #expect(resource.relative("b", to: .response, of: String.self).url == nil)
    }
  }

  @Test("The order in which parameters are set makes no difference", arguments: StoreActor.allCases)
  func parameters(actor: StoreActor) async {
    await actor.run { actor in
      let service = ServiceFixture().service
      let list: Text = service.resource("list")
      let both = list.withParameter("b", "2").withParameter("a", "1")
      #expect(both.url?.absoluteString == "https://api.test/list?a=1&b=2")
      #expect(both === list.withParameters(["a": ["1"], "b": ["2"]]))
      #expect(both === service.resource("list?a=1&b=2", of: String.self))
      #expect(both.withParameter("a", "1") === both)
      #expect(both.withParameter("a", nil) === list.withParameter("b", "2"))
      #expect(both.withParameters(["a": [], "b": []]) === list)
      let repeated = list.withParameters(["tag": ["x", "y", "x"], "q": ["a & b"]])
      #expect(repeated.url?.query == "q=a%20%26%20b&tag=x&tag=y&tag=x")
      #expect(repeated.withParameter("tag", "z").url?.query == "q=a%20%26%20b&tag=z")
      let kept: Text = service.resource("list?z=a%2fb+c&%61=1")
      #expect(kept.withParameter("m", "é").url?.query == "%61=1&m=%C3%A9&z=a%2fb+c")
    }
  }
}
