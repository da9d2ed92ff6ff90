/// Adds credentials to requests, and renews them when the server refuses them.
///
/// An authorizer is called off the service's actor, by many requests at once.
public protocol RequestAuthorizer: Sendable {
  /// Returns the request with credentials. It may wait for a first token, or for a renewal.
  @concurrent
  func authorize(_ request: HTTPRequest) async throws -> HTTPRequest

  /// Renews the credentials after a response of status 401.
  ///
  /// - Parameter request: the request as it was authorized and sent.
  /// - Returns: whether to authorize and send the request once more.
  @concurrent
  func renew(after request: HTTPRequest) async throws -> Bool
}

/// An authorizer that sends a bearer token (RFC 6750), and renews it once for all requests that
/// find it expired.
///
/// During a renewal, requests that are about to be sent wait for the new token.
///
/// ```swift
/// let tokens = TokenAuthorizer { try await fetchToken() }
/// service.configure { $0.authorizer = tokens }
/// ```
///
/// The closure that fetches the token must not wait for the token itself. A request that it begins,
/// and that this authorizer is to authorize, fails with an error of kind `.authorization` whose
/// underlying error is ``RecursiveFetch``. To fetch the token from the same service, configure its
/// path to have no authorizer:
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
  ///   - fetch: fetches a new token. An error that it throws fails the requests that wait for the
  ///     token, with kind `.authorization`; the next request calls it again.
  public init(
    token: String? = nil, scheme: String = "Bearer",
    fetch: @escaping @Sendable () async throws -> String
  ) {
    self.token = token
    self.scheme = scheme
    self.fetch = fetch
  }

  /// Returns the request with the current token.
  @concurrent
  public func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
    var request = request
    request.headers["Authorization"] = credentials(try await currentToken())
    return request
  }

  /// Renews the token, unless it was renewed after the request was authorized.
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
  /// The error of a token fetch that waits for the token itself.
  public struct RecursiveFetch: QuotableError, Sendable, Hashable {
    /// What happened and what to do.
    public var description: String {
      "the fetch of a TokenAuthorizer sent a request that waits for the token; fetch it with another "
        + "service, or set Configuration.authorizer to nil for its path"
    }
  }
}
