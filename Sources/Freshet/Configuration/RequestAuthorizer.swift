/// Adds credentials to requests, and renews them when the server refuses them.
///
/// An authorizer is called off the service's actor, by many requests at once.
public protocol RequestAuthorizer: Sendable {
  /// Returns the request with credentials. It may wait for a first token, or for a renewal.
  ///
  /// - Throws: any error; the request then fails with one of kind ``ResourceError/Kind/authorization``.
  @concurrent
  func authorize(_ request: HTTPRequest) async throws -> HTTPRequest

  /// Returns the request with credentials, for another attempt.
  ///
  /// The default implementation is ``authorize(_:)``. An authorizer whose user may change throws an
  /// error instead if the attempt before was another user's.
  ///
  /// - Parameters:
  ///   - request: the request as it is to be sent, without credentials.
  ///   - sent: the request as it was authorized and sent before.
  /// - Throws: any error; the request then fails with one of kind ``ResourceError/Kind/authorization``.
  @concurrent
  func authorize(_ request: HTTPRequest, after sent: HTTPRequest) async throws -> HTTPRequest

  /// Renews the credentials after a response of status 401.
  ///
  /// - Parameter request: the request as it was authorized and sent.
  /// - Returns: whether to authorize and send the request once more.
  /// - Throws: any error; the request then fails with one of kind ``ResourceError/Kind/authorization``.
  @concurrent
  func renew(after request: HTTPRequest) async throws -> Bool
}

extension RequestAuthorizer {
  /// Returns the request with credentials, as ``authorize(_:)`` does, ignoring the request that was sent before.
  @concurrent
  public func authorize(
    _ request: HTTPRequest, after sent: HTTPRequest
  ) async throws -> HTTPRequest {
    try await authorize(request)
  }
}
