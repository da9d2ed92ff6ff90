extension Service {
  /// Creates a list whose pages have numbers, decoded from JSON.
  ///
  /// ```swift
  /// let articles = service.paginator("articles?page=:currentPage", of: Article.self)
  /// try articles.loadPage(1)
  /// ```
  ///
  /// - Parameters:
  ///   - pattern: the URL of every page, below the base URL or absolute.
  ///   - query: further query parameters of every page, as for ``resource(_:query:of:)``. Replacing
  ///     the only parameter that distinguishes the pages is a programming error.
  ///   - type: what each item is decoded to; a ``JSONText`` stays as the server sent it.
  ///   - items: where the item array is in a response; nil to search for it.
  ///   - mapping: where a response reports page size and totals.
  ///   - options: how pages are counted.
  public func paginator<Item: Decodable & Sendable>(
    _ pattern: PaginatorPattern, query: [String: String?] = [:], of type: Item.Type = Item.self,
    items: JSONPath? = nil, mapping: PaginatorMapping = PaginatorMapping(),
    options: Paginator<Item>.Options = .init()
  ) -> Paginator<Item> {
    Paginator(
      store: store, pattern: pattern.setting(query),
      decoder: .numberedPage(mapping, items: items),
      options: options)
  }
}
