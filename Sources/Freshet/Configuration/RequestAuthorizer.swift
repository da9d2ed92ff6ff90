/// Identifies the caller to the server, and renews what identifies it.
///
/// Used off the store's actor, by many requests at once.
public protocol RequestAuthorizer: Sendable {
  /// The request with what identifies the caller; it may wait, for a first token or a renewal.
  @concurrent
  func authorize(_ request: HTTPRequest) async throws -> HTTPRequest

  /// Called with a response of status 401: renews what identifies the caller. True if the request is
  /// worth one more try, which is authorized anew.
  @concurrent
  func renew(after request: HTTPRequest) async throws -> Bool
}

/// Sends a bearer token (RFC 6750) and renews it once, however many requests find it expired.
///
/// While a renewal is under way, requests that are about to be sent wait for it.
///
/// ```swift
/// let tokens = TokenAuthorizer { try await fetchToken() }
/// service.configure { $0.authorizer = tokens }
/// ```
///
/// Fetching must not wait for the token that it is to get. A request that begins because of `fetch`, and
/// that this authorizer is asked to authorize meanwhile, fails with an error of kind `.authorization`
/// whose underlying error is ``RecursiveFetch``. Where the token comes from the same service, its path
/// goes without the authorizer:
///
/// ```swift
/// service.configure("token") { $0.authorizer = nil }
/// ```
public actor TokenAuthorizer: RequestAuthorizer {
  /// A renewal that is under way.
  private struct Renewal {
    let number: Int
    let task: Task<String, any Error>
  }

  /// The renewals, by authorizer, of whose `fetch` the current task is a part.
  @TaskLocal private static var fetching: [ObjectIdentifier: Int] = [:]

  private var token: String?
  private var renewal: Renewal?
  private var renewalCount = 0
  private let scheme: String
  private let fetch: @Sendable () async throws -> String

  /// Makes an authorizer.
  ///
  /// - Parameters:
  ///   - token: the first token; nil to fetch one before the first request.
  ///   - scheme: the authentication scheme, before the token in `Authorization`.
  ///   - fetch: gets a new token; what it throws fails the requests that wait, with an error of kind
  ///     `.authorization`, and the next request makes another attempt.
  public init(
    token: String? = nil, scheme: String = "Bearer",
    fetch: @escaping @Sendable () async throws -> String
  ) {
    self.token = token
    self.scheme = scheme
    self.fetch = fetch
  }

  /// The request with the current token.
  @concurrent
  public func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
    var request = request
    request.headers["Authorization"] = credentials(try await currentToken())
    return request
  }

  /// Renews the token, unless that has happened since the request was authorized.
  @concurrent
  public func renew(after request: HTTPRequest) async throws -> Bool {
    try await renew(used: request.headers["Authorization"])
    return true
  }

  /// What is sent for a token, as a header holds it: without white space around it.
  private nonisolated func credentials(_ token: String) -> String {
    String("\(scheme) \(token)".trimmingHTTPSpace)
  }

  private func currentToken() async throws -> String {
    if let renewal { return try await value(of: renewal) }
    if let token { return token }
    return try await renewed()
  }

  private func renew(used: String?) async throws {
    if let renewal {
      _ = try await value(of: renewal)
    } else if used == token.map(credentials) {
      _ = try await renewed()
    }
  }

  private func value(of renewal: Renewal) async throws -> String {
    guard Self.fetching[ObjectIdentifier(self)] != renewal.number else { throw RecursiveFetch() }
    return try await renewal.task.value
  }

  private func renewed() async throws -> String {
    renewalCount += 1
    let fetch = fetch
    var fetching = Self.fetching
    fetching[ObjectIdentifier(self)] = renewalCount
    // The requests that it makes run in tasks that inherit this.
    let task = Self.$fetching.withValue(fetching) { Task { try await fetch() } }
    renewal = Renewal(number: renewalCount, task: task)
    defer { renewal = nil }
    let fresh = try await task.value
    token = fresh
    return fresh
  }
}

extension TokenAuthorizer {
  /// The token is fetched with a request that waits for the token.
  public struct RecursiveFetch: QuotableError, Sendable, Hashable {
    /// What happened and what to do.
    public var description: String {
      "the fetch of a TokenAuthorizer sent a request that waits for the token; fetch it with another "
        + "service, or set Configuration.authorizer to nil for its path"
    }
  }
}
