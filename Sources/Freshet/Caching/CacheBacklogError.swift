/// The error of a change for which there is no room, because too much waits for a slow persistent cache.
enum CacheBacklogError: QuotableError, Hashable {
  /// The response is not stored, and an older one is removed.
  case entry
  /// Everything is removed from the cache.
  case all

  /// What happened and what is lost.
  var description: String {
    let what = "the cache is slower than the network, and too much waits for it: "
    return switch self {
    case .entry: what + "this response is not stored, and an older one is removed"
    case .all: what + "all of its entries are removed"
    }
  }
}
