/// What a reference is relative to.
public enum ReferenceBase: Sendable {
  /// The URL of the resource.
  case resource
  /// The URL that responded, after redirects; that of the resource before the first response.
  case response
}

extension AnyResource {
  /// The resource below this one: the path is appended, with `/` between, and the query left out.
  ///
  /// The path is data: `?`, `#` and `%` in it are percent-encoded, and `.` and `..` as segments are
  /// refused, so that an identifier cannot lead elsewhere.
  public final func child<Content: Decodable & Sendable>(
    _ path: String, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    child(path, decoder: store.standardDecoder())
  }

  /// The resource below this one, read by a decoder.
  public final func child<Content: Sendable>(
    _ path: String, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(.get, try childURL(path), decoder: decoder)
  }

  /// The resource that a URI reference stands for, RFC 3986 section 5.2, on the same origin.
  ///
  /// A reference that leads to another origin is refused: the loads of that resource fail. Use
  /// ``Service/resource(absoluteURL:of:)`` where that is meant.
  public final func relative<Content: Decodable & Sendable>(
    _ reference: String, to base: ReferenceBase = .resource, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    relative(reference, to: base, decoder: store.standardDecoder())
  }

  /// The resource that a URI reference stands for, read by a decoder.
  public final func relative<Content: Sendable>(
    _ reference: String, to base: ReferenceBase = .resource, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(.get, try relativeURL(reference, to: base), decoder: decoder)
  }

  /// The resource that a URI reference stands for, or nil without a reference: for links that may be
  /// missing.
  public final func optionalRelative<Content: Decodable & Sendable>(
    _ reference: String?, to base: ReferenceBase = .resource, of type: Content.Type = Content.self
  ) -> Resource<Content>? {
    reference.map { relative($0, to: base) }
  }

  private func childURL(_ path: String) throws(UnusableURL) -> String {
    if let unusable { throw unusable }
    let relative = path.drop { $0 == "/" }
    let segments = relative.split(separator: "/", omittingEmptySubsequences: false)
    guard !segments.contains("."), !segments.contains("..") else {
      throw UnusableURL(key.url, "the child path has a \".\" or \"..\" segment")
    }
    let parent = key.url.prefix { $0 != "?" }
    let joint = parent.hasSuffix("/") ? "" : "/"
    return parent + joint
      + segments.map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
  }

  private func relativeURL(
    _ reference: String, to base: ReferenceBase
  ) throws(UnusableURL) -> String {
    if let unusable { throw unusable }
    let from = base == .response ? responseURL ?? key.url : key.url
    guard let resolved = URIReference.resolve(reference, against: from) else {
      throw UnusableURL(reference, "it does not resolve")
    }
    guard URIReference.origin(of: resolved) == URIReference.origin(of: key.url) else {
      throw UnusableURL(
        resolved,
        "it leads to another origin; use resource(absoluteURL:) of the service where that is meant")
    }
    return URIReference.removingFragment(resolved)
  }
}

extension Resource {
  /// The same resource with a query parameter set to one value, or without it for nil.
  ///
  /// Parameters stand sorted by name, so the order of calls makes no difference; what was there keeps
  /// its percent-encoding.
  public func withParam(_ name: String, _ value: String?) -> Resource<Content> {
    withParams([name: value.map { [$0] } ?? []])
  }

  /// The same resource with query parameters set, each to any number of values; none removes it.
  public func withParams(_ params: [String: [String]]) -> Resource<Content> {
    var query = URIQuery(url: key.url)
    for (name, values) in params { query.set(name, to: values) }
    query.sortByName()
    if let unusable {
      return Resource(key: key, decoder: decoder, store: store, unusable: unusable)
    }
    let key = ResourceKey(
      method: key.method, url: query.url, body: key.body, headers: key.headers)
    return store.resource(key, decoder: decoder)
  }
}
