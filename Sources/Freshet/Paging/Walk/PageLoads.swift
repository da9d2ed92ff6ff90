/// The loads of a list that are under way, and the pages that were requested ahead of the walk: those
/// right after the page that it waits for, in chain order.
struct PageLoads {
  private struct Ahead {
    let page: AnyResource
    /// The earliest load whose result the walk accepts at any age; nil once a later demand has to pay for the page
    /// again.
    var load: ResourceState.LoadID?
    var hasFailed = false
    /// Whether its request has given way to the server, and is to be made again.
    var isPostponed = false
  }

  /// The pages that are loading for this list, each once, and their loads: at either end and ahead.
  private var underWay: [(page: AnyResource, load: ResourceState.LoadID)] = []
  private var ahead: [Ahead] = []
  /// The page that the walk has come to, or looks at again: those ahead come after it.
  private(set) var position: ObjectIdentifier?
  /// How many requests may be under way at once after a failure or a wait.
  private(set) var width: Int
  /// How many requests may be under way at once.
  private let fullWidth: Int
  /// How many pages may be in memory, including the one that the walk waits for.
  private let memory: Int
  /// When the server may get several requests at once again.
  private var quietUntil = Duration.zero
  /// Whether no further page is known.
  private(set) var isExhausted = false

  init(width: Int, memory: Int = .max) {
    fullWidth = width
    self.width = width
    self.memory = min(memory, 2 * width)
  }

  // MARK: Under way

  var count: Int { underWay.count }

  /// The load of a page that is under way for this list.
  func load(of page: AnyResource) -> ResourceState.LoadID? {
    underWay.first { $0.page === page }?.load
  }

  /// Records that a load was begun or joined.
  ///
  /// - Returns: the older one of that page, which is no longer wanted.
  mutating func begin(_ load: ResourceState.LoadID, of page: AnyResource) -> ResourceState.LoadID? {
    let older = end(page)
    underWay.append((page, load))
    return older == load ? nil : older
  }

  /// Records that a page is no longer loading for this list.
  @discardableResult
  mutating func end(_ page: AnyResource) -> ResourceState.LoadID? {
    guard let index = underWay.firstIndex(where: { $0.page === page }) else { return nil }
    return underWay.remove(at: index).load
  }

  // MARK: Ahead

  /// How many pages after the one that the walk waits for were requested.
  var aheadCount: Int { ahead.count }
  /// Whether another page may be requested while the walk waits for one.
  ///
  /// Pages that were loaded early stay in memory until their turn: there may be as many as are
  /// loading.
  var hasRoom: Bool {
    count < width
      && (!isExhausted && ahead.count + 1 < memory || ahead.contains(where: \.isPostponed))
  }

  var lastAhead: AnyResource? { ahead.last?.page }
  var pagesAhead: [AnyResource] { ahead.map(\.page) }

  func isAhead(_ page: AnyResource) -> Bool { ahead.contains { $0.page === page } }

  /// Records that a page was requested.
  ///
  /// - Parameter load: the load that is under way, or else the first one that may follow.
  mutating func append(_ page: AnyResource, _ load: ResourceState.LoadID) {
    ahead.append(Ahead(page: page, load: load))
  }

  /// Records whether the last load of a page has failed, by whoever asked for it.
  mutating func setFailed(_ page: AnyResource, _ hasFailed: Bool) {
    for index in ahead.indices where ahead[index].page === page {
      ahead[index].hasFailed = hasFailed
    }
  }

  /// Whether a page is the first of those requested ahead, and was counted for the current demand.
  func isPaid(_ page: AnyResource) -> Bool {
    ahead.first.map { $0.page === page && $0.load != nil } ?? false
  }

  /// Records that the walk has come to a page, if it is the next of those requested ahead.
  ///
  /// - Returns: nil if it is not the next of those requested ahead; otherwise the first load whose result is not
  ///   requested again.
  mutating func reach(_ page: AnyResource) -> ResourceState.LoadID? {
    guard ahead.first?.page === page else { return nil }
    come(to: page)
    return ahead.removeFirst().load ?? .max
  }

  /// Records the page that the walk has come to.
  mutating func come(to page: AnyResource) { position = page.id }

  /// Records that no further page is known.
  mutating func exhaust() { isExhausted = true }

  /// Records that a further page may be known, because the chain has changed.
  mutating func lookAgain() { isExhausted = false }

  /// A request failed or has to wait: one after another from now on.
  mutating func narrow() { width = 1 }

  /// The server asks for fewer requests: one after another until then, whatever is wanted meanwhile.
  mutating func narrow(until time: Duration) {
    narrow()
    quietUntil = max(quietUntil, time)
  }

  /// The pages requested ahead that are loading, and whose requests wait, are to be requested again. They stay
  /// paid.
  mutating func postponeAhead(where waits: (AnyResource) -> Bool) -> [AnyResource] {
    for index in ahead.indices
    where load(of: ahead[index].page) != nil && waits(ahead[index].page) {
      ahead[index].isPostponed = true
    }
    return ahead.filter(\.isPostponed).map(\.page)
  }

  /// The first page that is postponed, its index among those that were requested ahead, and whether it was counted
  /// for the current demand.
  var postponed: (page: AnyResource, index: Int, isPaid: Bool)? {
    guard let index = ahead.firstIndex(where: \.isPostponed) else { return nil }
    return (ahead[index].page, index, ahead[index].load != nil)
  }

  /// Records that a page was requested again, if it was postponed.
  ///
  /// - Parameter load: the load that is under way, or else the first one that may follow.
  /// - Returns: whether it was postponed.
  mutating func resume(_ page: AnyResource, _ load: ResourceState.LoadID) -> Bool {
    guard let index = ahead.firstIndex(where: { $0.isPostponed && $0.page === page })
    else { return false }
    (ahead[index].isPostponed, ahead[index].load) = (false, load)
    return true
  }

  /// After a new demand: as many requests at once as before, unless the server has asked for fewer until later.
  mutating func widen(at now: @autoclosure () -> Duration) {
    if width < fullWidth, now() >= quietUntil { width = fullWidth }
    isExhausted = false
  }

  /// A new demand follows one that has ended: pages loaded ahead for that one may be stale, and are charged
  /// to the budget again.
  mutating func outdate() {
    for index in ahead.indices where load(of: ahead[index].page) == nil { ahead[index].load = nil }
  }

  /// Pages whose loads failed are to be loaded again.
  mutating func retry() {
    for index in ahead.indices where ahead[index].hasFailed { ahead[index].load = nil }
  }

  /// Removes the pages that were requested ahead, from one of them on; nil for all. Others may be known now.
  mutating func removeAhead(from first: AnyResource?) -> [AnyResource] {
    lookAgain()
    let index = first.map { first in ahead.firstIndex { $0.page === first } ?? ahead.endIndex } ?? 0
    guard index < ahead.endIndex else { return [] }
    defer { ahead.removeSubrange(index...) }
    return ahead[index...].map(\.page)
  }

  /// The page that was requested ahead right after another one.
  ///
  /// One that was not requested ahead is the page that the walk waits for, or one before it: the first of
  /// those ahead comes after it.
  func ahead(after page: AnyResource) -> AnyResource? {
    let index = ahead.firstIndex { $0.page === page }
    return ahead.dropFirst(index.map { $0 + 1 } ?? 0).first?.page
  }

  func checkInvariants() {
    precondition(width >= 1 && width <= fullWidth, "loads: width")
    precondition(
      Set(underWay.map { ObjectIdentifier($0.page) }).count == count, "loads: a page twice")
  }
}
