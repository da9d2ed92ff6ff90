/// Styles in which the client counts.
extension PageStyle {
  /// Returns a style in which a query parameter, or a number in the JSON request body, numbers the pages.
  ///
  /// A request without the parameter is for the first page. If the query has none and the body has a number, or null,
  /// at the path that the name is, the pages are numbered there. Ends at the last page if the number of pages is
  /// known, and otherwise at an empty page; and at 404 after the first page, unless the page before it reports more
  /// pages or items, or says that there are more. A list also ends if all items that the response reports are
  /// loaded and the next page is refused with 400, 416 or 422. A response that is `{}` is an empty page,
  /// also where it is the first one, if the item array has a path.
  ///
  /// - Parameters:
  ///   - parameter: the name of the parameter, or its path in the request body.
  ///   - first: the number of the first page.
  ///   - pageCount: the path of the number of pages in the body, for servers that report it.
  public static func pageNumber(
    _ parameter: String, startingAt first: Int = 1, totalPageCount pageCount: JSONPath? = nil
  ) -> PageStyle {
    @Sendable func links(_ head: Head, pageCount: Int?) throws -> Links {
      let (number, next, counter, isFirst) = try head.request.count(parameter, from: first, by: 1)
      var links = Links()
      if number > first { links.previous = counter.link(number - 1) }
      let end = pageCount.flatMap { head.mayCount(pages: $0) ? first.saturatingSum($0) : nil }
      // An empty page before the last one is that of a filter.
      if end.map({ next < $0 }) ?? (head.itemCount > 0) { links.next = counter.link(next) }
      links.rest = .counted(
        Counting(
          counter: counter, next: next, step: 1, first: first, isOfItems: false,
          itemsPerNumber: max(head.itemCount, 1), isFirst: isFirst, end: end))
      return links
    }
    let rule: Rule =
      if let pageCount {
        .body { response, _ in
          try links(response.head, pageCount: response.body[at: pageCount]?.count)
        }
      } else {
        .head { head, _ in try links(head, pageCount: nil) }
      }
    return PageStyle(
      .pageNumber(parameter, startingAt: first, totalPageCount: pageCount), rule: rule)
  }

  /// Returns a style in which a query parameter, or a number in the JSON request body, is the number of items to skip,
  /// which advances by the number received.
  ///
  /// ```swift
  /// // POST {"limit": 50, "offset": 0}: the body has the number to count from.
  /// PageStyle.offset("offset").items(at: "results")
  /// ```
  ///
  /// A request without the parameter skips none. If the query has none and the body has a number, or null, at the
  /// path that the name is, the items are counted there. If the response to a request without a number has the number 1
  /// at a member of that name, as with SCIM's `startIndex`, items are counted from 1. Ends at an empty page, not at a
  /// short one, which need not be the last. A list also ends if all items that the response reports are loaded and the
  /// next page is refused with 400, 404, 416 or 422. A response that is `{}` is an empty page, also where it
  /// is the first one, if the item array has a path.
  ///
  /// - Parameters:
  ///   - parameter: the name of the parameter, or its path in the request body.
  ///   - limit: the name of the parameter for the page size, which the previous link needs: without
  ///     it, or in a request without that parameter, there is no previous link.
  public static func offset(_ parameter: String, limit: String? = nil) -> PageStyle {
    PageStyle(
      .offset(parameter, limit: limit),
      rule: .head { head, _ in
        let (offset, end, counter, isFirst) = try head.request.count(
          parameter, from: 0, by: head.itemCount)
        let size = try limit.flatMap { try head.request.count($0).value } ?? 0
        var links = Links()
        if size > 0, offset >= size { links.previous = counter.link(offset - size) }
        if head.itemCount > 0 {
          links.next = counter.link(end)
          links.rest = .counted(
            Counting(
              counter: counter, next: end, step: head.itemCount, first: 0, isOfItems: true,
              itemsPerNumber: 1, isFirst: isFirst))
        }
        return links
      })
  }

  /// Where a request has the number that a style counts.
  struct Counter: Sendable, Hashable {
    let parameter: String
    /// Whether the parameter is a path in the JSON body, and not in the query.
    let isInBody: Bool

    /// The name of the parameter, without the path to it.
    var name: MemberName {
      MemberName(isInBody ? JSONPath(parameter).names.last ?? "" : parameter)
    }

    func link(_ number: Int) -> PageLink {
      PageLink(
        isInBody
          ? .body(JSONPath(parameter), JSONText(int: number)) : .query(parameter, String(number)))
    }
  }

  /// How a counting style continues after the next page.
  struct Counting: Sendable, Hashable {
    let counter: Counter
    /// The number or offset of the next page.
    private(set) var next: Int
    /// How much is added from one page to the one after it.
    let step: Int
    /// The number of the first page, or of the first item.
    private(set) var first: Int
    /// Whether items are counted, not pages.
    let isOfItems: Bool
    /// How many items one number stands for: 1 for offsets.
    let itemsPerNumber: Int
    /// Whether the request has no number: the server chooses it.
    let isFirst: Bool
    /// The number that the first page states, where it is less than ``first``: requests may be counted from there.
    private(set) var lesserFirst: Int?
    /// The first number that has no page, if the response shows it; otherwise the total does.
    var end: Int?
    /// Whether the response, which does not show the end, says by a flag that there are more items.
    var saysMore = false

    /// Counts items from the number that the first page states. With pages that is yet to be seen: some servers
    /// count from 0 in responses alone.
    mutating func begin(at stated: Int) {
      guard stated > first else { return lesserFirst = stated }
      if isFirst { next = next.saturatingSum(stated - first) }
      first = stated
    }

    var link: PageLink { counter.link(next) }

    /// The first number that has no page; nil if unknown.
    func end(total: Int?) -> Int? {
      end ?? total.map { first.saturatingSum(max($0, 0).dividedRoundingUp(by: itemsPerNumber)) }
    }

    /// Whether there is a next page by what this one counts; nil if that does not show it.
    ///
    /// - Parameters:
    ///   - total: the number of items in the whole list, if it is known.
    ///   - count: the number of items on the first page, if that is known: the last one may have fewer.
    func countsNext(total: Int?, itemsOnFirst count: Int?) -> Bool? {
      if let end { return next < end }
      if saysMore { return true }
      guard let total, let count = isOfItems ? 1 : count else {
        // If the server counts from less, a page was skipped.
        return isFirst && lesserFirst != nil ? true : nil
      }
      return (next - first).saturatingProduct(max(itemsPerNumber, count)) < total
    }

    /// The link to the page that many pages after the next one; nil if it is not known to exist.
    func link(ahead distance: Int, total: Int?) -> PageLink? {
      guard let end = end(total: total) else { return nil }
      let number = next.saturatingSum(step.saturatingProduct(distance))
      return number < end ? counter.link(number) : nil
    }
  }
}

extension ResourceKey {
  /// The value of what is counted in this request, and in the next one; where it is; and whether this one lacks it.
  ///
  /// - Parameter first: the value for a request without the parameter.
  fileprivate func count(
    _ parameter: String, from first: Int, by step: Int
  ) throws(PageError) -> (now: Int, next: Int, counter: PageStyle.Counter, isFirst: Bool) {
    let (count, counter) = try count(parameter)
    let now = count ?? first
    let (next, overflows) = now.addingReportingOverflow(step)
    guard !overflows else { throw .notCounting(parameter: parameter) }
    return (now, next, counter, isFirst: count == nil)
  }

  /// The value of what is counted, at least 0, nil if the request does not have it; and where it is.
  fileprivate func count(
    _ parameter: String
  ) throws(PageError) -> (value: Int?, counter: PageStyle.Counter) {
    var value = URIQuery(url: url).value(of: parameter)
    var isInBody = false
    if value == nil, let body,
      let number = (try? JSONText(parsing: body))?[at: JSONPath(parameter)],
      [.number, .null].contains(number.kind)
    {
      isInBody = true
      if number.kind == .number { value = number.description }
    }
    let counter = PageStyle.Counter(parameter: parameter, isInBody: isInBody)
    guard let value, !value.isEmpty else { return (nil, counter) }
    guard let count = Int(value), (0..<Int.max).contains(count) else {
      throw .notCounting(parameter: parameter)
    }
    return (count, counter)
  }
}
