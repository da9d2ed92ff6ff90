import Foundation
import Freshet

/// What identifies an app, and a person, to CloudKit Web Services.
///
/// ```swift
/// service.configure { $0.authorizer = CloudKitCredentials(apiToken: token) }
/// ```
///
/// The tokens go into the query of each request, as CloudKit wants them, when it is sent; they are part
/// of no resource's identity, no response's URL, no description and no reflection. They go to the origin
/// of the service's base URL only.
public struct CloudKitCredentials: RequestAuthorizer {
  private let apiToken: String
  private let webAuthToken: @Sendable () async throws -> String?
  private let canRenew: Bool

  /// Makes credentials that stay the same.
  ///
  /// - Parameters:
  ///   - apiToken: the API token of the container's environment.
  ///   - webAuthToken: what identifies a person, as the server sent it after the sign-in, not encoded.
  public init(apiToken: String, webAuthToken: String? = nil) {
    self.apiToken = apiToken
    self.webAuthToken = { webAuthToken }
    canRenew = false
  }

  /// Makes credentials with a token for every request, as those of
  /// `CKFetchWebAuthTokenOperation` are for one only.
  ///
  /// - Parameters:
  ///   - apiToken: the API token of the container's environment.
  ///   - webAuthToken: gets a token; called before every request, and once more after a 401. What it
  ///     throws fails the request with an error of kind `.authorization`.
  public init(
    apiToken: String, webAuthToken: @escaping @Sendable () async throws -> String?
  ) {
    self.apiToken = apiToken
    self.webAuthToken = webAuthToken
    canRenew = true
  }

  /// The request with the tokens in its query.
  @concurrent
  public func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
    var query = URIQuery(url: request.url.absoluteString)
    query.set("ckAPIToken", to: apiToken)
    query.set("ckWebAuthToken", to: try await webAuthToken())
    var request = request
    if let url = URL(string: query.url) { request.url = url }
    return request
  }

  /// True where every request has a token of its own.
  @concurrent
  public func renew(after request: HTTPRequest) async throws -> Bool { canRenew }
}

extension CloudKitCredentials: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The name of the type, and nothing secret.
  public var description: String { "CloudKitCredentials(\(Redaction.placeholder))" }
  /// The same.
  public var debugDescription: String { description }
  /// No children: dumping shows nothing secret either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
