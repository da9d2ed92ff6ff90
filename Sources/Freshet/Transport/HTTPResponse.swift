import Foundation

/// What a server answered: one complete HTTP response as a value.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100…599.
  public var status: Int
  /// The header fields of the final answer; fields of interim (1xx) answers are not among them.
  public var headers: HTTPHeaders
  /// The whole body, content codings undone.
  public var body: Data
  /// The URL that answered, after redirects.
  public var url: URL

  /// Makes a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}
