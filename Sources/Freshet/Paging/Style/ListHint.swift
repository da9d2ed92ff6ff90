/// A hint that the words of a member's name give about the rest of a list.
///
/// ``ListSign`` has the usual names, as a whole; this is for all others. Names of unrelated members may have
/// such words, too: so a style is never recognized by a hint.
enum ListHint {
  /// Anything but an empty value, `false` and 0 says that there are more items.
  case more
  /// `true` says so, and `false` that there are none.
  case flag
  case totalCount
  /// The number of items in the whole list with some servers, and on this page with others.
  case count
  /// The number of results: a total if it is not the number of items on this page.
  case resultCount
  case pageCount
  /// The number of items after this page.
  case rest

  /// The hint that the words of a member's name give; nil for none.
  ///
  /// - Parameters:
  ///   - name: the name of a member, as the server writes it.
  ///   - nouns: what the items are called, in lower case: as ``nouns(of:)`` makes them.
  init?(_ name: String, nouns itemNouns: Set<String> = []) {
    let words = name.words
    func hasAny(of set: Set<String>) -> Bool { !set.isDisjoint(with: words) }
    func areAll(of sets: Set<String>...) -> Bool {
      words.allSatisfy { word in sets.contains { $0.contains(word) } }
    }
    guard !words.isEmpty else { return nil }
    if hasAny(of: Self.moreWords) {
      guard !hasAny(of: Self.unrelated) else { return nil }
      self = .more
    } else if hasAny(of: Self.flagWords),
      areAll(of: Self.flagWords, Self.partWords, Self.nouns, itemNouns)
    {
      self = .flag
    } else if words.contains("remaining") || words == ["pending"],
      areAll(of: Self.restWords, Self.nouns)
    {
      self = .rest
    } else if words.count > 1, hasAny(of: ["pages", "page"]),
      hasAny(of: ["pages", "count", "total"]), areAll(of: Self.pageCountWords)
    {
      self = .pageCount
    } else if let count = Self.count(words),
      areAll(of: Self.measures, Self.adjectives, Self.nouns, itemNouns)
    {
      self = count
    } else {
      return nil
    }
  }

  /// The number of items that the words of a name are those of, if it has no others; nil for none.
  private static func count(_ words: [String]) -> ListHint? {
    if words.count == 2, ["result", "results"].contains(words[0]), words[1] == "count" {
      return .resultCount
    }
    // The number of one thing is not a count: `row_number`.
    let isOrdinal =
      words.dropLast().last?.hasSuffix("s") == false && ["number", "num"].contains(words.last)
    // `found` alone is the number of items; other single words are that of a page with some servers.
    if words.contains("total") || words == ["found"]
      || words.count > 1 && !measures.isDisjoint(with: isOrdinal ? words.dropLast() : words)
    {
      return .totalCount
    }
    return words.count == 1 && counts.contains(words[0]) ? .count : nil
  }

  private static let moreWords: Set = ["next", "more", "continue", "scroll", "exceeded"]

  private static let flagWords: Set = ["additional", "truncated"]
  /// What may be beside those in the name of a flag of the list: `description_truncated` is of something else.
  private static let partWords: Set = [
    "is", "are", "was", "were", "has", "have", "response", "output", "list", "data", "page",
    "pages",
  ]

  /// Words of names in which those mean something else: `nextSyncToken`, `more_info`, `next_update`.
  static let unrelated: Set = [
    "sync", "delta", "update", "updated", "updates", "refresh", "run", "date", "time", "at", "info",
    "information", "detail", "details", "help", "docs", "documentation", "read", "learn", "reset",
    "retry", "billing", "payment", "event", "release", "step", "steps", "infinite", "build",
    "execution", "poll", "check", "renewal", "invoice", "launch", "race", "match", "episode",
    "open", "holiday", "version", "due", "about", "watching", "no", "before", "previous", "prev",
    "newer",
  ]
  private static let restWords: Set = ["remaining", "pending", "count", "number", "has"]
  private static let pageCountWords: Set = [
    "pages", "page", "count", "nb", "num", "number", "of", "total",
  ]
  private static let counts: Set = [
    "count", "cnt", "hits", "matches", "matched", "results", "records", "items", "entries",
    "objects", "elements",
  ]
  private static let measures: Set = [
    "total", "count", "cnt", "num", "nb", "number", "found", "matched", "matches", "hits",
  ]
  private static let adjectives: Set = [
    "of", "all", "full", "overall", "available", "estimated", "approximate", "filtered", "exact",
    "size", "odata", "opensearch",
  ]
  private static let nouns: Set = [
    "item", "items", "result", "results", "record", "records", "row", "rows", "hit", "match",
    "entry", "entries", "object", "objects", "element", "elements",
  ]

  /// What the items of an array of that name are called: `releases` and `release`.
  static func nouns(of name: String) -> Set<String> {
    let name = name.withoutSeparators
    var nouns: Set = [name]
    if name.hasSuffix("s") { nouns.insert(String(name.dropLast())) }
    if name.hasSuffix("es") { nouns.insert(String(name.dropLast(2))) }
    if name.hasSuffix("ies") { nouns.insert(name.dropLast(3) + "y") }
    return nouns
  }
}
