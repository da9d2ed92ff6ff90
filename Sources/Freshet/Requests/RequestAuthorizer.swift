/// Identifies the caller to the server, and renews what identifies it.
///
/// Used off the store's actor, by many requests at once.
public protocol RequestAuthorizer: Sendable {
  /// The request with what identifies the caller; it may wait, for a first token or a renewal.
  @concurrent
  func authorize(_ request: HTTPRequest) async throws -> HTTPRequest

  /// Called with an answer of status 401: renews what identifies the caller. True if the request is
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
public actor TokenAuthorizer: RequestAuthorizer {
  private var token: String?
  private var renewal: Task<String, any Error>?
  private let scheme: String
  private let fetch: @Sendable () async throws -> String

  /// Makes an authorizer.
  ///
  /// - Parameters:
  ///   - token: the first token; nil to fetch one before the first request.
  ///   - scheme: the authentication scheme, before the token in `Authorization`.
  ///   - fetch: gets a new token; what it throws fails the requests that wait, with an error of kind
  ///     `.authorization`, and the next request tries again.
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
    if let renewal { return try await renewal.value }
    if let token { return token }
    return try await renewed()
  }

  private func renew(used: String?) async throws {
    if let renewal {
      _ = try await renewal.value
    } else if used == token.map(credentials) {
      _ = try await renewed()
    }
  }

  private func renewed() async throws -> String {
    let fetch = fetch
    let task = Task { try await fetch() }
    renewal = task
    defer { renewal = nil }
    let fresh = try await task.value
    token = fresh
    return fresh
  }
}
