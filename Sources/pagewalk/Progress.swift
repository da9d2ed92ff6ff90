import Freshet

/// Decides when to report the progress of a walk.
struct Progress {
  private let interval: Duration
  private var last: Duration?
  /// How many pages the server has sent or confirmed since it was asked for changes; nil before that.
  private var upToDateCount: Int?

  /// Creates the progress of a walk that begins.
  ///
  /// - Parameter isLive: whether a line is overwritten, so that many may be shown.
  init(isLive: Bool) {
    interval = isLive ? .milliseconds(100) : .seconds(1)
  }

  /// Whether pages are counted that the server sends or confirms.
  var isChecking: Bool { upToDateCount != nil }

  /// Begins to count the pages that the server sends or confirms. Nothing is reported of what takes less than the
  /// interval.
  mutating func beginChecking(at now: Duration) {
    (last, upToDateCount) = (now, 0)
  }

  /// Counts a page that the server has sent or confirmed.
  mutating func countPage() {
    upToDateCount? += 1
  }

  /// The progress to report now; nil for none.
  mutating func text(at now: Duration, of collection: PagedCollection<JSONText>) -> String? {
    if let last, now - last < interval { return nil }
    last = now
    let total = collection.totalCount.map { " of \($0)" } ?? ""
    let items = count(collection.items.count, "item")
    // A page that was loaded again counts twice.
    let checked = upToDateCount.map {
      ", \(count(min($0, collection.pageCount), "page")) up to date"
    }
    return "\(count(collection.pageCount, "page")), \(items)\(total)\(checked ?? "")"
  }
}
