/// The size of the whole list, if the server reports it in one of the usual locations.
extension PageStyle.Head {
  /// The total in the header fields of GitLab, WordPress, Kinto and many others.
  var totalCount: Int? { statedTotal?.ifCounted }

  /// The total in the header fields, with `Int.max` for a number too large to count.
  var statedTotal: Int? {
    fields(with: .totalCount).lazy.compactMap { Int(wireNumber: $0.value) }.first { $0 >= 0 }
  }

  /// The name of the header field with the total.
  var fieldOfTotal: String? {
    fields(with: .totalCount).first { Int(wireNumber: $0.value).map { $0 >= 0 } == true }?.name
  }

  /// The number of pages in the header fields.
  var pageCount: Int? {
    fields(with: .pageCount).lazy.compactMap { Int(wireNumber: $0.value) }.first { $0 >= 0 }
  }
}

extension PageStyle.Response {
  /// The total in the header fields, or else in the body.
  ///
  /// `count` alone is no total: to some servers it is the number of items on this page. It is one
  /// beside `next` and `results`, as Django REST framework sends it.
  var totalCount: Int? { head.totalCount ?? statedTotal?.total.ifCounted }

  /// The number of pages in the header fields, or else in the body.
  var pageCount: Int? {
    head.pageCount ?? pageObjects.lazy.compactMap(\.pageCount?.value.statedCount).first
  }

  /// The total in the body and its path, with `Int.max` for a number too large to count.
  var statedTotal: (total: Int, path: JSONPath)? { statedTotal(in: pageMembers) }

  /// The total in the body and its path, found among the members that describe the page.
  func statedTotal(in pageMembers: [ListDescription.Member]) -> (total: Int, path: JSONPath)? {
    let counts = frame["next"] != nil && frame["results"] != nil
    for member in pageMembers {
      let isPlainCount = member.name.text == "count" && member.objectPath.names.isEmpty
      guard member.sign == .totalCount || counts && isPlainCount else { continue }
      // Elasticsearch has an object there.
      let nested = member.value["value"]
      if let total = (nested ?? member.value).statedCount, total >= 0 {
        return (total, nested == nil ? member.path : member.path.appending("value"))
      }
    }
    return nil
  }
}

extension Int {
  /// The number; nil for one too large to count.
  fileprivate var ifCounted: Int? { self < .max ? self : nil }
}

extension JSONText {
  /// A number, or one that is written as a string of digits, as a count; nil for any other value.
  var statedCount: Int? {
    guard kind == .string else { return count }
    guard let string, !string.isEmpty, string.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(wireNumber: string)
  }
}
