extension PageLink {
  /// The destination of a link, relative to the request whose response had it.
  ///
  /// A collection follows links to the same origin. Another origin gets no request unless it is allowed,
  /// and then only non-credential headers: no token that a link set, and never a body. An insecure
  /// destination gets nothing.
  package enum Destination: Sendable, Hashable {
    /// Scheme, host and port are those of the request.
    case sameOrigin
    /// Another origin, given as `scheme://host:port` without a default port.
    case crossOrigin(String)
    /// From `https` to `http`, to whatever host: what is sent there can be read on the way.
    case insecure(String)
  }
}

extension ResourceKey {
  /// The destination of this request, relative to one whose response had a link to it.
  ///
  /// A redirect to another origin does not make that the request's own: it took no credentials
  /// there. The exception is the one that ``RedirectPolicy`` makes, from `http` to `https` on one
  /// host.
  ///
  /// - Parameter url: the URL of its response, after redirects.
  /// - Returns: the destination; its origin is empty if a URL has none, which no valid request has.
  package func destination(
    from source: ResourceKey, responseURL url: String
  ) -> PageLink.Destination {
    let target = URIReference.origin(of: self.url) ?? ""
    let own = URIReference.origin(of: source.url) ?? ""
    let responder = URIReference.origin(of: url) ?? ""
    if !target.hasPrefix("https:"), own.hasPrefix("https:") || responder.hasPrefix("https:") {
      return .insecure(target)
    }
    let isOwn =
      target == own || target == responder && URIReference.isUpgrade(from: own, to: responder)
    return isOwn && !target.isEmpty ? .sameOrigin : .crossOrigin(target)
  }
}
