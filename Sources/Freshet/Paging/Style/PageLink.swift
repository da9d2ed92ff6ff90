import Foundation

/// The difference between the request for a neighboring page and the request for this one.
///
/// ```swift
/// PageLink(.follow("/items?page=2"))
/// PageLink(.query("page_token", "Cg=="))
/// PageLink(.body("variables.after", JSONText(string: "Y3Vyc29y")))
/// ```
///
/// A link is part of a page and therefore known as soon as the page is decoded; making its request
/// is a pure function, ``applied(to:responseURL:)``.
///
/// A link can be stored, to continue there in another run of the program. As JSON it is an object whose
/// `edits` are objects of one member each:
///
/// ```json
/// {"edits": [{"query": {"name": "page_token", "value": "Cg=="}}]}
/// ```
///
/// Cursors stay byte for byte as the server sent them, even when stored. They may be secrets, or
/// lead to some; store them accordingly.
public struct PageLink: Sendable, Hashable, Codable {
  /// One difference between the two requests.
  public enum Edit: Sendable, Hashable {
    /// Go to a URI reference, resolved against the URL of the response.
    ///
    /// The reference replaces the whole URL: parameters of the first request are not added to it.
    /// The method stays. To another origin, which has to be allowed, no body is sent, and of the other
    /// headers only non-credential ones.
    case follow(String)
    /// Set a query parameter of the request's own URL, name and value not encoded; nil removes it.
    ///
    /// All other parameters stay, byte for byte.
    case query(String, String?)
    /// Put a value at a path of the JSON request body; everything else in it stays, byte for byte.
    case body(JSONPath, JSONText)
    /// Set a request header.
    case header(String, String)
  }

  /// The differences, in the order in which they are applied.
  public var edits: [Edit]

  /// Creates a link from differences that are applied in order.
  public init(_ edits: Edit...) {
    self.edits = edits
  }
}

extension PageLink: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The kinds and names of the differences, without their values: these may be secrets.
  public var description: String {
    "PageLink(" + edits.map(\.description).joined(separator: ", ") + ")"
  }
}

extension PageLink.Edit: CustomStringConvertible, CustomDebugStringConvertible, SecretHolding {
  /// The kind and the name of the difference, without its value.
  public var description: String {
    switch self {
    case .follow: "follow"
    case .query(let name, _): "query \(name)"
    case .body(let path, _): "body \(path)"
    case .header(let name, _): "header \(name)"
    }
  }
}

extension PageLink {
  /// Returns the request that this link leads to.
  ///
  /// To another origin it has no headers: a service adds those of its configuration that may be
  /// sent there. Whether it may lead there is decided by the caller.
  ///
  /// - Parameters:
  ///   - key: the request whose response had the link.
  ///   - url: the URL of the response, after redirects; references are relative to it.
  /// - Throws: ``PageLinkError`` if the link leads to no request that may be sent.
  public func applied(
    to key: ResourceKey, responseURL url: String
  ) throws(PageLinkError) -> ResourceKey {
    try target(from: key, responseURL: url).request
  }

  /// The request that this link leads to, and its destination.
  func target(
    from key: ResourceKey, responseURL url: String
  ) throws(PageLinkError) -> (request: ResourceKey, destination: Destination) {
    var (target, body, headers) = (key.url, key.body, key.headers)
    var isOwnOrigin = true
    for edit in edits {
      switch edit {
      case .follow(let reference):
        let resolved = try PageLink.resolve(reference, against: url)
        target = resolved.url
        isOwnOrigin = resolved.hasOriginOfBase && url == key.url
      case .query(let name, let value):
        var query = URIQuery(url: target)
        query.set(name, to: value)
        target = query.url
      case .body(let path, let value):
        body = try PageLink.setting(path, of: body, to: value)
      case .header(let name, let value):
        headers = try PageLink.setting(name, of: headers, to: value)
      }
    }
    let request = ResourceKey(method: key.method, url: target, body: body, headers: headers)
    if isOwnOrigin { return (request, .sameOrigin) }
    let destination = request.destination(from: key, responseURL: url)
    switch destination {
    case .sameOrigin:
      return (request, destination)
    case .crossOrigin(let origin) where request.body != nil:
      throw .bodyCrossesOrigin(origin)
    case .crossOrigin, .insecure:
      return (ResourceKey(method: request.method, url: request.url), destination)
    }
  }

  private static func resolve(
    _ reference: String, against base: String
  ) throws(PageLinkError) -> URIReference.PlainTarget {
    if let target = URIReference.plainTarget(of: reference, against: base) { return target }
    guard let target = absolute(reference, against: base) else {
      throw .unresolvable(PageLinkError.shown(reference))
    }
    let parts = URIParts(target)
    let scheme = parts.scheme?.asciiLowercased ?? ""
    guard scheme == "http" || scheme == "https" else { throw .notHTTP(scheme: scheme) }
    guard parts.authority?.utf8.contains(UInt8(ascii: "@")) != true else { throw .hasUserInfo }
    // No host has a space, which is encoded here.
    guard URIReference.origin(of: target) != nil, parts.authority?.contains("%20") != true else {
      throw .unresolvable(PageLinkError.shown(reference))
    }
    return URIReference.PlainTarget(
      url: URIReference.removingFragment(target), hasOriginOfBase: false)
  }

  /// The absolute URI of a reference; nil if it is not a valid reference.
  ///
  /// No reference has control characters, except white space around it, backslashes, or an angle
  /// bracket at its start. Encoding them, as ``URIReference/resolve(_:against:)`` does, would make
  /// a link that no server has sent out of a garbled one, or out of a malformed element of a `Link`
  /// header.
  static func absolute(_ reference: String, against base: String) -> String? {
    let isGarbled =
      reference.utf8.first == UInt8(ascii: "<") || reference.utf8.contains(UInt8(ascii: "\\"))
      || reference.utf8.contains(where: \.isASCIIControl)
        && reference.trimming { $0 <= 0x20 }.utf8.contains(where: \.isASCIIControl)
    return isGarbled ? nil : URIReference.resolve(reference, against: base)
  }

  private static func setting(
    _ path: JSONPath, of body: Data?, to value: JSONText
  ) throws(PageLinkError) -> Data {
    guard let body else { throw .bodyMissing(path) }
    guard let text = try? JSONText(parsing: body) else { throw .bodyNotJSON(path) }
    do { return try text.setting(path, to: value).bytes } catch {
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
