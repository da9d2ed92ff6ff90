/// Recognising a style in an answer.
extension PageStyle {
  /// Whichever style is recognised in the first answer; ``Page/style`` then names it.
  ///
  /// Looked at are, in this order: the `Link` header field, `Next-Page` and `X-Next-Page`, the
  /// members of the body that usually hold the URL of the next page (`next`, `next_url`,
  /// `links.next`, `_links.next.href`, `@odata.nextLink`, `paging.next`, …), and the tokens of
  /// AIP-158. Where there is none of them the page is the only one, unless the body tells that
  /// there is more: that is an error, because a guess would show a part of the list as all of it.
  public static let auto = PageStyle(name: "auto", rule: .recognised)

  /// The links of an answer and the style that was recognised; `.auto` where none was.
  ///
  /// - Parameters:
  ///   - head: what is known without the body.
  ///   - answer: the whole answer; nil for a body that is an array and has no other members.
  static func recognisedLinks(of head: Head, in answer: Answer?) throws -> (Links, PageStyle) {
    guard let style = recognise(head, answer) else {
      if let place = head.continuation ?? answer?.continuation {
        throw PageError.unknownContinuation(at: place)
      }
      return (Links(), .auto)
    }
    switch (style.rule, answer) {
    case (.head(let links), _): return (try links(head), style)
    case (.body(let links), let answer?): return (try links(answer), style)
    default: return (Links(), .auto)
    }
  }

  private static func recognise(_ head: Head, _ answer: Answer?) -> PageStyle? {
    let link = LinkHeader(head.headers.values(for: "Link"))
    if link.link(for: "next", from: head.url) != nil { return .linkHeader }
    if let name = nextHeaders.first(where: { head.headers[$0]?.isReference == true }) {
      return .header(name)
    }
    guard let frame = answer?.frame else { return nil }
    for path in nextPaths {
      guard let value = frame[at: path] else { continue }
      if (value["href"] ?? value).string?.isReference == true { return .nextURL(at: path) }
    }
    // Where a token goes in a POST body is anybody's guess.
    guard head.request.method.isSafe else { return nil }
    for (path, parameter) in tokenPaths where frame[at: path]?.string?.isEmpty == false {
      return .token(at: path, query: parameter)
    }
    return nil
  }

  fileprivate static let nextHeaders = ["Next-Page", "X-Next-Page"]

  fileprivate static let nextPaths: [JSONPath] = [
    "next", "next_url", "nextUrl", "nextURL", "next_href", "next_link", "nextLink", "next_page",
    "next_page_url", "links.next", "_links.next.href", "_links.next", "@odata.nextLink",
    "odata.nextLink", "paging.next", "pagination.next", "pagination.next_url",
    "pagination.links.next", "meta.next", "meta.next_url", "meta.pagination.links.next",
    "page.next", "info.next", "hydra:view.hydra:next", "view.next",
  ]

  fileprivate static let tokenPaths: [(JSONPath, parameter: String)] = [
    ("next_page_token", "page_token"), ("nextPageToken", "pageToken"),
  ]
}

extension PageStyle.Head {
  /// The header field that tells of a next page without a URL, as `X-Next-Page: 2`.
  fileprivate var continuation: String? {
    PageStyle.nextHeaders.first { headers[$0]?.isEmpty == false }
  }
}

extension PageStyle.Answer {
  /// The member that tells that there is more, in a way that is not recognised as a style.
  fileprivate var continuation: String? {
    let flags: [JSONPath] = [
      "has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage",
      "meta.has_more", "meta.hasNextPage", "pagination.has_more", "pagination.has_next",
      "pageInfo.hasNextPage",
    ]
    if let flag = flags.first(where: { frame[at: $0]?.bool == true }) { return flag.description }
    let tokens: [JSONPath] = [
      "next_cursor", "nextCursor", "next_token", "nextToken", "NextToken", "meta.next_cursor",
      "response_metadata.next_cursor", "LastEvaluatedKey", "continuationMarker",
      "continuationToken", "continuation_token",
    ]
    let places = tokens + PageStyle.tokenPaths.map(\.0) + PageStyle.nextPaths
    return places.first { frame[at: $0].map(\.isContinuation) ?? false }?.description
      ?? connectionPath?.description
  }

  /// The `pageInfo` beside the items of a GraphQL connection that has a next page.
  private var connectionPath: JSONPath? {
    itemPath.names.indices.reversed().lazy
      .map { JSONPath(names: itemPath.names[..<$0] + ["pageInfo", "hasNextPage"]) }
      .first { frame[at: $0]?.bool == true }
  }
}

extension JSONText {
  /// Whether a member that could hold a link or a token does hold something.
  fileprivate var isContinuation: Bool {
    switch kind {
    case .string: string?.isEmpty != true
    case .number: int != 0
    case .object: members?.isEmpty != true
    case .array, .bool, .null: false
    }
  }
}

extension String {
  /// Whether this looks like a URI reference, and not like a token or a page number.
  fileprivate var isReference: Bool {
    let start = asciiLowercased
    return ["http://", "https://", "/", "?", "./", "../"].contains(where: start.hasPrefix)
      || utf8.contains(UInt8(ascii: "?"))
  }
}
