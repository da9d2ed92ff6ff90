/// An authorizer that sends a bearer token (RFC 6750), and renews it once for all requests that were refused.
///
/// While a token is being fetched, requests wait for it before they are sent.
///
/// ```swift
/// let tokens = TokenAuthorizer(onRenewalRefused: { await self.logInAgain() }) {
///   try await self.newToken()
/// }
/// service.configure { $0.authorizer = tokens }
/// // The endpoint that the token comes from is used without one.
/// service.configure("token") { $0.authorizer = nil }
/// ```
///
/// The article <doc:SignIn> has a complete example, with sign-in and sign-out.
///
/// ## Errors
///
/// A request that cannot be authorized fails with a ``ResourceError`` of kind `.authorization`, whose
/// `underlying` error is the error thrown by `fetch`, or a ``Failure``.
///
/// Fetching must not wait for the token that is being fetched. If the token comes from the service that uses it, set
/// ``Service/Configuration/authorizer`` to nil for its path, as above. A request that waits for the token fails with
/// ``Failure/recursiveFetch`` if `fetch` begins it, waits for its end (``AnyRequest/completed()``,
/// ``Request/value()``, ``PagedCollection/settled()`` and the like), or adds a completion hook to it. The same
/// applies to a request whose decoration calls ``authorize(_:)``, and if several authorizers fetch their tokens with
/// each other's tokens, in a circle. Any other wait in a fetch ends with its timeout: for example, a wait for a
/// request whose ``Transport``, while it sends, calls ``authorize(_:)``.
///
/// ## Isolation and order
///
/// An authorizer may be used from any actor, and by several services. Its calls take effect one after another: after
/// ``signOut()`` has returned, no request receives the discarded token, and after ``signIn(with:)`` has returned, every
/// request receives the new one. Both cancel a fetch in progress, whose result is ignored.
public actor TokenAuthorizer: RequestAuthorizer {
  /// The states of an authorizer.
  public enum Status: Sendable, Hashable {
    /// The authorizer has a token, or fetches one when a request needs it.
    case active
    /// The user was signed out when the authorizer was created, or ``TokenAuthorizer/signOut()`` was called, and
    /// there was no sign-in since.
    case signedOut
    /// The server refused to renew the token, so the user has to sign in again; ``TokenAuthorizer/signIn(with:)``
    /// ends this state.
    case renewalRefused
  }

  /// A fetch and those that wait for it.
  private final class Renewal {
    let fetch = TokenFetch()
    var tasks: [Task<Void, Never>] = []
    var waiters = Waiters()
    /// Nil while it is under way.
    var result: Result<Void, any Error>?
  }

  /// The state of the authorizer, as of the last sign-in, sign-out or fetch.
  public private(set) var status: Status

  private var token: String? {
    didSet { if let token { sessions.insert(Self.digest(of: credentials(token)), session) } }
  }
  /// How often the user has signed out: what begins now is of this session.
  private(set) var session = 0
  /// The session that each token belongs to, by the digest of what is sent for it: a request of an
  /// earlier session is not sent again with the token of a later one, which no token is kept for.
  private var sessions = TokenSessions()
  private var renewal: Renewal?
  private let scheme: String
  private let fetchTimeout: Duration?
  private let clock: any StoreClock
  private let onRenewalRefused: (@Sendable () async -> Void)?
  private let fetch: @Sendable () async throws -> String

  /// Creates an authorizer.
  ///
  /// - Parameters:
  ///   - token: the first token; nil to fetch one before the first request.
  ///   - isSignedIn: whether the user is signed in. If not, ``status`` is `.signedOut`, and no token is used or
  ///     fetched before ``signIn(with:)``.
  ///   - scheme: the authentication scheme, before the token in `Authorization`.
  ///   - fetchTimeout: the time limit of a fetch, 60 seconds by default; nil for none. Then the fetch is cancelled, and
  ///     requests that wait for it fail with ``Failure/fetchTimedOut``.
  ///   - clock: measures the time limit.
  ///   - onRenewalRefused: called once when ``status`` has become `.renewalRefused`, even if several requests wait. It
  ///     runs in a separate task, for which no request waits; the user may sign in before it runs.
  ///   - fetch: returns a new token. It is not called again while it runs, except after it was cancelled: by a
  ///     sign-in, a sign-out or the time limit. If the server refuses to renew it, it throws
  ///     ``Failure/renewalRefused``, or a ``ResourceError`` with the status 400 or 401 (RFC 6749 section 5.2), and is
  ///     not called again before a sign-in. After any other error, the waiting requests fail, and the next request
  ///     calls it again.
  public init(
    token: String? = nil, isSignedIn: Bool = true, scheme: String = "Bearer",
    fetchTimeout: Duration? = .seconds(60), clock: any StoreClock = .system,
    onRenewalRefused: (@Sendable () async -> Void)? = nil,
    fetch: @escaping @Sendable () async throws -> String
  ) {
    self.init(
      isSignedIn ? .active : .signedOut, isSignedIn ? token : nil, scheme: scheme,
      fetchTimeout: fetchTimeout, clock: clock,
      onRenewalRefused: onRenewalRefused, fetch: fetch)
  }

  private init(
    _ status: Status, _ token: String?, scheme: String, fetchTimeout: Duration?,
    clock: any StoreClock, onRenewalRefused: (@Sendable () async -> Void)?,
    fetch: @escaping @Sendable () async throws -> String
  ) {
    self.status = status
    self.token = token
    self.scheme = scheme
    if let token { sessions.insert(Self.digest(of: Self.credentials(token, scheme)), session) }
    self.fetchTimeout = fetchTimeout
    self.clock = clock
    self.onRenewalRefused = onRenewalRefused
    self.fetch = fetch
  }

  /// Creates an authorizer that gets tokens only from sign-ins.
  ///
  /// ```swift
  /// let tokens = TokenAuthorizer(signedInWith: stored) { await self.logInAgain() }
  /// service.configure { $0.authorizer = tokens }
  /// ```
  ///
  /// When the server responds with 401, ``status`` becomes `.renewalRefused`, and requests fail with
  /// ``Failure/renewalRefused`` until ``signIn(with:)``.
  ///
  /// - Parameters:
  ///   - token: the token of an earlier sign-in; nil if the user is signed out.
  ///   - scheme: the authentication scheme, before the token in `Authorization`.
  ///   - onTokenRefused: called when the server has refused the token: once, however many requests it
  ///     was refused for, in a task of its own.
  public init(
    signedInWith token: String?, scheme: String = "Bearer",
    onTokenRefused: (@Sendable () async -> Void)? = nil
  ) {
    self.init(
      token == nil ? .signedOut : .active, token, scheme: scheme, fetchTimeout: nil, clock: .system,
      onRenewalRefused: onTokenRefused, fetch: { throw Failure.renewalRefused })
  }

  /// Sets a token that was obtained by other means, such as from a sign-in screen.
  ///
  /// Requests that wait for a token are sent with this one.
  public func signIn(with token: String) {
    self.token = token
    status = .active
    end(.success(()))
  }

  /// Discards the token.
  ///
  /// Requests that wait for a token, and those that are authorized before the next sign-in, fail with
  /// ``Failure/signedOut`` without fetching a token. So do requests that a decoration of
  /// ``Service/Configuration/decorate(_:)`` holds, even until after that sign-in.
  ///
  /// A request that was sent with the token continues; cancel it, or wipe its resource, if its
  /// response must no longer be shown. It is not sent again with the token of another user, and one that
  /// waits because the server has asked for that is not sent with it either. This holds for the newest 500
  /// tokens.
  public func signOut() {
    session += 1
    token = nil
    status = .signedOut
    end(.failure(Failure.signedOut))
  }

  // MARK: Requests

  /// Returns the request with the current token.
  @concurrent
  public func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
    try await authorize(request, begunIn: nil)
  }

  /// The request with the current token, if no user has signed out since it began.
  ///
  /// - Parameter session: the session in which it began; nil for that of now.
  @concurrent
  func authorize(_ request: HTTPRequest, begunIn session: Int?) async throws -> HTTPRequest {
    var request = request
    request.headers["Authorization"] = credentials(try await currentToken(in: session))
    return request
  }

  /// Returns the request with the current token, if the user is the same.
  @concurrent
  public func authorize(
    _ request: HTTPRequest, after sent: HTTPRequest
  ) async throws -> HTTPRequest {
    let authorized = try await authorize(request)
    // Last, so that what is sent is of this session.
    try await checkSession(of: sent.headers["Authorization"])
    return authorized
  }

  /// Renews the token, unless it has been renewed since the request was authorized.
  @concurrent
  public func renew(after request: HTTPRequest) async throws -> Bool {
    try await renew(used: request.headers["Authorization"])
    return true
  }

  /// The credentials for a token, as a header holds them: without white space around them.
  private static func credentials(_ token: String, _ scheme: String) -> String {
    String("\(scheme) \(token)".trimmingHTTPSpace)
  }

  private nonisolated func credentials(_ token: String) -> String {
    Self.credentials(token, scheme)
  }

  private static func digest(of credentials: String) -> String {
    var hash = SHA256()
    var credentials = credentials
    credentials.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
    return hash.hexadecimal
  }

  /// How many requests wait for a token; some of those included that were cancelled.
  var waiterCount: Int { renewal?.waiters.count ?? 0 }

  private func currentToken(in begun: Int?) async throws -> String {
    let begun = begun ?? session
    while true {
      try checkStatus()
      guard session == begun else { throw Failure.signedOut }
      if renewal == nil, let token { return token }
      // What is waited for may have been forgotten by the time this continues.
      try await wait(for: renewal ?? begin())
    }
  }

  private func renew(used: String?) async throws {
    try checkSession(of: used)
    try checkStatus()
    if let renewal {
      try await wait(for: renewal)
    } else if used == token.map(credentials) {
      try await wait(for: begin())
    }
  }

  /// Throws if those credentials are of an earlier session.
  private func checkSession(of used: String?) throws {
    if let used, let known = sessions[Self.digest(of: used)], known != session {
      throw Failure.signedOut
    }
  }

  private func checkStatus() throws {
    switch status {
    case .active: break
    case .signedOut: throw Failure.signedOut
    case .renewalRefused: throw Failure.renewalRefused
    }
  }

  private func wait(for renewal: Renewal) async throws {
    let fetches = TokenFetch.current
    for fetch in fetches { await fetch.beginWaiting(for: renewal.fetch) }
    let isRecursive = fetches.isEmpty ? false : await renewal.fetch.leads(to: fetches)
    // It may have ended since.
    if !isRecursive, renewal.result == nil { for await _ in renewal.waiters.make() {} }
    for fetch in fetches { await fetch.endWaiting(for: renewal.fetch) }
    if isRecursive { throw Failure.recursiveFetch }
    guard let result = renewal.result else { throw CancellationError() }
    try result.get()
  }

  // MARK: Fetches

  private func begin() -> Renewal {
    let renewal = Renewal()
    self.renewal = renewal
    let (id, fetch, clock) = (renewal.fetch, fetch, clock)
    // The requests that it makes run in tasks that inherit this.
    TokenFetch.$current.withValue(TokenFetch.current + [id]) {
      renewal.tasks.append(
        Task { @concurrent in
          do {
            await self.ended(id, .success(try await fetch()))
          } catch {
            await self.ended(id, .failure(error))
          }
        })
    }
    if let fetchTimeout {
      let (end, counter) = (clock.now + fetchTimeout, clock.workCounter)
      counter?.workBegan()
      renewal.tasks.append(
        Task { @concurrent in
          defer { counter?.workEnded() }
          guard (try? await clock.sleep(until: end, purpose: .deadline)) != nil else { return }
          await self.ended(id, .failure(Failure.fetchTimedOut))
        })
    }
    return renewal
  }

  /// Receives the result of a fetch; no request waits for one that was cancelled.
  private func ended(_ fetch: TokenFetch, _ result: Result<String, any Error>) {
    guard renewal?.fetch === fetch else { return }
    switch result {
    case .success(let fresh):
      token = fresh
      end(.success(()))
    case .failure(let error) where Failure.isRefusal(error):
      token = nil
      status = .renewalRefused
      if let onRenewalRefused {
        // What follows from the refusal is no part of the fetch, nor of those that this one is a part of.
        TokenFetch.outside { Task { @concurrent in await onRenewalRefused() } }
      }
      end(.failure(Failure.renewalRefused))
    case .failure(let error):
      end(.failure(error))
    }
  }

  /// Ends the fetch that is under way, if any, for those that wait for it.
  private func end(_ result: Result<Void, any Error>) {
    guard let ended = renewal.take() else { return }
    ended.result = result
    for task in ended.tasks { task.cancel() }
    ended.waiters.resume()
  }
}

extension TokenAuthorizer: SecretHolding {}

/// The sessions of the newest 500 tokens at least and 1,000 at most, by digests of their credentials: a program
/// may run for years with tokens that are renewed every minute.
struct TokenSessions {
  private static let limit = 500
  private var newer: [String: Int] = [:]
  private var older: [String: Int] = [:]

  /// How many tokens are known.
  var count: Int { newer.count + older.count }

  subscript(digest: String) -> Int? { newer[digest] ?? older[digest] }

  mutating func insert(_ digest: String, _ session: Int) {
    if newer.count == Self.limit { (older, newer) = (newer, [:]) }
    newer[digest] = session
  }

  /// Stops the program if an invariant does not hold. For tests.
  func checkInvariants() {
    precondition(newer.count <= Self.limit, "\(newer.count) new ones")
    precondition(
      older.isEmpty || older.count == Self.limit && !newer.isEmpty, "\(older.count) old ones")
  }
}
