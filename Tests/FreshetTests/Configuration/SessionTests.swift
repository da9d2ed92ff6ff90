import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A session that holds a service and its authorizer", .standardTimeLimit)
@MainActor struct SessionTests {
  @MainActor final class Session {
    let service: Service
    private(set) var showsLogIn = false
    private var refreshToken = ""
    private(set) lazy var tokens = TokenAuthorizer(
      clock: ManualClock(), onRenewalRefused: { await self.logInAgain() }
    ) {
      try await self.newToken()
    }

    init(_ transport: any Transport) {
      service = Service(
        baseURL: "https://api.example.com", transport: transport, clock: ManualClock())
      let tokens = tokens
      service.configure { $0.authorizer = tokens }
      // The endpoint that the token comes from is used without one.
      service.configure("token") { $0.authorizer = nil }
    }

    private func newToken() async throws -> String {
      let endpoint = service.resource("token", of: String.self)
      return try await endpoint.request(.post, body: .json(refreshToken)).value()
    }

    private func logInAgain() { showsLogIn = true }

    func logIn(_ token: String, refreshToken: String) async {
      self.refreshToken = refreshToken
      await tokens.signIn(with: token)
      showsLogIn = false
    }

    func logOut() async {
      await tokens.signOut()
      service.wipe()
    }
  }

  @Test("Logs in, renews, is refused, logs in again and out")
  func story() async throws {
    let stub = StubTransport()
    stub.on(where: { $0.headers["Authorization"] == "Bearer renewed" }, .text("content"))
    stub.on(where: { $0.headers["Authorization"] != "Bearer renewed" }, .status(401))
    stub.on(.post, "/token") { request in
      let isKnown = request.body == Data("\"good\"".utf8)
      return isKnown ? .text("renewed") : .status(400)
    }
    let session = Session(stub)
    let profile = session.service.resource("profile", of: String.self)
    #expect(await profile.load().failure()?.kind == .authorization)
    await until { session.showsLogIn }
    await session.logIn("expired", refreshToken: "good")
    #expect(try await profile.load().value() == "content")
    #expect(!session.showsLogIn)
    await session.logOut()
    #expect(profile.content == nil)
    let error = await profile.load().failure()
    #expect(error?.underlying as? TokenAuthorizer.Failure == .signedOut)
    #expect(stub.requests.filter { $0.url.path == "/token" }.count == 2)
    #expect(
      stub.requests.filter { $0.url.path == "/token" }
        .allSatisfy { $0.headers["Authorization"] == nil })
  }
}
