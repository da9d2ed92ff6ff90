/// What ends a list after one of its pages if the server refuses the next one.
struct ListEnd: Equatable {
  /// The number of items in the list, if the page states it.
  // First, because the page then has no gap before its other fields.
  var total: Int?
  /// Whether the list ends if the next page does not exist.
  var isAtNotFound = false
  /// Whether pages are numbered: the list ends if the server refuses the next page once it has sent all items.
  var isAtTotal = false
  /// Whether all items come before the next page by the number of that.
  var isLast = false

  /// The statuses with which servers refuse a page beyond the end.
  static let statuses = [400, 404, 416, 422]

  /// Whether an error in place of the next page says that the list ends: the page does not exist, or a server that
  /// has sent all items refuses to count further.
  ///
  /// - Parameter count: how many items the server has sent; nil if that is not known.
  func isReached(by error: ResourceError, after count: Int?) -> Bool {
    if error.isNotFound, isAtNotFound { return true }
    guard error.kind == .http, Self.statuses.contains(error.status ?? 0), let total, total > 0
    else { return false }
    // A page may have fewer items than its number stands for.
    return if isAtTotal, let count { count >= total } else { isLast }
  }
}

extension Page {
  /// What ends the list after this page if the server refuses the next one.
  ///
  /// - Parameter count: the number of items on the first page of the list; nil if it is not known.
  func listEnd(itemsOnFirst count: Int?) -> ListEnd {
    guard style.isCounting else { return ListEnd() }
    // If there is a next page by what this one counts, a 404 there is no end of the list.
    let countsNext = counting?.countsNext(total: totalCount, itemsOnFirst: count)
    return ListEnd(
      total: totalCount, isAtNotFound: style.endsAtNotFound && countsNext != true,
      isAtTotal: style.endsAtNotFound, isLast: countsNext == false)
  }

  /// The link to the page that follows in the list; nil at its end.
  ///
  /// - Parameters:
  ///   - count: how many items the server has sent in this page.
  ///   - before: how many it has sent in the pages before; nil if that is not known.
  ///   - earlier: the first page that is known and the page before this one: either may have counted more pages.
  func continuation(
    sending count: Int, after before: @autoclosure () -> Int?, countedBy earlier: () -> [Page]
  ) -> PageLink? {
    guard count > 0 else {
      guard let totalCount, let before = before() else { return next }
      // Some servers name a next page after the last item, too. A total of 0 after items is that of the page.
      return before >= totalCount && (totalCount > 0 || before == 0) ? nil : next
    }
    if let next { return next }
    guard counting != nil else { return nil }
    // If all items are loaded the list has become shorter.
    if let totalCount, let before = before(), before + count >= totalCount { return nil }
    return earlier().lazy.compactMap { next(countedBy: $0) }.first
  }
}

extension ResourceError {
  /// Whether the server says that there is no such page.
  var isNotFound: Bool { kind == .http && status == 404 }
}
