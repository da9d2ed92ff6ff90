import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Content of another user", .standardTimeLimit)
@MainActor struct AccountTests {
  /// The user of a launch: how requests are authorized, and by which name.
  struct User: Sendable {
    var header: String?
    var token: String?
    var decorated: String?
    var decoratedCookie: String?
    var account: String?
  }

  private let cache = MemoryCache()

  private func launch(
    _ user: User, varying: [String] = [], log: (@Sendable (String) -> Void)? = nil
  ) -> ServiceFixture {
    let tokens = user.token.map { TokenAuthorizer(signedInWith: $0) {} }
    let fixture = ServiceFixture { [cache] in
      $0.cache = cache
      $0.account = user.account
      $0.varyingHeaders = varying
      if let header = user.header { $0.headers["Authorization"] = header }
      if let decorated = user.decorated {
        $0.decorate { request in
          var request = request
          request.headers["Authorization"] = decorated
          return request
        }
      }
      if let cookie = user.decoratedCookie {
        $0.decorate { request in
          var request = request
          request.headers["Cookie"] = cookie
          return request
        }
      }
      $0.authorizer = tokens
      $0.log = { if $0.category == .cacheFailure { log?($0.message) } }
    }
    fixture.stub.on(.get, "/a") { request in
      .text(request.headers["Authorization"] ?? "anyone", headers: ["ETag": "\"1\""])
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
      (User(decoratedCookie: "A"), User(), nil),
      (User(decorated: "A", account: "1"), User(decorated: "B", account: "1"), "A"),
      (User(decorated: "A", account: "1"), User(decorated: "A", account: "2"), nil),
    ])
  func entry(first: User, second: User, expected: String?) async {
    #expect(await shown(to: second, after: first) == expected)
  }

  @Test(
    "What is not stored because its user is not known is reported, and says what to do",
    arguments: [User(token: "A"), User(decorated: "A")])
  func reported(user: User) async {
    let (messages, log) = AsyncStream<String>.makeStream()
    let fixture = launch(user) { log.yield($0) }
    await fixture.text("a").load().completed()
    await fixture.service.flushCache()
    log.finish()
    var logged: [String] = []
    for await message in messages { logged.append(message) }
    #expect(logged.count == 1 && logged.allSatisfy { $0.contains("Configuration.account") })
    #expect(!logged.joined().contains("Bearer"))
    #expect(await !cache.writes.contains("store"))
  }

  @Test("Content in memory is stale while another user asks, and is not confirmed")
  func memory() async {
    final class Credentials { var value: String? = "Bearer A" }
    let credentials = Credentials()
    let fixture = ServiceFixture { $0.headers["Authorization"] = credentials.value }
    fixture.stub.on(.get, "/a") { request in
      .text(request.headers["Authorization"] ?? "", headers: ["ETag": "\"1\""])
    }
    let resource = fixture.text("a")
    await resource.load().completed()
    #expect(resource.isUpToDate)
    credentials.value = "Bearer B"
    fixture.service.configurationChanged()
    #expect(!resource.isUpToDate)
    await resource.loadIfNeeded()?.completed()
    #expect(resource.isUpToDate && resource.content == "Bearer B")
    #expect(fixture.stub.requests.last?.headers["If-None-Match"] == nil)
    // A local write belongs to who makes it.
    resource.overrideLocalContent("local")
    fixture.service.configurationChanged()
    #expect(resource.isUpToDate)
  }

  @Test("A header that makes another resource is no reason to be stale")
  func identity() async {
    final class Credentials { var value = "Bearer A" }
    let credentials = Credentials()
    let fixture = ServiceFixture {
      $0.varyingHeaders = ["Authorization"]
      $0.headers["Authorization"] = credentials.value
    }
    fixture.stub.on(.get, "/a") { .text($0.headers["Authorization"] ?? "") }
    let first = fixture.text("a")
    await first.load().completed()
    credentials.value = "Bearer B"
    fixture.service.configurationChanged()
    #expect(first.isUpToDate && fixture.text("a") !== first)
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
    fixture.service.configurationChanged()
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
        request.headers["X-Trace"] = "1"
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
    #expect(await cache.writes == ["store", "store"])
  }
}
