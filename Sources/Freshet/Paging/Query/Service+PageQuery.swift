extension Service {
  /// Makes a query that reports the items of a list one by one, decoded from JSON, and keeps none.
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
  ///   - type: what each item is decoded to.
  ///   - style: where items and links are found; the common ones are recognized.
  ///   - cursor: the cursor of an earlier query at which to begin; nil for the first page.
  public func pageQuery<Item: Decodable & Sendable>(
    _ path: String, query: [String: String?] = [:], of type: Item.Type = Item.self,
    style: PageStyle = .auto, from cursor: PageLink? = nil
  ) -> PageQuery<Item> {
    PageQuery(firstPage: resource(path, query: query, decoder: .page(style)), from: cursor)
  }

  /// Makes a query that reports the items of a list one by one as JSON, as the server sent them.
  public func pageQuery(
    _ path: String, query: [String: String?] = [:], of type: JSONText.Type,
    style: PageStyle = .auto, from cursor: PageLink? = nil
  ) -> PageQuery<JSONText> {
    PageQuery(firstPage: resource(path, query: query, decoder: .page(style)), from: cursor)
  }
}
