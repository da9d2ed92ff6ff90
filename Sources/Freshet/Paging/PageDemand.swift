/// How many items are wanted: a pure value.
struct PageDemand: Equatable {
  /// How many items are shown, and stay wanted.
  var displayed = 1
  /// How many items were asked for once; forgotten when they are there.
  private var wanted = 0
  /// Whether more was asked for while a page was loading, whose items nobody can count yet.
  private var wantsMoreThanIsLoading = false

  /// Wants at least this many.
  mutating func want(_ count: Int) {
    wanted = max(wanted, count)
  }

  /// Wants more than there is.
  mutating func wantMore(than count: Int, isLoading: Bool) {
    if isLoading {
      wantsMoreThanIsLoading = true
    } else {
      want(count + 1)
    }
  }

  /// Whether this many are enough, when all that is loading has come.
  mutating func isCovered(by count: Int) -> Bool {
    guard count >= max(displayed, wanted) else { return false }
    guard wantsMoreThanIsLoading else { return true }
    wantsMoreThanIsLoading = false
    want(count + 1)
    return false
  }

  /// Forgets what was asked for once: it is there, or cannot be had.
  mutating func settle() {
    wanted = 0
    wantsMoreThanIsLoading = false
  }
}
