/// The size of the whole list, if the server reports it in one of the usual locations.
extension PageStyle.Head {
  /// The total in the header fields of GitLab, WordPress, Kinto and many others.
  var totalCount: Int? { statedTotal?.ifCounted }

  /// The same, with `Int.max` for a number too large to count.
  var statedTotal: Int? {
    ["X-Total-Count", "X-Total", "X-WP-Total", "Total-Objects", "Total-Records"].lazy
      .compactMap(number(inHeader:)).first { $0 >= 0 }
  }

  /// The number in a header field.
  func number(inHeader name: String) -> Int? { headers[name].flatMap { Int(wireNumber: $0) } }
}

extension PageStyle.Response {
  /// The total in the header fields, or else in the body.
  ///
  /// `count` alone is no total: to some servers it is the number of items on this page. It is one
  /// beside `next` and `results`, as Django REST framework sends it.
  var totalCount: Int? { head.totalCount ?? statedTotal?.total.ifCounted }

  /// The total in the body and its location, with `Int.max` for a number too large to count.
  var statedTotal: (total: Int, location: String)? {
    var paths: [JSONPath] = [
      "total", "total_count", "totalCount", "total_results", "totalResults", "@odata.count",
      "meta.total", "meta.total_count", "meta.totalCount", "meta.page.total", "page.totalElements",
      "paging.total", "pagination.total", "meta.pagination.total", "hits.total.value", "hits.total",
      "filtered_table_rows_count",
    ]
    if frame["next"] != nil, frame["results"] != nil { paths.append("count") }
    return paths.lazy
      .compactMap { path in frame[at: path]?.count.map { (total: $0, location: path.description) } }
      .first { $0.total >= 0 }
  }
}

extension Int {
  /// The number; nil for one too large to count.
  fileprivate var ifCounted: Int? { self < .max ? self : nil }
}
