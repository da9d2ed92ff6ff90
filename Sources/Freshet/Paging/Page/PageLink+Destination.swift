extension PageLink {
  /// Where a request leads, seen from the URL that gave the link.
  ///
  /// A collection follows links to the same origin. Another origin gets no credentials, and no
  /// request unless it is allowed; an insecure destination gets none.
  public enum Destination: Sendable, Hashable {
    /// Scheme, host and port are the same.
    case sameOrigin
    /// Another origin, given as `scheme://host:port` without a default port.
    case crossOrigin(String)
    /// From `https` to `http`, to whatever host: what is sent there can be read on the way.
    case insecure(String)
  }
}

extension ResourceKey {
  /// Where this request leads, seen from a URL that gave a link to it.
  ///
  /// The origin is empty where a URL has none, which no request that can be sent has.
  package func destination(from url: String) -> PageLink.Destination {
    if let target = URIReference.plainOrigin(of: self.url),
      target == URIReference.plainOrigin(of: url)
    {
      return .sameOrigin
    }
    let target = URIReference.origin(of: self.url) ?? ""
    let source = URIReference.origin(of: url) ?? ""
    guard target != source || target.isEmpty else { return .sameOrigin }
    let isDowngrade = source.hasPrefix("https:") && !target.hasPrefix("https:")
    return isDowngrade ? .insecure(target) : .crossOrigin(target)
  }
}
