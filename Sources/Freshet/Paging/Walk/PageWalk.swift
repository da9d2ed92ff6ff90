/// Where the walk along a chain is: a pure value.
///
/// The walk looks at one page after the other, and waits where a page has to be loaded.
struct PageWalk {
  private enum Activity {
    /// Nothing was ever asked for.
    case notStarted
    /// It goes on, unless it waits for a page.
    case walking
    /// It has come as far as it can, until something is asked for or a page changes.
    case resting
    /// The same, and all that is wanted is there.
    case finished
    /// It was cancelled, until something is asked for again.
    case halted
  }

  private var activity = Activity.notStarted
  /// What this walk asks the server for again, if it is a refresh.
  private(set) var refreshed: RefreshScope?
  /// Whether the chain was begun again because a page of it was gone; that is done once.
  private var hasRestarted = false
  /// Whether the slot at the position has changed since the walk came to it.
  private var sawChange = false
  /// The slot to look at next.
  private(set) var position = 0
  /// The page that is to be asked for again, and what loads before do not count for it.
  private var retried: (slot: Int, since: ResourceState.LoadID)?
  /// The first load of the last refresh that a page was confirmed or replaced in: what earlier ones
  /// brought is stale to the list, whoever holds it, so that it never joins two ages of the server.
  private var generation: ResourceState.LoadID = 0
  /// The first load that counts for the last refresh: that of a refresh of stale pages may be earlier.
  private var refreshStart: ResourceState.LoadID = 0
  /// Until when every slot before `position` is fresh.
  private var freshUntil = PageWalk.forever
  /// Until when all slots were fresh before a refresh that may leave most of them alone.
  private var wasFreshUntil = PageWalk.forever
  private var configuration = 0

  private static let forever = Duration.seconds(1 << 60)

  /// Whether anything was ever asked for.
  var isStarted: Bool { activity != .notStarted }
  /// Whether it goes on, unless it waits for a page.
  var isWalking: Bool { activity == .walking }
  /// Whether all that is wanted is there.
  var isFinished: Bool { activity == .finished }
  /// Whether this walk is a refresh.
  var isRefresh: Bool { refreshed != nil }
  /// What loads before this one brought for the page at `position` counts as stale.
  var since: ResourceState.LoadID {
    if let retried, retried.slot == position { return retried.since }
    return sinceElsewhere
  }
  /// What loads before this one brought for other pages counts as stale.
  var sinceElsewhere: ResourceState.LoadID { isRefresh ? refreshStart : generation }

  /// Whether nothing is to be done before then: all that is wanted is there and fresh.
  func isConfirmed(at now: Duration, configuration: Int) -> Bool {
    isFinished && now < freshUntil && configuration == self.configuration
  }

  /// Something is asked for.
  mutating func start(configuration: Int) {
    if activity == .notStarted { self.configuration = configuration }
    activity = .walking
  }

  /// A page has changed: what could not go on may go on now.
  mutating func wake() {
    if activity == .resting || activity == .finished { activity = .walking }
  }

  /// Begins at the first slot again, if something before the position may be stale.
  ///
  /// - Returns: whether it begins again.
  mutating func restartIfNeeded(at now: Duration, configuration: Int) -> Bool {
    start(configuration: configuration)
    guard now >= freshUntil || configuration != self.configuration else { return false }
    restart(configuration)
    return true
  }

  /// Begins a refresh at the first slot.
  ///
  /// - Parameter load: the number that the next load gets.
  mutating func refresh(
    _ scope: RefreshScope, since load: ResourceState.LoadID, configuration: Int
  ) {
    wasFreshUntil = isFinished ? freshUntil : .zero
    start(configuration: configuration)
    refreshed = scope
    refreshStart = scope == .stale ? generation : load
    hasRestarted = false
    restart(configuration)
  }

  /// Begins at the first slot again because a page after it no longer exists: what led there is
  /// outdated.
  ///
  /// - Returns: false where that was done already since something was asked for that went through.
  mutating func restartOnce(since load: ResourceState.LoadID, configuration: Int) -> Bool {
    guard !hasRestarted else { return false }
    refresh(.all, since: load, configuration: configuration)
    hasRestarted = true
    return true
  }

  /// Goes on with a refresh that failed at a slot.
  mutating func resumeRefresh(
    _ scope: RefreshScope, at slot: Int, since load: ResourceState.LoadID
  ) {
    retry(slot, since: load)
    refreshed = scope
  }

  /// Asks for one slot again, in any case, after those that need another look.
  mutating func retry(_ slot: Int, since load: ResourceState.LoadID) {
    activity = .walking
    hasRestarted = false
    // A page that failed may have been dropped at the start since.
    let slot = max(slot, 0)
    position = min(position, slot)
    retried = (slot, load)
  }

  private mutating func restart(_ configuration: Int) {
    position = 0
    retried = nil
    sawChange = false
    freshUntil = PageWalk.forever
    self.configuration = configuration
  }

  /// The slot at the position is done, and fresh until then.
  mutating func proceed(freshUntil: Duration) {
    if retried?.slot == position { retried = nil }
    if isRefresh, !canSkip { generation = refreshStart }
    position += 1
    sawChange = false
    self.freshUntil = min(self.freshUntil, freshUntil)
  }

  /// The slot at the position was found to have changed.
  mutating func noteChange(of slot: Int) {
    if slot == position { sawChange = true }
  }

  /// Whether a refresh that begins with the first page can leave the pages after the position alone:
  /// the one there has not changed.
  var canSkip: Bool { refreshed == .firstPage && !sawChange }

  /// Leaves alone what is after the position, which is as fresh as it was.
  mutating func skip(to slot: Int) {
    guard slot > position else { return }
    position = slot
    freshUntil = min(freshUntil, wasFreshUntil)
  }

  /// Slots came before the first one, or went there.
  mutating func shift(by count: Int) {
    position = max(position + count, 0)
    retried?.slot += count
  }

  /// Forgets everything but the age of what counts.
  mutating func reset() {
    let generation = generation
    self = PageWalk()
    self.generation = generation
  }

  /// The walk cannot go on from its position.
  mutating func stop() {
    activity = .resting
    refreshed = nil
    retried = nil
  }

  /// The walk is cancelled.
  mutating func halt() {
    stop()
    hasRestarted = false
    activity = .halted
  }

  /// All that is wanted is there.
  mutating func finish() {
    activity = .finished
    refreshed = nil
    hasRestarted = false
  }

  /// A slot, and those after it, may need another look.
  mutating func revisit(_ slot: Int) {
    if activity == .finished { activity = .resting }
    position = min(position, slot)
  }

  /// There are only so many linked slots.
  mutating func limit(to count: Int) {
    if position > count { revisit(count) }
  }

  /// A slot was loaded by another user of the page, and is fresh until then.
  mutating func limit(freshUntil: Duration, of slot: Int) {
    if slot < position { self.freshUntil = min(self.freshUntil, freshUntil) }
  }
}

// MARK: - Before the first page

/// The walk to the pages before the first one, as far as more than ``PageDemand`` is to be known of it.
struct StartWalk {
  /// The number that the next load had when the page before the first one was asked for again.
  private(set) var retriedSince: ResourceState.LoadID?
  /// Whether the list was walked again from its first page to find what is before the chain.
  private var hasRestarted = false

  /// The page before the first one is asked for again.
  mutating func retry(since load: ResourceState.LoadID) { retriedSince = load }

  /// A page was put before the first one.
  mutating func proceed() { retriedSince = nil }

  /// The list is to be walked again from its first page.
  ///
  /// - Returns: false where that was done already since pages there were wanted.
  mutating func restartOnce() -> Bool {
    guard !hasRestarted else { return false }
    hasRestarted = true
    return true
  }

  /// It has come as far as it can.
  mutating func finish() { self = StartWalk() }
}
