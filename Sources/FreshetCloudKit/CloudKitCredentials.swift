import Foundation
import Freshet

/// The tokens that identify an app, and a user, to CloudKit Web Services.
///
/// ```swift
/// service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
/// ```
///
/// The tokens are added to the query of each request, as CloudKit requires, when it is sent; they
/// are part of no resource's identity, no response's URL, no description and no reflection. They
/// are sent only to the origin of the service's base URL.
public struct CloudKitCredentials: RequestAuthorizer {
  private let apiToken: String
  private let webAuthToken: @Sendable () async throws -> String?
  private let canRenew: Bool

  /// Creates credentials with constant tokens.
  ///
  /// - Parameters:
  ///   - apiToken: the API token of the container's environment.
  ///   - webAuthToken: the token of a user, as the server sent it after the sign-in, not encoded.
  public init(apiToken: String, webAuthToken: String? = nil) {
    self.apiToken = apiToken
    self.webAuthToken = { webAuthToken }
    canRenew = false
  }

  /// Creates credentials with a new token for every request, for tokens that are valid only once,
  /// such as those of `CKFetchWebAuthTokenOperation`.
  ///
  /// - Parameters:
  ///   - apiToken: the API token of the container's environment.
  ///   - webAuthToken: returns a token; called before every request, and once more after a 401. An
  ///     error it throws fails the request with an error of kind `.authorization`.
  public init(
    apiToken: String, webAuthToken: @escaping @Sendable () async throws -> String?
  ) {
    self.apiToken = apiToken
    self.webAuthToken = webAuthToken
    canRenew = true
  }

  /// Returns the request with the tokens in its query.
  @concurrent
  public func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
    var query = URIQuery(url: request.url.absoluteString)
    query.set("ckAPIToken", to: apiToken)
    query.set("ckWebAuthToken", to: try await webAuthToken())
    var request = request
    if let url = URL(string: query.url) { request.url = url }
    return request
  }

  /// Returns whether every request has a token of its own.
  @concurrent
  public func renew(after request: HTTPRequest) async throws -> Bool { canRenew }
}

extension CloudKitCredentials: CustomStringConvertible, CustomDebugStringConvertible,
  SecretHolding
{
  /// The name of the type, without secrets.
  public var description: String { "CloudKitCredentials(\(Redaction.placeholder))" }
}
