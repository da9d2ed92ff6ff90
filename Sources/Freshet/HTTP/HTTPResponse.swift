import Foundation

/// A complete HTTP response.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code, 100…599.
  public var status: Int
  /// The header fields of the final response, without those of interim (1xx) responses.
  public var headers: HTTPHeaders
  /// The complete body, with content codings such as gzip decoded.
  public var body: Data
  var address: URLText
  /// Whether a redirect led to this response, as the exchange that has received it says; no part of the value.
  var isRedirected = false
  /// The URL that responded, after redirects. It may be parsed each time that it is read; see ``urlString``.
  public var url: URL {
    get { address.url }
    set { address = URLText(newValue) }
  }
  /// ``url`` as text, without parsing it.
  public var urlString: String { address.text }

  /// Creates a response.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
    self.init(status: status, headers: headers, body: body, address: URLText(url))
  }

  /// Creates the response to a request that was not redirected, without parsing its URL.
  public init(
    status: Int, headers: HTTPHeaders = [:], body: Data = Data(), to request: HTTPRequest
  ) {
    self.init(status: status, headers: headers, body: body, address: request.address)
  }

  init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), address: URLText) {
    self.status = status
    self.headers = headers
    self.body = body
    self.address = address
  }
}

extension HTTPResponse {
  /// Whether this is a part of the content (206), which only a request with a `Range` asks for.
  ///
  /// In another unit than bytes it is a page of items: PostgREST and others send those to any request.
  var isPart: Bool {
    guard status == 206 else { return false }
    let ranges = headers.values(for: "Content-Range")
    return ranges.isEmpty || ranges.contains { $0.asciiLowercased.hasPrefix("bytes") }
  }

  /// Whether two responses are equal in all parts.
  public static func == (left: HTTPResponse, right: HTTPResponse) -> Bool {
    left.status == right.status && left.headers == right.headers && left.body == right.body
      && left.address == right.address
  }

  /// Hashes all parts, with all bytes of the body.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(headers)
    body.hashAll(into: &hasher)
    hasher.combine(address)
  }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// Status, URL with secrets replaced, and the size of the body.
  public var description: String {
    "\(status) \(Redaction.url(urlString)), \(body.count) bytes"
  }

  /// The description, followed by the header fields without the values of secret ones.
  public var debugDescription: String { "\(description) \(headers.debugDescription)" }
}
