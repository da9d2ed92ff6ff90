import Foundation

/// The identity of a resource: everything that is sent and selects content.
///
/// Keys are compared as bytes. That matters because `String` equality merges the composed and the
/// decomposed form of a character, which are different names to a server; `url` is therefore always
/// ASCII (other characters are percent-encoded before they get here), and the body is kept as bytes.
public struct ResourceKey: Hashable, Sendable {
  /// The request method.
  public let method: HTTPMethod
  /// The absolute URL without fragment, ASCII, with the percent-encoding and parameter order that it
  /// was given.
  public let url: String
  /// The JSON request body with sorted object keys and no white space, or nil for none.
  public let body: Data?
  /// The request headers that select content: lower-case names in sorted order.
  public let headers: HTTPHeaders

  /// Makes a key of parts that are already in the form that each property describes.
  package init(
    method: HTTPMethod = .get, url: String, body: Data? = nil, headers: HTTPHeaders = [:]
  ) {
    self.method = method
    self.url = url
    self.body = body
    self.headers = headers
  }
}
