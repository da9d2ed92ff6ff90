/// Signs that a list has more items than the page.
extension ListDescription {
  /// A header field or member that says so in a way that is not recognized as a style.
  var signOfMore: PageError.Continuation? {
    let likelyLink = pageMembers.lazy.compactMap(\.likelyNext).first
    if let sign = continuationField ?? continuationMember ?? linkToLater ?? likelyLink {
      return sign
    }
    // Only then a total shows what comes after the page.
    let showsSurplus = isAtStart && !hasNullLink
    guard let surplus = showsSurplus ? surplusField ?? surplusMember ?? likelySurplusMember : nil
    else {
      return head.isEndOfRange == true ? nil : hint
    }
    // A URL or a token leads on, and a number does not.
    let describing = objects.lazy.filter { $0.role >= .list }
    return describing.compactMap(hintOfMore).map(\.signOfMore).first {
      $0.kind == .link || $0.tokenName != nil
    } ?? surplus
  }

  /// The link to the last page where that has a higher number than this one, and no page is linked as the
  /// next.
  private var linkToLater: PageError.Continuation? {
    head.linkToLater
      ?? (hasNullLink ? nil : pageMembers.linkToLater(than: head) { statedTotal?.total })
  }

  /// The member that indicates more items under a usual name.
  private var continuationMember: PageError.Continuation? {
    let flag = pageMembers.flag(ofMore: true)
    let isEnd = flag == nil && pageMembers.flag(ofMore: false) != nil
    // monday.com's `"next_items_page": {"cursor": null, "items": []}` is the page itself.
    let next = pageMembers.first { $0.sign == .next && !$0.enclosesItems && $0.isContinuation }
    if let next, !isEnd { return next.signOfMore }
    if let flag {
      // A position beside it leads to them.
      let position =
        pageMembers.first(where: isNextPosition) ?? pageMembers.first(where: isAfterItems)
      return position?.signOfMore ?? flag.sign(.flag)
    }
    if let path = response?.connectionPath {
      return PageError.Continuation(at: .member(path.appending("hasNextPage")), .flag)
    }
    if let numbering = numberings.first(where: \.hasMore) {
      return PageError.Continuation(at: .member(numbering.countPath), .pageCount)
    }
    return isEnd ? nil : pageMembers.first(where: isNextPosition)?.signOfMore
  }

  /// The member that counts more items than the page has, or more pages, under a usual name.
  private var surplusMember: PageError.Continuation? {
    if let statedTotal, statedTotal.exceeds(head.itemCount) {
      if let path = statedTotal.pathOfLowerBound, statedTotal.total <= head.itemCount {
        return PageError.Continuation(at: .member(path), .flag)
      }
      return PageError.Continuation(at: .member(statedTotal.path), .itemCount)
    }
    return objects.lazy.filter { $0.role == .page && $0.numbering == nil }
      .compactMap(\.pageCount).first { $0.value.statedCount ?? 0 > 1 }?.sign(.pageCount)
  }

  /// The member that counts more items than the page has, or more pages, to judge by the words of its name.
  private var likelySurplusMember: PageError.Continuation? {
    guard head.isEndOfRange != true, let surplus = listMembers.first(where: isLikelySurplus) else {
      return nil
    }
    return surplus.sign(surplus.hint == .pageCount ? .pageCount : .itemCount)
  }

  /// The member whose name or value hints at more items.
  private var hint: PageError.Continuation? {
    guard pageMembers.flag(ofMore: false) == nil else { return nil }
    // Some servers send a token with the last page, too.
    let isWhole =
      statedTotal.map { $0.total == head.itemCount && !$0.isLowerBound } == true
      || listMembers.contains { $0.likelyTotal == head.itemCount }
    let describing = objects.lazy.filter { $0.role >= .list }
    if !isWhole, let more = describing.compactMap(hintOfMore).first {
      return more.hint == .rest ? more.sign(.itemCount) : more.signOfMore
    }
    guard end == nil else { return nil }
    if !isWhole,
      let token = listMembers.first(where: { $0.value.kind == .string && isNextPosition($0) })
    {
      return token.signOfMore
    }
    let others = objects.lazy.filter { $0.role == .unknown }.flatMap(\.members)
    if let more = others.first(where: \.isUsualSignOfMore) { return more.signOfMore }
    // Beside the number of all items, `count` is the size of a page: Slack's `"paging": {"count": 100, "total": 3}`.
    guard isAtStart, !isWhole else { return nil }
    return listMembers.first { surplusCount($0) != nil }?.sign(.itemCount)
  }

  private func isNextPosition(_ member: Member) -> Bool {
    // A scroll has no last page.
    member.sign == .position && !member.enclosesItems && member.value.isContinuation
      && (member.name.joined != "scrollid" || statedTotal?.exceeds(head.itemCount) != false)
      && !member.isBackwardPosition && !member.isLastPosition
      && parameters.mayPrecede(member.value.string ?? member.value.description, named: member.name)
      && !member.value.saysEnd
  }

  /// Whether this has the URL of what comes after the items, or what the last one is known by, to judge by words of the
  /// name: Zendesk's `after_url`, OpenAI's `last_id`.
  private func isAfterItems(_ member: Member) -> Bool {
    let words = member.name.words
    if words.contains("after"), member.value.string?.isReference == true { return true }
    guard [.string, .number].contains(member.value.kind), member.value.isContinuation,
      words.contains(where: ["last", "after", "cursor", "offset"].contains),
      // The number of the last page may be that of an item, too.
      ![.pageCount, .isLast, .totalCount].contains(member.sign)
    else { return false }
    return response?.itemArray[at: "-1"]?.members?.contains {
      $0.value.kind == member.value.kind && $0.value.description == member.value.description
    } == true
  }

  private func isLikelySurplus(_ member: Member) -> Bool {
    if let total = member.likelyTotal { return total > head.itemCount }
    if member.hint == .resultCount { return surplusCount(member) != nil }
    return member.hint == .pageCount && member.sign == nil && member.value.statedCount ?? 0 > 1
  }

  private func hintOfMore(in object: Object) -> Member? {
    // A link that is null ends the list, whatever is beside it; so does a flag of a cursor.
    let isEnd =
      object.role < .page && object.members.sayEnd
      || object.members.contains {
        ListSign.linkNames.contains($0.name.joined) && !$0.isContinuation
      }
    let countsStates = object.members.contains { Self.states.contains($0.name.joined) }
    return object.members.first { member in
      switch member.hint {
      case .more:
        // A scroll ends with an empty page.
        !isEnd && !member.enclosesItems && member.isContinuation
          && !(head.itemCount == 0 && member.name.words.contains("scroll"))
      case .flag: !isEnd && member.value.kind != .number && member.value.isTrue
      case .rest:
        // Beside the numbers of other states it is one of them.
        !countsStates && member.value.statedCount ?? 0 > 0
      case .totalCount, .resultCount, .count, .pageCount, nil: false
      }
    }
  }

  /// Members that count things by their state, or what is left of a quota.
  static let states: Set = [
    "running", "failed", "completed", "complete", "active", "done", "finished", "succeeded",
    "queued", "closed", "open", "approved", "rejected", "success", "error", "errors", "processed",
    "processing", "inprogress", "canceled", "cancelled", "skipped", "used", "reset",
  ]

  /// The number at a member that counts the items of the list or of the page, if it is larger than theirs.
  func surplusCount(_ member: Member) -> Int? {
    guard member.hint == .count || member.hint == .resultCount,
      let number = member.value.statedCount, number > head.itemCount
    else { return nil }
    return number
  }
}

extension Sequence<ListDescription.Member> {
  /// The sign of more items that a link to the last page is which has a higher number than this one.
  ///
  /// - Parameter total: the number of items in the whole list. Some servers link the page after the last one if that
  ///   is full.
  func linkToLater(
    than head: PageStyle.Head, of total: () -> Int?
  ) -> PageError.Continuation? {
    for member in self where member.name.joined == "last" {
      if let url = member.value.linkValue?.string,
        let sign = head.sign(.member(member.path), ofLater: url, before: total())
      {
        return sign
      }
    }
    return nil
  }
}

extension PageStyle.Head {
  /// The sign of more items in a `Link` to the last page that has a higher number than this one.
  var linkToLater: PageError.Continuation? {
    let last = LinkHeader(headers.values(for: "Link")).link(for: "last", from: url)
    return last.flatMap { sign(.headerField("Link"), ofLater: $0.target) }
  }

  /// The sign of more items that a URL at a place is: it has a page number or an offset that is higher than in the
  /// request, and the offset is before the end of the list. Nil for any other.
  fileprivate func sign(
    _ place: PageError.Continuation.Place, ofLater url: String, before end: Int? = nil
  ) -> PageError.Continuation? {
    let query = URIQuery(url: request.url)
    for parameter in URIQuery(url: url).parameters {
      let name = MemberName(parameter.name)
      guard name.isPageNumber || name.isOffset, let number = parameter.value.flatMap({ Int($0) })
      else { continue }
      let requested = query.value(of: parameter.name).flatMap { Int($0) }
      guard number > requested ?? (name.isOffset ? 0 : 1),
        !name.isOffset || end.map({ number < $0 }) ?? true
      else { continue }
      var sign = PageError.Continuation(at: place, .flag)
      sign.counting =
        name.isOffset
        ? .offset(name.text) : .pageNumber(name.text, startingAt: requested == 0 ? 0 : 1)
      return sign
    }
    return nil
  }
}

extension ListDescription.Member {
  func sign(_ kind: PageError.Continuation.Kind) -> PageError.Continuation {
    PageError.Continuation(at: .member(path), kind)
  }

  /// The sign of more items that a link in an array of links is, which is not recognized as the next one: by its
  /// path in a style that names it, or else by its own.
  var likelyNext: PageError.Continuation? {
    guard isNamedForLinks, [.object, .array].contains(value.kind),
      let index = value.indexOfLikelyNext
    else { return nil }
    if value.linkValue(of: "next")?.string?.isEmptyToken == false {
      return PageError.Continuation(at: .member(path.appending("next")), .link)
    }
    let link = value.kind == .array ? path.appending(String(index)) : path
    return PageError.Continuation(at: .member(link), .flag)
  }

  /// The sign of more items that this is, by its name and its value.
  fileprivate var signOfMore: PageError.Continuation {
    let isURL = value.linkValue?.string?.isReference == true
    // Vultr's `"meta": {"links": {"next": "WxYz"}}`.
    let isToken =
      ["next", "nextpage"].contains(name.joined) && [.string, .number].contains(value.kind)
    let isLink =
      isInLinkObject && !isToken
      || name.words.contains { ["url", "uri", "href", "link"].contains($0) }
    let isFlag = sign == .hasMore || value.kind != .number && value.isTrue
    var sign = sign(isURL ? .link : isFlag ? .flag : isLink ? .link : .token)
    // MediaWiki's `"continue": {"cmcontinue": "page|7", "continue": "-||"}`.
    let tokens = value.namedMembers.filter {
      $0.name.text != name.text && [.string, .number].contains($0.value.kind)
        && $0.value.isContinuation && !ListSign.isBackward($0.name.joined) && !$0.name.isPageSize
    }
    let forward = tokens.first { ["after", "next"].contains($0.name.joined) }
    // Intercom's `"next": {"page": 2, "starting_after": "WzE3M"}`.
    let text = tokens.first { $0.value.kind == .string }
    sign.tokenName = (forward ?? text ?? tokens.first)?.name.text
    return sign
  }

  /// Whether a position is that of the page before this one alone, beside the size of a page, as with Figma's
  /// `"cursor": {"before": 2588}`.
  fileprivate var isBackwardPosition: Bool {
    value.kind == .object
      && value.namedMembers.allSatisfy {
        $0.value.kind == .null || ListSign.isBackward($0.name.joined) || $0.name.isPageSize
      }
  }

  /// Whether a position has no token of the next page, as with Phabricator's
  /// `"cursor": {"limit": 100, "after": null, "order": "newest"}`.
  fileprivate var isLastPosition: Bool {
    let tokens = value.namedMembers.filter { ["after", "next"].contains($0.name.joined) }
    return !tokens.isEmpty && tokens.allSatisfy { !$0.value.isContinuation }
  }

  /// Whether a member of an object of which nothing is known has a usual name for more items, or is a flag that
  /// a limit of theirs was exceeded.
  fileprivate var isUsualSignOfMore: Bool {
    guard value.isContinuation else { return false }
    switch sign {
    case .next: return name.words.count > 1
    case .hasMore: return value.isTrue && name.words.count > 1
    default:
      guard hint == .more, value.bool == true else { return false }
      return name.words.contains("exceeded")
        && !Self.wordsOfParts.isDisjoint(with: name.words)
    }
  }

  /// What a limit of a part of a list is of: `exceededTransferLimit`.
  private static let wordsOfParts: Set = [
    "transfer", "response", "result", "results", "record", "records", "row", "rows", "items",
    "page",
  ]
}
