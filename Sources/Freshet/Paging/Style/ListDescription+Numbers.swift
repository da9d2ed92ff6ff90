/// Recognizes that pages or items are counted.
extension ListDescription {
  /// The number of a page, and of all pages, in one object of a response.
  struct Numbering {
    var number: Int
    var count: Int
    var countPath: JSONPath
    /// Whether the first page is known to be number 0.
    var isFromZero: Bool

    var hasMore: Bool { number < count && !(isFromZero && number.isFollowed(by: count)) }
  }

  /// The numbers of this page and of all pages that the response has. There are not fewer pages than the number of
  /// one that has items.
  var numberings: [Numbering] {
    objects.filter { $0.role == .page }.compactMap(\.numbering)
      .filter { head.itemCount == 0 || $0.count >= max($0.number, 1) }
  }

  /// The style that counts as the request does, or else as the response does; nil if neither shows how.
  var countingStyle: PageStyle? {
    for (name, parameter, number) in counters {
      guard let number, number.mayBePosition else { continue }
      if name.withoutCurrent.isPageNumber {
        return .pageNumber(parameter, startingAt: min(number, 1))
      }
      if name.isOffset { return .offset(parameter) }
    }
    if let parameter = response?.offsetParameter { return .offset(parameter) }
    for object in objects where object.role >= .list {
      for member in object.members {
        guard let number = member.value.statedCount, [0, 1].contains(number) else { continue }
        // Spring Data, and those that number the current page.
        if member.name.joined == "number", object.springNumber != nil {
          return .pageNumber("page", startingAt: number)
        }
        let name = member.name.withoutCurrent
        if name.isPageNumber { return .pageNumber(name.text, startingAt: number) }
      }
    }
    // The number 1 at any other name, as `from` beside `to`, is not a parameter.
    let offset = listMembers.first {
      $0.name.isOffset
        && ($0.value.statedCount == 0 || $0.name.numbersItems && $0.value.statedCount == 1)
    }
    return offset.map { .offset($0.name.text) } ?? sizeStyle
  }

  /// The style whose parameter goes with that for the size of a page in the query: `$skip` with `$top`.
  private var sizeStyle: PageStyle? {
    let pairs = [
      ("top", "skip"), ("take", "skip"), ("[limit]", "[offset]"),
      ("[size]", "[number]"), ("per_page", "page"), ("perPage", "page"),
    ]
    for name in URIQuery(url: head.request.url).parameters.map(\.name) {
      for (size, counter) in pairs where name.hasSuffix(size) {
        let prefix = name.dropLast(size.count)
        // Not the end of a word, as in `stop`, or of a longer name, as in `items_per_page`.
        guard size.hasPrefix("[") || prefix.allSatisfy({ !$0.isLetter && !$0.isNumber }) else {
          continue
        }
        let parameter = String(prefix) + counter
        return MemberName(parameter: parameter).isOffset
          ? .offset(parameter) : .pageNumber(parameter)
      }
    }
    return nil
  }

  /// The parameters of the request that may count pages or items: those of the query, and the numbers of the body, also
  /// those in an object, as the `variables` of GraphQL.
  private var counters: [(name: MemberName, parameter: String, number: Int?)] {
    let query = URIQuery(url: head.request.url).parameters.map {
      (MemberName(parameter: $0.name), $0.name, $0.value.flatMap { Int($0) })
    }
    let members = (parameters.body?.members ?? []).flatMap { name, value in
      (value.members ?? []).map { ([name, $0.name], $0.value) } + [([name], value)]
    }
    return query
      + members.filter { $0.1.kind == .number }.map { names, value in
        (MemberName(names.last ?? ""), JSONPath(names: names).description, value.int)
      }
  }

  /// A counting style, if the response repeats the number in the request.
  var numberedStyle: PageStyle? {
    guard let response else { return nil }
    let query = URIQuery(url: head.request.url)
    func states(_ number: Int, _ name: String, from first: Int) -> Bool {
      query.value(of: name).map { Int($0) == number } ?? (number == first)
    }
    let isWithoutBody = parameters.body == nil
    for object in objects where isWithoutBody && object.role == .page {
      // The number or the offset of the next page, beside that of this one.
      let offsets = object.members.filter(\.name.isOffset).map {
        ($0.name.text, $0.value.statedCount, 0, head.itemCount)
      }
      // Once for all of them: a body may have as many as members.
      let following = Dictionary(
        object.members.filter { $0.name.joined.hasPrefix("next") && $0.value.statedCount != nil }
          .map { ($0.name.joined, $0) }, uniquingKeysWith: { first, _ in first })
      for (name, number, first, step) in [("page", object.pageNumber, 1, 1)] + offsets
      where step > 0 {
        let joined = name.withoutSeparators
        let next = ["next", "next" + joined, "nextpage" + joined].lazy.compactMap { following[$0] }
        if let number, let found = next.first, let nextNumber = found.value.statedCount,
          nextNumber < .max, number.saturatingSum(step) == nextNumber,
          states(number, name, from: first)
        {
          return .token(at: found.path, query: name)
        }
      }
    }
    let counters = counters
    for (name, parameter, value) in counters where name.withoutCurrent.isPageNumber {
      guard let value,
        let numbering = numberings.first(where: { $0.number == value })
      else { continue }
      return .pageNumber(
        parameter, startingAt: numbering.isFromZero ? 0 : 1,
        totalPageCount: numbering.countPath)
    }
    for name in ["offset", "skip", "startAt"] {
      let start = name == "startAt" && response.isOfJira && isWithoutBody ? 0 : nil
      guard let offset = counters.first(where: { $0.parameter == name }).map(\.number) ?? start,
        response.frame[name]?.int == offset, let statedTotal,
        statedTotal.exceeds(offset.saturatingSum(head.itemCount))
      else { continue }
      return .offset(name)
    }
    return nil
  }
}

extension PageStyle.Response {
  /// The query parameter or member for the number of items to skip, of servers that are known by the shape of
  /// their response: Elasticsearch, OData and CouchDB, whose `offset` is no parameter.
  fileprivate var offsetParameter: String? {
    if itemPath == "hits.hits" { return "from" }
    if frame["@odata.count"] != nil || itemPath == "d.results" { return "$skip" }
    return frame["total_rows"] != nil && frame["offset"] != nil && itemPath == "rows" ? "skip" : nil
  }

  /// Whether there is a page size as Jira has it, if `startAt` is the only name for an offset, and counts from 0.
  var isOfJira: Bool { frame["maxResults"] != nil }
}

extension ListDescription.Object {
  /// The number of the page: `current` may be that of anything, unless there is the number of all pages.
  var pageNumber: Int? {
    number("page") ?? number("currentpage") ?? number("pagenumber")
      ?? (members.contains { $0.sign == .pageCount } ? number("current") : nil)
  }

  /// The member that has the number of all pages: `pages` may be those of a book, unless this page has a
  /// number.
  var pageCount: ListDescription.Member? {
    let isNumbered = pageNumber != nil
    return members.first {
      $0.sign == .pageCount && $0.value.statedCount != nil
        && (isNumbered || $0.name.joined != "pages")
    }
  }

  /// The number of the page as Spring Data has it, beside the size of a page or the number of all.
  var springNumber: Int? {
    members.contains { $0.name.isPageSize || $0.sign == .pageCount } ? number("number") : nil
  }

  /// The number of the page, and of all pages.
  var numbering: ListDescription.Numbering? {
    guard let found = pageCount, let count = found.value.statedCount else { return nil }
    let pageNumber = pageNumber
    // Spring Data counts from 0.
    let springNumber = found.name.joined == "totalpages" ? number("number") : nil
    return (pageNumber ?? springNumber).map {
      ListDescription.Numbering(
        number: $0, count: count, countPath: found.path, isFromZero: pageNumber == nil || $0 == 0)
    }
  }

  func number(_ name: String) -> Int? {
    members.first { $0.name.joined == name }?.value.statedCount
  }
}
