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
    let style = box?.value.style
    if let known = attachment as? FollowedLink, known.isOf(link, answered, style), let target = known.target {
      store.registry?.use(target)
      return unsafeDowncast(target, to: Resource.self)
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
    let page = store.resource(target, decoder: decoderOfNeighbours)
    if destination == .sameOrigin {
      attachment = FollowedLink(link: link, answered: answered, style: style, target: page)
    }
    return page
  }
}

extension Resource {
  /// What the neighbours of this page are decoded with.
  private var decoderOfNeighbours: ContentDecoder<Content> {
    guard let box else { return decoder }
    return decoder.successor(of: box)
  }

  /// Another resource of the same request, which nobody else gets: what the server answers to that
  /// request next.
  func repeated() -> Resource {
    Resource(key: key, decoder: decoder, store: store)
  }
}

/// Where a link led, for as long as that page lives: to find out takes longer than all else that
/// visiting a page takes, and the links of a page seldom change.
final class FollowedLink {
  private let link: PageLink
  private let answered: String
  /// The style of the page, which says how its neighbours are decoded.
  private let style: PageStyle?
  private(set) weak var target: AnyResource?

  init(link: PageLink, answered: String, style: PageStyle?, target: AnyResource) {
    self.link = link
    self.answered = answered
    self.style = style
    self.target = target
  }

  /// Whether this is where the link leads from that page.
  func isOf(_ link: PageLink, _ answered: String, _ style: PageStyle?) -> Bool {
    link == self.link && answered == self.answered && style == self.style
  }
}
