/// The paths in a response body at which the server reports page size and totals.
///
/// ```swift
/// PaginatorMapping(
///   perPage: "pagination.per_page", totalPageCount: "pagination.total_pages",
///   totalCount: "pagination.total_objects")
/// ```
///
/// At each path a number is read that is written as an integer and not negative, or a string of
/// digits; anything else is ignored. Where a path is nil, the usual header fields are read
/// (`X-Per-Page`, `X-Total-Pages`, `X-WP-TotalPages`), and for the number of items the usual places, as
/// with ``Page/totalCount``; the number of the page is then the one that was requested.
public struct PaginatorMapping: Sendable, Hashable {
  /// How many items a full page has, not how many are on this one. Another page size is another
  /// numbering, and the pages of the older one are dropped.
  public var perPage: JSONPath?
  /// How many pages there are.
  public var totalPageCount: JSONPath?
  /// How many items the whole list has.
  public var totalCount: JSONPath?
  /// The number of the page that was sent, where it may be another one than was requested.
  public var currentPage: JSONPath?

  /// Makes a mapping.
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

  /// The totals in a response.
  func read(_ response: PageStyle.Response) -> PaginatorTotals {
    func number(_ path: JSONPath?, _ fields: [String] = []) -> Int? {
      guard let path else {
        return fields.lazy.compactMap { response.head.headers[$0].flatMap(Self.count) }.first
      }
      return response.body[at: path].flatMap { value in
        value.int.map { $0 >= 0 ? $0 : nil } ?? value.string.flatMap(Self.count)
      }
    }
    return PaginatorTotals(
      perPage: number(perPage, ["X-Per-Page"]).flatMap { $0 > 0 ? $0 : nil },
      totalPageCount: number(totalPageCount, ["X-Total-Pages", "X-WP-TotalPages"]),
      totalCount: totalCount == nil ? response.totalCount : number(totalCount),
      currentPage: number(currentPage))
  }

  private static func count(_ text: String) -> Int? {
    let digits = text.trimmingHTTPSpace
    return digits.utf8.allSatisfy(\.isASCIIDigit) ? Int(digits) : nil
  }
}

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

  /// Makes totals.
  public init(
    perPage: Int? = nil, totalPageCount: Int? = nil, totalCount: Int? = nil, currentPage: Int? = nil
  ) {
    self.perPage = perPage
    self.totalPageCount = totalPageCount
    self.totalCount = totalCount
    self.currentPage = currentPage
  }
}
