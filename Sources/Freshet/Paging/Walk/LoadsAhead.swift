/// The pages that were requested ahead of the walk: those right after the page that it waits for,
/// in chain order.
struct LoadsAhead {
  /// Who began the load of a page.
  enum Progress {
    /// This list, which may then cancel it.
    case loading
    /// Another user of the page, before this list.
    case loadingForOthers
    /// It is not loading, or not any more.
    case finished
    /// Its load has failed.
    case failed

    fileprivate var isLoading: Bool { self == .loading || self == .loadingForOthers }
  }

  private struct Load {
    let page: AnyResource
    /// The load that is under way, or else the first one that may follow. Its result is not
    /// requested again when the walk reaches the page. Nil after another demand.
    var load: ResourceState.LoadID?
    var progress: Progress
  }

  private var loads: [Load] = []
  /// The page that the walk has come to, which they come after.
  private var position: ObjectIdentifier?
  /// How many of them are loading.
  private(set) var loadingCount = 0
  /// How many requests may be under way at once, including the one that the walk waits for.
  private(set) var width: Int
  private let fullWidth: Int
  /// How many pages may be in memory, including the one that the walk waits for.
  private let memory: Int
  /// Whether no further page is known.
  private(set) var isExhausted = false

  /// - Parameter memory: how many pages may be in memory.
  init(width: Int, memory: Int = .max) {
    // A greater number means as many as possible.
    fullWidth = min(max(width, 1), memory, 1 << 16)
    self.width = fullWidth
    self.memory = min(memory, 2 * fullWidth)
  }

  var isEmpty: Bool { loads.isEmpty }
  /// How many pages after the one that the walk waits for were requested.
  var count: Int { loads.count }
  /// Whether another page may be requested while the walk waits for one.
  ///
  /// Pages that were loaded early stay in memory until their turn: there may be as many as are
  /// loading.
  var hasRoom: Bool { !isExhausted && loadingCount + 1 < width && loads.count + 1 < memory }

  func contains(_ page: AnyResource) -> Bool { loads.contains { $0.page === page } }

  /// Records that a page was requested.
  ///
  /// - Parameter load: the load that is under way, or else the first one that may follow.
  mutating func append(
    _ page: AnyResource, _ load: ResourceState.LoadID, _ progress: Progress
  ) {
    loads.append(Load(page: page, load: load, progress: progress))
    if progress.isLoading { loadingCount += 1 }
  }

  /// Records that a page is no longer loading.
  mutating func finish(_ page: AnyResource, _ progress: Progress = .finished) {
    guard let index = loads.firstIndex(where: { $0.page === page && $0.progress.isLoading })
    else { return }
    loads[index].progress = progress
    loadingCount -= 1
  }

  /// Whether a page is the first of those requested ahead, and was counted for the current demand.
  func isPaid(_ page: AnyResource) -> Bool {
    loads.first.map { $0.page === page && $0.load != nil } ?? false
  }

  /// Records that the walk has reached a page.
  ///
  /// - Returns: nil if it is not the next of those requested ahead; otherwise the first load whose
  ///   result is not requested again.
  mutating func reach(_ page: AnyResource) -> ResourceState.LoadID? {
    guard loads.first?.page === page else { return nil }
    let load = loads.removeFirst()
    if load.progress.isLoading { loadingCount -= 1 }
    return load.load ?? .max
  }

  /// The walk has come to a page, or looks at it again.
  mutating func begin(after page: AnyResource) { position = ObjectIdentifier(page) }

  /// Whether the pages come after this one.
  func follow(_ page: AnyResource) -> Bool { position == ObjectIdentifier(page) }

  /// A request failed or has to wait: one after the other from now on.
  mutating func narrow() { width = 1 }

  /// After another demand: as many requests at once as before.
  mutating func widen() {
    width = fullWidth
    isExhausted = false
  }

  /// Another demand follows one that has ended: pages loaded for that one are of its age, and are
  /// counted again.
  mutating func outdate() {
    for index in loads.indices where !loads[index].progress.isLoading { loads[index].load = nil }
  }

  /// Pages whose loads failed are to be loaded again.
  mutating func retry() {
    for index in loads.indices where loads[index].progress == .failed { loads[index].load = nil }
  }

  /// Records that no further page is known.
  mutating func exhaust() { isExhausted = true }

  /// Records that further pages may be known.
  mutating func replenish() { isExhausted = false }

  /// Removes the pages.
  ///
  /// - Returns: all of them, and which load this list began for each, if that is under way.
  mutating func removeAll() -> [(page: AnyResource, ownLoad: ResourceState.LoadID?)] {
    isExhausted = false
    loadingCount = 0
    return loads.take().map { ($0.page, $0.progress == .loading ? $0.load : nil) }
  }

  /// Stops the program where an invariant does not hold. For tests; O(*n*).
  func checkInvariants() {
    precondition(loadingCount == loads.count(where: \.progress.isLoading), "ahead: loading")
    precondition(width >= 1 && width <= fullWidth, "ahead: width")
    precondition(
      loads.allSatisfy { !$0.progress.isLoading || $0.load != nil }, "ahead: no load is under way"
    )
  }
}
