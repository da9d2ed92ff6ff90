import Foundation

/// The identity of a resource: all parts of its request that select content.
///
/// Keys are compared as bytes, and hashed over all of them. That matters because `String` equality
/// merges the composed and the decomposed form of a character, which are different names to a server;
/// `url` is therefore always ASCII (other characters are percent-encoded before they get here), and
/// the body is kept as bytes. Bodies that differ only in white space between tokens are equal; the
/// order of members and the spelling of numbers and strings count.
public struct ResourceKey: Hashable, Sendable {
  /// The absolute URL, in ASCII and without fragment.
  ///
  /// It has the percent-encoding and the parameter order that it was given. Scheme and host are in lower case, and a
  /// default port is left out.
  public let url: String
  /// The parts that a plain GET does not have; nil for one, so that most keys are just their URL.
  private let rest: Rest?

  /// Creates a key of parts that are already in the form that each property describes.
  ///
  /// - Parameter body: a JSON value, which is sent byte for byte.
  package init(
    method: HTTPMethod = .get, url: String, body: Data? = nil, headers: HTTPHeaders = [:]
  ) {
    let isPlain = method == .get && body == nil && headers.fields.isEmpty
    self.init(url, isPlain ? nil : Rest(method: method, body: body, headers: headers))
  }

  /// Creates the key that the resource of a request has, for testing a decoder or a cache by itself.
  ///
  /// ```swift
  /// let key = ResourceKey(absoluteURL: "HTTPS://API.example.com:443/items?page=2#top")
  /// key?.url  // "https://api.example.com/items?page=2"
  /// ```
  ///
  /// It is nil if the URL is not an absolute `http` or `https` URL with a host.
  ///
  /// - Parameters:
  ///   - method: the request method.
  ///   - absoluteURL: the URL, which is brought into the form of ``url``.
  ///   - body: the JSON request body; nil for none.
  ///   - headers: the request headers that select content, which are brought into the form of ``headers``.
  public init?(
    method: HTTPMethod = .get, absoluteURL: String, body: JSONText? = nil,
    headers: HTTPHeaders = [:]
  ) {
    guard let url = URIReference.absolute(absoluteURL) else { return nil }
    self.init(
      method: method, url: url, body: body?.bytes,
      headers: Self.headers(headers.fields.map(\.name), of: headers))
  }

  /// The fields with these names, in the form of ``headers``.
  static func headers(_ names: [String], of headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      Set(names.map(\.asciiLowercased)).sorted().compactMap { name in
        headers[name].map { HTTPHeaders.Field(name: name, value: $0) }
      })
  }

  /// Creates the key of a GET that is just its URL.
  init(gettingPlainly url: String) {
    self.init(url, nil)
  }

  private init(_ url: String, _ rest: Rest?) {
    var url = url
    url.makeContiguousUTF8()
    self.url = url
    self.rest = rest
  }

  /// The request method.
  public var method: HTTPMethod { rest?.method ?? .get }
  /// The JSON request body, byte for byte as it is sent, or nil for none.
  public var body: Data? { rest?.body }
  /// The request headers that select content: lower-case names in sorted order.
  public var headers: HTTPHeaders { rest?.headers ?? HTTPHeaders() }

  private final class Rest: Hashable, Sendable {
    let method: HTTPMethod
    let body: Data?
    /// The body without white space between tokens, which identifies it. It shares the storage of a
    /// body that has none.
    let compactBody: Data?
    let headers: HTTPHeaders

    init(method: HTTPMethod, body: Data?, headers: HTTPHeaders) {
      self.method = method
      self.body = body
      compactBody = body.map { JSONText(valid: $0).compact.bytes }
      self.headers = headers
    }

    static func == (left: Rest, right: Rest) -> Bool {
      left.method == right.method && left.compactBody == right.compactBody
        && left.headers.fields.elementsEqual(right.headers.fields) {
          $0.name.hasSameBytes(as: $1.name) && $0.value.hasSameBytes(as: $1.value)
        }
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(method)
      compactBody?.hashAll(into: &hasher)
      for field in headers.fields {
        hasher.combine(field.name)
        hasher.combine(field.value)
      }
    }
  }
}

// MARK: - Tables of keys

extension ResourceKey {
  /// A hash of this key; for a plain GET, that of the bytes of its URL, for which no string is
  /// needed.
  var tableHash: Int {
    guard rest == nil else { return hashValue }
    return withURLBytes { ResourceKey.tableHash(ofPlain: $0) }
  }

  /// The hash of the key of a GET that is just its URL.
  static func tableHash(ofPlain url: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: url)
    return hasher.finalize()
  }

  /// Whether this is the key of a GET that is just this URL.
  func isPlain(_ url: UnsafeRawBufferPointer) -> Bool {
    rest == nil
      && withURLBytes { bytes in
        guard bytes.count == url.count else { return false }
        guard let left = bytes.baseAddress, let right = url.baseAddress else { return true }
        return memcmp(left, right, bytes.count) == 0
      }
  }

  private func withURLBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // Contiguous, so this copies nothing.
    var url = url
    return url.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}

extension ResourceKey: CustomStringConvertible, SecretHolding {
  /// The method and the URL, with secrets replaced.
  public var description: String { "\(method) \(redactedURL)" }

  /// The URL with secrets replaced, for display and logging: the values of query parameters with names such as
  /// `token` or `api_key`.
  public var redactedURL: String { Redaction.url(url) }
}
