import Foundation

/// How the request for a neighbouring page differs from the request for this one.
///
/// ```swift
/// PageLink(.follow("/items?page=2"))
/// PageLink(.query("page_token", "Cg=="))
/// PageLink(.body("variables.after", JSONText(string: "Y3Vyc29y")))
/// ```
///
/// A link is part of a page and therefore known as soon as the page is decoded; making the request
/// of it is a pure function, ``applied(to:answeredBy:)``. Cursors stay byte for byte what the
/// server sent.
public struct PageLink: Sendable, Hashable {
  /// One difference.
  public enum Edit: Sendable, Hashable {
    /// Go to a URI reference, resolved against the URL that answered.
    ///
    /// The reference replaces the whole URL: parameters of the first request are not added to it.
    /// The method, the body and the other headers stay.
    case follow(String)
    /// Set a query parameter of the request's own URL, name and value not encoded; nil removes it.
    ///
    /// All other parameters stay, byte for byte.
    case query(String, String?)
    /// Put a value at a path of the JSON request body; everything else in it stays.
    case body(JSONPath, JSONText)
    /// Set a request header.
    case header(String, String)
  }

  /// The differences, in the order in which they are made.
  public var edits: [Edit]

  /// Makes a link of differences that are made one after the other.
  public init(_ edits: Edit...) {
    self.edits = edits
  }
}

extension PageLink {
  /// The request that this link leads to.
  ///
  /// - Parameters:
  ///   - key: the request whose answer had the link.
  ///   - url: the URL that answered, after redirects; references are relative to it.
  /// - Throws: ``PageLinkError`` where the link leads to no request that may be sent. Whether it
  ///   may lead to another origin is for the caller to decide: see ``Destination``.
  public func applied(
    to key: ResourceKey, answeredBy url: String
  ) throws(PageLinkError) -> ResourceKey {
    var key = key
    for edit in edits {
      switch edit {
      case .follow(let reference):
        key = key.with(url: try PageLink.resolve(reference, against: url))
      case .query(let name, let value):
        var query = URIQuery(url: key.url)
        query.set(name, to: value)
        key = key.with(url: query.url)
      case .body(let path, let value):
        key = key.with(body: try PageLink.setting(path, of: key.body, to: value))
      case .header(let name, let value):
        key = key.with(headers: try PageLink.setting(name, of: key.headers, to: value))
      }
    }
    return key
  }

  private static func resolve(
    _ reference: String, against base: String
  ) throws(PageLinkError) -> String {
    guard let target = absolute(reference, against: base) else {
      throw .unresolvable(PageLinkError.shown(reference))
    }
    if URIReference.plainOrigin(of: target) != nil { return URIReference.removingFragment(target) }
    let parts = URIParts(target)
    let scheme = parts.scheme?.asciiLowercased ?? ""
    guard scheme == "http" || scheme == "https" else { throw .notHTTP(scheme: scheme) }
    guard parts.authority?.utf8.contains(UInt8(ascii: "@")) != true else { throw .hasUserInfo }
    guard URIReference.origin(of: target) != nil else {
      throw .unresolvable(PageLinkError.shown(reference))
    }
    return URIReference.removingFragment(target)
  }

  /// The absolute URI that a reference stands for; nil where it stands for none.
  ///
  /// Control characters, white space around it aside, and an angle bracket at its start are in no
  /// reference. To encode them, as ``URIReference/resolve(_:against:)`` does, would make a link that
  /// nobody has sent out of one that was garbled, or of a malformed element of a `Link` header.
  static func absolute(_ reference: String, against base: String) -> String? {
    let isGarbled =
      reference.utf8.first == UInt8(ascii: "<")
      || reference.utf8.contains(where: \.isASCIIControl)
        && reference.trimming { $0 <= 0x20 }.utf8.contains(where: \.isASCIIControl)
    return isGarbled ? nil : URIReference.resolve(reference, against: base)
  }

  private static func setting(
    _ path: JSONPath, of body: Data?, to value: JSONText
  ) throws(PageLinkError) -> Data {
    guard let body else { throw .bodyMissing(path) }
    guard let text = try? JSONText(parsing: body) else { throw .bodyNotJSON(path) }
    do { return try text.setting(path, to: value).canonical.bytes } catch {
      throw .bodyNotEditable(path, error)
    }
  }

  private static func setting(
    _ name: String, of headers: HTTPHeaders, to value: String
  ) throws(PageLinkError) -> HTTPHeaders {
    guard HTTPHeaders.isValidName(name), HTTPHeaders.isValidValue(value) else {
      throw .invalidHeader(name: name)
    }
    var headers = headers
    headers[name.asciiLowercased] = value
    return HTTPHeaders(
      headers.fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }
}

extension ResourceKey {
  /// The same request with other parts.
  fileprivate func with(
    url: String? = nil, body: Data? = nil, headers: HTTPHeaders? = nil
  ) -> ResourceKey {
    ResourceKey(
      method: method, url: url ?? self.url, body: body ?? self.body,
      headers: headers ?? self.headers)
  }
}
