import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Links to other origins", .standardTimeLimit)
struct LinkOriginTests {
  /// A service with a credential and a language that select content, and a page size that is sent.
  private static func service(
    _ stub: StubTransport, at baseURL: String = "https://api.test",
    _ isolation: isolated any Actor
  ) -> Service {
    stub.onUnexpected { Issue.record("\($0)") }
    let service = Service(
      baseURL: baseURL, transport: stub, clock: ManualClock(), isolation: isolation)
    service.configure {
      $0.headers = ["Authorization": "Bearer secret", "Accept-Language": "en", "X-Size": "2"]
      $0.varyingHeaders = ["Authorization", "Accept-Language"]
    }
    return service
  }

  /// A page that was redirected: another URL has responded.
  private static func redirected(
    to url: String, _ items: String, next: String
  ) throws -> StubTransport.Response {
    .response(
      HTTPResponse(
        status: 200,
        headers: ["Content-Type": "application/json", "Link": "<\(next)>; rel=\"next\""],
        body: Data(items.utf8), url: try #require(URL(string: url))))
  }

  @Test(
    "Only non-credential headers reach an allowed origin, varying ones included",
    arguments: StoreActor.allCases)
  func varyingHeaders(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      let service = Self.service(stub, actor)
      stub.on(
        .get, "/items", PageListFixture.response([1], next: "https://other.test/items?page=2"))
      stub.on(.get, "https://other.test/items?page=2", PageListFixture.response([2], next: nil))
      var options = PagedCollection<Int>.Options()
      options.allowedOrigins = ["https://other.test"]
      let list = service.pages("items", of: Int.self, style: .linkHeader, options: options)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2])
      #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer secret", nil])
      #expect(stub.requests.map { $0.headers["X-Size"] } == ["2", nil])
      #expect(stub.requests.map { $0.headers["Accept-Language"] } == ["en", "en"])
    }
  }

  @Test("A token in a header stays at its origin", arguments: StoreActor.allCases)
  func token(actor: StoreActor) async throws {
    try await actor.run { actor in
      let service = Self.service(StubTransport(), actor)
      let page: Resource<Page<Int>> = service.resource("items", decoder: .page(.linkHeader))
      let link = PageLink(.header("X-Token", "t"), .follow("https://other.test/items"))
      let next = try page.following(link, allowing: ["https://other.test"])
      #expect(next.key.headers.fields.map(\.name) == ["accept-language"])
      let own = try page.following(PageLink(.header("X-Token", "t"), .follow("/items?page=2")))
      #expect(own.key.headers["x-token"] == "t" && own.key.headers["authorization"] != nil)
    }
  }

  @Test(
    "The origin that a redirect led to is another one, and needs to be allowed",
    arguments: StoreActor.allCases)
  func redirect(actor: StoreActor) async throws {
    try await actor.run { actor in
      for isAllowed in [false, true] {
        let stub = StubTransport()
        let service = Self.service(stub, actor)
        stub.on(
          .get, "/items",
          try Self.redirected(to: "https://other.test/v1/items", "[1]", next: "?page=2"))
        stub.on(
          .get, "https://other.test/v1/items?page=2", PageListFixture.response([2], next: nil))
        var options = PagedCollection<Int>.Options()
        options.allowedOrigins = isAllowed ? ["https://other.test"] : []
        let list = service.pages("items", of: Int.self, style: .linkHeader, options: options)
        list.loadAll()
        await list.settled()
        guard !isAllowed else {
          #expect(list.items == [1, 2])
          #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer secret", nil])
          continue
        }
        #expect(list.items == [1])
        guard case .incomplete(let walk) = list.state else {
          Issue.record("the state is \(list.state)")
          continue
        }
        #expect(walk.reason == .crossOrigin("https://other.test"))
        #expect(stub.requests.count == 1)
      }
    }
  }

  @Test(
    "After a redirect a link back to the request's own origin is followed there, with all headers")
  func backToOwnOrigin() async throws {
    try await StoreActor.plainActor.run { actor in
      let stub = StubTransport()
      let service = Self.service(stub, actor)
      stub.on(
        .get, "/items",
        try Self.redirected(
          to: "https://other.test/items", "[1]", next: "https://api.test/items?page=2"))
      stub.on(.get, "/items?page=2", PageListFixture.response([2], next: nil))
      let list = service.pages("items", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2] && list.state.description == "ended")
      #expect(stub.requests.last?.url.host() == "api.test")
      #expect(stub.requests.last?.headers["Authorization"] == "Bearer secret")
    }
  }

  @Test("A redirect from http to https on one host leads to no other origin")
  func upgrade() async throws {
    try await StoreActor.plainActor.run { actor in
      let stub = StubTransport()
      let service = Self.service(stub, actor)
      let page: Resource<Page<Int>> = service.resource(
        absoluteURL: "http://data.test/items", decoder: .page(.linkHeader))
      let link = PageLink(.follow("?page=2"))
      page.overrideLocalContent(
        ResourceEntity(
          Page(items: [1], next: link, style: .linkHeader),
          url: URL(string: "https://data.test/items")))
      let next = try page.following(link)
      #expect(next.key.url == "https://data.test/items?page=2")
      #expect(throws: IncompleteWalk.Reason.insecure) {
        try page.following(PageLink(.follow("http://data.test/items?page=2")))
      }
      #expect(throws: IncompleteWalk.Reason.crossOrigin("https://data.test:8080")) {
        try page.following(PageLink(.follow("https://data.test:8080/items?page=2")))
      }
    }
  }

  @Test("After a redirect of the service from http to https the next pages get its credentials too")
  func upgradedService() async throws {
    try await StoreActor.plainActor.run { actor in
      let stub = StubTransport()
      let service = Self.service(stub, at: "http://api.test", actor)
      let next = "https://api.test/items?page="
      stub.on(
        .get, "http://api.test/items",
        try Self.redirected(to: "https://api.test/items", "[1]", next: next + "2"))
      stub.on(.get, next + "2", PageListFixture.response([2], next: next + "3"))
      stub.on(.get, next + "3", PageListFixture.response([3], next: nil))
      let list = service.pages("items", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3])
      #expect(stub.requests.count { $0.headers["Authorization"] == "Bearer secret" } == 3)
      #expect(stub.requests.count { $0.headers["X-Size"] == "2" } == 3)
      // Neither another port nor the way back.
      for url in ["https://api.test:8443/a", "http://api.test:443/a"] {
        stub.on(.get, url, .text("a"))
        await service.resource(absoluteURL: url, of: String.self).load().completed()
        #expect(stub.requests.last?.headers["Authorization"] == nil, "\(url)")
      }
    }
  }

  @Test(
    "A request with a body never crosses an origin, allowed or not", arguments: StoreActor.allCases)
  func body(actor: StoreActor) async throws {
    try await actor.run { actor in
      for responseURL in ["https://api.test/search", "https://other.test/search"] {
        let stub = StubTransport { request in
          HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"],
            body: Data(#"{"items": [1], "next": "https://other.test/search?page=2"}"#.utf8),
            url: request.url.query() == nil ? URL(string: responseURL) ?? request.url : request.url)
        }
        let service = Self.service(stub, actor)
        let first: Resource<Page<Int>> = service.resource(
          .post, absoluteURL: "https://api.test/search",
          body: try JSONText(parsing: #"{"q": "secret"}"#), decoder: .page(.nextURL(at: "next")))
        var options = PagedCollection<Int>.Options()
        options.allowedOrigins = ["https://other.test"]
        let list = PagedCollection(firstPage: first, options: options)
        list.loadAll()
        await list.settled()
        #expect(list.items == [1])
        #expect(stub.requests.count == 1, "\(responseURL)")
        guard case .incomplete(let walk) = list.state else {
          Issue.record("the state is \(list.state)")
          continue
        }
        #expect(walk.description.contains("body"), "\(walk)")
        #expect(walk.description.contains("https://other.test"))
        #expect(!walk.description.contains("secret"))
      }
    }
  }

  @Test("A chain may come back to the origin that it began at", arguments: StoreActor.allCases)
  func comingBack(actor: StoreActor) async throws {
    await actor.run { actor in
      for origin in ["https://api.test", "https://data.test"] {
        let stub = StubTransport()
        let service = Self.service(stub, actor)
        stub.on(
          .get, origin + "/items",
          PageListFixture.response([1], next: "https://other.test/items?page=2"))
        stub.on(
          .get, "https://other.test/items?page=2",
          PageListFixture.response([2], next: origin + "/items?page=3"))
        stub.on(.get, origin + "/items?page=3", PageListFixture.response([3], next: nil))
        let first: Resource<Page<Int>> = service.resource(
          absoluteURL: origin + "/items", decoder: .page(.linkHeader))
        var options = PagedCollection<Int>.Options()
        options.allowedOrigins = ["https://other.test"]
        let list = PagedCollection(firstPage: first, options: options)
        list.loadAll()
        await list.settled()
        #expect(list.items == [1, 2, 3] && list.state.description == "ended", "\(list.state)")
        let secret = origin == "https://api.test" ? "Bearer secret" : nil
        #expect(stub.requests.map { $0.headers["Authorization"] } == [secret, nil, secret])
        // The last page is the same resource as for a view that knows its URL.
        let known: Resource<Page<Int>> = service.resource(
          absoluteURL: origin + "/items?page=3", decoder: .page(.linkHeader))
        #expect(list.pages.last === known)
        service.wipe()

        let query = PageQuery(firstPage: first)
        query.allowedOrigins = ["https://other.test"]
        var items: [Int] = []
        query.itemReceived = { items.append($0) }
        await withCheckedContinuation { continuation in
          query.pageCompleted = { result in
            guard case .success(.next(let link)) = result else { return continuation.resume() }
            #expect(!link.edits.isEmpty)
          }
          query.start()
        }
        #expect(items == [1, 2, 3])
      }
    }
  }

  @Test("A list that resumes at an allowed origin may come back to that of its path")
  func resumed() async throws {
    try await StoreActor.plainActor.run { actor in
      let stub = StubTransport()
      let service = Self.service(stub, actor)
      stub.on(
        .get, "https://other.test/items?page=2",
        PageListFixture.response([2], next: "https://api.test/items?page=3"))
      stub.on(.get, "/items?page=3", PageListFixture.response([3], next: nil))
      let list = try service.pages(
        "items", from: PageLink(.follow("https://other.test/items?page=2")), of: Int.self,
        style: .linkHeader, options: .with { $0.allowedOrigins = ["https://other.test"] })
      list.loadAll()
      await list.settled()
      #expect(list.items == [2, 3] && list.state.description == "ended", "\(list.state)")
    }
  }

  @Test("An origin that was allowed once is not allowed for good", arguments: StoreActor.allCases)
  func allowedOnce(actor: StoreActor) async throws {
    try await actor.run { actor in
      let service = Self.service(StubTransport(), actor)
      let page: Resource<Page<Int>> = service.resource("items", decoder: .page(.linkHeader))
      let link = PageLink(.follow("https://other.test/items"))
      let next = try page.following(link, allowing: ["https://other.test"])
      let again = try page.following(link, allowing: ["https://other.test"])
      #expect(again === next)
      #expect(throws: IncompleteWalk.Reason.crossOrigin("https://other.test")) {
        try page.following(link)
      }
    }
  }

  @Test(
    "An origin is allowed by any text for it, and by none for more or less",
    arguments: [
      ("https://other.test", true), ("HTTPS://Other.TEST", true), ("https://other.test/", true),
      ("https://other.test:443", true), ("https://OTHER.test:443/", true), ("other.test", false),
      ("https://other.test/api", false), ("https://other.test?a", false),
      ("https://other.test#a", false), ("https://user@other.test", false),
      ("https://other.test:8443", false), ("http://other.test", false), ("", false),
    ])
  func texts(origin: String, isAllowed: Bool) async throws {
    try await StoreActor.mainActor.run { actor in
      let service = Self.service(StubTransport(), actor)
      let page: Resource<Page<Int>> = service.resource("items", decoder: .page(.linkHeader))
      let link = PageLink(.follow("https://other.test/items"))
      if isAllowed {
        let next = try page.following(link, allowing: [origin])
        #expect(next.key.url == "https://other.test/items")
      } else {
        #expect(throws: IncompleteWalk.Reason.crossOrigin("https://other.test")) {
          try page.following(link, allowing: [origin])
        }
      }
    }
  }

  @Test("The scheme is a part of an origin, whatever the port", arguments: StoreActor.allCases)
  func scheme(actor: StoreActor) async throws {
    await actor.run { actor in
      let service = Self.service(StubTransport(), actor)
      func page(_ url: String) -> Resource<Page<Int>> {
        service.resource(absoluteURL: url, decoder: .page(.linkHeader))
      }
      let link = { (url: String) in PageLink(.follow(url + "/items?page=2")) }
      #expect(throws: IncompleteWalk.Reason.crossOrigin("https://a.test:8080")) {
        try page("http://a.test:8080/items").following(link("https://a.test:8080"))
      }
      #expect(throws: IncompleteWalk.Reason.insecure) {
        try page("https://a.test:8080/items").following(
          link("http://a.test:8080"), allowing: ["http://a.test:8080"])
      }
      // The port without the scheme would be the same here too.
      #expect(throws: IncompleteWalk.Reason.crossOrigin("https://a.test:80")) {
        try page("http://a.test/items").following(link("https://a.test:80"))
      }
    }
  }
}
