extension Resource {
  /// The page that a link of this page leads to.
  ///
  /// References are resolved against the URL of the response. The page is decoded like this one, with
  /// the style that was recognized in it.
  ///
  /// - Parameters:
  ///   - link: a link of this page's content.
  ///   - origins: further origins, as `https://host[:port]`, that the link may lead to. Only
  ///     non-credential headers are sent there, and no request with a body.
  /// - Throws: the reason why the link is not followed.
  public func following<Item>(
    _ link: PageLink, allowing origins: Set<String> = []
  ) throws(IncompleteWalk.Reason) -> Resource where Content == Page<Item> {
    let responseURL = responseURL ?? key.url
    let style = box?.value.style
    if let known = attachment as? FollowedLink, known.link == link,
      known.responseURL == responseURL,
      known.style == style, let target = known.target
    {
      target.noteUse()
      return unsafeDowncast(target, to: Resource.self)
    }
    let (request, destination): (ResourceKey, PageLink.Destination)
    do {
      (request, destination) = try link.target(from: key, responseURL: responseURL)
    } catch {
      throw .unusableLink(error)
    }
    let decoder = box.map(self.decoder.successor) ?? self.decoder
    switch destination {
    case .sameOrigin:
      let page = store.resource(request, decoder: decoder)
      // Released after the change: a value that a style captures may be deallocated then and run
      // code that calls this.
      let old = attachment
      attachment = FollowedLink(link: link, responseURL: responseURL, style: style, target: page)
      withExtendedLifetime(old) {}
      return page
    case .crossOrigin(let origin):
      guard origins.contains(origin) else { throw .crossOrigin(origin) }
      // Not stored, because the next call may not allow it. The headers are those that the service
      // sends there: tokens of links are not sent, and to its own origin the service sends its own
      // again.
      return store.resource(request.method, request.url, decoder: decoder)
    case .insecure:
      throw .insecure
    }
  }

  /// Another resource of the same request, which is given to no other caller: for the server's next
  /// response to that request.
  func repeated() -> Resource {
    Resource(key: key, decoder: decoder, store: store)
  }
}

extension Set<String> {
  /// These origins, and that of a list's first page: a list may return from an allowed origin to
  /// the one where it began.
  func allowingReturn(to firstPage: AnyResource) -> Set<String> {
    guard !isEmpty, let origin = URIReference.origin(of: firstPage.key.url) else { return self }
    return union([origin])
  }
}

/// The resource that a link led to, while that resource exists: resolving a link takes longer than
/// all else in visiting a page, and the links of a page seldom change. It is the attachment of a
/// page's resource.
private final class FollowedLink {
  let link: PageLink
  let responseURL: String
  /// The style of the page, with which its neighbors are decoded.
  let style: PageStyle?
  weak var target: AnyResource?

  init(link: PageLink, responseURL: String, style: PageStyle?, target: AnyResource) {
    self.link = link
    self.responseURL = responseURL
    self.style = style
    self.target = target
  }
}
