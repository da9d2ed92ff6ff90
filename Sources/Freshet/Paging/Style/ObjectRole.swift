/// What the name of an object says of its members, the least first.
enum ObjectRole: Comparable {
  /// They are about something else, such as a filter.
  case unrelated
  /// Nothing is known of them.
  case unknown
  /// They describe a list, to judge by the words of the name.
  case list
  /// They describe a page: the name is a usual one for that.
  case page

  init(_ name: MemberName) {
    if Self.pageNames.contains(name.joined) {
      self = .page
      return
    }
    let words = name.words
    self =
      if !Self.unrelatedWords.isDisjoint(with: words)
        || words.last.map(Self.unrelatedNouns.contains) == true
      {
        .unrelated
      } else {
        words.allSatisfy(Self.listWords.contains)
          // Zoho's `page_context`; `pageViews` and `pageProps` are of something else.
          || ["pagecontext", "pagingcontext", "paginationcontext"].contains(name.joined)
          ? .list : .unknown
      }
  }

  private static let pageNames: Set = [
    "meta", "metadata", "pagination", "paging", "page", "pageinfo", "info", "responsemetadata",
    "hits", "links", "link", "view", "hydraview", "resultset", "pagy",
  ]
  private static let listWords: Set = [
    "meta", "metadata", "pagination", "paging", "page", "pages", "pageable", "paginator", "pager",
    "info", "information", "result", "results", "resultset", "set", "search", "response", "header",
    "list", "queries", "range", "attr", "count", "counts", "total", "totals", "additional",
    "extra", "data", "cursor", "cursors", "navigation", "links", "link", "urls", "view", "hits",
    "collection", "hydra", "items", "odata",
  ]
  private static let unrelatedWords: Set = [
    "facet", "facets", "aggregation", "aggregations", "aggs", "shards", "extensions", "included",
    "request", "params", "parameters", "filter", "filters", "rate", "quota", "limits", "errors",
    "error", "stats", "statistics",
  ]
  /// What a name without items ends with: `user_settings`, but not `settings_list`.
  private static let unrelatedNouns: Set = [
    "user", "owner", "author", "creator", "settings", "config", "configuration", "preferences",
    "permissions",
  ]
}

extension JSONText {
  /// Whether the members of an object describe pages, whatever its name is: as a total, the size and the number of
  /// a page and a token do, two of them under names of several words, or three under any. Most of its members do,
  /// and none is a list: a thing may have a size and a total of its own.
  var describesPages: Bool {
    let members = namedMembers
    var (properties, clearOnes): (Set<PageProperty>, Set<PageProperty>) = ([], [])
    for (name, value) in members {
      if value.kind == .array { return false }
      guard let property = name.pageProperty(value) else { continue }
      properties.insert(property)
      if name.words.count > 1 { clearOnes.insert(property) }
    }
    return (clearOnes.count > 1 || properties.count > 2) && properties.count * 2 >= members.count
  }
}

/// What a member may say of pages: how many of them or of items there are, how large one is, which one it is, or what
/// is next.
private enum PageProperty { case total, size, number, token }

extension MemberName {
  /// What a member of this name and that value says of pages; nil for anything else.
  fileprivate func pageProperty(_ value: JSONText) -> PageProperty? {
    let sign = ListSign(joined)
    guard value.statedCount != nil else {
      let isToken = value.kind == .string && (sign == .next || sign == .position)
      return isToken || value.kind == .bool && sign == .hasMore ? .token : nil
    }
    if sign == .totalCount || sign == .pageCount { return .total }
    let name = withoutCurrent
    return name.isPageSize ? .size : name.isPageNumber || name.isOffset ? .number : nil
  }

  /// Whether a member of this name is apart from the content: neither it nor anything in it has the items.
  var holdsNoItems: Bool {
    ["links", "link", "included", "aggregations", "facets", "warning"].contains(joined)
      || isOfObject
      || isOfErrors
  }

  /// Whether what is apart from the content under this name is an object.
  var isOfObject: Bool {
    ["meta", "page", "pageinfo", "paging", "pagination", "extensions", "shards"].contains(joined)
  }

  /// Whether an array of this name has the items of a list: the name is a usual one for that.
  var isOfList: Bool { Self.listNames.contains(joined) }

  private static let listNames: Set = [
    "items", "results", "data", "value", "values", "records", "rows", "hits", "nodes", "edges",
    "entries", "objects", "content", "features", "docs", "member", "hydramember", "resources",
  ]

  /// Whether an object of this name has the content of a response.
  var isOfContent: Bool {
    words.last.map(Self.contentWords.contains) == true
  }

  private static let contentWords: Set = [
    "data", "result", "results", "response", "payload", "body", "content", "contents", "embedded",
    "query", "output", "feed", "d", "list", "items", "hits", "search", "collection", "resultset",
  ]
}
