/// Where a list ends by the number of items that its pages state: the rules of lists and queries.
enum ListEnd {
  /// The statuses with which servers refuse a page beyond the end.
  static let statuses = [400, 404, 416, 422]

  /// Whether a page without items is the end: some servers name a next page there too.
  ///
  /// - Parameters:
  ///   - total: the number of items in the list that the page states.
  ///   - count: how many the server has sent in the pages before it.
  static func isReached(byEmptyPageOf total: Int?, after count: Int) -> Bool {
    // A total of 0 after items is that of the page.
    total.map { count >= $0 && ($0 > 0 || count == 0) } ?? false
  }

  /// Whether a server that has sent all items refuses to count on, with an error in place of the next page.
  ///
  /// - Parameters:
  ///   - total: the number of items in the list that the last page states, where pages are counted.
  ///   - count: how many the server has sent.
  static func isReached(by error: ResourceError, of total: Int?, after count: Int) -> Bool {
    guard error.kind == .http, statuses.contains(error.status ?? 0), let total,
      total > 0
    else { return false }
    return count >= total
  }
}

extension ResourceError {
  /// Whether the server says that there is no such page.
  var isNotFound: Bool { kind == .http && status == 404 }
}
