/// How many items are wanted, and how many pages may be asked for to get them: a pure value.
///
/// Places are counted as ``PagedCollection/firstItemIndex`` counts them, so they stay right when items
/// come or go in front.
struct PageDemand: Equatable {
  /// How many items are shown, and stay wanted.
  var displayed = 1
  /// Where the items end that were asked for once; forgotten when they are there.
  private var end = Int.min
  /// Where the items begin that were asked for once, before those that are there.
  private var start = Int.max
  /// Whether more was asked for while a page was loading, whose items nobody can count yet.
  private var wantsMoreThanIsLoading = false
  /// How many pages may be asked for at the ends of the list until something is wanted again.
  private let budget: Int
  private var pagesLeft: Int

  init(budget: Int = .max) {
    self.budget = max(budget, 1)
    pagesLeft = self.budget
  }

  // MARK: After what is loaded

  /// Wants the items before a place.
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

  /// Whether this many items, which end at that place, are enough.
  func covers(_ count: Int, endingAt end: Int) -> Bool { count >= displayed && end >= self.end }

  /// Whether this many items, which end at that place, are enough, when all that is loading has come.
  mutating func isCovered(by count: Int, endingAt end: Int) -> Bool {
    guard covers(count, endingAt: end) else { return false }
    guard wantsMoreThanIsLoading else { return true }
    wantsMoreThanIsLoading = false
    want(upTo: end + 1)
    return false
  }

  /// Forgets what was asked for once: it is there, or cannot be had.
  mutating func settle() {
    end = .min
    wantsMoreThanIsLoading = false
    pagesLeft = min(pagesLeft, budget)
  }

  /// Forgets the places up to which items were wanted, because they are numbered anew; what was wanted
  /// altogether stays wanted.
  mutating func forgetPlaces() {
    if end != .max { end = .min }
  }

  // MARK: Before what is loaded

  /// Wants the items from a place on.
  mutating func want(from start: Int) {
    guard start < self.start else { return }
    self.start = start
    renew()
  }

  /// Whether items that begin at that place are enough.
  func isCovered(from start: Int) -> Bool { start <= self.start }

  /// Forgets what was asked for once before what is there.
  mutating func settleStart() {
    start = .max
  }

  // MARK: The budget

  /// Something was asked for: the budget is whole again.
  mutating func renew() {
    if pagesLeft < budget { pagesLeft = budget }
  }

  /// Takes one page from the budget; false where nothing is left of it.
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
