/// What the first response says of its list, gathered once for all that is asked about it.
struct ListDescription {
  let head: PageStyle.Head
  /// The whole response; nil for a body that is an array.
  let response: PageStyle.Response?
  let parameters: RequestParameters
  let links: LinkHeader
  /// What a header field with an object says of the list. None or one: an array, because a list is described inside.
  let fieldLists: [(name: String, list: ListDescription)]
  /// The objects outside the item array, the outermost first.
  let objects: [Object]
  /// The members of objects that describe a page.
  let pageMembers: [Member]
  /// Those and the members of all other objects that describe the list.
  let listMembers: [Member]
  /// The number of items in the whole list that the body has under a usual name.
  let statedTotal: Total?

  init(_ head: PageStyle.Head, _ response: PageStyle.Response?) {
    self.head = head
    self.response = response
    parameters = RequestParameters(head.request)
    links = LinkHeader(head.headers.values(for: "Link"))
    fieldLists = Self.fieldLists(in: head)
    let nouns = response?.itemPath.names.last.map { ListHint.nouns(of: $0) }
    objects =
      response.map {
        Self.objects(in: $0.frame, around: $0.itemPath, from: .unknown, nouns: nouns ?? [])
      } ?? []
    pageMembers = objects.filter { $0.role == .page }.flatMap(\.members)
    listMembers = objects.filter { $0.role >= .list }.flatMap(\.members)
    statedTotal = response?.statedTotal(in: pageMembers)
  }

  /// Whether there is a `Link` header field with a relation between pages.
  var linksPages: Bool {
    ["next", "prev", "previous", "first", "last"].contains {
      links.link(for: $0, from: head.url) != nil
    }
  }

  /// Whether the request is for the start of the list, so that a total shows what comes after the page. A
  /// server that links pages in `Link` says there what is next.
  var isAtStart: Bool {
    guard !linksPages else { return false }
    return switch parameters.start {
    case .first: true
    case .unclear:
      // The response may have the number of the first page, or of no items before this one.
      pageMembers.contains {
        let name = $0.name.withoutCurrent
        return name.isPageNumber && $0.value.statedCount == 1
          || name.isOffset && $0.value.statedCount == 0
      }
    case .later: false
    }
  }

  /// The number of items in the whole list.
  struct Total {
    /// The number; `Int.max` for one too large to count.
    let total: Int
    let path: JSONPath
    /// The path of the member that says that there may be more items than that; nil for an exact number.
    var pathOfLowerBound: JSONPath?

    var isLowerBound: Bool { pathOfLowerBound != nil }

    func exceeds(_ count: Int) -> Bool { total > count || isLowerBound && count > 0 }
  }

  /// An object outside the item array.
  struct Object {
    let role: ObjectRole
    let members: [Member]
  }

  /// A member of such an object.
  struct Member {
    let name: MemberName
    let value: JSONText
    var objectPath = JSONPath.root
    /// Whether the object has a usual name for links. Read once for each object: a name may be long.
    var isInLinkObject = false
    /// Whether the item array is in it.
    var enclosesItems = false
    /// Whether it is an array with the name of the item array and `links`.
    var isNamedForItems = false
    fileprivate(set) var sign: ListSign?
    /// What the words of the name say; nil if no hints were wanted.
    fileprivate(set) var hint: ListHint?

    /// Whether it has the links of pages alone: by its name, or as an array of links that is named for the item
    /// array, as `servers_links` is for `servers`. Others, as `related_links`, lead elsewhere.
    var isNamedForLinks: Bool {
      ListSign.linkObjectNames.contains(name.joined)
        || isNamedForItems && value.isArrayOfLinks
    }

    var path: JSONPath { objectPath.appending(name.text) }
    var location: String { path.names.joined(separator: ".") }
  }
}

extension ListDescription {
  /// The objects outside an item array, the outermost first, as deep as an
  /// item array is looked for.
  ///
  /// Those that the array is in describe a page, whatever their names are, and so does the one before it in an array
  /// of just these; one inside another describes no more than that.
  ///
  /// - Parameters:
  ///   - frame: the body without its items.
  ///   - itemPath: the path of the item array.
  ///   - least: the role of the objects that are looked into, if not more.
  ///   - nouns: what the items are called; nil for no hints.
  static func objects(
    in frame: JSONText, around itemPath: JSONPath, from least: ObjectRole, nouns: Set<String>? = nil
  ) -> [Object] {
    var level = [(path: JSONPath.root, value: frame, role: ObjectRole.page, isAroundItems: true)]
    if frame.kind == .array, itemPath == JSONText.pathBesideDescription,
      let description = frame[at: "0"]
    {
      level = [("0", description, .page, false)]
    }
    var found: [Object] = []
    for depth in 0..<5 where !level.isEmpty {
      let itemName = depth < itemPath.names.count - 1 ? itemPath.names[depth] : nil
      var inside: [(path: JSONPath, value: JSONText, role: ObjectRole, isAroundItems: Bool)] = []
      for object in level {
        let isLinkObject =
          object.path.names.last.map { ListSign.linkObjectNames.contains($0.withoutSeparators) }
          == true
        var members = (object.value.members ?? []).map { name, value in
          let memberName = MemberName(name)
          return Member(
            name: memberName, value: value, objectPath: object.path, isInLinkObject: isLinkObject,
            enclosesItems: object.isAroundItems && name == itemName,
            isNamedForItems: value.kind == .array && memberName.joined.hasSuffix("links")
              && itemPath.names.last.map { memberName.joined == $0.withoutSeparators + "links" }
                == true,
            sign: ListSign(memberName.joined), hint: nouns.flatMap { ListHint(name, nouns: $0) })
        }
        members.ignoreOtherCounts()
        members.ignoreCountOfPage()
        members.readTotalOfPages()
        members.readEndAsToken()
        found.append(Object(role: object.role, members: members))
        for member in members where member.value.kind == .object {
          var role = member.enclosesItems ? .page : min(object.role, ObjectRole(member.name))
          // openFDA's `"results": {"skip": 0, "limit": 1, "total": 3}`.
          if role == .list, member.value.describesPages { role = .page }
          if role == .unknown, least < .page, object.role > .unknown, member.value.describesPages {
            role = .list
          }
          if role >= least {
            inside.append((member.path, member.value, role, member.enclosesItems))
          }
        }
      }
      level = inside
    }
    return found
  }
}

extension PageStyle.Response {
  var pageMembers: [ListDescription.Member] { pageObjects.flatMap(\.members) }

  /// Whether there is an item array: a body without one may be an empty page.
  var hasItemArray: Bool { !itemPath.names.isEmpty || body.kind == .array }

  /// The names in the object with the item array; nil if that has a usual name for lists, or is the body.
  var namesBesideItems: Set<String>? {
    guard let name = itemPath.names.last, !MemberName(name).isOfList else { return nil }
    return frame[at: JSONPath(names: itemPath.names.dropLast())]?.members
      .map { Set($0.map(\.name)) }
  }
}

extension ListDescription.Member {
  /// Whether the value says that there is more, under a name that could say so.
  var isContinuation: Bool {
    // Links, or a position that is made of several values.
    if value.kind == .array { return sign == .next && value[at: "0"] != nil }
    if sign == .hasMore, value.deniesMore { return false }
    return value.linkValue?.isContinuation == true
  }

  fileprivate var countsFiltered: Bool {
    value.statedCount != nil && name.words.contains("filtered")
  }

  /// Whether this is the number of all things, or of those in another state than `done`.
  fileprivate var isBesideDone: Bool {
    value.statedCount != nil && name.joined != "done"
      && (sign == .totalCount || name.joined == "pending"
        || ListDescription.states.contains(name.joined))
  }

  /// Whether it has the number of items in the whole list, or of the results on the page.
  var countsItems: Bool { sign == .totalCount || hint == .totalCount || hint == .resultCount }

  /// The number of items in the whole list, to judge by the words of the name.
  var likelyTotal: Int? { hint == .totalCount ? value.statedCount : nil }
}

extension [ListDescription.Member] {
  /// Removes the signs of numbers that count other things: all items, beside those that a filter leaves, and
  /// what is done, beside other states.
  fileprivate mutating func ignoreOtherCounts() {
    let isFiltered = contains { $0.sign == .totalCount && $0.countsFiltered }
    let done = firstIndex { $0.name.joined == "done" && $0.value.kind == .number }
    guard isFiltered || done != nil else { return }
    if let done, contains(where: \.isBesideDone) { self[done].sign = nil }
    for index in indices where isFiltered && !self[index].countsFiltered {
      if self[index].sign == .totalCount { self[index].sign = nil }
      if [.totalCount, .resultCount, .count].contains(self[index].hint) { self[index].hint = nil }
    }
  }

  /// Removes the sign of a `page_count` that is the number of items on the page, as with Open Food Facts: that many
  /// pages would have fewer items than are counted beside it.
  fileprivate mutating func ignoreCountOfPage() {
    guard
      let index = firstIndex(where: { $0.sign == .pageCount && $0.name.joined == "pagecount" }),
      let count = self[index].value.statedCount,
      let size = lazy.filter(\.name.isPageSize).compactMap(\.value.statedCount).max(), size > 0
    else { return }
    let isOfPage = contains {
      ($0.sign == .totalCount || $0.name.joined == "count")
        && $0.value.statedCount ?? 0 > count.saturatingProduct(size)
    }
    if isOfPage { (self[index].sign, self[index].hint) = (nil, nil) }
  }

  /// Takes `total` for the number of pages if the only other number beside it is that of the `current` one, as
  /// with API-Football. Items are counted beside the size of a page.
  fileprivate mutating func readTotalOfPages() {
    guard let current = first(where: { $0.name.joined == "current" })?.value.statedCount,
      let index = firstIndex(where: { $0.name.joined == "total" }),
      let total = self[index].value.statedCount, total > 0, current <= total,
      count(where: { $0.value.statedCount != nil }) == 2
    else { return }
    (self[index].sign, self[index].hint) = (.pageCount, nil)
  }

  /// Takes `end` for the token of the next page where `start` is that of this one, as with Matrix. Days, hours and
  /// names are not tokens.
  fileprivate mutating func readEndAsToken() {
    let isToken = { (member: Element, name: String) in
      member.name.joined == name && member.value.string?.isLongToken == true
    }
    guard let end = firstIndex(where: { $0.sign == .isLast && isToken($0, "end") }),
      contains(where: { isToken($0, "start") })
    else { return }
    self[end].sign = .position
  }
}

extension String {
  /// Whether this is one word of letters and digits, a letter first, that is too long for a name.
  fileprivate var isLongToken: Bool {
    let bytes = utf8
    return bytes.count > 15 && bytes.first?.isASCIILetter == true
      && bytes.contains(where: \.isASCIIDigit)
      && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.~=".utf8.contains($0) }
  }
}

extension Sequence<ListDescription.Member> {
  /// The member that says by itself that there are more items, or that there are not.
  func flag(ofMore isMore: Bool) -> ListDescription.Member? {
    first { $0.sign?.isFlag($0.name, $0.value, ofMore: isMore) == true }
  }

  /// Whether a flag says that there are no more items, and none that there are.
  var sayEnd: Bool { flag(ofMore: false) != nil && flag(ofMore: true) == nil }
}

extension ListSign {
  /// Whether a member with this sign says by itself that there are more items, or that there are not.
  func isFlag(_ name: MemberName, _ value: JSONText, ofMore isMore: Bool) -> Bool {
    switch self {
    case .hasMore: isMore ? value.isTrue : value.deniesMore
    case .isLast where !Self.mayBeNumbers.contains(name.joined):
      isMore ? value.isFalse : value.isTrue
    case .isLast,
      .pageCount where Self.mayBeNumbers.contains(name.joined):
      value.bool == !isMore
    default: false
    }
  }
}

extension JSONText {
  /// Whether the flags of an object say that there are no more items, whatever else it has.
  var saysEnd: Bool {
    namedMembers.map { name, value in
      ListDescription.Member(name: name, value: value, sign: ListSign(name.joined))
    }.sayEnd
  }
}
