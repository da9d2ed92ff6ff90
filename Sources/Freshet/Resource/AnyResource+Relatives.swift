extension AnyResource {
  /// Returns the resource at a path below this one.
  ///
  /// The path is appended to the path of this resource, with one `/` between, and the query is left
  /// out. The path is data: `?`, `#` and `%` in it are percent-encoded, and with `.` or `..` as a
  /// segment the loads of that resource fail, so that an identifier cannot lead elsewhere.
  public final func child<Content: Decodable & Sendable>(
    _ path: String, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    child(path, decoder: store.standardDecoder())
  }

  /// Returns the resource at a path below this one, decoded with a decoder.
  public final func child<Content: Sendable>(
    _ path: String, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    store.resource(.get, try childURL(path), decoder: decoder)
  }

  /// Returns the resource that a URI reference resolves to, RFC 3986 section 5.2, on the same
  /// origin.
  ///
  /// If the reference leads to another origin, the loads of that resource fail; `https` on the host of an
  /// `http` URL, at the default ports, is none. Use
  /// ``Service/resource(absoluteURL:of:)`` for a resource of another origin.
  public final func relative<Content: Decodable & Sendable>(
    _ reference: String, to base: ReferenceBase = .resource, of type: Content.Type = Content.self
  ) -> Resource<Content> {
    relative(reference, to: base, decoder: store.standardDecoder())
  }

  /// Returns the resource that a URI reference resolves to, decoded with a decoder.
  public final func relative<Content: Sendable>(
    _ reference: String, to base: ReferenceBase = .resource, decoder: ContentDecoder<Content>
  ) -> Resource<Content> {
    if unusable == nil, base == .resource || responseURL == nil,
      let plain = store.resource(at: reference, from: key.url, decoder: decoder)
    {
      return plain
    }
    return store.resource(.get, try relativeURL(reference, to: base), decoder: decoder)
  }

  /// Returns the resource that a URI reference resolves to, or nil without a reference: for links
  /// that may be missing.
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
    guard URIReference.isSameOrigin(resolved, as: key.url) else {
      throw UnusableURL(
        resolved,
        "it leads to another origin; use resource(absoluteURL:) of the service where that is meant")
    }
    return URIReference.removingFragment(resolved)
  }
}

extension Resource {
  /// Returns the resource whose URL has a query parameter set to one value, or removed for nil.
  ///
  /// The parameters are sorted by name, so the order of calls makes no difference. Parameters that
  /// are not set keep their percent-encoding.
  public func withParameter(_ name: String, _ value: String?) -> Resource<Content> {
    withParameters([name: value.map { [$0] } ?? []])
  }

  /// Returns the resource whose URL has query parameters set, each to any number of values; an
  /// empty array removes a parameter.
  public func withParameters(_ parameters: [String: [String]]) -> Resource<Content> {
    var query = URIQuery(url: key.url)
    query.set(parameters)
    if let unusable {
      return Resource(key: key, decoder: decoder, store: store, unusable: unusable)
    }
    let changed = ResourceKey(
      method: key.method, url: query.url, body: key.body, headers: key.headers)
    return store.resource(store.key(changed, linkedFrom: key), decoder: decoder)
  }
}

/// The URL against which a relative reference is resolved.
public enum ReferenceBase: Sendable {
  /// The URL of the resource.
  case resource
  /// The URL of the latest response, after redirects; before the first response, that of the
  /// resource.
  case response
}
