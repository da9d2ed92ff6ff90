/// Styles in which the client counts.
extension PageStyle {
  /// A query parameter that numbers the pages.
  ///
  /// A request without the parameter is for the first page. Ends at an empty page, at 404 after the
  /// first page (``endsAtNotFound``), and at the last page where the number of pages is known.
  ///
  /// - Parameters:
  ///   - parameter: the name of the parameter.
  ///   - first: the number of the first page.
  ///   - pageCount: where in the body the number of pages is, for servers that report it.
  public static func pageNumber(
    _ parameter: String, startingAt first: Int = 1, pageCount: JSONPath? = nil
  ) -> PageStyle {
    @Sendable func links(_ head: Head, pageCount: Int?) throws -> Links {
      let number = try head.request.count(parameter) ?? first
      let (next, overflows) = number.addingReportingOverflow(1)
      guard !overflows else { throw PageError.notCounting(parameter: parameter) }
      let counting = Counting(
        parameter: parameter, next: next, step: 1, first: first,
        itemsPerNumber: max(head.itemCount, 1), count: pageCount)
      let isLast =
        head.itemCount == 0 || pageCount != nil && next >= counting.end(total: nil) ?? .max
      func link(_ number: Int) -> PageLink { PageLink(.query(parameter, String(number))) }
      return Links(
        next: isLast ? nil : link(next), previous: number > first ? link(number - 1) : nil,
        counting: isLast ? nil : counting)
    }
    let origin = first == 1 ? "" : ",from \(first)"
    guard let pageCount else {
      return PageStyle(
        name: "page=\(parameter)\(origin)",
        rule: .head { try links($0, pageCount: nil) }
      ).endingAtNotFound()
    }
    return PageStyle(
      name: "page=\(parameter)\(origin),of \(pageCount)",
      rule: .body { response in
        try links(response.head, pageCount: response.body[at: pageCount]?.count)
      }
    ).endingAtNotFound()
  }

  /// A query parameter that says how many items to skip; it advances by the number received.
  ///
  /// A request without the parameter skips none. Ends at an empty page, and only there: a short
  /// page need not be the last one.
  ///
  /// - Parameters:
  ///   - parameter: the name of the parameter.
  ///   - limit: the name of the parameter that says how many items a page has, which is what leads
  ///     back: without it, or where the request has no such parameter, there is no previous link.
  public static func offset(_ parameter: String, limit: String? = nil) -> PageStyle {
    PageStyle(
      name: "offset=" + parameter + (limit.map { ",limit \($0)" } ?? ""),
      rule: .head { head in
        let offset = try head.request.count(parameter) ?? 0
        let (end, overflows) = offset.addingReportingOverflow(head.itemCount)
        guard !overflows else { throw PageError.notCounting(parameter: parameter) }
        let size = try limit.flatMap { try head.request.count($0) } ?? 0
        func link(_ offset: Int) -> PageLink { PageLink(.query(parameter, String(offset))) }
        return Links(
          next: head.itemCount == 0 ? nil : link(end),
          previous: size > 0 && offset >= size ? link(offset - size) : nil,
          counting: Counting(
            parameter: parameter, next: end, step: head.itemCount, first: 0, itemsPerNumber: 1))
      })
  }
}

extension ResourceKey {
  /// The value of a query parameter that counts, from 0; nil where there is none.
  fileprivate func count(_ parameter: String) throws(PageError) -> Int? {
    guard let value = URIQuery(url: url).value(of: parameter), !value.isEmpty else { return nil }
    guard let count = Int(value), (0..<Int.max).contains(count) else {
      throw .notCounting(parameter: parameter)
    }
    return count
  }
}
