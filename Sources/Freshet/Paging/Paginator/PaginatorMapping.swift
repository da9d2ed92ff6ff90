/// The paths in a response body at which the server reports page size and totals.
///
/// ```swift
/// let mapping = PaginatorMapping(
///   perPage: "pagination.per_page", totalPageCount: "pagination.total_pages",
///   totalCount: "pagination.total_objects")
/// ```
///
/// At each path a non-negative integer or a string of digits is read; anything else is ignored. If a
/// path is nil, the usual header fields are read (`X-Per-Page`, `X-Total-Pages`, `X-WP-TotalPages`),
/// and for the number of items the usual places, as with ``Page/totalCount``; the number of the page is
/// then the one that was requested.
public struct PaginatorMapping: Sendable, Hashable {
  /// The path of the number of items in a full page, not of those on this page.
  ///
  /// If the page size changes, so does the numbering, and pages with the old numbering are dropped.
  public var perPage: JSONPath?
  /// The path of the number of pages.
  public var totalPageCount: JSONPath?
  /// The path of the number of items in the whole list.
  public var totalCount: JSONPath?
  /// The path of the number of the page that was sent, which may differ from the requested one.
  public var currentPage: JSONPath?

  /// Creates a mapping.
  public init(
    perPage: JSONPath? = nil, totalPageCount: JSONPath? = nil, totalCount: JSONPath? = nil,
    currentPage: JSONPath? = nil
  ) {
    self.perPage = perPage
    self.totalPageCount = totalPageCount
    self.totalCount = totalCount
    self.currentPage = currentPage
  }

  /// The part of a decoder's name that differs between mappings.
  var name: String {
    [perPage, totalPageCount, totalCount, currentPage]
      .map { $0?.description ?? "" }.joined(separator: ",")
  }

  func read(_ response: PageStyle.Response) -> PaginatorTotals {
    func number(_ path: JSONPath) -> Int? {
      response.body[at: path].flatMap { value in
        value.int.map { $0 >= 0 ? $0 : nil } ?? value.string.flatMap(Self.count)
      }
    }
    var totals = read(response.head)
    if let perPage { totals.perPage = number(perPage).flatMap { $0 > 0 ? $0 : nil } }
    if let totalPageCount { totals.totalPageCount = number(totalPageCount) }
    totals.totalCount = totalCount.map(number) ?? response.totalCount
    if let currentPage { totals.currentPage = number(currentPage) }
    return totals
  }

  /// The totals in header fields alone: those without a path.
  private func read(_ head: PageStyle.Head) -> PaginatorTotals {
    func number(_ fields: [String]) -> Int? {
      fields.lazy.compactMap { head.headers[$0].flatMap(Self.count) }.first
    }
    return PaginatorTotals(
      perPage: perPage == nil ? number(["X-Per-Page"]).flatMap { $0 > 0 ? $0 : nil } : nil,
      totalPageCount: totalPageCount == nil ? number(["X-Total-Pages", "X-WP-TotalPages"]) : nil,
      totalCount: totalCount == nil ? head.totalCount : nil)
  }

  /// The page with the totals that a confirmation by 304 has changed; nil if it has changed none.
  ///
  /// As with the links of a ``Page``, what the old and the new fields report is compared.
  func confirmed<Item>(
    _ page: PaginatorPage<Item>, by confirmation: ContentConfirmation
  ) -> PaginatorPage<Item>? {
    guard confirmation.mayChangeLinks else { return nil }
    let itemCount = page.items.count
    let old = read(confirmation.head(with: confirmation.oldHeaders, itemCount: itemCount))
    let new = read(confirmation.head(with: confirmation.headers, itemCount: itemCount))
    var confirmed = page
    for total in [\PaginatorTotals.perPage, \.totalPageCount, \.totalCount]
    where page.totals[keyPath: total] == old[keyPath: total] {
      confirmed.totals[keyPath: total] = new[keyPath: total]
    }
    return confirmed.totals == page.totals ? nil : confirmed
  }

  private static func count(_ text: String) -> Int? {
    let digits = text.trimmingHTTPSpace
    return digits.utf8.allSatisfy(\.isASCIIDigit) ? Int(digits) : nil
  }
}
