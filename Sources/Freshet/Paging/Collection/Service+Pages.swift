import Foundation

extension Service {
  /// Creates a list whose first page is at a path below the base URL.
  ///
  /// Each call makes another list, whose pages are resources that it shares with others: keep the one that is shown.
  ///
  /// ```swift
  /// let gists = service.pages("gists", of: Gist.self, style: .linkHeader)
  /// gists.loadIfNeeded()
  ///
  /// let found = service.pages("search", query: ["q": text, "per_page": "50"], of: Hit.self)
  /// ```
  ///
  /// Later pages have the query that the style gives them: one that sets a parameter, such as
  /// ``PageStyle/pageNumber(_:startingAt:totalPageCount:)``, keeps the others; a link of the server
  /// is followed as it is.
  ///
  /// - Parameters:
  ///   - path: the path of the first page, which may have a query.
  ///   - query: further query parameters of the first page, as for ``resource(_:query:of:)``.
  ///   - type: what each item is decoded to, from JSON; a ``JSONText`` stays as the server sent it.
  ///   - style: where items and links are found; the common ones are recognized.
  ///   - options: the limits and behavior of the collection.
  public func pages<Item: Decodable & Sendable>(
    _ path: String, query: [String: String?] = [:], of type: Item.Type = Item.self,
    style: PageStyle = .auto, options: PagedCollection<Item>.Options = .init()
  ) -> PagedCollection<Item> {
    PagedCollection(
      firstPage: resource(path, query: query, decoder: .page(style)), options: options)
  }

  /// Creates a list whose first page is loaded by a request with another method or with a body, such as a
  /// search by POST or a GraphQL query.
  ///
  /// ```swift
  /// let body = try JSONText(encoding: ["filter": ["status": "open"]])
  /// let found = service.pages(.post, "issues/search", body: body, of: Hit.self)
  /// ```
  ///
  /// Later pages have the same method, and the body with what the style sets in it, such as
  /// ``PageStyle/cursor(at:bodyKey:more:untilRepeated:)``. See
  /// ``resource(_:_:query:body:of:)`` for the body, and for retries.
  public func pages<Item: Decodable & Sendable>(
    _ method: HTTPMethod, _ path: String, query: [String: String?] = [:], body: JSONText? = nil,
    of type: Item.Type = Item.self, style: PageStyle = .auto,
    options: PagedCollection<Item>.Options = .init()
  ) -> PagedCollection<Item> {
    PagedCollection(
      firstPage: resource(method, path, query: query, body: body, decoder: .page(style)),
      options: options)
  }

  /// Creates a list whose first page is loaded by a request to an absolute URL, on any host.
  public func pages<Item: Decodable & Sendable>(
    _ method: HTTPMethod = .get, absoluteURL: String, body: JSONText? = nil,
    of type: Item.Type = Item.self, style: PageStyle = .auto,
    options: PagedCollection<Item>.Options = .init()
  ) -> PagedCollection<Item> {
    PagedCollection(
      firstPage: resource(method, absoluteURL: absoluteURL, body: body, decoder: .page(style)),
      options: options)
  }
}
