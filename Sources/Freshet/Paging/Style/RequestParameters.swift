/// The parameters of a request: those of its query and, by their names, the members of its JSON body.
struct RequestParameters {
  let body: JSONText?
  /// Names and values; a `null` is an empty value.
  private let values: [(name: MemberName, value: String)]
  /// Whether there is a body that is not a JSON object.
  private let hasOtherBody: Bool

  init(_ request: ResourceKey) {
    body = request.body.flatMap { try? JSONText(parsing: $0) }
    hasOtherBody = request.body != nil && body?.kind != .object
    values =
      URIQuery(url: request.url).parameters.map { (MemberName(parameter: $0.name), $0.value ?? "") }
      + (body?.namedMembers ?? []).map { name, value in
        (name, value.kind == .null ? "" : value.string ?? value.description)
      }
  }

  /// Where in a list a response begins, to judge by its request.
  enum Start: Comparable {
    /// At the first item.
    case first
    /// There, or at a later item: the response may say which.
    case unclear
    /// At a later item.
    case later
  }

  /// Where the response begins: a total does not show what comes after one that begins later.
  ///
  /// The start is 0 or nothing and, if pages or items are numbered, 1.
  var start: Start {
    hasOtherBody ? .later : values.lazy.map(Self.start).max() ?? .first
  }

  /// Whether the request may be for something other than the start of a list, also to judge by any part of a name, as
  /// by `last` in `last_seen_id`, whatever the value is. For what a page that is taken for the start would get wrong
  /// at the end of each list, and where a later one that is wrongly taken for one costs little.
  var mayContinue: Bool { start > .first || values.contains(where: Self.mayContinue) }

  private static func mayContinue(_ name: MemberName, _ value: String) -> Bool {
    mayBePosition(name, value)
      && (partsOfPosition.contains(where: name.joined.contains)
        || value != "1"
          && ["page", "start", "from", "index"].contains(where: name.joined.contains))
  }

  /// Whether a parameter has a value, and is not the size of a page.
  private static func mayBePosition(_ name: MemberName, _ value: String) -> Bool {
    !["", "0"].contains(value) && !name.isPageSize
      && !["size", "count", "limit"].contains(where: name.joined.hasSuffix)
  }

  private static func start(_ name: MemberName, _ value: String) -> Start {
    guard mayBePosition(name, value), name.joined != "pageid" else { return .first }
    let words = name.words
    if !itemPositions.isDisjoint(with: words) { return .later }
    let number = Int(value).flatMap { $0 < .firstTime ? $0 : nil }
    guard let parts = wordsOfPosition(name.joined) else {
      let isNumber = number.map { $0 > 1 } == true && !numbers.isDisjoint(with: words)
      // A filter by a date leaves a list of its own, which begins at its start.
      let isRange = !ranges.isDisjoint(with: words) && !value.isDate
      return isNumber || isRange ? .unclear : .first
    }
    if !itemPositions.isDisjoint(with: parts) { return .later }
    // An `id_token` is a credential, as a `key` is.
    if !tokens.isDisjoint(with: parts), parts != ["id", "token"] {
      return parts.count > 1 ? .later : .unclear
    }
    if parts.contains("id") || parts.contains("key"), !bounds.isDisjoint(with: parts) {
      return .later
    }
    guard !value.isDate else { return .first }
    if !ranges.isDisjoint(with: parts) { return .unclear }
    guard !numbers.isDisjoint(with: parts) else { return .first }
    if number != nil { return value != "1" ? .later : .first }
    // A text may be that of a filter.
    return Int(value) == nil && !parts.contains("index") ? .unclear : .first
  }

  /// What is the position of an item in any name.
  private static let itemPositions: Set = [
    "offset", "skip", "cursor", "marker", "continuation", "resumption",
  ]
  /// What is a position or a filter.
  private static let ranges: Set = ["after", "before", "since", "until"]
  /// What is the position of an item beside another word for one: the token of a user has none.
  private static let tokens: Set = ["token", "next", "last"]
  /// What may be a position wherever it is in a name.
  private static let partsOfPosition = itemPositions.union(ranges).union(tokens)
    .union(["maxid", "minid"])
  /// What bounds the identities or keys of items.
  private static let bounds: Set = ["max", "min", "from", "start", "scroll"]
  /// What is the number of a page or an item.
  private static let numbers: Set = ["page", "p", "pg", "start", "from", "index"]

  /// The words of a name that is made of those for positions alone, in any spelling: `start` and `index` of
  /// `startindex`. Nil for any other name, such as `access_token`, `lastname` or `pubStartDate`.
  private static func wordsOfPosition(_ name: String) -> Set<String>? {
    guard !["p", "pg"].contains(name) else { return [name] }
    var (rest, words) = (name[...], Set<String>())
    while !rest.isEmpty {
      guard let word = positionWords.first(where: rest.hasPrefix) else { return nil }
      rest.removeFirst(word.count)
      words.insert(word)
    }
    return words
  }

  /// The longest first.
  private static let positionWords =
    """
    offset skip cursor marker after before since until token next last page start from index \
    continuation pagination resumption starting current scroll search ending paging number record result item row \
    state info num key max min id no at s
    """.split(separator: " ").map(String.init).sorted { $0.count > $1.count }

  /// Whether the page ends with the last of that many items, to judge by its own number or offset.
  ///
  /// - Parameters:
  ///   - count: the number of items on the page.
  ///   - size: the number of items that a page has, if it is known otherwise than by the request.
  ///   - offset: the number of items before the page and its name, if the response has it. One that may number the
  ///     first item from 1 is taken to do so.
  ///   - isStartAtOffset: whether `startAt` is known to count from 0.
  func reaches(
    _ total: Int, count: Int, size: Int?, offset: (name: MemberName, number: Int)?,
    isStartAtOffset: Bool
  ) -> Bool {
    func first(_ isNumber: (MemberName) -> Bool) -> (name: MemberName, number: Int)? {
      values.first { isNumber($0.name) }.flatMap { name, value in
        Int(value).flatMap { $0.mayBePosition ? (name, $0) : nil }
      }
    }
    if let (name, offset) = first(\.isOffset) ?? offset {
      let mayBeFrom1 = name.numbersItems && !(isStartAtOffset && name.joined == "startat")
      let end = offset.saturatingSum(count)
      return mayBeFrom1 ? end > total : end >= total
    }
    guard let page = first(\.isPageNumber)?.number, page > 0 else { return false }
    let size = max(count, first(\.isPageSize)?.number ?? size ?? 0)
    return (page - 1).saturatingProduct(size).saturatingSum(count) >= total
  }

  /// Whether items certainly follow a later page with that number of items, by its own number or offset in the
  /// request. Either may count from 0 or from 1.
  ///
  /// - Parameter size: the number of items that a page has, if it is known otherwise than by the request.
  func isBeforeEnd(of total: Int, count: Int, size: Int?) -> Bool {
    guard !hasOtherBody else { return false }
    let positions = values.filter { $0.name.isOffset || $0.name.isPageNumber }
    guard positions.count == 1, let (name, text) = positions.first, let number = Int(text),
      number.mayBePosition
    else { return false }
    if name.isOffset { return number.saturatingSum(count) < total }
    let requested = values.lazy.filter { $0.name.isPageSize }.compactMap { Int($0.value) }.first
    guard let size = requested ?? size else { return false }
    return number.saturatingProduct(max(count, size)).saturatingSum(count) < total
  }

  /// Whether a page with that number of items has fewer than were requested.
  ///
  /// - Parameter size: the number that the server sends where none is requested; 0 if it is not known.
  func requestMore(than count: Int, byDefault size: Int = 0) -> Bool {
    let sizes = values.lazy.filter { $0.name.isPageSize }.compactMap { Int($0.value) }
    return sizes.max() ?? size > count
  }

  /// Whether a parameter has that name, or ends with it, as `filter[isReady]` does.
  func filters(by name: MemberName) -> Bool {
    values.contains { $0.name.joined.hasSuffix(name.joined) }
  }

  /// Whether a token in the response may be that of the next page, and is not the position of this one:
  /// a number of items to skip, or what the request has in its query or in a member of its body. The size of a page
  /// may be the token as well: that of Azure DevOps is the number of items so far.
  func mayPrecede(_ token: String, named name: MemberName) -> Bool {
    !token.isEmpty && !(name.joined.hasSuffix("offset") && Int(token) != nil)
      && !values.contains { $0.value == token && !$0.name.isPageSize }
  }
}

extension String {
  /// Whether this begins like a date with a day, or is one with a month: `2025-11-01T00:00:00Z`, `11/01/2025`.
  var isDate: Bool {
    wholeMatch(of: /(\d{4}[-\/.]\d{1,2}|\d{1,2}[-\/.]\d{1,2}[-\/.]\d{4})([-\/.T :].*)?/) != nil
  }
}
