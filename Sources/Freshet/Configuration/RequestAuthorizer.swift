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
