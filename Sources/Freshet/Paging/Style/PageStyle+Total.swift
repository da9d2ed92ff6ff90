/// The size of the whole list, if the server reports it in one of the usual locations.
extension PageStyle.Head {
  /// The total in the header fields of GitLab, WordPress, Kinto and many others, or else in `Content-Range`.
  var totalCount: Int? { (statedTotal?.number ?? itemRange?.size)?.ifCounted }

  /// The total in the header fields, with `Int.max` for a number too large to count, and the name of its field.
  var statedTotal: (number: Int, field: String)? {
    fields(with: .totalCount).lazy.compactMap { field in
      Int(wireCount: field.value).map { ($0, field.name) }
    }.first
  }

  var pageCount: Int? {
    fields(with: .pageCount).lazy.compactMap { Int(wireCount: $0.value) }.first(where: mayCount)
  }

  /// Whether there may be that many pages in the list: none only if this one has no items.
  func mayCount(pages count: Int) -> Bool { count > 0 || itemCount == 0 }
}

extension PageStyle.Response {
  /// The total in the header fields, or else in the body.
  ///
  /// `count` alone is not a total: to some servers it is the number of items on this page. It is one
  /// beside `next` and `results`, as Django REST framework sends it.
  ///
  /// A lower bound is none either.
  var totalCount: Int? {
    head.totalCount
      ?? statedTotal(in: pageMembers).flatMap { $0.isLowerBound ? nil : $0.total.ifCounted }
  }

  /// The number of pages in the header fields, or else in the body.
  var pageCount: Int? {
    head.pageCount
      ?? pageObjects.lazy.compactMap(\.pageCount?.value.statedCount).first(where: head.mayCount)
  }

  /// The total in the body, found among the members that describe the page.
  func statedTotal(in pageMembers: [ListDescription.Member]) -> ListDescription.Total? {
    let counts = frame["next"] != nil && frame["results"] != nil
    for member in pageMembers {
      let isPlainCount = member.name.text == "count" && member.objectPath.names.isEmpty
      guard member.sign == .totalCount || counts && isPlainCount else { continue }
      if let total = member.value.statedCount { return .init(total: total, path: member.path) }
      // Elasticsearch has an object there, and counts no further than to 10,000.
      if let total = member.value["value"]?.statedCount {
        let isLowerBound = member.value["relation"]?.string == "gte"
        return .init(
          total: total, path: member.path.appending("value"),
          pathOfLowerBound: isLowerBound ? member.path.appending("relation") : nil)
      }
    }
    return nil
  }
}
