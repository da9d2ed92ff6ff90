/// Recognizing a style in a response.
extension PageStyle {
  /// The style that is recognized in the first response; ``Page/style`` then names it.
  ///
  /// These are examined, in this order: the `Link` header field, `Next-Page` and `X-Next-Page`, the
  /// members of the body that usually hold the URL of the next page (`next`, `next_url`,
  /// `links.next`, `_links.next.href`, `@odata.nextLink`, `paging.next`, …), and the known
  /// conventions of some APIs for tokens, cursors and page numbers: AIP-158, Slack, Stripe, Notion,
  /// DynamoDB, CloudKit, GraphQL connections, Elasticsearch, and numbers that the request sent and
  /// the response repeats. If there is none of them the page is the only one, unless the response
  /// indicates that there are more items: that is an error, because a guess would show a part of
  /// the list as all of it.
  ///
  /// A page whose ``Page/style`` still has the name `auto` is the only one: nothing was recognized in it.
  public static let auto = PageStyle(name: "auto", rule: .recognized)

  /// The style of a response; nil if the page is the only one.
  ///
  /// - Parameter response: the whole response; nil for a body that is an array. The recognized
  ///   style then does not need the body either.
  /// - Throws: ``PageError`` if there are more items, and no style is recognized.
  static func recognize(_ head: Head, _ response: Response?) throws(PageError) -> PageStyle? {
    if let style = style(of: head, response) { return style }
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
    for path in linkPaths + ambiguousPaths {
      guard let reference = response.frame.linkValue(at: path)?.string, !reference.isEmpty else {
        continue
      }
      if reference.isReference || response.frame[at: path]?.kind == .object
        || linkPaths.contains(path)
      {
        return .nextURL(at: path)
      }
    }
    return response.head.request.method.isSafe ? response.queryStyle : response.bodyStyle
  }

  /// Members that hold only links: any string there is a URI reference.
  fileprivate static let linkPaths: [JSONPath] = [
    "next_url", "nextUrl", "nextURL", "next_href", "next_link", "nextLink", "next_page_url",
    "links.next", "_links.next.href", "_links.next", "link.next", "@odata.nextLink",
    "odata.nextLink", "pagination.next_url", "pagination.links.next", "meta.next_url",
    "meta.pagination.links.next", "hydra:view.hydra:next", "view.next",
  ]

  /// Members that hold a link with some servers, and a token or a page number with others: a string
  /// there has to look like a URI reference.
  fileprivate static let ambiguousPaths: [JSONPath] = [
    "next", "next_page", "nextPage", "paging.next", "pagination.next", "meta.next", "page.next",
    "info.next",
  ]
}

extension PageStyle.Head {
  /// The header field that names a next page without a URL, such as `X-Next-Page: 2`.
  fileprivate var continuation: String? {
    fields(with: .next).first { !$0.value.isEmpty }?.name
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
      case .next, .hasMore, nil: break
      }
    }
    return response?.surplus
  }
}

extension PageStyle.Response {
  /// The member that indicates more items, in a way that is not recognized as a style.
  fileprivate var continuation: String? {
    let found = descriptors
    let sign =
      found.first { ListSign($0.name) == .hasMore && $0.value.isTrue }
      ?? found.first {
        ListSign($0.name) == .next && frame.linkValue(at: $0.path)?.isContinuation == true
      }
    return sign?.path.names.joined(separator: ".") ?? connectionPath.map {
      $0.appending("hasNextPage").description
    }
      ?? pagesAfter?.description
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

extension JSONText {
  /// Whether a member that could hold a link or a token is not empty.
  fileprivate var isContinuation: Bool {
    switch kind {
    case .string: string?.isEmpty != true
    case .object: members?.isEmpty != true
    case .number, .bool, .array, .null: isTrue
    }
  }

  /// Whether this is `true`, or what some servers write instead.
  fileprivate var isTrue: Bool {
    bool == true || kind == .number && int != 0 || string?.asciiLowercased == "true"
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
