import Foundation

extension ContentDecoder {
  /// A decoder of one page of a list: its items, decoded from JSON, and the links to its neighbors.
  ///
  /// - Parameter style: where items and links are found.
  public static func page<Item: Decodable & Sendable>(
    _ style: PageStyle
  ) -> ContentDecoder where Content == Page<Item> {
    page(style) { input, style in
      try style.page(
        of: Item.self, from: input.response, to: input.key, decoder: input.json.makeDecoder())
    }
  }

  /// A decoder of one page of a list whose items stay JSON, as the server sent them.
  public static func page(_ style: PageStyle) -> ContentDecoder where Content == Page<JSONText> {
    page(style) { input, style in try style.page(from: input.response, to: input.key) }
  }

  private static func page<Item>(
    _ style: PageStyle,
    decode: @escaping @Sendable (DecodingInput, PageStyle) throws -> Page<Item>
  ) -> ContentDecoder where Content == Page<Item> {
    var decoder = ContentDecoder("page \(style.name)") { input in
      let page = try decode(input, style)
      if let warn = input.warn, let label = input.response.textLabel {
        warn("the response is JSON, sent as \(label)")
      }
      return page
    }
    decoder.derive { page, confirmation in try page.confirmed(by: confirmation) }
    // The style that was recognized in one page is the style of its neighbors.
    decoder.decodeLinked(endsAtNotFound: style.endsAtNotFound) { page in
      let recognized = page.value.style
      return recognized == style ? nil : .page(recognized, decode: decode)
    }
    return decoder
  }
}

extension Service {
  /// The list whose first page is at a path below the base URL.
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
  ///   - type: what each item is decoded to, from JSON.
  ///   - style: where items and links are found; the common ones are recognized.
  ///   - options: what the collection may do.
  public func pages<Item: Decodable & Sendable>(
    _ path: String, query: [String: String?] = [:], of type: Item.Type = Item.self,
    style: PageStyle = .auto, options: PagedCollection<Item>.Options = .init()
  ) -> PagedCollection<Item> {
    PagedCollection(
      firstPage: resource(path, query: query, decoder: .page(style)), options: options)
  }

  /// The list whose items stay JSON, as the server sent them.
  public func pages(
    _ path: String, query: [String: String?] = [:], of type: JSONText.Type,
    style: PageStyle = .auto, options: PagedCollection<JSONText>.Options = .init()
  ) -> PagedCollection<JSONText> {
    PagedCollection(
      firstPage: resource(path, query: query, decoder: .page(style)), options: options)
  }
}
