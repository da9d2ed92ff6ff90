import Freshet

/// Decides when to report the progress of a walk.
struct Progress {
  private let interval: Duration
  private var last: Duration?

  /// - Parameter isLive: whether a line is overwritten, so that many may be shown.
  init(isLive: Bool) {
    interval = isLive ? .milliseconds(100) : .seconds(1)
  }

  /// The progress to report now; nil for none.
  mutating func text(at now: Duration, of collection: PagedCollection<JSONText>) -> String? {
    if let last, now - last < interval { return nil }
    last = now
    let total = collection.totalCount.map { " of \($0)" } ?? ""
    let items = count(collection.items.count, "item")
    return "\(count(collection.pageCount, "page")), \(items)\(total)"
  }
}
