extension Service {
  /// Creates a query that reports the items of a list one by one, decoded from JSON, and keeps none.
  ///
  /// ```swift
  /// let query = service.pageQuery("gists", of: Gist.self)
  /// query.itemReceived = { gist in archive.append(gist) }
  /// query.start()
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path of the first page, which may have a query.
  ///   - query: further query parameters of the first page, as for ``resource(_:query:of:)``.
  ///   - cursor: the cursor of an earlier query at which to begin. From the end nothing is loaded.
  ///   - type: what each item is decoded to; a ``JSONText`` stays as the server sent it.
  ///   - style: where items and links are found; the common ones are recognized.
  public func pageQuery<Item: Decodable & Sendable>(
    _ path: String, query: [String: String?] = [:], from cursor: PageCursor = .start,
    of type: Item.Type = Item.self, style: PageStyle = .auto
  ) -> PageQuery<Item> {
    PageQuery(firstPage: resource(path, query: query, decoder: .page(style)), from: cursor)
  }

  /// Creates a query of a list whose first page is loaded by a request with another method or with a body; see
  /// ``pages(_:_:query:body:of:style:options:)``.
  public func pageQuery<Item: Decodable & Sendable>(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: JSONText? = nil,
    from cursor: PageCursor = .start, of type: Item.Type = Item.self, style: PageStyle = .auto
  ) -> PageQuery<Item> {
    PageQuery(
      firstPage: resource(method, path, query: query, body: body, decoder: .page(style)),
      from: cursor)
  }

  /// Creates a query of a list whose first page is loaded by a request to an absolute URL, on any host.
  public func pageQuery<Item: Decodable & Sendable>(
    _ method: HTTPMethod = .get, absoluteURL: String, body: JSONText? = nil,
    from cursor: PageCursor = .start, of type: Item.Type = Item.self, style: PageStyle = .auto
  ) -> PageQuery<Item> {
    PageQuery(
      firstPage: resource(method, absoluteURL: absoluteURL, body: body, decoder: .page(style)),
      from: cursor)
  }
}
