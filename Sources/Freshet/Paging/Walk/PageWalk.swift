/// The position of the walk along a chain: a pure value.
///
/// The walk visits one page after the other, and waits if a page has to be loaded.
struct PageWalk {
  private enum Activity {
    /// No items were ever requested.
    case notStarted
    /// The walk continues, unless it waits for a page.
    case walking(Mode)
    /// The walk can go no further, until the next demand or until a page changes.
    case resting
    /// A page failed to load: it continues with the next demand, or when that page is loaded.
    case failed
    /// The walk can go no further, and all wanted items are loaded.
    case finished
    /// The walk was cancelled, until the next demand.
    case halted
  }

  /// What a walk is for.
  private enum Mode {
    /// Pages that are missing or stale are requested.
    case plain
    /// The first part of the first walk, which shows what the persistent cache has before anything is requested.
    ///
    /// - Parameter isFresh: whether all pages that it has shown are fresh.
    case restoring(isFresh: Bool)
    /// A refresh: the last one, as ``lastRefresh`` has it.
    case refreshing
  }

  /// A refresh: what it requests again.
  private struct Refresh {
    var scope = RefreshScope.all
    /// The first load that counts for it: that of a refresh of stale pages may be earlier.
    var start: ResourceState.LoadID = 0
    /// Whether one that begins with the first page may end at a page that has not changed.
    var maySkip = false
  }

  private var activity = Activity.notStarted
  /// The page for which the persistent cache had nothing, when the first walk came to it.
  private var missingPage: ObjectIdentifier?
  /// The last refresh, also after its end: a retry resumes it, and loads are compared with its start.
  private var lastRefresh = Refresh()
  /// Whether the chain was begun again because a page no longer existed; that is done once.
  ///
  /// Pages are then loaded without conditions: a server that confirms a page need not have the link that
  /// the page had.
  private(set) var hasRestarted = false
  /// Whether the chain is not begun again before the next refresh.
  private var keepsItems = false
  /// Whether the slot at the position has changed since the walk reached it.
  private var sawChange = false
  /// The slot to look at next.
  private(set) var position = 0
  /// Failures of loads before this one do not count: that of the last retry, until the walk ends.
  private(set) var failuresSince: ResourceState.LoadID = 0
  /// The load before which loads do not count for the page before the first one, which was requested
  /// again.
  private var startRetriedSince: ResourceState.LoadID?
  /// Whether the list was walked again from its first page to find the page before the chain.
  private var hasRestartedForStart = false
  /// How many page visits it has made: the cost of a traversal.
  private(set) var visitCount = 0
  /// The first load of the last refresh that confirmed or replaced a page: earlier loads are stale
  /// to the list, whoever made them, so that it never combines two states of the server.
  private var generation: ResourceState.LoadID = 0
  /// When the first of the slots before `position` expires.
  private var freshUntil = PageWalk.forever
  /// When the first of all slots expired, before a refresh that may skip most of them.
  private var wasFreshUntil = PageWalk.forever
  private var configuration = 0

  private static let forever = Duration.seconds(1 << 60)

  /// Whether any items were ever requested.
  var isStarted: Bool { if case .notStarted = activity { false } else { true } }
  /// Whether it continues, unless it waits for a page.
  var isWalking: Bool { if case .walking = activity { true } else { false } }
  var isRefresh: Bool { if case .walking(.refreshing) = activity { true } else { false } }
  /// Whether pages are shown as the persistent cache has them, and none is requested.
  var isRestoring: Bool { if case .walking(.restoring) = activity { true } else { false } }
  /// Whether all wanted items are loaded.
  var isFinished: Bool { if case .finished = activity { true } else { false } }
  var hasFailed: Bool { if case .failed = activity { true } else { false } }
  /// Which pages this walk requests again, if it is a refresh.
  var refreshScope: RefreshScope? { isRefresh ? lastRefresh.scope : nil }
  /// Loads before this one count as stale.
  var since: ResourceState.LoadID { isRefresh ? lastRefresh.start : generation }
  /// Loads before this one count as stale for pages that are visited on a side.
  func since(on side: ListSide) -> ResourceState.LoadID {
    side == .end ? since : startRetriedSince ?? since
  }

  /// The loads of a page that make another one unnecessary.
  ///
  /// - Parameter load: loads before this one count as stale.
  func need(since load: ResourceState.LoadID) -> ResourceState.Need {
    ResourceState.Need(since: load, failuresSince: failuresSince)
  }

  /// Whether there is nothing to do: all wanted items are loaded and fresh.
  func isConfirmed(at now: Duration, configuration: Int) -> Bool {
    isFinished && now < freshUntil && configuration == self.configuration
  }

  /// Begins or continues the walk, after a demand.
  mutating func start(configuration: Int) {
    if isStarted { return walk() }
    self.configuration = configuration
    activity = .walking(.restoring(isFresh: true))
  }

  /// Begins or continues the walk; one that is under way stays what it is for.
  private mutating func walk() {
    if !isWalking { activity = .walking(.plain) }
  }

  /// Moves on from a page that is shown as the persistent cache has it.
  mutating func proceedRestoring(isFresh: Bool, until freshUntil: Duration) {
    precondition(isRestoring, "\(activity): a page was restored")
    if !isFresh { activity = .walking(.restoring(isFresh: false)) }
    proceed(freshUntil: freshUntil)
  }

  /// Begins to request pages: from the first slot, where not all that are shown are fresh.
  ///
  /// - Parameter page: the page for which the persistent cache had nothing; nil if it was not asked.
  mutating func finishRestoring(without page: ObjectIdentifier? = nil) {
    guard case .walking(.restoring(let isFresh)) = activity else {
      preconditionFailure("\(activity): all pages were restored")
    }
    missingPage = page
    activity = .walking(.plain)
    if !isFresh { restart(configuration) }
  }

  /// Whether the persistent cache had nothing for a page, when this is asked first after that.
  mutating func takeMissing(_ page: ObjectIdentifier) -> Bool {
    guard missingPage == page else { return false }
    missingPage = nil
    return true
  }

  /// Continues the walk, after a change of the page that it waits for or that failed, or of what follows a page.
  mutating func wake() {
    if hasFailed { walk() } else { wakeUnlessFailed() }
  }

  /// Continues the walk, after a page has changed, unless another one has failed to load.
  mutating func wakeUnlessFailed() {
    switch activity {
    case .resting, .finished: walk()
    case .notStarted, .walking, .failed, .halted: break
    }
  }

  /// Begins at the first slot again, if something before the position may be stale.
  mutating func restartIfNeeded(at now: Duration, configuration: Int) -> Bool {
    start(configuration: configuration)
    guard now >= freshUntil || configuration != self.configuration else { return false }
    guard !isRestoring else {
      // What the persistent cache has is requested once all of it is shown.
      activity = .walking(.restoring(isFresh: false))
      self.configuration = configuration
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
    wasFreshUntil = isFinished ? freshUntil : .zero
    activity = .walking(.refreshing)
    lastRefresh = Refresh(
      scope: scope, start: scope == .stale ? generation : load, maySkip: maySkip)
    hasRestarted = false
    keepsItems = false
    restart(configuration)
  }

  /// Begins again at the first slot because a page after it no longer exists: the link to it is
  /// outdated.
  ///
  /// - Returns: false if that was done already since the last demand that succeeded, or the items are kept.
  mutating func restartOnce(since load: ResourceState.LoadID, configuration: Int) -> Bool {
    guard !hasRestarted, !keepsItems else { return false }
    refresh(.all, since: load, configuration: configuration)
    hasRestarted = true
    return true
  }

  /// Keeps the items until the next refresh: the chain is not begun again.
  mutating func keepItems() { keepsItems = true }

  /// Continues a refresh that failed.
  mutating func resumeRefresh() {
    precondition(isWalking, "\(activity): a refresh is resumed")
    activity = .walking(.refreshing)
  }

  /// The refresh does not end at a page that has not changed.
  mutating func requireAllPages() { lastRefresh.maySkip = false }

  /// Whether a load is no earlier than the last refresh.
  func countsForRefresh(_ load: ResourceState.LoadID) -> Bool { load >= lastRefresh.start }

  /// Continues at a slot that has failed, or at one before it that needs another visit.
  mutating func retry(_ slot: Int) {
    walk()
    hasRestarted = false
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
  var canSkip: Bool {
    isRefresh && lastRefresh.maySkip && lastRefresh.scope == .firstPage && !sawChange
  }

  /// Skips the slots after the position, which are as fresh as they were.
  mutating func skip(to slot: Int) {
    guard slot > position else { return }
    position = slot
    freshUntil = min(freshUntil, wasFreshUntil)
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

  /// The walk cannot continue from its position.
  mutating func stop() { stop(.resting) }

  /// The page at the position failed to load.
  mutating func fail() { stop(.failed) }

  private mutating func stop(_ activity: Activity) {
    self.activity = activity
    missingPage = nil
    failuresSince = 0
  }

  mutating func halt() {
    stop(.halted)
    hasRestarted = false
  }

  /// Ends the refresh; the walk continues.
  mutating func finishRefresh() {
    precondition(isRefresh, "\(activity): a refresh is finished")
    activity = .walking(.plain)
  }

  /// Ends the walk: all wanted items are loaded.
  mutating func finish() {
    activity = .finished
    failuresSince = 0
    hasRestarted = false
  }

  mutating func noteVisit() { visitCount += 1 }

  // MARK: Before the first page

  /// Requests the page before the first one again, in any case.
  mutating func retryStart(since load: ResourceState.LoadID) { startRetriedSince = load }

  /// Records that the page before the first one was loaded.
  mutating func foundStart() { startRetriedSince = nil }

  /// Begins again at the first slot to find the page before the chain: once for each demand for pages
  /// there.
  ///
  /// - Returns: false if that was done already.
  mutating func restartForStart(configuration: Int) -> Bool {
    guard !hasRestartedForStart else { return false }
    hasRestartedForStart = true
    start(configuration: configuration)
    revisit(0)
    return true
  }

  /// Ends what a demand for pages before the first one has begun.
  mutating func finishStart() { (startRetriedSince, hasRestartedForStart) = (nil, false) }

  // MARK: Changes of the chain

  /// Requests another visit of a slot and those after it.
  mutating func revisit(_ slot: Int) {
    if isFinished { activity = .resting }
    guard slot < position else { return }
    position = slot
    // That the page there has not changed again says nothing of those after it.
    if isRefresh { requireAllPages() }
  }

  /// Limits the position to the number of linked slots.
  mutating func limit(to count: Int) {
    if position > count { revisit(count) }
  }

  /// Limits the time of freshness by that of a slot that another user of the page has loaded.
  mutating func limit(freshUntil: Duration, of slot: Int) {
    if slot < position { self.freshUntil = min(self.freshUntil, freshUntil) }
  }
}

extension PageWalk {
  func checkInvariants() {
    precondition(position >= 0)
    precondition(failuresSince == 0 || isWalking, "\(activity) retries")
    precondition(visitCount >= 0)
  }
}
