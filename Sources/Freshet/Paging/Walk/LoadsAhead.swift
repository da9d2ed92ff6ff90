/// The pages that were asked for before the walk has come to them: those right after the page that it
/// waits for, in chain order.
struct LoadsAhead {
  /// How the load of a page stands.
  enum Progress {
    /// It is loading for this list only, which may then cancel it.
    case loading
    /// It was loading already for somebody else.
    case loadingForOthers
    /// It is not loading, or not any more.
    case finished
  }

  private struct Load {
    let page: AnyResource
    var progress: Progress
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
  private(set) var isExhausted = false

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
  mutating func append(_ page: AnyResource, _ progress: Progress) {
    loads.append(Load(page: page, progress: progress))
    if progress != .finished { loadingCount += 1 }
  }

  /// A page is no longer loading.
  mutating func finish(_ page: AnyResource) {
    guard let index = loads.firstIndex(where: { $0.page === page && $0.progress != .finished })
    else { return }
    loads[index].progress = .finished
    loadingCount -= 1
  }

  /// Whether a page is the first of those that were asked for.
  func isNext(_ page: AnyResource) -> Bool { loads.first?.page === page }

  /// The walk has come to a page.
  ///
  /// - Returns: whether it is the next of those that were asked for.
  mutating func reach(_ page: AnyResource) -> Bool {
    guard loads.first?.page === page else { return false }
    if loads.removeFirst().progress != .finished { loadingCount -= 1 }
    return true
  }

  /// A request failed or has to wait: one after the other from now on.
  mutating func narrow() { width = 1 }

  /// Something was asked for anew: as many at once as before.
  mutating func widen() {
    width = fullWidth
    isExhausted = false
  }

  /// No further page is known.
  mutating func exhaust() { isExhausted = true }

  /// Further pages may be known.
  mutating func replenish() { isExhausted = false }

  /// Forgets the pages.
  ///
  /// - Returns: all of them, and whether each is loading for this list only.
  mutating func removeAll() -> [(page: AnyResource, isOwnLoad: Bool)] {
    isExhausted = false
    loadingCount = 0
    return loads.take().map { ($0.page, $0.progress == .loading) }
  }

  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(loadingCount == loads.count { $0.progress != .finished }, "ahead: loading")
    precondition(width >= 1 && width <= fullWidth, "ahead: width")
  }
}
