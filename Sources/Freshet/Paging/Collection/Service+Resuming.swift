extension Service {
  /// Creates a list that continues at a stored link.
  ///
  /// ```swift
  /// let link = try JSONDecoder().decode(PageLink.self, from: stored)
  /// let rest = try service.pages("gists", from: link, of: Gist.self, style: .linkHeader)
  /// ```
  ///
  /// Its first page is the one that the link leads to from the request for the path. A URL in it
  /// is subject to the rule for links: it stays on the origin of that request, or goes to
  /// one that the options allow, without credentials.
  ///
  /// If the page that it leads to does not exist, the list fails, even if a 404 ends lists of its
  /// style: nothing of the list is loaded, so it is not known to be complete.
  ///
  /// - Parameters:
  ///   - path: the path of the list's first page, as when the link was stored.
  ///   - query: its query parameters, as when the link was stored; see ``resource(_:query:of:)``.
  ///   - link: the ``PageCursor/link`` that a ``PageQuery`` reported, or a ``Page/next`` of the list's first page.
  ///   - type: what each item is decoded to, from JSON; a ``JSONText`` stays as the server sent it.
  ///   - style: where items and links are found; preferably the style that was recognized then, see
  ///     ``Page/style``.
  ///   - options: the limits and behavior of the collection.
  /// - Throws: the reason why the link must not be followed.
  public func pages<Item: Decodable & Sendable>(
    _ path: String, query: [String: String?] = [:], from link: PageLink,
    of type: Item.Type = Item.self, style: PageStyle = .auto,
    options: PagedCollection<Item>.Options = .init()
  ) throws(IncompleteWalk.Reason) -> PagedCollection<Item> {
    try list(
      firstPage: resource(path, query: query, decoder: .page(style)), from: link, options)
  }

  /// Creates a list that continues at a stored link, and whose first page is loaded by a request with another
  /// method or with a body.
  public func pages<Item: Decodable & Sendable>(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: JSONText? = nil,
    from link: PageLink, of type: Item.Type = Item.self, style: PageStyle = .auto,
    options: PagedCollection<Item>.Options = .init()
  ) throws(IncompleteWalk.Reason) -> PagedCollection<Item> {
    try list(
      firstPage: resource(method, path, query: query, body: body, decoder: .page(style)),
      from: link, options)
  }

  /// Creates a list that continues at a stored link, and whose first page is loaded by a request to an absolute URL.
  public func pages<Item: Decodable & Sendable>(
    _ method: HTTPMethod = .get, absoluteURL: String, body: JSONText? = nil, from link: PageLink,
    of type: Item.Type = Item.self, style: PageStyle = .auto,
    options: PagedCollection<Item>.Options = .init()
  ) throws(IncompleteWalk.Reason) -> PagedCollection<Item> {
    try list(
      firstPage: resource(method, absoluteURL: absoluteURL, body: body, decoder: .page(style)),
      from: link, options)
  }

  private func list<Item>(
    firstPage: Resource<Page<Item>>, from link: PageLink,
    _ options: PagedCollection<Item>.Options
  ) throws(IncompleteWalk.Reason) -> PagedCollection<Item> {
    PagedCollection(
      firstPage: try firstPage.following(link, allowing: options.allowedOrigins),
      options: options.allowingReturn(to: firstPage))
  }
}
