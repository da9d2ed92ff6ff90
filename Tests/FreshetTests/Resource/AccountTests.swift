import Foundation
import FreshetTesting
import Testing

@testable import Freshet

extension URL {
  fileprivate func appending(query: String) -> URL {
    URL(string: absoluteString + "?" + query) ?? self
  }

  fileprivate func replacing(path: String) -> URL {
    URL(string: path, relativeTo: self)?.absoluteURL ?? self
  }
}

@Suite("Content of another user", .standardTimeLimit)
@MainActor struct AccountTests {
  /// The user of a launch: how requests are authorized, and by which name.
  struct User: Sendable {
    var header: String?
    var token: String?
    var decorated: String?
    var decoration: Decoration?
    var account: String?
  }

  /// What a decoration does to a request.
  enum Decoration: Sendable, CustomStringConvertible {
    case field(String, String), query(String), path(String), body

    var description: String {
      switch self {
      case .field(let name, let value): "\(name): \(value)"
      case .query(let item): "?\(item)"
      case .path(let path): path
      case .body: "body"
      }
    }

    func apply(to request: inout HTTPRequest) {
      switch self {
      case .field(let name, let value): request.headers[name] = value
      case .query(let item): request.url = request.url.appending(query: item)
      case .path(let path): request.url = request.url.replacing(path: path)
      case .body: request.body = Data("{}".utf8)
      }
    }
  }

  private let cache = MemoryCache()

  private func launch(
    _ user: User, varying: [String] = [], log: (@Sendable (String) -> Void)? = nil
  ) -> ServiceFixture {
    let tokens = user.token.map { TokenAuthorizer(signedInWith: $0) {} }
    let fixture = ServiceFixture { [cache] in
      $0.cache = cache
      $0.userIdentifier = user.account
      $0.varyingHeaders = varying
      if let header = user.header { $0.headers["Authorization"] = header }
      if let decorated = user.decorated {
        $0.decorate { request in
          var request = request
          request.headers["Authorization"] = decorated
          return request
        }
      }
      if let decoration = user.decoration {
        $0.decorate { request in
          var request = request
          decoration.apply(to: &request)
          return request
        }
      }
      $0.authorizer = tokens
      $0.log = { if $0.category == .cacheFailure { log?($0.message) } }
    }
    fixture.stub.on(where: { _ in true }) { request in
      .text(
        request.headers["Authorization"] ?? user.decoration?.description ?? "anyone",
        headers: ["ETag": "\"1\""])
    }
    return fixture
  }

  /// What a launch shows from the persistent cache; nil for nothing.
  private func shown(to user: User, after first: User) async -> String? {
    let earlier = launch(first)
    await earlier.text("a").load().completed()
    await earlier.service.flushCache()
    let later = launch(user)
    let resource = later.text("a")
    let recorder = later.record(resource)
    await resource.loadIfNeeded()?.completed()
    let isShown = recorder.events.contains(.newData(.cache))
    #expect(later.stub.requests.count == (isShown ? 0 : 1))
    return isShown ? resource.content : nil
  }

  @Test(
    "An entry is shown to its user, by account or header fields, and to no other",
    arguments: [
      (User(header: "Bearer A"), User(header: "Bearer A"), "Bearer A"),
      (User(header: "Bearer A"), User(header: "Bearer B"), nil),
      (User(header: "Bearer A"), User(), nil),
      (User(), User(header: "Bearer A"), nil),
      (User(), User(), "anyone"),
      // Whose credentials these are is known.
      (User(header: "Bearer A", account: "1"), User(header: "Bearer B", account: "1"), "Bearer A"),
      (User(header: "Bearer A", account: "1"), User(header: "Bearer A", account: "2"), nil),
      // Credentials that an authorizer adds are those of an account, or are not stored.
      (User(token: "A", account: "1"), User(token: "B", account: "1"), "Bearer A"),
      (User(token: "A", account: "1"), User(token: "A", account: "2"), nil),
      (User(token: "A"), User(token: "A"), nil),
      (User(token: "A"), User(), nil),
      (User(), User(token: "A"), nil),
      // So are those of a decoration.
      (User(decorated: "A"), User(decorated: "A"), nil),
      (User(decoration: .field("Cookie", "A")), User(), nil),
      (User(decoration: .field("X-Bearer", "A")), User(), nil),
      (User(decoration: .field("DPoP", "A")), User(), nil),
      (User(decoration: .field("X-User-Id", "A")), User(), nil),
      (User(decoration: .query("access_token=A")), User(), nil),
      (User(decoration: .path("/users/A/me")), User(), nil),
      (User(decoration: .body), User(), nil),
      (
        User(decoration: .query("access_token=A"), account: "1"), User(account: "1"),
        "?access_token=A"
      ),
      (User(decoration: .query("access_token=A"), account: "1"), User(account: "2"), nil),
      // What cannot say who asks is no reason.
      (User(decoration: .field("Accept-Language", "de")), User(), "Accept-Language: de"),
      (User(decoration: .field("x-request-id", "1")), User(), "x-request-id: 1"),
      (User(decorated: "A", account: "1"), User(decorated: "B", account: "1"), "A"),
      (User(decorated: "A", account: "1"), User(decorated: "A", account: "2"), nil),
    ])
  func entry(first: User, second: User, expected: String?) async {
    #expect(await shown(to: second, after: first) == expected)
  }

  @Test(
    "What is not stored because its user is not known is reported, and says what to do",
    arguments: [
      User(token: "A"), User(decorated: "A"), User(decoration: .field("X-User-Id", "Bearer")),
      User(decoration: .query("access_token=Bearer")), User(token: "A", decoration: .query("b")),
    ])
  func reported(user: User) async {
    let (messages, log) = AsyncStream<String>.makeStream()
    let fixture = launch(user) { log.yield($0) }
    for path in ["a", "b", "c"] { await fixture.text(path).load().completed() }
    await fixture.service.flushCache()
    log.finish()
    var logged: [String] = []
    for await message in messages { logged.append(message) }
    #expect(logged.count == 1 && logged.allSatisfy { $0.contains("Configuration.userIdentifier") })
    #expect(!logged.joined().contains("Bearer"))
    #expect(await !cache.writes.contains(.store))
  }

  @Test("A 304 to a request that a decoration has made personal confirms no entry")
  func unconfirmed() async {
    let earlier = launch(User())
    await earlier.text("a").load().completed()
    await earlier.service.flushCache()
    let later = launch(User(decoration: .field("X-User-Id", "A")))
    later.stub.on(where: { $0.headers["If-None-Match"] != nil }, .status(304))
    await later.text("a").loadIfNeeded()?.completed()
    await later.text("a").load().completed()
    await later.service.flushCache()
    #expect(later.text("a").content == "anyone")
    #expect(await cache.writes == [.store, .remove])
  }

  @Test("What a decoration got from another origin belongs to the account")
  func otherOrigin() async {
    let url = "https://cdn.test/a"
    func shown(to account: String) async -> String? {
      let fixture = launch(User(decorated: "token of \(account)", account: account))
      let resource = fixture.service.resource(absoluteURL: url, of: String.self)
      await resource.loadIfNeeded()?.completed()
      await fixture.service.flushCache()
      return resource.content
    }
    #expect(await shown(to: "1") == "token of 1")
    #expect(await shown(to: "2") == "token of 2")
  }

  @Test(
    "A secret that was added to the URL is not stored, wherever a redirect leads",
    arguments: [false, true], ["", "?access_token=s3cret", "?q=1&access_token=s3cret#end"])
  func secretInURL(isAuthorized: Bool, redirectedQuery: String) async throws {
    struct TokenInURL: RequestAuthorizer {
      @concurrent
      func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        Decoration.query("access_token=s3cret").apply(to: &request)
        return request
      }
      @concurrent
      func renew(after request: HTTPRequest) async throws -> Bool { false }
    }
    let redirected = try #require(URL(string: "http://api.test/b" + redirectedQuery))
    let stub = StubTransport { request in
      HTTPResponse(
        status: 200, body: Data("x".utf8), url: redirectedQuery.isEmpty ? request.url : redirected)
    }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    service.configure { [cache] in
      $0.cache = cache
      $0.userIdentifier = "1"
      if isAuthorized {
        $0.authorizer = TokenInURL()
      } else {
        $0.decorate { try await TokenInURL().authorize($0) }
      }
    }
    let resource = service.resource("a", of: String.self)
    await resource.load().completed()
    await service.flushCache()
    #expect(stub.requests.first?.url.query() == "access_token=s3cret")
    let stored = try #require(try await cache.entry(for: resource.key)).response.url
    let expected =
      switch redirectedQuery {
      case "": "https://api.test/a"
      case "?access_token=s3cret": "http://api.test/b"
      default: "http://api.test/b?q=1#end"
      }
    #expect(stored.absoluteString == expected)
  }

  @Test("Content that another request has received is fresh, whatever that was sent with")
  func adopted() async {
    let fixture = ServiceFixture { [cache] in
      $0.cache = cache
      $0.headers["Authorization"] = "Bearer A"
    }
    fixture.service.configure("log-in") { $0.headers["Authorization"] = nil }
    fixture.stub.on(.post, "/log-in", .text("me"))
    let resource = fixture.text("me")
    let request = fixture.service.request(.post, "log-in", as: String.self)
    await resource.load(using: request).completed()
    #expect(resource.content == "me" && resource.isUpToDate)
    fixture.service.reapplyConfiguration()
    #expect(resource.isUpToDate)
    await fixture.service.flushCache()
    // It is the entry of that user.
    let again = launch(User(header: "Bearer A"))
    _ = await again.text("me").loadIfNeeded()?.completed()
    #expect(again.text("me").content == "me" && again.stub.requests.isEmpty)
    let other = launch(User())
    other.stub.on(.get, "/me", .text("nothing"))
    _ = await other.text("me").loadIfNeeded()?.completed()
    #expect(other.text("me").content == "nothing")
  }

  @Test("The token of a page, which is part of the request, is none of a user")
  func pageToken() async throws {
    let fixture = ServiceFixture { [cache] in
      $0.cache = cache
      $0.decorate { request in
        var request = request
        request.headers["X-Request-ID"] = "1"
        return request
      }
    }
    let pages = PageStyle.token(at: "next", header: "X-Page-Token")
    fixture.stub.on(.get, "/rows") { request in
      request.headers["X-Page-Token"] == nil
        ? .json(#"{"items": [1], "next": "2"}"#) : .json(#"{"items": [2]}"#)
    }
    let list = fixture.service.pages("rows", of: Int.self, style: pages)
    list.loadAll()
    await list.settled()
    await fixture.service.flushCache()
    #expect(Array(list.items) == [1, 2])
    #expect(await cache.writes == [.store, .store])
  }

}
