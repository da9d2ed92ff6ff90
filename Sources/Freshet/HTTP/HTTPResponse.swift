import Foundation

/// A complete HTTP response.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100…599.
  public var status: Int
  /// The header fields of the final response, without those of interim (1xx) responses.
  public var headers: HTTPHeaders
  /// The complete body, with content codings such as gzip decoded.
  public var body: Data
  /// The URL that responded, after redirects.
  public var url: URL

  /// Makes a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
  }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status, URL with secrets replaced, and the size of the body.
  public var description: String {
    "\(status) \(Redaction.url(url.absoluteString)), \(body.count) bytes"
  }

  /// The description, followed by the header fields without the values of secret ones.
  public var debugDescription: String { "\(description) \(headers.debugDescription)" }

  /// Empty: header fields and body may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
