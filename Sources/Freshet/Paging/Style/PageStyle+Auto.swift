/// Recognizing a style in a response.
extension PageStyle {
  /// The style that is recognized in the first response; ``Page/style`` then names it.
  ///
  /// These are examined, in this order: the `Link` header field, `Next-Page` and `X-Next-Page`, the
  /// members of the body that usually hold the URL of the next page (`next`, `next_url`,
  /// `links.next`, `_links.next.href`, `@odata.nextLink`, `paging.next`, …), and the known
  /// conventions of some APIs for tokens, cursors and page numbers: AIP-158, Slack, Stripe, Notion,
  /// Kubernetes, Reddit, Airtable, Jira, DynamoDB, CloudKit, GraphQL connections, Elasticsearch, and
  /// numbers that the request sent and the response repeats. If there is none of them the page is
  /// the only one, unless the response indicates that there are more items: that is an error,
  /// because a guess would show a part of the list as all of it. Where the page is all there is,
  /// ``single`` says so.
  ///
  /// A page whose ``Page/style`` still has the name `auto` is the only one: nothing was recognized in it.
  public static let auto = PageStyle(name: "auto", rule: .recognized)

  /// The one page is the whole list, whatever else the response says about further pages.
  ///
  /// For a list without pages in which ``auto`` finds a sign of more: a token for later changes, or a
  /// total of something else.
  public static let single = PageStyle(name: "single", rule: .head { _ in Links() })

  /// The style of a response; nil if the page is the only one.
  ///
  /// - Parameter response: the whole response; nil for a body that is an array. The recognized
  ///   style then does not need the body either.
  /// - Throws: ``PageError`` if there are more items, and no style is recognized.
  static func recognize(_ head: Head, _ response: Response?) throws(PageError) -> PageStyle? {
    if let style = style(of: head, response) { return style.recognized() }
    if response?.isStripeList == true, head.request.method.isSafe {
      throw .lastItemNeeded(query: "starting_after", more: "has_more")
    }
    if let location = head.continuation ?? response?.continuation ?? head.surplus(in: response) {
      throw .unknownContinuation(at: location)
    }
    return nil
  }

  private static func style(of head: Head, _ response: Response?) -> PageStyle? {
    let link = LinkHeader(head.headers.values(for: "Link"))
    if link.link(for: "next", from: head.url) != nil || link.malformedElement(for: "next") != nil {
      return .linkHeader
    }
    if let field = head.fields(with: .next).first(where: { $0.value.isReference }) {
      return .header(field.name)
    }
    if let style = head.numberedStyle { return style }
    guard let response else { return nil }
    if let path = response.linkPath { return .nextURL(at: path) }
    return response.head.request.method.isSafe ? response.queryStyle : response.bodyStyle
  }
}

extension PageStyle.Head {
  /// The header field that indicates more items without a URL, such as `X-Next-Page: 2`.
  fileprivate var continuation: String? {
    headers.fields.first { field in
      switch ListSign(field: field.name) {
      case .next: !field.value.isEmpty
      case .position: request.isPositionOfMore(field.value, named: field.name)
      case .hasMore: field.value.asciiLowercased == "true"
      case .isLast: field.value.asciiLowercased == "false"
      case .totalCount, .pageCount, nil: false
      }
    }?.name
  }

  /// GitLab without a `Link`: `X-Page: 1` and `X-Next-Page: 2`.
  fileprivate var numberedStyle: PageStyle? {
    guard let next = headers["X-Next-Page"].flatMap(Int.init),
      let number = headers["X-Page"].flatMap(Int.init), number.isFollowed(by: next)
    else { return nil }
    return .token(inHeader: "X-Next-Page", query: "page")
  }

  /// The location of a count that exceeds the items on the only page of a list which was requested
  /// from its start. A server that sends `Link` without a next link indicates the end.
  fileprivate func surplus(in response: PageStyle.Response?) -> String? {
    guard headers["Link"] == nil, !request.statesPosition else { return nil }
    for field in headers.fields {
      guard let number = Int(wireNumber: field.value) else { continue }
      switch ListSign(field: field.name) {
      case .pageCount: if number > 1 { return field.name }
      case .totalCount: if number > itemCount { return field.name }
      case .next, .position, .hasMore, .isLast, nil: break
      }
    }
    return response?.surplus
  }
}

extension PageStyle.Response {
  /// The path of the member that holds the URL of the next page.
  ///
  /// Some names are used for links alone: any string there is a URI reference. Others hold a token or
  /// a page number with some servers: a string there has to look like a URI reference, or be in a
  /// link object.
  fileprivate var linkPath: JSONPath? {
    let found = descriptors
    let certain = found.lazy.compactMap { path, name, value -> JSONPath? in
      if ListSign.linkNames.contains(name) { return path }
      guard ListSign.linkObjectNames.contains(name) else { return nil }
      return path.appending("next")
    }
    let ambiguous = found.lazy.filter { path, name, value in
      ["next", "nextpage"].contains(name)
        && (value.kind != .string || value.string?.isReference == true)
    }.map(\.path)
    let isLink = { (path: JSONPath) in frame.linkValue(at: path)?.string?.isEmpty == false }
    return (certain.first(where: isLink) ?? ambiguous.first(where: isLink))
      // As people write it: `@odata.nextLink`.
      .map { JSONPath($0.names.joined(separator: ".")) }
  }

  /// The member that indicates more items, in a way that is not recognized as a style.
  fileprivate var continuation: String? {
    if let flag = flag(ofMore: true) { return flag }
    let found = descriptors
    let next = found.first { path, name, _ in
      ListSign(name) == .next && frame.linkValue(at: path)?.isContinuation == true
    }
    if let next { return next.path.names.joined(separator: ".") }
    if let connectionPath { return connectionPath.appending("hasNextPage").description }
    if let pagesAfter { return pagesAfter.description }
    guard flag(ofMore: false) == nil else { return nil }
    return found.first { path, name, value in
      ListSign(name) == .position && value.isContinuation && !encloses(path)
        && head.request.isPositionOfMore(value.string ?? value.description, named: name)
    }?.path.names.joined(separator: ".")
  }

  /// The member that says that there are more items, or that there are not; nil if none does.
  func flag(ofMore isMore: Bool) -> String? {
    descriptors.first { _, name, value in
      switch ListSign(name) {
      case .hasMore: isMore ? value.isTrue : value.isFalse
      case .isLast: isMore ? value.isFalse : value.isTrue
      // A number there is that of the last page.
      case .pageCount where name == "lastpage": value.bool == !isMore
      default: false
      }
    }?.path.names.joined(separator: ".")
  }

  /// The location of a count that exceeds the items on the only page of a list.
  fileprivate var surplus: String? {
    if let (total, location) = statedTotal, total > head.itemCount { return location }
    let counted = Set(numberings.map(\.countPath))
    // The pages of a list, or those of a book.
    return descriptors.first { path, name, value in
      ListSign(name) == .pageCount && name != "pages" && !counted.contains(path)
        && value.statedCount ?? 0 > 1
    }?.path.names.joined(separator: ".")
  }
}

extension ResourceKey {
  /// Whether a token in the response may be that of the next page, and is not the position of this one:
  /// a number of items to skip, or what the request has in its query or in a member of its body.
  fileprivate func isPositionOfMore(_ token: String, named name: String) -> Bool {
    guard !token.isEmpty, !(name.withoutSeparators.hasSuffix("offset") && Int(token) != nil) else {
      return false
    }
    let members = body.flatMap { try? JSONText(parsing: $0) }?.members ?? []
    return !URIQuery(url: url).parameters.contains { $0.value == token }
      && !members.contains { ($0.value.string ?? $0.value.description) == token }
  }
}

extension JSONText {
  /// Whether a member that could hold a link or a token is not empty.
  fileprivate var isContinuation: Bool {
    switch kind {
    case .string: string.map { !$0.isEmpty && $0.asciiLowercased != "false" } ?? true
    case .object: members?.isEmpty != true
    case .number, .bool, .array, .null: isTrue
    }
  }

  /// Whether this is `true`, or what some servers write instead.
  fileprivate var isTrue: Bool {
    bool == true || kind == .number && int != 0 || string?.asciiLowercased == "true"
  }

  /// Whether this is `false`, or what some servers write instead.
  fileprivate var isFalse: Bool {
    bool == false || kind == .number && int == 0 || string?.asciiLowercased == "false"
  }
}

extension String {
  /// Whether this looks like a URI reference, not like a token or a page number.
  fileprivate var isReference: Bool {
    let start = asciiLowercased
    return ["http://", "https://", "/", "?", "./", "../"].contains(where: start.hasPrefix)
      || utf8.contains(UInt8(ascii: "?"))
  }
}
