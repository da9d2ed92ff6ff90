/// The name of a member, for comparison with the usual ones, however a server writes them.
struct MemberName: Sendable {
  /// The name as it is written.
  let text: String
  /// The letters and digits of the name in lower case: the same for `totalCount`, `total_count` and
  /// `Total-Count`.
  let joined: String

  init(_ text: String) {
    self.text = text
    joined = text.withoutSeparators
  }

  /// The name of a query parameter: that in the brackets of an object for paging, as in `pagination[start]`, or all of
  /// any other, as of `page[number]`. The `fields[page]` of JSON:API are none for paging.
  init(parameter text: String) {
    let name = MemberName(text)
    let isUsual = name.isPageSize || name.isPageNumber || name.isOffset
    guard !isUsual, text.hasSuffix("]"), let open = text.lastIndex(of: "["),
      Self.pagingObjects.contains(String(text[..<open]).withoutSeparators)
    else {
      self = name
      return
    }
    self = MemberName(String(text[text.index(after: open)...].dropLast()))
  }

  var words: [String] { text.words }

  /// Whether this is a usual name for how many items a page may have.
  var isPageSize: Bool { Self.pageSizes.contains(joined) || joined.hasSuffix("perpage") }

  var isPageNumber: Bool {
    ["page", "p", "pg", "pageno", "pagenum", "pagenumber", "pageindex"].contains(joined)
  }

  /// Whether this is a usual name for the number of items before a page.
  var isOffset: Bool {
    ["offset", "pageoffset", "skip", "start", "startat", "startindex", "from"].contains(joined)
  }

  /// Whether this is a usual name for the number of the first item of a page, which some servers count from 1.
  var numbersItems: Bool { ["start", "startat", "startindex"].contains(joined) }

  /// The name of what is current: `page` for `current_page`.
  var withoutCurrent: MemberName {
    guard text.asciiLowercased.hasPrefix("current") else { return self }
    let rest = text.dropFirst("current".count).drop { $0 == "-" || $0 == "_" }
    return MemberName(rest.prefix(1).lowercased() + rest.dropFirst())
  }

  private static let pagingObjects: Set = ["pagination", "paging", "page", "searchcriteria"]

  private static let pageSizes: Set = [
    "limit", "pagelimit", "pagesize", "pagelen", "maxresults", "maxitems", "top", "take", "rows",
    "size",
  ]
}

extension JSONText {
  /// The members of an object in order, with their names for comparison; none for any other kind.
  var namedMembers: [(name: MemberName, value: JSONText)] {
    (members ?? []).map { (MemberName($0.name), $0.value) }
  }
}
