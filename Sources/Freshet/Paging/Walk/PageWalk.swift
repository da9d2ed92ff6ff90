/// The position of the walk along a chain: a pure value.
///
/// The walk visits one page after the other, and waits if a page has to be loaded.
struct PageWalk {
  private enum Activity {
    /// No items were ever requested.
    case notStarted
    /// The first part of the first walk, which shows what the persistent cache has before anything is requested.
    case restoring
    /// Pages that are missing or stale are requested.
    case walking
    /// A refresh: the last one, as ``lastRefresh`` has it.
    case refreshing
    case stopped(Stop)
  }

  /// Why the walk does not continue.
  enum Stop {
    /// It can go no further, until the next demand or until a page changes.
    case resting
    /// A page failed to load: it continues with the next demand, or when that page is loaded.
    case failed
    /// All wanted items are loaded.
    case finished
    /// It was cancelled, until the next demand.
    case halted
  }

  /// A refresh: what it requests again.
  struct Refresh {
    var scope = RefreshScope.all
    /// The first load that counts for it: that of a refresh of stale pages may be earlier.
    var start: ResourceState.LoadID = 0
    /// Until when the pages after one that has not changed are fresh: it may skip them; nil if it may not.
    fileprivate var skippedFreshUntil: Duration?
    /// Whether it has begun the chain again because a page no longer existed; that is done once until the walk ends.
    ///
    /// Pages are then loaded without conditions: a server that confirms a page need not have the link that
    /// the page had.
    fileprivate(set) var hasRestarted = false
    /// Whether the chain is not begun again before the next refresh.
    fileprivate var keepsItems = false
  }

  private var activity = Activity.notStarted
  /// The last refresh, also after its end: a retry resumes it, and loads are compared with its start.
  private(set) var lastRefresh = Refresh()
  /// The page for which the persistent cache had nothing, when the first walk came to it.
  private var missingPage: ObjectIdentifier?
  /// Whether the slot at the position has changed since the walk reached it.
  private var sawChange = false
  /// The slot to look at next.
  private(set) var position = 0
  /// Failures of loads before this one do not count: that of the last retry, until the walk ends.
  private(set) var failuresSince: ResourceState.LoadID = 0
  /// How many page visits it has made: the cost of a traversal.
  private(set) var visitCount = 0
  /// The first load of the last refresh that confirmed or replaced a page: earlier loads are stale
  /// to the list, whoever made them, so that it never combines two states of the server.
  private var generation: ResourceState.LoadID = 0
  /// When the first of the slots before `position` expires; zero if one of them has.
  private var freshUntil = PageWalk.forever
  private var configuration = 0

  private static let forever = Duration.seconds(1 << 60)

  /// Whether any items were ever requested.
  var isStarted: Bool { if case .notStarted = activity { false } else { true } }
  /// Whether it continues, unless it waits for a page.
  var isWalking: Bool {
    switch activity {
    case .restoring, .walking, .refreshing: true
    case .notStarted, .stopped: false
    }
  }
  var isRefresh: Bool { if case .refreshing = activity { true } else { false } }
  /// Whether pages are shown as the persistent cache has them, and none is requested.
  var isRestoring: Bool { if case .restoring = activity { true } else { false } }
  /// Whether all wanted items are loaded.
  var isFinished: Bool { if case .stopped(.finished) = activity { true } else { false } }
  var hasFailed: Bool { if case .stopped(.failed) = activity { true } else { false } }
  /// Loads before this one count as stale.
  var since: ResourceState.LoadID { isRefresh ? lastRefresh.start : generation }

  /// Whether there is nothing to do: all wanted items are loaded and fresh.
  func isConfirmed(at now: Duration, configuration: Int) -> Bool {
    isFinished && now < freshUntil && configuration == self.configuration
  }

  /// Begins or continues the walk, after a demand; one that is under way stays what it is for.
  mutating func start(configuration: Int) {
    switch activity {
    case .notStarted: (activity, self.configuration) = (.restoring, configuration)
    case .stopped: activity = .walking
    case .restoring, .walking, .refreshing: break
    }
  }

  /// Begins to request pages: from the first slot, where not all that are shown are fresh.
  ///
  /// - Parameter page: the page for which the persistent cache had nothing; nil if it was not asked.
  mutating func finishRestoring(without page: ObjectIdentifier? = nil) {
    precondition(isRestoring, "\(activity): all pages were restored")
    (activity, missingPage) = (.walking, page)
    if freshUntil == .zero { restart(configuration) }
  }

  /// Whether the persistent cache had nothing for a page, when this is asked first after that.
  mutating func takeMissing(_ page: ObjectIdentifier) -> Bool {
    guard missingPage == page else { return false }
    missingPage = nil
    return true
  }

  /// Continues the walk, after a page has changed, unless another one has failed to load.
  ///
  /// - Parameter isWhatFailed: whether that may be the page that has failed, or what follows a page has changed.
  mutating func wake(afterFailure isWhatFailed: Bool = true) {
    switch activity {
    case .stopped(.failed) where !isWhatFailed: break
    case .stopped(.resting), .stopped(.finished), .stopped(.failed): activity = .walking
    case .notStarted, .restoring, .walking, .refreshing, .stopped(.halted): break
    }
  }

  /// Begins at the first slot again, if something before the position may be stale.
  mutating func restartIfNeeded(at now: Duration, configuration: Int) -> Bool {
    start(configuration: configuration)
    guard now >= freshUntil || configuration != self.configuration else { return false }
    guard !isRestoring else {
      // What the persistent cache has is requested once all of it is shown.
      (freshUntil, self.configuration) = (.zero, configuration)
      return false
    }
    restart(configuration)
    return true
  }

  /// Begins a refresh at the first slot.
  ///
  /// - Parameters:
  ///   - load: the number that the next load gets.
  ///   - maySkip: whether it may end at a page that has not changed.
  mutating func refresh(
    _ scope: RefreshScope, since load: ResourceState.LoadID, configuration: Int,
    maySkip: Bool = false
  ) {
    let skippedFreshUntil = isFinished ? freshUntil : .zero
    lastRefresh = Refresh(
      scope: scope, start: scope == .stale ? generation : load,
      skippedFreshUntil: maySkip ? skippedFreshUntil : nil)
    activity = .refreshing
    restart(configuration)
  }

  /// Begins again at the first slot because a page after it no longer exists: the link to it is
  /// outdated.
  ///
  /// - Returns: false if that was done already since the last demand that succeeded, or the items are kept.
  mutating func restartOnce(since load: ResourceState.LoadID, configuration: Int) -> Bool {
    guard !lastRefresh.hasRestarted, !lastRefresh.keepsItems else { return false }
    refresh(.all, since: load, configuration: configuration)
    lastRefresh.hasRestarted = true
    return true
  }

  /// Keeps the items until the next refresh: the chain is not begun again.
  mutating func keepItems() { lastRefresh.keepsItems = true }

  /// Continues a refresh that failed.
  ///
  /// - Parameter isMixed: whether the pages from the position on may be of different states of the server.
  mutating func resumeRefresh(isMixed: Bool) {
    precondition(isWalking, "\(activity): a refresh is resumed")
    activity = .refreshing
    if isMixed { requireAllPages() }
  }

  /// The refresh does not end at a page that has not changed.
  mutating func requireAllPages() { lastRefresh.skippedFreshUntil = nil }

  /// Continues at a slot that has failed, or at one before it that needs another visit.
  mutating func retry(_ slot: Int) {
    if !isWalking { activity = .walking }
    lastRefresh.hasRestarted = false
    // A page that failed may have been dropped at the start since.
    position = min(position, max(slot, 0))
  }

  /// Ignores failures of earlier loads, whatever page it comes to, until it ends.
  mutating func retryFailures(before load: ResourceState.LoadID) {
    if isWalking { failuresSince = load }
  }

  private mutating func restart(_ configuration: Int) {
    position = 0
    sawChange = false
    freshUntil = PageWalk.forever
    self.configuration = configuration
  }

  /// Moves on from the slot at the position, which is fresh until then.
  mutating func proceed(freshUntil: Duration) {
    if isRefresh, !canSkip { generation = lastRefresh.start }
    position += 1
    sawChange = false
    self.freshUntil = min(self.freshUntil, freshUntil)
  }

  /// Records that a slot has changed, or holds a page that is new to the list.
  mutating func noteChange(of slot: Int) {
    if slot == position { sawChange = true } else { requireAllPages() }
  }

  /// Whether a refresh that begins with the first page can skip the pages after the position: the
  /// page there has not changed.
  var canSkip: Bool { isRefresh && lastRefresh.skippedFreshUntil != nil && !sawChange }

  /// Skips the slots after the position, which are as fresh as they were.
  mutating func skip(to slot: Int) {
    guard slot > position, let skippedFreshUntil = lastRefresh.skippedFreshUntil else { return }
    position = slot
    freshUntil = min(freshUntil, skippedFreshUntil)
  }

  /// Adjusts the position after slots were added or removed before the first one.
  mutating func shift(by count: Int) {
    position = max(position + count, 0)
  }

  /// Forgets everything but the age of what counts, and the number of visits.
  mutating func reset() {
    let (generation, visitCount) = (generation, visitCount)
    self = PageWalk()
    (self.generation, self.visitCount) = (generation, visitCount)
  }

  mutating func stop(_ stop: Stop) {
    activity = .stopped(stop)
    (missingPage, failuresSince) = (nil, 0)
    if stop == .finished || stop == .halted { lastRefresh.hasRestarted = false }
  }

  /// Ends the refresh; the walk continues.
  mutating func finishRefresh() {
    precondition(isRefresh, "\(activity): a refresh is finished")
    activity = .walking
  }

  mutating func noteVisit() { visitCount += 1 }

  // MARK: Changes of the chain

  /// Requests another visit of a slot and those after it.
  mutating func revisit(_ slot: Int) {
    if isFinished { activity = .stopped(.resting) }
    guard slot < position else { return }
    position = slot
    // That the page there has not changed again says nothing of those after it.
    if isRefresh { requireAllPages() }
  }

  /// Limits the time of freshness by that of a slot that another user of the page has loaded.
  mutating func limit(freshUntil: Duration, of slot: Int) {
    if slot < position { self.freshUntil = min(self.freshUntil, freshUntil) }
  }
}
