import Foundation

/// Makes a page from a response.
extension PageStyle {
  /// Returns the page in a response, with its items as the server sent them.
  ///
  /// - Parameters:
  ///   - response: a successful response; other statuses are up to the caller.
  ///   - request: the request of the response, which the links are relative to.
  /// - Throws: ``PageError`` if the response is not a page, or what a custom style throws.
  /// - Complexity: O(*n*) in the bytes of the body.
  public func page(
    from response: HTTPResponse, to request: ResourceKey
  ) throws -> Page<JSONText> {
    try page(of: JSONText.self, from: response, to: request)
  }

  /// Returns the page in a response, with its items decoded.
  ///
  /// A body that is the item array is passed to the decoder directly, if the style needs only the
  /// header fields; any other body is read once to find the items and the links.
  ///
  /// - Throws: ``PageError`` if the response is not a page, what the decoder throws (usually
  ///   `DecodingError`), or what a custom style throws.
  public func page<Item: Decodable & Sendable>(
    of type: Item.Type, from response: HTTPResponse, to request: ResourceKey,
    decoder: JSONDecoder = JSONDecoder()
  ) throws -> Page<Item> {
    try page(of: type, from: response, to: request, decoder: decoder, doubt: nil)
  }

  /// The page in a response, its items decoded, with a report of what is odd about it.
  ///
  /// - Parameter doubt: receives why the page may have other items than it should.
  func page<Item: Decodable & Sendable>(
    of type: Item.Type, from response: HTTPResponse, to request: ResourceKey,
    decoder: @autoclosure () -> JSONDecoder, doubt: ((String) -> Void)?
  ) throws -> Page<Item> {
    func scannedPage() throws -> Page<Item> {
      let (items, scanned) = try scanned(in: response, to: request) {
        try $0.items(decoder: decoder()) as [Item]
      }
      return try completePage(items, at: scanned.itemPath, scanned.head, scanned, doubt)
    }
    let start = response.body.first { !$0.isJSONWhitespace }
    guard Item.self != JSONText.self, !needsBody, itemsPath ?? .root == .root,
      start == UInt8(ascii: "[")
    else { return try scannedPage() }
    try response.requirePageContent()
    do {
      let items = try decoder().decode([Item].self, from: response.body)
      // Two may be the items and what describes them, for a type that any value can be.
      if itemsPath == nil, items.count == 2, try response.scannedBody().hasDescribedItems {
        return try scannedPage()
      }
      let head = Head(of: response, to: request, itemCount: items.count)
      return try completePage(items, at: .root, head)
    } catch let error as DecodingError {
      // Names the location if the body is not even JSON.
      guard try response.scannedBody().hasDescribedItems, itemsPath == nil else { throw error }
      return try scannedPage()
    }
  }

  private func completePage<Item>(
    _ items: [Item], at path: JSONPath, _ head: Head, _ response: Response? = nil,
    _ doubt: ((String) -> Void)? = nil
  ) throws -> Page<Item> {
    var page = try page(items, head, response)
    let isRecognized = page.style.isRecognized
    try head.requireCompleteness(next: page.next, page.style)
    try response?.requireReadiness(next: page.next)
    // What ends a list is defined by a style that the program has chosen, whatever else is said.
    if isRecognized { try response?.requireCompleteness(next: page.next) }
    if let counting = page.counting {
      if let error = response?.skippedPage(counting) { throw error }
      if isRecognized || doubt != nil,
        let error = response?.otherPage(counting, isExact: isRecognized)
      {
        guard !isRecognized else { throw error }
        doubt?(error.problem)
      }
    }
    if let doubt, !items.isEmpty, page.next == nil, page.presumedEnd == nil, mayOverlook,
      !isCounting,
      let flag = response?.pageMembers.flag(ofMore: true)
    {
      doubt(PresumedEnd.overlooked(flag.location, isStyle: false).description)
    }
    if let doubt, case .repeatedToken? = page.rest?.value {
      doubt(
        "the response has items, and the token that was sent, which ends the list: if the server ignores the token, "
          + "these are the items of the page before it")
    }
    if let doubt, response?.body.kind == .null {
      doubt("the response is null, which is taken for a page without items")
    }
    if let doubt, !items.isEmpty, let name = response?.frame.signOfMissing(around: path) {
      doubt("the response has items, and says by '\(name.excerpt)' that some may be missing")
    }
    if itemsPath == nil, let response, response.hasItemArray {
      page.style = page.style.items(.found(path, beside: response.namesBesideItems))
    } else if page.style.itemsPath != path, response?.hasItemArray ?? true {
      page.style = page.style.items(itemLocation.moved(to: path))
    }
    return page
  }

  /// Makes a page from its items and a response.
  ///
  /// - Parameter response: the whole response; may be nil if the style does not need the body.
  func page<Item>(_ items: [Item], _ head: Head, _ response: Response? = nil) throws -> Page<Item> {
    var (links, style) = try links(of: head, in: response)
    if head.itemCount == 0, let next = links.next, head.isDestination(of: next) { links.next = nil }
    if case .counted(var counting)? = links.rest {
      if let stated = response?.otherFirst(counting) { style = style.beginning(at: stated) }
      if let stated = style.statedFirst {
        counting.begin(at: stated)
        if links.next != nil { links.next = counting.link }
      }
      if counting.end == nil, style.endsAtNotFound {
        let count = response.map(\.pageCount) ?? head.pageCount
        counting.end = count.map { counting.first.saturatingSum($0) }
      }
      if counting.end == nil, style.endsAtNotFound {
        counting.saysMore = response?.pageMembers.flag(ofMore: true) != nil
      }
      // An empty page before the last one is that of a filter.
      if head.itemCount == 0, !counting.isOfItems, let end = counting.end, counting.next < end {
        links.next = counting.link
      }
      links.rest = .counted(counting)
    }
    var page = Page(
      items: items, next: links.next, previous: links.previous,
      totalCount: links.totalCount ?? response?.totalCount ?? head.totalCount, style: style)
    // Of a page whose body was read, the number is compared.
    if response != nil || links.rest?.isKnown(totalCount: page.totalCount) == true {
      page.rest = links.rest.map { ContentBox($0) }
    }
    return page
  }

  /// Whether the links are computed from the body. Those of a style that is yet to be recognized
  /// may be, but not from a body that is an array.
  var needsBody: Bool {
    switch rule {
    case .body: true
    case .head, .recognized: false
    }
  }

  /// The links of a response, and the style that was recognized in it, or else this one.
  private func links(of head: Head, in response: Response?) throws -> (Links, PageStyle) {
    var links: Links
    switch (rule, response) {
    case (.head(let rule), _): links = try rule(head, isRecognized)
    case (.body(let rule), let response?): links = try rule(response, isRecognized)
    case (.body, nil):
      preconditionFailure("the links of \(self) were requested from header fields alone")
    case (.recognized, _):
      let list = ListDescription(head, response)
      guard let style = try PageStyle.recognize(list) else {
        var end = list.presumedEnd
        if itemsPath == nil, end == nil || end == .object {
          end = list.otherEmptyList ?? end
        }
        let rest = end.map {
          PageRest.presumedEnd($0, counting: list.countingStyle, isBeforeEnd: list.isBeforeEnd($0))
        }
        return (Links(rest: rest), self)
      }
      return try style.links(of: head, in: response)
    }
    if links.next == nil, links.rest?.yieldsToSigns ?? true, mayOverlook, head.itemCount > 0 {
      let list = ListDescription(head, response)
      if let end = list.overlooked(by: form) {
        links.rest = .presumedEnd(end)
      } else if links.rest != nil, list.presumedEnd == nil {
        // The response says that the page is the whole list.
        links.rest = nil
      }
    }
    return (links, self)
  }

  /// Whether the style may be the wrong one: it was chosen, and by the names that a server has.
  private var mayOverlook: Bool { !isRecognized && !isCustom && form != .single }

  /// The items of a response, and the response with its item array located; throws ``PageError``
  /// where it is not a page, and what `decode` throws, located in the whole response.
  func scanned<Item>(
    in response: HTTPResponse, to request: ResourceKey, decode: (JSONText) throws -> [Item]
  ) throws -> ([Item], Response) {
    try response.requirePageContent()
    let body = try response.scannedBody()
    let (path, array) = try itemsOfSuccess(in: body)
    let items: [Item]
    do {
      items = try decode(array)
    } catch let error as DecodingError {
      throw error.located(at: path)
    }
    // A style that the program has chosen defines what a page is.
    if items.isEmpty,
      let messages = body.reportedFailure(around: path, acceptingHints: isAuto || isRecognized)
    {
      throw PageError.reported(messages)
    }
    let frame = body.frame(around: array, at: path)
    let others = newArrays(in: frame)
    guard others.isEmpty else { throw PageError.ambiguousItems([path] + others) }
    let head = Head(of: response, to: request, itemCount: items.count)
    return (
      items,
      Response(head: head, body: body, itemArray: array, itemPath: path, frame: frame)
    )
  }

  /// The path of the item array and the array; the error that the body reports where it has none, or where it is that
  /// of GraphQL.
  private func itemsOfSuccess(in body: JSONText) throws(PageError) -> (JSONPath, JSONText) {
    let found: Result<(path: JSONPath, JSONText), PageError> = Result {
      () throws(PageError) in try locateItems(in: body)
    }
    if (try? found.get())?.path != "errors", let messages = body.reportedErrors {
      throw .reported(messages)
    }
    if case .failure(.noItems(let path, _)) = found,
      let messages = body.reportedFailure(around: path ?? .root)
    {
      throw .reported(messages)
    }
    return try found.get()
  }
}

extension PageStyle.Head {
  /// Whether a link of the page leads to the page itself: without items it names no other one, as the last page of
  /// Mailgun and of weather.gov. A token that comes back is the end only if the style says so.
  fileprivate func isDestination(of link: PageLink) -> Bool {
    guard case .follow? = link.edits.first else { return false }
    return (try? link.applied(to: request, responseURL: url)) == request
  }

  fileprivate init(of response: HTTPResponse, to request: ResourceKey, itemCount: Int) {
    self.init(
      request: request, url: response.urlString, headers: response.headers,
      itemCount: itemCount, status: response.status)
  }
}

extension HTTPResponse {
  /// Refuses a response without content, with partial content, or with content other than JSON.
  ///
  /// Some servers send JSON as plain text, as a script, as bytes or without a type. With the media
  /// type of a web page, content is accepted as JSON only if it is an object or array that parses
  /// completely: a login page never is.
  fileprivate func requirePageContent() throws(PageError) {
    guard ![204, 205].contains(status), !isPart, !body.isEmpty else {
      throw .noContent(status: status)
    }
    guard let mediaType = MediaType(fields: headers.values(for: "Content-Type")) else { return }
    let mayBeJSON =
      mediaType.isJSON || mediaType.subtype.contains("json")
      || mediaType.subtype.contains("javascript")
      || ["text/plain", "application/octet-stream"].contains(mediaType.essence)
    if mayBeJSON { return }
    let kind = mediaType.essence == "text/html" ? (try? JSONText(parsing: body))?.kind : nil
    guard kind == .array || kind == .object else { throw .notJSON(mediaType: mediaType.essence) }
  }

  /// The media type of text that JSON was sent with; nil for any other type.
  var textLabel: String? {
    let essence = headers.mediaType?.essence ?? ""
    return ["text/html", "text/plain"].contains(essence) ? essence : nil
  }

  fileprivate func scannedBody() throws(PageError) -> JSONText {
    do {
      return try JSONText(parsing: body)
    } catch {
      if let mediaType = headers.mediaType?.essence, PageError.isOfLines(mediaType: mediaType) {
        throw .notJSON(mediaType: mediaType)
      }
      throw .malformed(error.naming(encodingOf: body))
    }
  }
}

extension JSONText.SyntaxError {
  /// The error, which says so if the document is in UTF-16 or UTF-32: then it begins with a byte order mark, or one
  /// of its first two bytes is zero, because JSON begins with two ASCII characters.
  fileprivate func naming(encodingOf document: Data) -> JSONText.SyntaxError {
    let start = document.prefix(4)
    guard start.contains(where: { $0 != 0 }),
      start.prefix(2).contains(0) || start.starts(with: [0xFF, 0xFE])
        || start.starts(with: [0xFE, 0xFF])
    else { return self }
    return JSONText.SyntaxError(expected: .utf8, at: offset, in: document.span)
  }
}

extension JSONText {
  /// The items of this array, decoded; those of type ``JSONText`` as they are.
  func items<Item: Decodable>(decoder: @autoclosure () -> JSONDecoder) throws -> [Item] {
    if Item.self == JSONText.self {
      // A cast from the array itself would copy it.
      let elements: Any = elements ?? []
      if let items = elements as? [Item] { return items }
    }
    return try decode([Item].self, decoder: decoder())
  }

  /// This body with the item array at a path emptied.
  fileprivate func frame(around array: JSONText, at path: JSONPath) -> JSONText {
    if path.names.isEmpty && kind != .array {
      self  // no item array
    } else if array == .emptyArray {
      (try? setting(path, to: .emptyArray)) ?? self
    } else {
      emptying(array)
    }
  }

  /// The messages of a GraphQL response that reports errors; nil if it reports none.
  fileprivate var reportedErrors: [String]? {
    guard let errors = self["errors"]?.elements, !errors.isEmpty else { return nil }
    let messages = errors.compactMap { $0["message"]?.string }
    return messages.count == errors.count ? messages : nil
  }
}
