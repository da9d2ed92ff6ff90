extension Resource {
  /// Returns the page that a link of this page leads to.
  ///
  /// References are resolved against the URL of the response. The page is decoded like this one, with
  /// the style that was recognized in it.
  ///
  /// - Parameters:
  ///   - link: a link of this page's content.
  ///   - origins: further origins, as `https://host[:port]`, that the link may lead to. Case, a default
  ///     port and a `/` at the end make no difference; any other text allows nothing. Only non-credential
  ///     headers are sent there, and no request with a body.
  /// - Throws: the reason why the link is not followed.
  public func following<Item>(
    _ link: PageLink, allowing origins: Set<String> = []
  ) throws(IncompleteWalk.Reason) -> Resource where Content == Page<Item> {
    if let known = attachment as? FollowedLink, known.link == link,
      known.isCurrent || known.renew(origin()), let target = known.target
    {
      target.noteUse()
      return unsafeDowncast(target, to: Resource.self)
    }
    let origin = origin()
    let (request, destination): (ResourceKey, PageLink.Destination)
    do {
      (request, destination) = try link.target(from: key, responseURL: origin.responseURL)
    } catch {
      throw .unusableLink(error)
    }
    let decoder = ContentDecoder<Content>(anyDecoder.successor(of: state.data?.content))
    switch destination {
    case .sameOrigin:
      let page = store.resource(store.key(request, linkedFrom: key), decoder: decoder)
      // What else is attached stays: this is found again. What the configuration has changed is not stored.
      guard attachment == nil || attachment is FollowedLink,
        !store.mayVary || page.key == request
      else { return page }
      attach(FollowedLink(link: link, origin: origin, target: page))
      return page
    case .crossOrigin(let origin):
      guard origins.allow(origin) else { throw .crossOrigin(origin) }
      // Not stored, because the next call may not allow it. The headers are those that the service
      // sends there: tokens of links are not sent, and to its own origin the service sends its own
      // again.
      return store.resource(request.method, request.url, decoder: decoder)
    case .insecure:
      throw .insecure
    }
  }

  /// Beside the link and the key: what the target of a link of this page depends on.
  private func origin<Item>() -> FollowedLink.Origin where Content == Page<Item> {
    guard let (content, url) = state.contentAndURL else { return (key.url, nil) }
    let style = unsafeDowncast(content, to: ContentBox<Content>.self).value.style
    return (url ?? key.url, style)
  }

  /// How many items the server has sent in this page: its totals count those, and no others are an end.
  ///
  /// - Parameter count: how many are shown, with what optimistic edits have added or removed.
  func receivedCount<Item>(showing count: Int) -> Int where Content == Page<Item> {
    sentBox?.value.items.count ?? count
  }

  /// Another resource of the same request, which is given to no other caller: for the server's next
  /// response to that request.
  func repeated() -> Resource {
    Resource(key: key, decoder: decoder, store: store, unusable: unusable)
  }
}

extension Set<String> {
  /// These origins, and that of a list's first page: a list may return from an allowed origin to
  /// the one where it began.
  func allowingReturn(to firstPage: AnyResource) -> Set<String> {
    guard !isEmpty, let origin = URIReference.origin(of: firstPage.key.url) else { return self }
    return union([origin])
  }

  /// Whether one of these texts is for an origin.
  fileprivate func allow(_ origin: String) -> Bool {
    contains(origin)
      || contains { text in
        let parts = URIParts(text)
        // One with more than an origin would allow more than it says.
        return (parts.path.isEmpty || parts.path == "/") && parts.query == nil
          && parts.fragment == nil && parts.authority?.contains("@") == false
          && URIReference.origin(of: text) == origin
      }
  }
}

/// The resource that a link led to, while that resource exists: the links of a page seldom change, and not
/// resolving them saves 56 % of a visit. It is the attachment of a page's resource.
private final class FollowedLink: ResourceAttachment {
  /// The style is that of the page, with which its neighbors are decoded.
  typealias Origin = (responseURL: String, style: PageStyle?)

  let link: PageLink
  private let origin: Origin
  private(set) weak var target: AnyResource?
  /// Whether the data of the page is the same as when the origin was compared to it. Not to look at it
  /// again saves 9 % of a visit.
  private(set) var isCurrent = false

  init(link: PageLink, origin: Origin, target: AnyResource) {
    self.link = link
    self.origin = origin
    self.target = target
  }

  /// Compares the origin to that of the page's data; whether the link leads where it led.
  func renew(_ origin: Origin) -> Bool {
    isCurrent = origin == self.origin
    return isCurrent
  }

  override func dataWillChange() { isCurrent = false }
}
