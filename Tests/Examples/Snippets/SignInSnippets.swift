import Freshet
import FreshetTesting

enum SignIn {
  // snippet
  @MainActor
  final class Session {
    let service: Service
    private(set) var showsLogIn = false
    private var refreshToken = ""
    private let clock: any StoreClock
    private(set) lazy var tokens = TokenAuthorizer(
      clock: clock, onRenewalRefused: { await self.logInAgain() }
    ) {
      try await self.newToken()
    }

    init(
      transport: any Transport = SystemTransport(), clock: any StoreClock = .system
    ) {
      self.clock = clock
      service = Service(baseURL: "https://api.example.com", transport: transport, clock: clock)
      let tokens = tokens
      service.configure { $0.authorizer = tokens }
      // The endpoint that the token comes from is used without one.
      service.configure("token") { $0.authorizer = nil }
    }

    private func newToken() async throws -> String {
      try await service.request(.post, "token", body: .json(refreshToken), as: String.self).value()
        .content
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
  // end

  @MainActor
  final class OtherSession {
    let service: Service
    private(set) var showsLogIn = false

    init(_ service: Service) { self.service = service }

    func fetchTokens() {
      // snippet
      let tokens = TokenAuthorizer(onRenewalRefused: { await self.logInAgain() }) {
        try await self.newToken()
      }
      service.configure { $0.authorizer = tokens }
      // The endpoint that the token comes from is used without one.
      service.configure("token") { $0.authorizer = nil }
      // end
    }

    func use(_ stored: String?) {
      // snippet
      let tokens = TokenAuthorizer(signedInWith: stored) { await self.logInAgain() }
      service.configure { $0.authorizer = tokens }
      // end
    }

    private func newToken() async throws -> String {
      try await service.request(.post, "token", as: String.self).value().content
    }

    private func logInAgain() { showsLogIn = true }
  }
}

extension TokenAuthorizer {
  /// What the snippet calls, with a clock that stands still: on a busy machine a fetch may take a minute.
  fileprivate init(
    onRenewalRefused: @escaping @Sendable () async -> Void,
    fetch: @escaping @Sendable () async throws -> String
  ) {
    self.init(clock: ManualClock(), onRenewalRefused: onRenewalRefused, fetch: fetch)
  }
}
