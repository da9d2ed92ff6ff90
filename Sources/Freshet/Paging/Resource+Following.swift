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
    let decoder = box.map(decoder.successor) ?? decoder
    if let known = followed, known.link == link, known.answered == answered,
      let target = known.target, target.decoder.name == decoder.name
    {
      store.registry?.use(target)
      return target
    }
    let target: ResourceKey
    do {
      target = try link.applied(to: key, answeredBy: answered)
    } catch {
      throw .unusableLink(error)
    }
    let destination = target.destination(from: answered)
    switch destination {
    case .sameOrigin: break
    case .crossOrigin(let origin) where origins.contains(origin): break
    case .crossOrigin(let origin): throw .crossOrigin(origin)
    case .insecure: throw .insecure
    }
    let page = store.resource(target, decoder: decoder)
    if destination == .sameOrigin {
      followed = FollowedLink(link: link, answered: answered, target: page)
    }
    return page
  }
}

extension Resource {
  /// Another resource of the same request, which nobody else gets: what the server answers to that
  /// request next.
  func repeated() -> Resource {
    Resource(key: key, decoder: decoder, store: store)
  }
}

/// Where a link led, for as long as that page lives: to find out takes longer than all else that
/// visiting a page takes, and the links of a page seldom change.
final class FollowedLink<Content: Sendable> {
  let link: PageLink
  let answered: String
  private(set) weak var target: Resource<Content>?

  init(link: PageLink, answered: String, target: Resource<Content>) {
    self.link = link
    self.answered = answered
    self.target = target
  }
}
