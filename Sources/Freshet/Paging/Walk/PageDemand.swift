/// How many items are wanted, and how many pages may be asked for to get them: a pure value.
///
/// Indices are counted as ``PagedCollection/firstItemIndex`` counts them, so they stay right when items
/// come or go in front.
struct PageDemand: Equatable {
  /// How many items are shown, and stay wanted.
  var displayed = 1
  /// The index where the items end that were asked for once; cleared when they are loaded.
  private var end = Int.min
  /// The index where the items begin that were asked for once, before those that are loaded; `Int.max`
  /// where none were.
  private var start = Int.max
  /// Whether more was asked for while a page was loading, whose items cannot be counted yet.
  private var wantsMoreThanIsLoading = false
  /// How many pages may be asked for at the ends of the list until something is wanted again.
  private let budget: Int
  private var pagesLeft: Int

  init(budget: Int = .max) {
    self.budget = max(budget, 1)
    pagesLeft = self.budget
  }

  // MARK: After what is loaded

  /// Wants the items before an index.
  mutating func want(upTo end: Int) {
    guard end > self.end else { return }
    self.end = end
    renew()
  }

  /// Wants more than there is.
  mutating func wantMore(than end: Int, isLoading: Bool) {
    renew()
    if isLoading {
      wantsMoreThanIsLoading = true
    } else {
      want(upTo: end + 1)
    }
  }

  /// Whether all that there is was asked for.
  var wantsAll: Bool { end == .max }

  /// Wants all that there is, whatever it costs.
  mutating func wantAll() {
    want(upTo: .max)
    pagesLeft = .max
  }

  /// Whether this many items, which end at that index, are enough.
  func covers(_ count: Int, endingAt end: Int) -> Bool { count >= displayed && end >= self.end }

  /// Whether this many items, which end at that index, are enough, when all that is loading has come.
  mutating func isCovered(by count: Int, endingAt end: Int) -> Bool {
    guard covers(count, endingAt: end) else { return false }
    guard wantsMoreThanIsLoading else { return true }
    wantsMoreThanIsLoading = false
    want(upTo: end + 1)
    return false
  }

  /// Clears what was asked for once: it is loaded, or cannot be had.
  mutating func clear() {
    end = .min
    wantsMoreThanIsLoading = false
    pagesLeft = min(pagesLeft, budget)
  }

  /// Forgets the index up to which items were wanted, because they are numbered anew; what was wanted
  /// altogether stays wanted.
  mutating func forgetEnd() {
    if end != .max { end = .min }
  }

  // MARK: Before what is loaded

  /// Wants the items from an index on.
  mutating func want(from start: Int) {
    guard start < self.start else { return }
    self.start = start
    renew()
  }

  /// Whether items before those that are loaded are wanted.
  var wantsPrevious: Bool { start != .max }

  /// Whether items that begin at that index are enough.
  func isCovered(from start: Int) -> Bool { start <= self.start }

  /// Clears what was asked for once before what is loaded.
  mutating func clearStart() {
    start = .max
  }

  // MARK: The budget

  /// Something was asked for: the budget is whole again.
  mutating func renew() {
    if pagesLeft < budget { pagesLeft = budget }
  }

  /// Spends one page of the budget; false where nothing is left of it.
  mutating func spend() -> Bool {
    guard pagesLeft > 0 else { return false }
    pagesLeft -= 1
    return true
  }

  /// The page could not be loaded. That stops the walk by itself: however often the page is looked at
  /// before it may be asked for again, it is no budget that ran out.
  mutating func giveBack() {
    if pagesLeft < budget { pagesLeft += 1 }
  }
}
