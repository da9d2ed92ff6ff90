import Freshet
import FreshetTesting
import Observation

enum SignIn {
  /// Where a program keeps what must not be lost or seen.
  @MainActor
  final class Keychain {
    var refreshToken: String?
    init(refreshToken: String? = nil) { self.refreshToken = refreshToken }
  }

  // snippet
  /// What the server issues, RFC 6749 section 5.1.
  struct IssuedTokens: Decodable {
    let accessToken: String
    let refreshToken: String?
  }

  @MainActor @Observable
  final class Session {
    private(set) var isSignedIn: Bool
    let service: Service
    private let keychain: Keychain
    private let clock: any StoreClock
    @ObservationIgnored private(set) lazy var tokens = TokenAuthorizer(
      isSignedIn: isSignedIn, clock: clock, onRenewalRefused: { await self.renewalRefused() }
    ) {
      try await self.newToken()
    }

    init(
      keychain: Keychain, transport: any Transport = SystemTransport(),
      clock: any StoreClock = .system
    ) {
      self.keychain = keychain
      self.clock = clock
      isSignedIn = keychain.refreshToken != nil
      service = Service(baseURL: "https://api.example.com", transport: transport, clock: clock)
      let tokens = tokens
      service.configure { $0.authorizer = tokens }
      // The endpoint that the tokens come from is used without one.
      service.configure("token") {
        $0.authorizer = nil
        $0.json.keyDecodingStrategy = .convertFromSnakeCase
      }
    }

    func logIn(_ name: String, _ password: String) async throws {
      let issued = try await issue([
        ("grant_type", "password"), ("username", name), ("password", password),
      ])
      // First, and the rest in one turn: a refusal of the former token may still arrive.
      await tokens.signIn(with: issued.accessToken)
      keychain.refreshToken = issued.refreshToken
      isSignedIn = true
    }

    func logOut() async {
      await tokens.signOut()
      forgetUser()
    }

    private func newToken() async throws -> String {
      guard let refreshToken = keychain.refreshToken else {
        throw TokenAuthorizer.Failure.renewalRefused
      }
      let issued = try await issue([
        ("grant_type", "refresh_token"), ("refresh_token", refreshToken),
      ])
      // Some servers replace it. The user may have signed out meanwhile.
      if let newer = issued.refreshToken, keychain.refreshToken == refreshToken {
        keychain.refreshToken = newer
      }
      return issued.accessToken
    }

    private func renewalRefused() async {
      // The user may have signed in again meanwhile.
      if await tokens.status == .renewalRefused { forgetUser() }
    }

    private func forgetUser() {
      isSignedIn = false
      keychain.refreshToken = nil
      service.wipe()
    }

    private func issue(_ form: [(name: String, value: String)]) async throws -> IssuedTokens {
      try await service.request(.post, "token", body: .form(form), as: IssuedTokens.self).value()
    }
  }
  // end

  @MainActor
  final class Reloading {
    private var reloading: ObservationToken?

    func afterSignIn(_ service: Service) {
      // snippet
      let (signIns, signedIn) = AsyncStream<Void>.makeStream()
      reloading = service.loadIfNeeded(on: .elements(of: signIns, retryingFailures: true))
      signedIn.yield()  // after each sign-in
      // end
    }
  }

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
      try await service.request(.post, "token", as: String.self).value()
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
