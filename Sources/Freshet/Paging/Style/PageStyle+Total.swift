/// The size of the whole list, if the server reports it in one of the usual locations.
extension PageStyle.Head {
  /// The total in the header fields of GitLab, WordPress, Kinto and many others.
  var totalCount: Int? { statedTotal?.ifCounted }

  /// The same, with `Int.max` for a number too large to count.
  var statedTotal: Int? {
    fields(with: .totalCount).lazy.compactMap { Int(wireNumber: $0.value) }.first { $0 >= 0 }
  }
}

extension PageStyle.Response {
  /// The total in the header fields, or else in the body.
  ///
  /// `count` alone is no total: to some servers it is the number of items on this page. It is one
  /// beside `next` and `results`, as Django REST framework sends it.
  var totalCount: Int? { head.totalCount ?? statedTotal?.total.ifCounted }

  /// The total in the body and its location, with `Int.max` for a number too large to count.
  var statedTotal: (total: Int, location: String)? {
    let counts = frame["next"] != nil && frame["results"] != nil
    return descriptors.lazy.compactMap { path, name, value in
      guard ListSign(name) == .totalCount || counts && path == "count" else { return nil }
      // Elasticsearch has an object there.
      let nested = value["value"]
      let location = (path.names + (nested == nil ? [] : ["value"])).joined(separator: ".")
      return (nested ?? value).statedCount.map { (total: $0, location: location) }
    }.first { $0.total >= 0 }
  }
}

extension Int {
  /// The number; nil for one too large to count.
  fileprivate var ifCounted: Int? { self < .max ? self : nil }
}
