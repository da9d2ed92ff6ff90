/// One page of a list that is requested by number: its items, and the totals it reports.
public struct PaginatorPage<Item: Sendable>: Sendable {
  /// The items, in the server's order.
  public var items: [Item]
  /// Page size and totals that the response reports.
  public var totals: PaginatorTotals

  /// Creates a page.
  public init(items: [Item], totals: PaginatorTotals = PaginatorTotals()) {
    self.items = items
    self.totals = totals
  }
}

extension PaginatorPage: CustomStringConvertible, SecretHolding {
  /// The number of items, such as `PaginatorPage: 25 items`; no secrets.
  public var description: String { "PaginatorPage: \(items.count) items" }
}

extension PaginatorPage: Equatable where Item: Equatable {}
extension PaginatorPage: Hashable where Item: Hashable {}

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
