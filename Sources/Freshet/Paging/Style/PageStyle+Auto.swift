/// Recognizing a style in a response.
extension PageStyle {
  /// The style that recognizes the style of the first response; ``Page/style`` is then the recognized one.
  ///
  /// These are examined, in this order: the `Link` header field, `Next-Page` and `X-Next-Page`, the members
  /// of the body that usually hold the URL of the next page (`next`, `next_url`, `links.next`,
  /// `_links.next.href`, `@odata.nextLink`, `paging.next`, …), and the known conventions of some APIs for
  /// tokens, cursors and page numbers: AIP-158, Slack, Stripe, Notion, Kubernetes, Reddit, Airtable, Jira,
  /// DynamoDB, CloudKit, GraphQL connections, Elasticsearch if the hits are sorted by an identity or at a
  /// point in time, and numbers that the request sent and the response repeats. If there is none of them the
  /// page is the only one, unless the response indicates that there are more items: that is an error, because a
  /// guess would show a part of the list as all of it. A total and a link to the last page are no such indication if
  /// the member for the URL of the next page is null. If a response with such a URL says that there are no more
  /// items, as Paddle's last one does, the list ends if the page has no items, or the URL leads to it or to a page
  /// before it. A list whose style was recognized also ends at what servers write for no URL or token, such as
  /// `"None"` or `false`. If the page is the whole list, choose ``single``. If the response indicates neither more
  /// items nor the end, the log has an entry of the category ``Service/LogEntry/Category/presumedEnd``.
  ///
  /// A page whose ``Page/style`` still has the name `auto` is the only one: nothing was recognized in it.
  public static let auto = PageStyle(.auto, rule: .recognized)

  /// The style of a list with one page, whatever the response says about more pages.
  ///
  /// For a list without pages in which ``auto`` finds a sign of more: a token for later changes, or a
  /// total of something else.
  public static let single = PageStyle(.single, rule: .head { _, _ in Links() })

  /// The style of a response; nil if the page is the only one.
  ///
  /// - Throws: ``PageError`` if there are more items, and no style is recognized.
  static func recognize(_ list: ListDescription) throws(PageError) -> PageStyle? {
    if let style = list.style { return style.recognized() }
    if list.response?.isStripeList == true, list.head.request.method.isSafe {
      throw .lastItemNeeded(query: "starting_after", more: "has_more")
    }
    if let sign = list.response?.sharedPosition(in: list) {
      throw .unknownContinuation(sign)
    }
    if var sign = list.signOfMore {
      sign.counting = sign.counting ?? list.countingStyle
      let flag = list.pageMembers.first { $0.sign == .hasMore && $0.value.bool == true }
      sign.more = flag?.path
      sign.identity = sign.kind == .flag ? list.response?.lastIdentity : nil
      // A query of SQL has no `data`.
      if list.response?.frame["data"]?.kind == .object {
        sign.variables = list.parameters.body?.variablesOfAfter
      }
      throw .unknownContinuation(sign)
    }
    return nil
  }
}

extension ListDescription {
  fileprivate var style: PageStyle? {
    if links.link(for: "next", from: head.url) != nil
      || links.malformedElement(for: "next") != nil
    {
      return .linkHeader
    }
    if let field = head.fields(with: .next).first(where: { $0.value.isReference }) {
      return .header(field.name)
    }
    if let style = head.numberedStyle { return style }
    guard let response else { return nil }
    if let linkPath {
      let hasFlag = [true, false].contains { pageMembers.flag(ofMore: $0) != nil }
      return .nextURL(at: linkPath, hasFlag: hasFlag)
    }
    return head.request.method.isSafe
      ? response.queryStyle ?? numberedStyle
      : parameters.body.flatMap { response.bodyStyle($0) ?? numberedStyle }
  }

  /// The path of the member that holds the URL of the next page.
  ///
  /// Some names are used for links alone: any string there is a URI reference. Others hold a token or
  /// a page number with some servers: a string there has to look like a URI reference, or be the target of
  /// a link object. In an object of links, a path without a `/` at its start is one, too; and a single word if that
  /// object is on the outermost level. Deeper inside, as at Vultr's `meta.links.next`, the word may be a token.
  private var linkPath: JSONPath? {
    let isLink = { (value: JSONText?) in value?.string?.isEmptyToken == false }
    let certain = pageMembers.lazy.compactMap { member -> JSONPath? in
      if ListSign.linkNames.contains(member.name.joined) {
        return isLink(member.value.linkValue) ? member.path : nil
      }
      let holdsLink =
        (member.isNamedForLinks || member.value.isArrayOfLinks)
        && (member.value["next"] != nil
          || member.value.indexOfLink("next", in: ["rel", "relation"]) != nil)
        && (member.objectPath.names.isEmpty
          || member.value["next"]?.string?.mayBeReference != false)
        && isLink(member.value.linkValue(of: "next"))
      return holdsLink ? member.path.appending("next") : nil
    }
    let ambiguous = pageMembers.lazy.filter { member in
      ["next", "nextpage"].contains(member.name.joined)
        && (member.value.kind != .string || member.value.string?.isReference == true)
        && isLink(member.value.linkValue)
    }.map(\.path)
    // As people write it: `@odata.nextLink`. Another member may have the same path.
    let path = (certain.first ?? ambiguous.first).map { JSONPath($0.names.joined(separator: ".")) }
    return path.flatMap { isLink(response?.frame.linkValue(at: $0)) ? $0 : nil }
  }
}

extension PageStyle.Head {
  /// GitLab without a `Link`: `X-Page: 1` and `X-Next-Page: 2`.
  fileprivate var numberedStyle: PageStyle? {
    guard let next = headers["X-Next-Page"].flatMap(Int.init),
      let number = headers["X-Page"].flatMap(Int.init), number.isFollowed(by: next)
    else { return nil }
    return .token(inHeader: "X-Next-Page", query: "page")
  }
}

extension JSONText {
  /// Whether a member that could hold a link or a token is not empty.
  var isContinuation: Bool {
    switch kind {
    case .string: string?.isEmptyToken != true
    case .object: members?.isEmpty != true
    case .number: ![0, -1].contains(double)
    case .bool, .array, .null: bool == true
    }
  }

  /// Whether this is `true`, or what some servers write instead.
  var isTrue: Bool {
    bool == true || kind == .number && double != 0 || isWritten(["true", "yes", "y"])
  }

  /// Whether this is `false`, or what some servers write instead.
  var isFalse: Bool {
    bool == false || kind == .number && double == 0 || isWritten(["false", "no", "n"])
  }

  /// Whether this says that there are no more items, under a name that could say that there are.
  var deniesMore: Bool {
    // Google's Datastore has `"moreResults": "NO_MORE_RESULTS"`.
    isFalse || string?.words.starts(with: ["no", "more"]) == true
  }

  private func isWritten(_ texts: [String]) -> Bool {
    string.map { texts.contains($0.asciiLowercased) } ?? false
  }
}

extension String {
  /// Whether this looks like a URI reference, or has several parts, as a relative path.
  fileprivate var mayBeReference: Bool { isReference || utf8.contains(UInt8(ascii: "/")) }

  /// Whether this is what servers write if there is no token.
  var isEmptyToken: Bool {
    ["", "0", "-1", "-", "false", "null", "nil", "none", "n/a", "undefined"]
      .contains(asciiLowercased)
  }

  /// Whether this looks like a URI reference, not like a token or a page number.
  var isReference: Bool {
    let start = asciiLowercased
    return ["http://", "https://", "/", "?", "./", "../"].contains(where: start.hasPrefix)
      || utf8.contains(UInt8(ascii: "?"))
  }
}
