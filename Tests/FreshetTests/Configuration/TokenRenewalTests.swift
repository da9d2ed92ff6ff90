import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Renewing a token", .standardTimeLimit)
struct TokenRenewalTests {
  /// A client of a server that responds with 401 to every token but `new`.
  private struct Fixture {
    let stub: StubTransport
    let tokens: TokenSource
    let service: Service

    /// - Parameters:
    ///   - token: the token that the client has at first.
    ///   - fetched: what the login server responds with.
    init(
      token: String? = "old", fetched: StubTransport.Response = .text("new"),
      isolation: isolated any Actor = #isolation
    ) {
      stub = StubTransport { request in
        let isAccepted = request.headers["Authorization"] == "Bearer new"
        return HTTPResponse(
          status: isAccepted ? 200 : 401, body: Data("x".utf8), url: request.url)
      }
      tokens = TokenSource(fetched)
      service = TokenRenewalTests.service(
        stub, TokenAuthorizer(token: token, fetchTimeout: nil, fetch: tokens.fetch))
    }

    func load(_ path: String) -> Request<String> {
      service.resource(path, of: String.self).load()
    }

    /// The `Authorization` of each request, in order.
    var tokensSent: [String?] { stub.requests.map { $0.headers["Authorization"] } }
  }

  private static func service(
    _ stub: StubTransport, _ authorizer: TokenAuthorizer, isolation: isolated any Actor = #isolation
  ) -> Service {
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    service.configure { $0.authorizer = authorizer }
    return service
  }

  @Test(
    "Requests that find it expired share one renewal and are repeated once",
    arguments: StoreActor.allCases)
  func shared(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture()
      let requests = (0..<20).map { fixture.load("\($0)") }
      await fixture.tokens.gate.arrived()
      fixture.tokens.gate.release()
      for request in requests {
        await request.completed()
        #expect(request.result.map { (try? $0.get().content) == "x" } == true)
      }
      #expect(fixture.tokens.fetchCount == 1)
      for number in 0..<20 { #expect((1...2).contains(fixture.stub.count(.get, "/\(number)"))) }
      #expect(fixture.tokensSent.count { $0 == "Bearer new" } == 20)
    }
  }

  @Test("Requests that are about to be sent wait for the renewal", arguments: StoreActor.allCases)
  func waiting(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture()
      let first = fixture.load("first")
      await fixture.tokens.gate.arrived()
      let later = (0..<5).map { fixture.load("\($0)") }
      for _ in 0..<50 { await Task.yield() }
      #expect(fixture.stub.requests.count == 1)
      fixture.tokens.gate.release()
      for request in [first] + later { await request.completed() }
      #expect(fixture.tokensSent.dropFirst().allSatisfy { $0 == "Bearer new" })
      #expect(fixture.stub.requests.count == 7)
    }
  }

  @Test("The first token is fetched once for all", arguments: StoreActor.allCases)
  func firstToken(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture(token: nil)
      let requests = (0..<5).map { fixture.load("\($0)") }
      await fixture.tokens.gate.arrived()
      fixture.tokens.gate.release()
      for request in requests { await request.completed() }
      #expect(fixture.tokens.fetchCount == 1)
      #expect(fixture.stub.requests.count == 5)
    }
  }

  @Test(
    "A renewal that fails fails all that wait, and the next request retries",
    arguments: StoreActor.allCases)
  func failing(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture(fetched: .status(500))
      var requests = [fixture.load("first")]
      await fixture.tokens.gate.arrived()
      requests += (0..<5).map { fixture.load("\($0)") }
      fixture.tokens.gate.release()
      for request in requests {
        let error = await request.failure()
        #expect(error?.kind == .authorization)
        #expect((error?.underlying as? ResourceError)?.kind == .http)
      }
      fixture.tokens.stub.on(.get, "/token", .text("new"))
      let next = fixture.load("next")
      await next.completed()
      #expect((try? next.result?.get().content) == "x")
    }
  }

  @Test(
    "A token that is not accepted either is an error, and no loop",
    arguments: StoreActor.allCases)
  func stillRefused(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport { HTTPResponse(status: 401, url: $0.url) }
      let service = Self.service(stub, TokenAuthorizer(token: "old", fetchTimeout: nil) { " new " })
      for round in 1...3 {
        let error = await service.resource("a", of: String.self).load().failure()
        #expect(error?.kind == .http)
        #expect(error?.status == 401)
        #expect(stub.requests.count == 2 * round)
      }
    }
  }

  @Test(
    "Cancelling one request that waits leaves the renewal to the others",
    arguments: StoreActor.allCases)
  func cancellation(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture()
      let first = fixture.load("first")
      await fixture.tokens.gate.arrived()
      let second = fixture.load("second")
      first.cancel()
      #expect(first.isCompleted)
      fixture.tokens.gate.release()
      await second.completed()
      #expect((try? second.result?.get().content) == "x")
      #expect(await first.failure()?.kind == .cancelled)
      #expect(fixture.tokens.fetchCount == 1)
      #expect(fixture.stub.count(.get, "/first") == 1)
    }
  }
}

extension TokenRenewalTests {
  @Test(
    "A 401 for an old token that comes after the renewal renews nothing",
    arguments: StoreActor.allCases)
  func lateRefusal(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Fixture()
      let gate = fixture.stub.hold(.get, "/late")
      fixture.tokens.gate.release()
      let late = fixture.load("late")
      await gate.arrived()
      await fixture.load("first").completed()
      #expect(fixture.tokens.fetchCount == 1)
      gate.release(with: .status(401))
      await late.completed()
      #expect((try? late.result?.get().content) == "x")
      #expect(fixture.tokens.fetchCount == 1)
      #expect(fixture.stub.count(.get, "/late") == 2)
    }
  }

  @Test(
    "Credentials that an authorizer puts into a URL stay in the request",
    arguments: StoreActor.allCases)
  func credentialsInURL(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/list/a?q=1&api_key=s3cret", .text("one"))
      stub.on(.get, "/list/b?api_key=s3cret", .text("two"))
      let cache = MemoryCache()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure {
        $0.authorizer = KeyInURL()
        $0.userIdentifier = "1"
        $0.cache = cache
      }
      let resource = service.resource("list/a?q=1", of: String.self)
      let entity = try await resource.load().entity()
      #expect(entity.url?.absoluteString == "https://api.test/list/a?q=1")
      let sibling = resource.relative("b", to: .response, of: String.self)
      #expect(sibling.key.url == "https://api.test/list/b")
      _ = try await sibling.load().value()
      await cache.writes(atLeast: 2)
      let url = await cache.peek(resource.key)?.response.url.absoluteString
      #expect(url == "https://api.test/list/a?q=1")
      #expect(stub.requests.allSatisfy { $0.url.absoluteString.contains("api_key=s3cret") })
    }
  }

  @Test("A 401 of another origin, where a redirect led, is no reason to renew")
  @MainActor func foreignRefusal() async throws {
    let elsewhere = try #require(URL(string: "https://other.test/a"))
    let stub = StubTransport { _ in HTTPResponse(status: 401, url: elsewhere) }
    let tokens = TokenAuthorizer(signedInWith: "token") { Issue.record("refused") }
    let error = await Self.service(stub, tokens).resource("a", of: String.self).load().failure()
    #expect(error?.kind == .http && error?.status == 401)
    #expect(await tokens.status == .active)
    #expect(stub.requests.count == 1)
  }

  @Test("A 401 of the same host over https, where a redirect led, is a reason to renew")
  @MainActor func upgradedRefusal() async throws {
    let secure = try #require(URL(string: "https://api.test/a"))
    let stub = StubTransport { request in
      let isAccepted = request.headers["Authorization"] == "Bearer new"
      return HTTPResponse(status: isAccepted ? 200 : 401, body: Data("x".utf8), url: secure)
    }
    let service = Service(baseURL: "http://api.test", transport: stub, clock: ManualClock())
    let tokens = TokenAuthorizer(token: "old", fetchTimeout: nil) { "new" }
    service.configure { $0.authorizer = tokens }
    let resource = service.resource("a", of: String.self)
    await resource.load().completed()
    #expect(resource.content == "x")
    #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
  }

  @Test("A 401 of the host to which an authorizer sends the request is a reason to renew")
  @MainActor func gatewayRefusal() async {
    let stub = StubTransport()
    stub.on(.get, "/a", .status(401), .text("x"))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    service.configure { $0.authorizer = Gateway() }
    #expect(await service.resource("a", of: String.self).load().failure() == nil)
    #expect(stub.requests.map(\.url.host) == ["gateway.test", "gateway.test"])
  }

  private struct Gateway: RequestAuthorizer {
    @concurrent
    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
      var request = request
      request.url = URL(string: "https://gateway.test\(request.url.path)") ?? request.url
      return request
    }
    @concurrent
    func renew(after request: HTTPRequest) async throws -> Bool { true }
  }

  private struct KeyInURL: RequestAuthorizer {
    @concurrent
    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
      var request = request
      request.url.append(queryItems: [URLQueryItem(name: "api_key", value: "s3cret")])
      return request
    }
    @concurrent
    func renew(after request: HTTPRequest) async throws -> Bool { false }
  }
}

/// A login server: the first fetch waits for the gate, later ones get a response at once.
private struct TokenSource: Sendable {
  struct Refused: Error {}

  let stub = StubTransport()
  let gate: StubTransport.Gate

  init(_ response: StubTransport.Response = .text("new")) {
    gate = stub.hold(.get, "/token")
    stub.on(.get, "/token", response)
  }

  var fetchCount: Int { stub.requests.count }

  var fetch: @Sendable () async throws -> String {
    { [stub] in
      guard let url = URL(string: "https://login.test/token") else { throw Refused() }
      let response = try await stub.send(HTTPRequest(url: url)) { _ in }
      // What a store of its own for the login server would throw.
      guard response.status == 200 else { throw ResourceError(.http, "s3cret", status: 500) }
      return String(decoding: response.body, as: UTF8.self)
    }
  }
}
