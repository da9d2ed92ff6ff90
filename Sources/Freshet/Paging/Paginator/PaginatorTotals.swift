/// Page size and totals that a response reports; nil for those it does not report.
public struct PaginatorTotals: Sendable, Hashable {
  /// How many items a full page has: at least 1.
  public var perPage: Int?
  /// How many pages there are.
  public var totalPageCount: Int?
  /// How many items the whole list has.
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
