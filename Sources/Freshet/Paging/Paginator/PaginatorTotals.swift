/// The page size and the totals that a response reports; nil for those it does not report.
public struct PaginatorTotals: Sendable, Hashable {
  /// The number of items in a full page, at least 1.
  public var perPage: Int?
  /// The number of pages.
  public var totalPageCount: Int?
  /// The number of items in the whole list.
  public var totalCount: Int?
  /// The number of the page that was sent.
  public var currentPage: Int?

  /// Creates totals.
  public init(
    perPage: Int? = nil, totalPageCount: Int? = nil, totalCount: Int? = nil, currentPage: Int? = nil
  ) {
    self.perPage = perPage
    self.totalPageCount = totalPageCount
    self.totalCount = totalCount
    self.currentPage = currentPage
  }
}
