/// How many items are wanted, and how many pages may be requested for them: a pure value.
///
/// Indices are counted as ``PagedCollection/firstItemIndex`` counts them, so they stay valid when
/// items are added or dropped at the front.
struct PageDemand: Equatable {
  /// What is wanted before the loaded items, once.
  struct Previous: Equatable {
    /// The start index of the items; `Int.max` for none.
    var start = Int.max
    /// The load before which loads of the page there do not count, because it was requested again.
    var since: ResourceState.LoadID?
    /// Whether the list was walked again from its first page to find that page.
    var hasRestarted = false
  }

  /// How many items are shown, and stay wanted.
  private(set) var displayed = 1
  private var onScreen: Range<Int>?
  /// The end index of the items that were requested once; cleared when they are loaded.
  private var end = Int.min
  /// The end index of the pages that were requested once, counted as ``PageChain/firstPageIndex``
  /// counts them; kept if the list begins again, because pages are counted from the same one then.
  private var pageEnd = Int.min
  private(set) var previous = Previous()
  /// The end index of the items that a refresh has to load again.
  private var refreshEnd = Int.min
  /// Whether more was requested while a page was loading, whose items cannot be counted yet.
  private(set) var wantsMoreThanIsLoading = false
  /// How many pages may be requested at the ends of the list until the next demand, beside those that were requested
  /// by their index.
  private let budget: Int
  private var pagesLeft: Int
  /// The page beyond the end that has failed: it was taken from the budget, and is not again until that is renewed.
  private var failedPage: ObjectIdentifier?

  init(displayed: Int = 1, budget: Int = .max) {
    self.displayed = displayed
    self.budget = budget
    pagesLeft = budget
  }

  // MARK: Shown items

  mutating func display(_ count: Int) {
    if count > displayed { renew() }
    displayed = count
  }

  /// Records which items are on screen, and requests those up to a distance after them.
  mutating func show(_ range: Range<Int>, prefetching distance: Int) {
    onScreen = range
    want(upTo: range.upperBound + distance)
  }

  /// Requests the items on screen again.
  mutating func wantShown() {
    if let onScreen { want(upTo: onScreen.upperBound) }
  }

  mutating func forgetShown() { onScreen = nil }

  /// Whether items may be dropped from memory: enough remain, one at least, and these are not near the screen.
  ///
  /// - Parameters:
  ///   - range: the items.
  ///   - count: how many are loaded.
  ///   - distance: how near to those on screen items are kept, at least.
  func allowsDropping(_ range: Range<Int>, of count: Int, keeping distance: Int) -> Bool {
    guard count - range.count >= max(displayed, 1) else { return false }
    guard let onScreen else { return true }
    let margin = max(distance, displayed)
    return range.upperBound.saturatingSum(margin) <= onScreen.lowerBound
      || range.lowerBound >= onScreen.upperBound.saturatingSum(margin)
  }

  // MARK: After the loaded items

  /// Requests the items before an index.
  mutating func want(upTo end: Int) {
    guard end > self.end else { return }
    self.end = end
    renew()
  }

  /// Requests the pages before an index, whatever the budget is.
  mutating func want(pagesUpTo end: Int) {
    pageEnd = max(pageEnd, end)
    renew()
  }

  /// Whether a page was requested by its index.
  func wants(page index: Int) -> Bool { index < pageEnd }

  /// Requests one item more than those before an index.
  mutating func wantMore(than end: Int) {
    renew()
    want(upTo: end + 1)
  }

  /// Requests more items than there are, and than the pages have that are loading.
  mutating func demandMoreThanIsLoading() {
    renew()
    wantsMoreThanIsLoading = true
  }

  /// Requests one more item than there are, if more than was loading is wanted, and what was wanted before is loaded.
  ///
  /// The budget stays as it is: the call that wanted more has restored it.
  mutating func resolveMore(_ extent: ListExtent) {
    guard wantsMoreThanIsLoading, covers(extent) else { return }
    wantsMoreThanIsLoading = false
    // Not less than before: what is wanted is covered.
    end = extent.itemEnd + 1
  }

  var wantsAll: Bool { end == .max }

  /// Requests all items, without a limit on pages.
  mutating func wantAll() {
    want(upTo: .max)
    pagesLeft = .max
  }

  /// Whether the pages that reach so far are enough.
  func covers(_ extent: ListExtent) -> Bool {
    extent.itemCount >= displayed && extent.itemEnd >= end && extent.pageEnd >= pageEnd
  }

  /// Requests the items before an index again, for a refresh.
  mutating func wantAgain(upTo end: Int) {
    want(upTo: end)
    renew()
    refreshEnd = end
  }

  /// Whether the pages that reach so far are what a refresh has to load again, whatever else is wanted.
  func isRefreshed(by extent: ListExtent) -> Bool {
    extent.itemCount >= displayed && extent.itemEnd >= refreshEnd
  }

  /// Clears the one-time demand: its items are loaded, or do not exist.
  mutating func clear() {
    (end, pageEnd, refreshEnd) = (.min, .min, .min)
    wantsMoreThanIsLoading = false
    pagesLeft = min(pagesLeft, budget)
    failedPage = nil
  }

  /// Clears the indices of items, because these are numbered again; a demand for pages or for all items remains. The
  /// first page is wanted regardless of what is displayed.
  mutating func restart() {
    onScreen = nil
    refreshEnd = .min
    if end != .max { end = .min }
    want(upTo: 1)
  }

  // MARK: Before the loaded items

  /// Requests the items from an index on.
  mutating func want(from start: Int) {
    guard start < previous.start else { return }
    previous.start = start
    renew()
  }

  /// Requests the items from an index on for what is wanted already: the budget stays as it is.
  mutating func continueBackward(from start: Int) { previous.start = min(previous.start, start) }

  /// Whether items before the loaded ones are wanted.
  var wantsPrevious: Bool { previous.start != .max }

  /// Whether items that begin at that index are enough.
  func isCovered(from start: Int) -> Bool { start <= previous.start }

  /// Requests the page before the loaded ones again, in any case; nil once it is loaded.
  mutating func retryPrevious(since load: ResourceState.LoadID?) { previous.since = load }

  /// Whether the list may be walked again from its first page to find that page: once.
  mutating func allowsRestart() -> Bool {
    defer { previous.hasRestarted = true }
    return !previous.hasRestarted
  }

  /// Clears the one-time demand before the loaded items.
  mutating func clearPrevious() { previous = Previous() }

  // MARK: The budget

  /// Restores the whole budget, after a demand.
  mutating func renew() {
    if pagesLeft < budget { pagesLeft = budget }
    failedPage = nil
  }

  /// Whether the budget covers one more page after this many.
  func allowsPage(after count: Int) -> Bool { count < pagesLeft }

  /// Uses one page of the budget; false if it is used up.
  mutating func spend() -> Bool {
    guard pagesLeft > 0 else { return false }
    pagesLeft -= 1
    return true
  }

  /// Records that the page beyond the end has failed. That stops the walk: however often the page is visited before it
  /// may be requested again, the budget is not what ran out.
  mutating func fail(_ page: ObjectIdentifier) { failedPage = page }

  /// Whether a page has failed, and was taken from the budget then.
  func hasFailed(_ page: ObjectIdentifier) -> Bool { failedPage == page }

  /// Forgets the page that has failed, because it is no longer beyond the end.
  mutating func forgetFailedPage() { failedPage = nil }

  /// Returns a page to the budget, for which no request is made, or one that is to be made again.
  mutating func giveBack() {
    if pagesLeft < budget { pagesLeft += 1 }
  }

  func checkInvariants() {
    precondition(pagesLeft >= 0, "\(pagesLeft) pages are left")
    precondition(refreshEnd <= end, "a refresh wants more than is wanted: \(refreshEnd), \(end)")
  }
}
