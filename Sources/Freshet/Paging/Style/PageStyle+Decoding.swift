import Foundation

/// From a response to a page.
extension PageStyle {
  /// The page in a response, its items as the server sent them.
  ///
  /// - Parameters:
  ///   - response: a successful response; what other statuses mean is for the caller to know.
  ///   - request: the request of the response, which the links are relative to.
  /// - Throws: ``PageError`` where the response is not a page, or what a style of your own throws.
  /// - Complexity: O(*n*) in the bytes of the body.
  public func page(
    from response: HTTPResponse, to request: ResourceKey
  ) throws -> Page<JSONText> {
    try response.requirePageContent()
    return try scannedPage(from: response, to: request) { $0.elements ?? [] }
  }

  /// The page in a response, its items decoded.
  ///
  /// A body that is the item array goes to the decoder without another look at it, if the style
  /// needs only the header fields; any other body is read once to find the items and the links.
  ///
  /// - Throws: ``PageError`` where the response is not a page, what the decoder throws (usually
  ///   `DecodingError`), or what a style of your own throws.
  public func page<Item: Decodable & Sendable>(
    of type: Item.Type, from response: HTTPResponse, to request: ResourceKey,
    decoder: JSONDecoder = JSONDecoder()
  ) throws -> Page<Item> {
    try response.requirePageContent()
    guard itemsPath ?? .root == .root, response.body.startsWithBracket,
      let links = linksWithoutBody
    else {
      return try scannedPage(from: response, to: request) {
        try $0.decode([Item].self, decoder: decoder)
      }
    }
    do {
      let items = try decoder.decode([Item].self, from: response.body)
      let head = Head(of: response, to: request, itemCount: items.count)
      let (found, style) = try links(head)
      try head.requireCompleteness(next: found.next)
      return Page(
        items, found, total: found.total ?? head.totalInHeaders, style: style.items(at: .root))
    } catch let error as DecodingError {
      _ = try response.scannedBody()  // names the place if the body is not even JSON
      throw error
    }
  }

  /// Computes the links of a response, and recognizes the style, as far as that needs no look at the
  /// body; nil where it needs one.
  var linksWithoutBody: ((Head) throws -> (Links, PageStyle))? {
    switch rule {
    case .head(let links): { (try links($0), self) }
    case .body: nil
    case .recognized: { try PageStyle.recognizedLinks(of: $0, in: nil) }
    }
  }

  private func scannedPage<Item>(
    from response: HTTPResponse, to request: ResourceKey, decode: (JSONText) throws -> [Item]
  ) throws -> Page<Item> {
    var items: [Item] = []
    let scanned = try scannedResponse(in: response, to: request) { array in
      items = try decode(array)
      return items.count
    }
    let links: Links
    var style = self
    switch rule {
    case .head(let rule): links = try rule(scanned.head)
    case .body(let rule): links = try rule(scanned)
    case .recognized: (links, style) = try PageStyle.recognizedLinks(of: scanned.head, in: scanned)
    }
    try scanned.head.requireCompleteness(next: links.next)
    return Page(
      items, links, total: links.total ?? scanned.total, style: style.items(at: scanned.itemPath))
  }

  /// The response with its item array found, for callers that need no links.
  ///
  /// - Parameter decode: decodes the item array and returns how many items there are.
  /// - Throws: ``PageError`` where the response is not a page, and what `decode` throws.
  func scanned(
    in response: HTTPResponse, to request: ResourceKey, decode: (JSONText) throws -> Int
  ) throws -> Response {
    try response.requirePageContent()
    return try scannedResponse(in: response, to: request, decode: decode)
  }

  private func scannedResponse(
    in response: HTTPResponse, to request: ResourceKey, decode: (JSONText) throws -> Int
  ) throws -> Response {
    let body = try response.scannedBody()
    if let messages = body.reportedErrors { throw PageError.reported(messages) }
    let (path, array) = try locateItems(in: body)
    let count = try decode(array)
    let frame = path == .root ? JSONText.emptyArray : try? body.setting(path, to: .emptyArray)
    return Response(
      head: Head(of: response, to: request, itemCount: count), body: body, itemArray: array,
      itemPath: path, frame: frame ?? body)
  }
}

extension PageStyle.Head {
  fileprivate init(of response: HTTPResponse, to request: ResourceKey, itemCount: Int) {
    self.init(
      request: request, url: response.url.absoluteString, headers: response.headers,
      itemCount: itemCount, status: response.status)
  }
}

extension Page {
  fileprivate init(
    _ items: [Item], _ links: PageStyle.Links, total: Int?, style: PageStyle
  ) {
    self.init(
      items: items, next: links.next, previous: links.previous, total: total, style: style)
    ahead = PagesAhead(links.counting, total: total)
  }
}

extension HTTPResponse {
  /// Refuses what is said to be no content, a part of it, or content of another type than JSON.
  ///
  /// Servers that do not know better send JSON as plain text, as a script, as bytes or without a
  /// type. Under the label of a web page only an object or array is taken for JSON, and only where it
  /// parses whole: a login page never does.
  fileprivate func requirePageContent() throws(PageError) {
    guard ![204, 205, 206].contains(status), !body.isEmpty else {
      throw .noContent(status: status)
    }
    guard let mediaType = MediaType(fields: headers.values(for: "Content-Type")) else { return }
    let isTried =
      mediaType.isJSON || mediaType.subtype.contains("json")
      || mediaType.subtype.contains("javascript")
      || ["text/plain", "application/octet-stream"].contains(mediaType.essence)
    guard isTried || (mediaType.essence == "text/html" && hasJSONContainer) else {
      throw .notJSON(mediaType: mediaType.essence)
    }
  }

  private var hasJSONContainer: Bool {
    guard let json = try? JSONText(parsing: body) else { return false }
    return json.kind == .array || json.kind == .object
  }

  /// The label of text that JSON was sent under; nil for any other label.
  var textLabel: String? {
    let essence = headers.mediaType?.essence ?? ""
    return ["text/html", "text/plain"].contains(essence) ? essence : nil
  }

  fileprivate func scannedBody() throws(PageError) -> JSONText {
    do { return try JSONText(parsing: body) } catch { throw .malformed(error) }
  }
}

extension JSONText {
  static let emptyArray = JSONText(valid: Data("[]".utf8))

  /// The messages of a GraphQL response that reports errors; nil where there are none.
  fileprivate var reportedErrors: [String]? {
    guard let errors = self["errors"]?.elements, !errors.isEmpty else { return nil }
    let messages = errors.compactMap { $0["message"]?.string }
    return messages.count == errors.count ? messages : nil
  }
}

extension Data {
  /// Whether the first byte that counts in JSON opens an array.
  fileprivate var startsWithBracket: Bool {
    first { !$0.isJSONWhitespace } == UInt8(ascii: "[")
  }
}
