import Foundation
import Freshet
import FreshetTesting
import Observation
import Testing

@Suite("The code about sign-in", .standardTimeLimit)
@MainActor
struct SignInTests {
  private let stub = StubTransport()

  /// Serves the profile for a token; any other is refused.
  private func serve(_ name: String, for token: String) {
    stub.on(.get, "/profile") { request in
      request.headers["Authorization"] == "Bearer \(token)" ? .text(name) : .status(401)
    }
  }

  private static func issued(_ token: String, _ refreshToken: String?) -> StubTransport.Response {
    let refreshToken = refreshToken.map { #", "refresh_token": "\#($0)""# } ?? ""
    return .json(#"{"access_token": "\#(token)", "token_type": "Bearer"\#(refreshToken)}"#)
  }

  private var forms: [String] {
    stub.requests.filter { $0.method == .post }.map {
      String(decoding: $0.body ?? Data(), as: UTF8.self)
    }
  }

  /// Whether a view that shows whether the user is signed in would be drawn again since.
  private final class View: Sendable {
    private let changes = AsyncStream<Void>.makeStream()

    @MainActor init(_ session: SignIn.Session) {
      withObservationTracking {
        _ = session.isSignedIn
      } onChange: { [changes] in
        changes.continuation.yield()
      }
    }

    func isDrawnAgain() async { for await _ in changes.stream { return } }
  }

  @Test("A first launch is signed out and requests nothing, until the user logs in")
  func firstLaunch() async throws {
    let keychain = SignIn.Keychain()
    let session = SignIn.Session(keychain: keychain, transport: stub, clock: ManualClock())
    let profile = session.service.resource("profile", of: String.self)
    await profile.load().completed()
    #expect(!session.isSignedIn && stub.requests.isEmpty)
    #expect(profile.latestError?.kind == .authorization)

    stub.on(.post, "/token", .status(400), Self.issued("one", "first"))
    serve("Ada", for: "one")
    await #expect(throws: ResourceError.self) { try await session.logIn("ada", "wrong") }
    #expect(!session.isSignedIn)
    let view = View(session)
    try await session.logIn("ada", "a b")
    await view.isDrawnAgain()
    #expect(session.isSignedIn && keychain.refreshToken == "first")
    #expect(forms.last == "grant_type=password&username=ada&password=a+b")
    #expect(try await profile.reload() == "Ada")
  }

  @Test("A later launch fetches a token, and stores the refresh token that replaces the old one")
  func laterLaunch() async throws {
    let keychain = SignIn.Keychain(refreshToken: "first")
    let session = SignIn.Session(keychain: keychain, transport: stub, clock: ManualClock())
    #expect(session.isSignedIn)
    stub.on(.post, "/token", Self.issued("one", "second"), Self.issued("two", nil))
    serve("Ada", for: "one")
    let profile = session.service.resource("profile", of: String.self)
    #expect(try await profile.reload() == "Ada")
    #expect(keychain.refreshToken == "second")
    // The token expires.
    serve("Grace", for: "two")
    #expect(try await profile.reload() == "Grace")
    #expect(keychain.refreshToken == "second")
    #expect(
      forms == [
        "grant_type=refresh_token&refresh_token=first",
        "grant_type=refresh_token&refresh_token=second",
      ])
  }

  @Test(
    "A log-out, and a refused renewal, forget the user and show the log-in",
    arguments: [true, false])
  func end(isRefused: Bool) async throws {
    let keychain = SignIn.Keychain(refreshToken: "first")
    let session = SignIn.Session(keychain: keychain, transport: stub, clock: ManualClock())
    stub.on(.post, "/token", Self.issued("one", nil), .status(400))
    serve("Ada", for: "one")
    let profile = session.service.resource("profile", of: String.self)
    #expect(try await profile.reload() == "Ada")
    let view = View(session)
    if isRefused {
      serve("Ada", for: "another")
      await profile.load().completed()
    } else {
      await session.logOut()
    }
    await view.isDrawnAgain()
    await until { !session.isSignedIn }
    #expect(keychain.refreshToken == nil && profile.content == nil)
    #expect(await session.tokens.status == (isRefused ? .renewalRefused : .signedOut))
    stub.forgetRequests()
    await profile.load().completed()
    #expect(stub.requests.isEmpty && profile.latestError?.kind == .authorization)
  }

  @Test("A token is fetched, or stored, and a log-in is asked for when the server refuses it")
  func tokens() async throws {
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    stub.on(.post, "/token", .text("one"), .status(401))
    stub.on(.get, "/profile", .text("Ada"), .status(401))
    let profile = service.resource("profile", of: String.self)
    let session = SignIn.OtherSession(service)
    session.fetchTokens()
    #expect(try await profile.reload() == "Ada")
    #expect(stub.requests.last?.headers["Authorization"] == "Bearer one")
    await profile.load().completed()
    await until { session.showsLogIn }

    let other = SignIn.OtherSession(service)
    other.use("stored")
    await profile.load().completed()
    #expect(stub.requests.last?.headers["Authorization"] == "Bearer stored")
    await until { other.showsLogIn }
  }

  @Test("What was wiped while it is shown loads again after the sign-in, and not before")
  func reloading() async throws {
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    stub.on(.get, "/profile", .text("Ada"), .text("Grace"))
    stub.on(.get, "/notes", .json("[1]"), .json("[2]"))
    let profile = service.resource("profile", of: String.self)
    let notes = service.pages("notes", of: Int.self)
    let views = [
      Task { @MainActor in await profile.keepLoaded() },
      Task { @MainActor in await notes.keepLoaded() },
    ]
    await until { profile.content != nil && !notes.items.isEmpty }
    service.wipe()
    for _ in 0..<20 { await Task.yield() }
    #expect(profile.content == nil && notes.items.isEmpty && stub.requests.count == 2)
    let reloading = SignIn.Reloading()
    reloading.afterSignIn(service)
    await until { profile.content == "Grace" && notes.items == [2] }
    for view in views { view.cancel() }
    withExtendedLifetime(reloading) {}
  }
}
