import Foundation

/// An HTTP request, as it is sent.
public struct HTTPRequest: Sendable, Hashable {
  /// The method.
  public var method: HTTPMethod
  private(set) var address: URLText
  /// The absolute URL, `http` or `https`. It may be parsed each time that it is read; see ``urlString``.
  public var url: URL {
    get { address.url }
    set { address = URLText(newValue) }
  }
  /// ``url`` as text, without parsing it.
  public var urlString: String { address.text }
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body, or nil for none.
  public var body: Data?
  /// The maximum size of the response body in bytes, content codings removed; a larger one fails
  /// the request.
  public var maximumResponseSize: Int
  /// How it takes part in rate limits of its origin; no part of its identity.
  var holding = Holding.none

  /// The default of ``maximumResponseSize``: 32 MiB.
  public static let defaultMaximumResponseSize = 32 << 20
}

extension HTTPRequest {
  /// Creates a request.
  public init(
    method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = [:], body: Data? = nil,
    maximumResponseSize: Int = defaultMaximumResponseSize
  ) {
    self.init(
      method: method, address: URLText(url), headers: headers, body: body,
      maximumResponseSize: maximumResponseSize)
  }
}

extension HTTPRequest {
  /// Compares what is sent, and the limit of the response.
  public static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
    left.method == right.method && left.address == right.address && left.headers == right.headers
      && left.body == right.body && left.maximumResponseSize == right.maximumResponseSize
  }

  /// Hashes what is sent, with all bytes of the body.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(method)
    hasher.combine(address)
    hasher.combine(headers)
    body?.hashAll(into: &hasher)
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// Method and URL, with secrets replaced.
  public var description: String { "\(method) \(Redaction.url(urlString))" }
  /// Method, URL and headers, with secrets replaced, and the size of the body.
  public var debugDescription: String {
    "\(description) \(headers) \(body?.count ?? 0) bytes"
  }
}

/// What a request has to do with responses that ask for fewer requests to an origin, while others wait for a
/// connection there.
///
/// Part of the request, so that a transport around another one passes it on.
enum Holding: Sendable {
  /// Its response is about itself alone, and it is sent whatever the responses to others say.
  case none
  /// If its response asks for that, others are not sent; it is sent itself.
  case others
  /// If its response asks for that, others are not sent; and it is not sent either if the response to
  /// another one asks for that.
  case all
}
