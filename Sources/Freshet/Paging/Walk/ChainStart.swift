/// Where the chain of a list starts: its first page, and the pages before that one which were dropped.
struct ChainStart {
  /// The first page of the chain; also while nothing is loaded.
  private(set) var root: AnyResource
  /// The pages before the first one that were dropped.
  private(set) var dropped = DroppedPages()

  init(at page: AnyResource) {
    root = page
  }

  /// Starts the chain at another page; what was dropped is before that one.
  mutating func begin(at page: AnyResource) { root = page }

  /// Starts the chain at a page, and forgets what was dropped.
  mutating func restart(at page: AnyResource) { self = ChainStart(at: page) }

  /// Drops the first page.
  ///
  /// - Parameters:
  ///   - count: how many items it showed.
  ///   - next: the page that is the first one now.
  mutating func drop(
    _ page: AnyResource, showing count: Int, of loaded: LoadedPage, before next: AnyResource
  ) {
    dropped.append(page, showing: count, of: loaded)
    root = next
  }

  /// Adds the page before the first one: the last of those that were dropped, or another.
  mutating func extend(to page: AnyResource) {
    dropped.removeLast()
    root = page
  }

  /// Marks the dropped pages as outdated; see ``DroppedPages/outdate()``.
  mutating func outdate() { dropped.outdate() }

  /// Stops the program where an invariant does not hold. For tests; O(*n*) in the dropped pages.
  func checkInvariants(of chain: PageChain) {
    dropped.checkInvariants()
    precondition(
      chain.linkedCount == 0 || chain.slots.inOrder[0].page === root,
      "the chain starts at another page")
  }
}
