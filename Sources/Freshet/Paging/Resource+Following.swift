extension Resource {
  /// The page that a link of this page leads to.
  ///
  /// References are resolved against the URL that answered. The page is decoded like this one, with
  /// the style that was recognised in it.
  ///
  /// - Parameters:
  ///   - link: a link of this page's content.
  ///   - origins: further origins, as `https://host[:port]`, that the link may lead to. They get no
  ///     credentials.
  /// - Throws: why the link is not to be followed.
  public func following<Item>(
    _ link: PageLink, allowing origins: Set<String> = []
  ) throws(IncompleteWalk.Reason) -> Resource where Content == Page<Item> {
    let answered = answeredURL ?? key.url
    let target: ResourceKey
    do {
      target = try link.applied(to: key, answeredBy: answered)
    } catch {
      throw .unusableLink(error)
    }
    switch target.destination(from: answered) {
    case .sameOrigin: break
    case .crossOrigin(let origin) where origins.contains(origin): break
    case .crossOrigin(let origin): throw .crossOrigin(origin)
    case .insecure: throw .insecure
    }
    let decoder = content.flatMap { self.decoder.successor?($0) } ?? self.decoder
    return store.resource(target, decoder: decoder)
  }
}
