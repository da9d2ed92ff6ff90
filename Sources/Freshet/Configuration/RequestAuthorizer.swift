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
