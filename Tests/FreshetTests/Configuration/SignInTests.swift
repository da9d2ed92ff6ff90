import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Signing in and out", .standardTimeLimit)
struct SignInTests {
  /// A server that accepts one token, and a store that uses what a script fetches.
  private struct Client {
    let stub: StubTransport
    let script = FetchScript()
    let tokens: TokenAuthorizer
    let service: Service
    let refusals = Locked(0)

    init(
      token: String? = nil, isSignedIn: Bool = true, accepting accepted: String,
      isolation: isolated any Actor
    ) {
      stub = StubTransport { request in
        let isAccepted = request.headers["Authorization"] == "Bearer \(accepted)"
        return HTTPResponse(
          status: isAccepted ? 200 : 401, body: Data("x".utf8), url: request.url)
      }
      let (script, refusals) = (script, refusals)
      let tokens = TokenAuthorizer(
        token: token, isSignedIn: isSignedIn, clock: ManualClock(),
        onRenewalRefused: { refusals.withLock { $0 += 1 } }, fetch: { try await script.fetch() })
      self.tokens = tokens
      service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: isolation)
      service.configure { $0.authorizer = tokens }
    }

    func load(_ path: String) -> Request<String> {
      service.resource(path, of: String.self).load()
    }

    var sent: [String] { stub.requests.map { $0.headers["Authorization"] ?? "none" } }
  }

  private static func failure(
    _ request: Request<String>, isolation: isolated any Actor = #isolation
  ) async -> TokenAuthorizer.Failure? {
    let error = await request.failure()
    #expect(error == nil || error?.kind == .authorization)
    return error?.underlying as? TokenAuthorizer.Failure
  }

  @Test(
    "A sign-in ends a fetch, and all that wait get its token", arguments: StoreActor.allCases,
    ["old", nil])
  func signInDuringFetch(actor: StoreActor, token: String?) async throws {
    try await actor.run { actor in
      let client = Client(token: token, accepting: "mine", isolation: actor)
      let loads = (0..<5).map { client.load("\($0)") }
      await client.script.begins()
      await client.tokens.signIn(with: "mine")
      for load in loads { _ = try await load.value() }
      await client.script.end(1, with: .success("late"))
      for _ in 0..<100 { await Task.yield() }
      _ = try await client.load("later").value()
      #expect(!client.sent.contains("Bearer late"))
      #expect(await client.script.count == 1)
    }
  }

  @Test(
    "After a sign-out all requests fail and nothing is fetched, until a sign-in",
    arguments: StoreActor.allCases, ["old", nil])
  func signOut(actor: StoreActor, token: String?) async throws {
    try await actor.run { actor in
      let client = Client(token: token, accepting: "mine", isolation: actor)
      let loads = (0..<5).map { client.load("\($0)") }
      await client.script.begins()
      await client.tokens.signOut()
      for load in loads { #expect(await Self.failure(load) == .signedOut) }
      // A token that arrives late does not sign in again.
      await client.script.end(1, with: .success("mine"))
      for _ in 0..<100 { await Task.yield() }
      #expect(await client.tokens.status == .signedOut)
      #expect(await Self.failure(client.load("a")) == .signedOut)
      #expect(await client.script.count == 1)
      await client.tokens.signIn(with: "mine")
      #expect(await client.tokens.status == .active)
      _ = try await client.load("a").value()
      #expect(await client.script.count == 1)
      #expect(client.refusals.withLock { $0 } == 0)
    }
  }

  @Test(
    "For a user who is signed out at first nothing is fetched before the sign-in",
    arguments: StoreActor.allCases)
  func signedOutAtFirst(actor: StoreActor) async throws {
    try await actor.run { actor in
      let client = Client(token: "stored", isSignedIn: false, accepting: "new", isolation: actor)
      #expect(await client.tokens.status == .signedOut)
      #expect(await Self.failure(client.load("a")) == .signedOut)
      #expect(client.sent.isEmpty)
      #expect(await client.script.count == 0)
      await client.tokens.signIn(with: "mine")
      let load = client.load("a")
      await client.script.begins()
      await client.script.end(1, with: .success("new"))
      _ = try await load.value()
      #expect(client.sent == ["Bearer mine", "Bearer new"])
      #expect(client.refusals.withLock { $0 } == 0)
    }
  }

  @Test("Tokens may come from signing in alone", arguments: StoreActor.allCases)
  func signInOnly(actor: StoreActor) async throws {
    try await actor.run { actor in
      let accepted = Locked("first")
      let stub = StubTransport { request in
        let isAccepted = request.headers["Authorization"] == accepted.withLock { "Key \($0)" }
        return HTTPResponse(
          status: isAccepted ? 200 : 401, body: Data("x".utf8), url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let refusals = Locked(0)
      let tokens = TokenAuthorizer(signedInWith: nil, scheme: "Key") {
        refusals.withLock { $0 += 1 }
      }
      service.configure { $0.authorizer = tokens }
      func load(_ path: String) -> Request<String> {
        service.resource(path, of: String.self).load()
      }
      #expect(await tokens.status == .signedOut)
      #expect(await Self.failure(load("a")) == .signedOut)
      #expect(stub.requests.isEmpty && refusals.withLock { $0 } == 0)
      await tokens.signIn(with: "first")
      _ = try await load("a").value()
      // It expires.
      accepted.withLock { $0 = "second" }
      let loads = (0..<3).map { load("\($0)") }
      for load in loads { #expect(await Self.failure(load) == .renewalRefused) }
      #expect(await tokens.status == .renewalRefused)
      await until { refusals.withLock { $0 } > 0 }
      await tokens.signIn(with: "second")
      _ = try await load("b").value()
      #expect(refusals.withLock { $0 } == 1)
      let stored = TokenAuthorizer(signedInWith: "second")
      #expect(await stored.status == .active)
    }
  }

  @Test("What was sent for one user is not sent again for another", arguments: StoreActor.allCases)
  func otherUser(actor: StoreActor) async throws {
    await actor.run { actor in
      let client = Client(token: "hers", accepting: "his", isolation: actor)
      let gate = client.stub.hold(.get, "/a")
      let load = client.load("a")
      await gate.arrived()
      await client.tokens.signOut()
      await client.tokens.signIn(with: "his")
      gate.release()
      #expect(await Self.failure(load) == .signedOut)
      #expect(client.sent == ["Bearer hers"])
    }
  }

  /// The error of a refused renewal.
  enum Refusal: CaseIterable, Sendable {
    case thrown, badRequest, unauthorized

    var error: any Error {
      switch self {
      case .thrown: TokenAuthorizer.Failure.renewalRefused
      case .badRequest: ResourceError(.http, "invalid_grant", status: 400)
      case .unauthorized: ResourceError(.http, "invalid_client", status: 401)
      }
    }
  }

  @Test(
    "A refused renewal is reported once, and not attempted again before a sign-in",
    arguments: StoreActor.allCases, Refusal.allCases)
  func refused(actor: StoreActor, refusal: Refusal) async throws {
    try await actor.run { actor in
      let client = Client(token: "old", accepting: "mine", isolation: actor)
      let loads = (0..<5).map { client.load("\($0)") }
      await client.script.begins()
      await client.script.end(1, with: .failure(refusal.error))
      for load in loads { #expect(await Self.failure(load) == .renewalRefused) }
      #expect(await client.tokens.status == .renewalRefused)
      #expect(await Self.failure(client.load("a")) == .renewalRefused)
      await until { client.refusals.withLock { $0 } > 0 }
      #expect(await client.script.count == 1)
      await client.tokens.signIn(with: "expired")
      #expect(await client.tokens.status == .active)
      let load = client.load("a")
      await client.script.begins()
      await client.script.end(2, with: .failure(refusal.error))
      #expect(await Self.failure(load) == .renewalRefused)
      await until { client.refusals.withLock { $0 } > 1 }
      await client.tokens.signOut()
      #expect(await Self.failure(client.load("a")) == .signedOut)
      await client.tokens.signIn(with: "mine")
      _ = try await client.load("a").value()
      #expect(client.refusals.withLock { $0 } == 2)
    }
  }

  @Test("A fetch that takes too long fails all that wait, and the next request retries")
  func timeout() async throws {
    let (clock, script) = (ManualClock(), FetchScript())
    let tokens = TokenAuthorizer(fetchTimeout: .seconds(7), clock: clock) {
      try await script.fetch()
    }
    let url = try #require(URL(string: "https://api.test/a"))
    let waiting = Task { try await tokens.authorize(HTTPRequest(url: url)) }
    await script.begins()
    await clock.timers(atLeast: 1) { $0.purpose == .deadline }
    clock.advance(by: .seconds(7))
    let error = await #expect(throws: TokenAuthorizer.Failure.self) { try await waiting.value }
    #expect(error == .fetchTimedOut)
    let next = Task { try await tokens.authorize(HTTPRequest(url: url)) }
    await script.begins()
    await script.end(1, with: .success("late"))
    await script.end(2, with: .success("new"))
    #expect(try await next.value.headers["Authorization"] == "Bearer new")
    #expect(clock.timers.count == 0)
  }
}
