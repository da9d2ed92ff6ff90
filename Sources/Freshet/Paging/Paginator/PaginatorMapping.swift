/// The paths in a response body at which the server reports page size and totals.
///
/// ```swift
/// PaginatorMapping(
///   perPage: "pagination.per_page", pageCount: "pagination.total_pages",
///   objectCount: "pagination.total_objects")
/// ```
///
/// The value at each path is a number written as a nonnegative integer, or a string of digits;
/// anything else is ignored. Where a path is nil, the usual header fields are read (`X-Per-Page`,
/// `X-Total-Pages`, `X-WP-TotalPages`), and for the number of items the usual places, as with
/// ``Page/total``; the page number is then the requested one.
public struct PaginatorMapping: Sendable, Hashable {
  /// How many items a full page has, not how many are on this one. Another page size is another
  /// numbering, and the pages of the older one are dropped.
  public var perPage: JSONPath?
  /// How many pages there are.
  public var pageCount: JSONPath?
  /// How many items the whole list has.
  public var objectCount: JSONPath?
  /// The number of the page that was sent, for servers that may send another page than was
  /// requested.
  public var currentPage: JSONPath?

  /// Makes a mapping.
  public init(
    perPage: JSONPath? = nil, pageCount: JSONPath? = nil, objectCount: JSONPath? = nil,
    currentPage: JSONPath? = nil
  ) {
    self.perPage = perPage
    self.pageCount = pageCount
    self.objectCount = objectCount
    self.currentPage = currentPage
  }

  /// The part of a decoder's name that differs between mappings.
  var name: String {
    [perPage, pageCount, objectCount, currentPage]
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
      pageCount: number(pageCount, ["X-Total-Pages", "X-WP-TotalPages"]),
      objectCount: objectCount == nil ? response.total : number(objectCount),
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
  public var pageCount: Int?
  /// How many items the whole list has.
  public var objectCount: Int?
  /// The number of the page that was sent.
  public var currentPage: Int?

  /// Makes totals.
  public init(
    perPage: Int? = nil, pageCount: Int? = nil, objectCount: Int? = nil, currentPage: Int? = nil
  ) {
    self.perPage = perPage
    self.pageCount = pageCount
    self.objectCount = objectCount
    self.currentPage = currentPage
  }
}
