/// The pages that were asked for before the walk has come to them: those right after the page that it
/// waits for, in chain order.
struct LoadsAhead {
  private struct Load {
    let page: AnyResource
    var isLoading: Bool
    /// Whether the load began for this list, which may then cancel it.
    let isOwn: Bool
  }

  private var loads: [Load] = []
  /// How many of them are loading.
  private(set) var loadingCount = 0
  /// How many requests may be under way at once, the one that the walk waits for included.
  private(set) var width: Int
  private let fullWidth: Int
  /// How many pages may be in memory, the one that the walk waits for included.
  private let memory: Int
  /// Whether no further page is known.
  var isExhausted = false

  /// - Parameter memory: how many pages may be in memory.
  init(width: Int, memory: Int = .max) {
    // More than that nobody means.
    fullWidth = min(max(width, 1), memory, 1 << 16)
    self.width = fullWidth
    self.memory = min(memory, 2 * fullWidth)
  }

  var isEmpty: Bool { loads.isEmpty }
  /// How many pages after the one that the walk waits for were asked for.
  var count: Int { loads.count }
  /// Whether another page may be asked for while the walk waits for one.
  ///
  /// Pages that were loaded early wait for their turn in memory: there may be as many as are loading.
  var hasRoom: Bool { !isExhausted && loadingCount + 1 < width && loads.count + 1 < memory }

  func contains(_ page: AnyResource) -> Bool { loads.contains { $0.page === page } }

  /// A page was asked for.
  mutating func append(_ page: AnyResource, isLoading: Bool, isOwn: Bool) {
    loads.append(Load(page: page, isLoading: isLoading, isOwn: isOwn))
    if isLoading { loadingCount += 1 }
  }

  /// A page is no longer loading.
  mutating func finish(_ page: AnyResource) {
    guard let index = loads.firstIndex(where: { $0.page === page && $0.isLoading }) else { return }
    loads[index].isLoading = false
    loadingCount -= 1
  }

  /// Whether a page is the first of those that were asked for.
  func isNext(_ page: AnyResource) -> Bool { loads.first?.page === page }

  /// The walk has come to a page.
  ///
  /// - Returns: whether it is the next of those that were asked for.
  mutating func reach(_ page: AnyResource) -> Bool {
    guard loads.first?.page === page else { return false }
    if loads.removeFirst().isLoading { loadingCount -= 1 }
    return true
  }

  /// A request failed or has to wait: one after the other from now on.
  mutating func narrow() { width = 1 }

  /// Something was asked for anew: as many at once as before.
  mutating func widen() {
    width = fullWidth
    isExhausted = false
  }

  /// Forgets the pages.
  ///
  /// - Returns: all of them, and whether each is loading for this list only.
  mutating func removeAll() -> [(page: AnyResource, isOwnLoad: Bool)] {
    isExhausted = false
    loadingCount = 0
    return loads.take().map { ($0.page, $0.isLoading && $0.isOwn) }
  }
}
