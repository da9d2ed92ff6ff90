/// Properties of a page table that are derived from its entries.
extension PageTable {
  /// The number of the page that was requested with this number: the one the server reports, if it
  /// does.
  func number(of key: Int) -> Int {
    guard let reported = entries[key]?.content.totals.currentPage, reported >= firstPageNumber
    else { return key }
    return reported
  }

  /// The loaded pages by their numbers, in ascending order.
  ///
  /// - Complexity: O(*p* log *p*) in the loaded pages.
  var layout: [(number: Int, items: [Item])] {
    var chosen: [Int: (key: Int, entry: Entry)] = [:]
    for (key, entry) in entries {
      let number = number(of: key)
      if let other = chosen[number],
        other.key == number || (key != number && other.entry.stamp > entry.stamp)
      {
        continue
      }
      chosen[number] = (key, entry)
    }
    return chosen.sorted { $0.key < $1.key }.map { ($0.key, $0.value.entry.content.items) }
  }

  /// The number of the page that was loaded last.
  var currentPage: Int? { currentKey.map(number) }

  /// How many pages there are, if the server or an empty page reports it.
  var totalPageCount: Int? {
    if let count = reportedPageCount { return count }
    guard let empty = firstEmptyPage else { return nil }
    if empty == firstPageNumber { return 0 }
    let hasOneBefore = entries.contains {
      number(of: $0.key) == empty - 1 && $0.value.receivedCount > 0
    }
    return hasOneBefore ? empty - firstPageNumber : nil
  }

  /// How many pages there are according to the server: a number of pages, or of items.
  private var reportedPageCount: Int? {
    if let count = totals.totalPageCount { return max(count, 0) }
    guard let count = totals.totalCount, !isPageSizeUnknown(ofTotal: count) else { return nil }
    return max(count.dividedRoundingUp(by: perPage), 0)
  }

  /// Whether the server does not say how many items a page has, and has sent fewer on the first page than were
  /// requested, though the list has more: it may allow no more on any page.
  private func isPageSizeUnknown(ofTotal total: Int) -> Bool {
    guard let first = entries[firstPageNumber], number(of: firstPageNumber) == firstPageNumber,
      first.content.totals.perPage == nil
    else { return false }
    return first.receivedCount > 0 && first.receivedCount < min(perPage, total)
  }

  /// The first page in which the server has sent no items: no page after it has any.
  private var firstEmptyPage: Int? {
    entries.lazy.filter { $0.value.receivedCount == 0 }.map { number(of: $0.key) }.min()
  }

  /// Throws if a page must not be requested.
  ///
  /// The first page may always be requested, and an empty one again: the list may have grown.
  ///
  /// - Throws: `.noSuchPage`.
  func check(_ page: Int) throws(PaginatorError) {
    guard page != firstPageNumber else { return }
    let (distance, isTooFar) = page.subtractingReportingOverflow(firstPageNumber)
    let isAfterEnd =
      reportedPageCount.map { distance >= $0 } ?? firstEmptyPage.map { page > $0 } ?? false
    guard !isTooFar, distance > 0, !isAfterEnd,
      !distance.multipliedReportingOverflow(by: perPage).overflow
    else { throw noSuchPage(page) }
  }

  func noSuchPage(_ page: Int) -> PaginatorError {
    .noSuchPage(page, first: firstPageNumber, last: lastPage)
  }

  /// Whether ``check(_:)`` accepts a page.
  private func mayRequest(_ page: Int) -> Bool { (try? check(page)) != nil }

  /// The last page that may have items, if the server or an empty page shows it; at least the
  /// first.
  var lastPage: Int? {
    if let count = reportedPageCount { return firstPageNumber.saturatingSum(max(count, 1) - 1) }
    return firstEmptyPage.map { max($0 - 1, firstPageNumber) }
  }

  /// Whether there is a page after the current one; nil if only loading it would show that.
  var hasNextPage: Bool? {
    guard let current = currentKey, let page = currentPage else { return nil }
    guard page < .max, mayRequest(page + 1) else { return false }
    if let count = totalPageCount { return page - firstPageNumber < count - 1 }
    return entries[current].map { $0.receivedCount > 0 } == true ? nil : false
  }

  /// The page before the current one, or the last page of a list that has become shorter than that;
  /// nil if none can be requested.
  var previousPage: Int? {
    guard let page = currentPage, page > firstPageNumber else { return nil }
    let previous = min(page - 1, lastPage ?? .max)
    return mayRequest(previous) ? previous : nil
  }

  /// The offset of a page's first item in the whole list.
  func offset(of page: Int) -> Int {
    page < firstPageNumber ? 0 : (page - firstPageNumber).saturatingProduct(perPage)
  }

  /// The loaded items, with placeholders for those that are known to be missing.
  ///
  /// - Complexity: O(*p* log *p*) in the loaded pages.
  var slots: PaginatorSlots<Item> {
    var runs: [PaginatorSlots<Item>.Run] = []
    var end = 0
    // How many pages the runs so far cover. Not the number of the next page, which may not exist.
    var covered = 0
    for (number, items) in layout {
      let before = number - firstPageNumber
      let start = end.saturatingSum((before - covered).saturatingProduct(perPage))
      runs.append(PaginatorSlots.Run(page: number, start: start, items: items))
      end = start.saturatingSum(items.count)
      covered = before.saturatingSum(1)
    }
    // Before the first page nothing is known of the list, and after an empty page there is nothing.
    if !runs.isEmpty, let count = reportedPageCount, covered < count {
      let missing = count - covered
      end = end.saturatingSum((missing - 1).saturatingProduct(perPage))
        .saturatingSum(sizeOfLastPage(of: count))
    }
    return PaginatorSlots(
      runs: runs, firstPageNumber: firstPageNumber, perPage: perPage, count: end)
  }

  private func sizeOfLastPage(of count: Int) -> Int {
    guard let total = totals.totalCount else { return perPage }
    let before = (count - 1).saturatingProduct(perPage)
    return before >= total ? 1 : min(total - before, perPage)
  }
}
