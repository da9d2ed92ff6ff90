import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Renewing a token by the service that it authorizes", .standardTimeLimit)
@MainActor struct TokenRenewalByItselfTests {
  /// A client whose login is at the service that needs the login.
  @MainActor private final class SelfAuthorizingClient {
    let stub = StubTransport()
    let service: Service

    init(token: String?) {
      service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      stub.on(where: { $0.headers["Authorization"] == "Bearer new" }, .text("content"))
      stub.on(where: { $0.headers["Authorization"] != "Bearer new" }, .status(401))
      stub.on(.get, "/token", .text("new"))
      let authorizer = TokenAuthorizer(token: token, fetchTimeout: nil) { [unowned self] in
        try await fetch()
      }
      service.configure { $0.authorizer = authorizer }
    }

    func fetch() async throws(ResourceError) -> String {
      try await service.resource("token", of: String.self).load().value()
    }
  }

  @Test("A fetch that waits for itself is an error that says so", arguments: ["old", nil])
  func waitsForItself(token: String?) async throws {
    let client = SelfAuthorizingClient(token: token)
    let error = await client.service.resource("a", of: String.self).load().failure()
    #expect(error?.kind == .authorization)
    #expect(error?.message.contains("fetch of a TokenAuthorizer") == true, "\(error as Any)")
    let inner = error?.underlying as? ResourceError
    #expect(inner?.kind == .authorization)
    #expect(inner?.underlying as? TokenAuthorizer.Failure == .recursiveFetch)
  }

  @Test("A fetch for which the service has no authorizer returns the token")
  func withoutAuthorizer() async throws {
    let client = SelfAuthorizingClient(token: "old")
    client.service.configure("token") { $0.authorizer = nil }
    let request = client.service.resource("a", of: String.self).load()
    await request.completed()
    #expect((try? request.result?.get().content) == "content")
  }
}
