/// A sign that the name of a header field or of a member gives about the rest of a list.
///
/// Names are compared without case and separators, and those of fields also without the `X` that
/// they may begin with: `X-Total-Count`, `total_count` and `totalCount` are one name.
enum ListSign {
  case totalCount
  case pageCount
  /// The number, the offset or the token of the next page, or a link to it.
  case next
  /// A token of the next page with many servers, and of this page or of a later look at the whole
  /// list with others.
  case position
  case hasMore
  case isLast

  /// The one table of the usual names.
  private static let names: [String: ListSign] = Dictionary(
    uniqueKeysWithValues: [
      (totalCount, "total totalcount totalresults totalitems totalelements totalrecords"),
      (totalCount, "totalobjects totalrows totalhits hydratotalitems wptotal paginationtotal"),
      (totalCount, "paginationtotalcount odatacount filteredtablerowscount recordsfiltered"),
      (totalCount, "totalfiltered filteredtotal filteredcount"),
      (pageCount, "totalpages pagecount pages lastpage numpages wptotalpages paginationpagecount"),
      (pageCount, "paginationtotalpages"),
      (next, "next nextrange hydranext odatanextlink continuationtoken continuationmarker"),
      (position, "cursor after bookmark scrollid marker offset continue continuation"),
      (position, "mscontinuation mscontinuationtoken pagetoken pagingtoken paginationtoken"),
      (position, "pagekey pagecursor pagestate pagingstate resumptiontoken searchafter cbafter"),
      (hasMore, "more moreavailable moreresults moreitems moredata morerecords moretocome"),
      (hasMore, "istruncated truncated remainingitems remainingitemcount moreresultsavailable"),
      (isLast, "islast islastpage last done endofstream endoflist endofresults endofrecords isend"),
      (isLast, "eof nomore nomoredata nomoreitems nomoreresults isfinished iscomplete end"),
      (isLast, "finished complete"),
    ].flatMap { sign, names in names.split(separator: " ").map { (String($0), sign) } })

  /// What else the name of a ``next`` may end with, after `next`. Those of a later look at the whole
  /// list, such as `nextSyncToken`, are not signs of more.
  private static let nextEndings = [
    "page", "offset", "cursor", "token", "marker", "start", "index", "key", "url", "uri", "href",
    "link", "batch", "position", "skip", "maxid", "anchor", "bookmark",
  ]

  /// Whether a member of this name is about what comes before the page: that of a flag ends with such a word, and that
  /// of a token begins with one.
  ///
  /// - Parameter name: a name as ``Swift/String/withoutSeparators`` makes it.
  static func isBackward(_ name: String) -> Bool {
    ["before", "previous", "prev", "newer"].contains { name.hasSuffix($0) || name.hasPrefix($0) }
  }

  /// The names of flags that are something else where they are numbers: that of the last page, or how many
  /// are complete.
  static let mayBeNumbers: Set = ["last", "lastpage", "end", "finished", "complete"]

  /// The names of members that hold the URL of the next page with all servers.
  static let linkNames: Set = [
    "nexturl", "nexturi", "nexthref", "nextlink", "nextpageurl", "nextpageuri", "nextpagelink",
    "nextrecordsurl", "odatanextlink", "hydranext",
  ]

  /// The names of objects, and of arrays, that hold links alone.
  static let linkObjectNames: Set = ["links", "link", "view", "hydraview"]

  /// The sign that a member's name gives as a whole; nil for none.
  ///
  /// - Parameter name: a name as ``Swift/String/withoutSeparators`` makes it.
  init?(_ name: String) {
    if let sign = Self.names[name] {
      self = sign
    } else if ["hasmore", "havemore", "hasnext"].contains(where: name.hasPrefix),
      !Self.isBackward(name)
    {
      self = .hasMore
    } else if name.hasPrefix("next"), Self.nextEndings.contains(where: name.hasSuffix),
      !name.contains("sync"), !name.contains("delta"), !name.contains("backward")
    {
      self = .next
    } else if name.hasPrefix("lastevaluated"),
      // DynamoDB, and not the time of an alert.
      !["at", "on", "time", "date", "timestamp"].contains(where: name.hasSuffix)
    {
      self = .next
    } else {
      return nil
    }
  }

  /// The sign that the name of a header field gives as a whole, also without its `X`; nil for none.
  ///
  /// - Parameters:
  ///   - name: the name of a header field.
  ///   - initials: the letters that the name may begin with; nil for all.
  init?(field name: String, initials: String? = nil) {
    var rest = name[...]
    if rest.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "x") { rest = rest.dropFirst() }
    if rest.utf8.first.map({ "-_".utf8.contains($0) }) == true { rest = rest.dropFirst() }
    if let initials, let first = rest.utf8.first, !initials.utf8.contains(first | 0x20) {
      return nil
    }
    self.init(rest.withoutSeparators)
  }

  /// Words in names of header fields that say nothing of a list.
  private static let unrelatedWords: Set = [
    "rate", "ratelimit", "limit", "quota", "retry", "requests", "size",
  ]

  /// What the words of a header field's name say that has no usual one: `X-Total-Number-Of-Pages`, or
  /// `opc-next-page` with a vendor's name before the usual one. Fields about limits of requests, and sizes, say
  /// nothing.
  init?(wordsOfField name: String) {
    let words = name.words.drop { $0 == "x" }
    guard ListSign.unrelatedWords.isDisjoint(with: words) else { return nil }
    switch ListHint(words.joined(separator: "-")) {
    case .pageCount: self = .pageCount
    case .totalCount, .resultCount: self = .totalCount
    case .more: self.init(ends: words.indices.lazy.map { words[$0...].joined() })
    case nil:
      // Servers and HTTP/2 change the case of a name, so one word may be several: `X-Nomad-Nexttoken`.
      guard ListHint.unrelated.isDisjoint(with: words) else { return nil }
      let name = words.joined()
      self.init(
        ends: ["hasmore", "hasnext", "next"].lazy.compactMap { start in
          name.firstRange(of: start).map { String(name[$0.lowerBound...]) }
        })
    case .count, .rest, .flag: return nil
    }
  }

  /// The first sign of more that one of the ends of a name is.
  private init?(ends: some Sequence<String>) {
    for case let sign? in ends.lazy.map({ ListSign($0) }) where sign == .next || sign == .hasMore {
      self = sign
      return
    }
    return nil
  }
}

extension PageStyle.Head {
  /// The header fields with a sign, in order.
  func fields(with sign: ListSign) -> some Sequence<HTTPHeaders.Field> {
    // The total is looked for in the fields of every page, few of which begin like one.
    let initials = sign == .totalCount ? "tpwof" : sign == .pageCount ? "tplnw" : nil
    return headers.fields.lazy.filter { ListSign(field: $0.name, initials: initials) == sign }
  }
}
