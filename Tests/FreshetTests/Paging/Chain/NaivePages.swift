@testable import Freshet

/// A list of numbered pages in the most obvious way: the inputs in the order in which they came,
/// and everything computed from that again. The reference for ``PageTable``.
struct NaivePages {
  var arrivals: [(key: Int, page: PaginatorPage<Int>)] = []
  var first: Int
  var perPage: Int
  var current: Int?
  var waiting: Int?
  var failed: Int?

  mutating func arrive(_ key: Int, _ page: PaginatorPage<Int>) {
    arrivals.removeAll { $0.key == key }
    arrivals.append((key, page))
  }

  mutating func wipe(_ key: Int) {
    arrivals.removeAll { $0.key == key }
    if current == key { current = nil }
  }

  func number(_ key: Int) -> Int {
    let stated = arrivals.first { $0.key == key }?.page.totals.currentPage
    return stated.map { $0 >= first ? $0 : key } ?? key
  }

  /// The page with a number.
  func page(at number: Int) -> [Int]? {
    let claims = arrivals.filter { self.number($0.key) == number }
    return (claims.first { $0.key == number } ?? claims.last)?.page.items
  }

  var totalCount: Int? {
    arrivals.last { $0.page.totals.totalCount != nil }?.page.totals.totalCount
  }

  var statedPages: Int? {
    if let stated = arrivals.last(where: { $0.page.totals.totalPageCount != nil }) {
      return stated.page.totals.totalPageCount
    }
    guard let totalCount else { return nil }
    if let page = arrivals.first(where: { $0.key == first })?.page, number(first) == first,
      page.totals.perPage == nil, (1..<perPage).contains(page.items.count),
      page.items.count < totalCount
    {
      return nil
    }
    var pages = 0
    while pages * perPage < totalCount { pages += 1 }
    return pages
  }

  /// Items, and the negative number of the page, less one, for placeholders.
  var slots: [Int] {
    guard let last = arrivals.map({ number($0.key) }).max() else { return [] }
    var slots: [Int] = []
    for number in first...max(last, first + (statedPages ?? 0) - 1) {
      if let items = page(at: number) {
        slots += items
      } else {
        var size = perPage
        if let statedPages, let totalCount, number == first + statedPages - 1, number > last {
          size = max(1, min(perPage, totalCount - (statedPages - 1) * perPage))
        }
        slots += Array(repeating: -number - 1, count: size)
      }
    }
    return slots
  }

  /// Whether a page may be requested.
  func allows(_ page: Int) -> Bool {
    if page == first { return true }
    if page < first { return false }
    if let statedPages { return page < first + statedPages }
    let empty = arrivals.filter { $0.page.items.isEmpty }.map { number($0.key) }.min()
    return empty.map { page <= $0 } ?? true
  }
}
