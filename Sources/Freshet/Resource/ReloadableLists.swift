/// A list that can be loaded again by itself.
protocol ReloadableList: Tracked {
  /// The URL of its first page.
  var firstPageURL: String { get }
  /// Whether anything outside of the library observes it or tracks its properties.
  var isWatched: Bool { get }
  /// Whether any observer is listed.
  var hasObservers: Bool { get }
  /// Whether anything of it is loading.
  var isBusy: Bool { get }
  /// The tasks that wait until nothing is.
  var waiters: Waiters { get set }
  /// Loads what is stale of it, as far as it was wanted.
  ///
  /// - Parameter retriesFailure: whether a load that has failed is repeated at once, unless the server asks to
  ///   wait.
  func reloadIfNeeded(retryingFailure retriesFailure: Bool)
}

/// The lists of a store.
struct ReloadableLists {
  private struct Entry {
    weak var list: (any ReloadableList)?
  }

  private var entries: [Entry] = []

  /// The lists that exist.
  ///
  /// - Complexity: O(*n*) in their number.
  var all: [any ReloadableList] { entries.compactMap(\.list) }

  /// Adds a list.
  ///
  /// - Returns: lists that were looked at, to be released after the change: this may be the last reference
  ///   to one, whose end comes back here.
  /// - Complexity: amortized O(1).
  mutating func append(_ list: any ReloadableList) -> [any ReloadableList] {
    var held: [any ReloadableList] = []
    if entries.count == entries.capacity {
      held = all
      entries = held.map { Entry(list: $0) }
      entries.reserveCapacity(2 * held.count + 2)
    }
    entries.append(Entry(list: list))
    return held
  }
}
