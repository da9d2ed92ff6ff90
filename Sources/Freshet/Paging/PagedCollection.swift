import Foundation

/// A list that a server hands out in pages, as one array that stays right.
///
/// A collection observes a chain of page resources. It walks the chain with `loadIfNeeded()` as far as
/// items are wanted, and splices every change of any page into ``items``, whoever caused it.
///
/// ```swift
/// let gists = service.pages("gists", of: Gist.self)
/// gists.addObserver(owner: self) { [weak self] gists, event in
///   if case .itemsChanged(let splices) = event { self?.apply(splices) }
/// }
/// gists.loadIfNeeded()
/// ```
///
/// It belongs to the actor of its service. Each page is a resource of its own, with its own freshness,
/// error and validators; two collections of one service share the pages that they have in common.
public final class PagedCollection<Item: Sendable> {
  /// One page of the list.
  public typealias PageResource = Resource<Page<Item>>

  /// What a collection may do.
  public struct Options: Sendable {
    /// How close to the end an item is shown when the next page is asked for: 5 items.
    public var prefetchDistance = 5
    /// The most pages that are loaded: 10,000. A longer list ends as incomplete, not as complete.
    public var maximumPages = 10_000
    /// Further origins, as `https://host[:port]`, that next links may lead to, without credentials.
    public var allowedOrigins: Set<String> = []

    /// Makes the default options.
    public init() {}
  }

  /// The resource of the first page.
  public let firstPage: PageResource
  /// What this collection may do.
  public let options: Options
  /// What it is doing, and why it does no more.
  public internal(set) var state = PagedCollectionState.idle {
    didSet {
      guard !state.isSame(as: oldValue) else { return }
      emit(.stateChanged(state))
      if !state.isLoading { waiters.resume() }
    }
  }
  /// When a refresh last went through to the end, as wall date.
  public internal(set) var lastRefreshed: Date?
  /// How often the walk has looked at a page; what a traversal costs.
  package internal(set) var visitCount = 0

  var observers = ObserverList<PagedCollectionNotice<Item>>()
  var chain: PageChain<Item, PageResource>
  var demand = PageDemand()
  var walk = PageWalk()
  /// The page that holds up the walk until it is loaded.
  var waitingFor: PageResource?
  /// What observers have yet to be told.
  var undelivered: [Splice<Item>] = []
  private var waiters = Waiters()

  /// Makes a collection that begins with a page. Nothing is loaded before it is asked for.
  public convenience init(firstPage: PageResource, options: Options = Options()) {
    self.init(firstPage: firstPage, options: options, areEqual: nil)
  }

  /// Makes a collection that begins with a page. Items that are equal to what they replace stay out of
  /// the changes that observers hear of.
  public convenience init(firstPage: PageResource, options: Options = Options())
  where Item: Equatable {
    self.init(firstPage: firstPage, options: options) { $0 == $1 }
  }

  private init(
    firstPage: PageResource, options: Options, areEqual: ((Item, Item) -> Bool)?
  ) {
    self.firstPage = firstPage
    self.options = options
    chain = PageChain(first: firstPage, areEqual: areEqual)
    firstPage.addObserver(self)
  }

  // MARK: State

  /// The items of all pages in chain order.
  ///
  /// While a changed chain is being loaded again, items of the old one stay behind those of the new.
  ///
  /// - Complexity: O(1). Holding the array across a change costs one copy of it.
  public var items: [Item] { chain.items }

  /// How many pages are loaded and linked to the first.
  public var pageCount: Int { chain.linkedCount }

  /// The pages that are loaded and linked to the first, in chain order.
  ///
  /// - Complexity: O(*p*) in the number of pages.
  public var pages: [PageResource] { (0..<chain.linkedCount).map(chain.page) }

  /// Where the items of a page are in ``items``.
  ///
  /// - Complexity: O(log *p*) in the number of pages.
  public func itemRange(ofPage index: Int) -> Range<Int> { chain.range(at: index) }

  /// The number of items in the whole list, where the server tells it with the first page.
  public var total: Int? { firstPage.content?.total }

  /// Whether a refresh is under way.
  public var isRefreshing: Bool { walk.isRefresh }

  // MARK: Demand

  /// How many items are shown, 1 at first: as many are loaded by ``loadIfNeeded()``, and stay loaded
  /// when pages become shorter. Raising it loads more.
  public var displayedCount: Int {
    get { demand.displayed }
    set {
      demand.displayed = newValue
      if walk.isStarted { ask { self.start() } }
    }
  }

  /// Loads what is missing or stale, as far as items are wanted.
  ///
  /// A collection that is complete and fresh is confirmed without a look at any page.
  ///
  /// - Complexity: O(1) where nothing is to be done and nothing has changed; otherwise O(*p*) in the
  ///   pages from the first one that may need a load.
  public func loadIfNeeded() {
    let isConfirmed = walk.isConfirmed(
      at: firstPage.clock.now, configuration: firstPage.configurationVersion)
    // With nothing waiting to be taken in, there is nothing that could change that.
    if isConfirmed, queue.isIdle { return }
    ask { [self] in
      let now = firstPage.clock.now
      let configuration = firstPage.configurationVersion
      if !walk.isConfirmed(at: now, configuration: configuration) {
        walk.restartIfNeeded(at: now, configuration: configuration)
      }
    }
  }

  /// Loads the next page that has items, if there is one. Called while a page is loading, it is
  /// remembered.
  public func loadMore() {
    ask { [self] in
      demand.wantMore(than: chain.linkedItemCount, isLoading: state.isLoading)
      start()
    }
  }

  /// Loads the whole list, up to ``Options/maximumPages``.
  public func loadAll() {
    ask { [self] in
      demand.want(.max)
      start()
    }
  }

  /// Says that an item is on screen: loads more when the end is within
  /// ``Options/prefetchDistance``.
  public func itemShown(at index: Int) {
    ask { [self] in
      demand.want(index + 1 + options.prefetchDistance)
      start()
    }
  }

  /// Asks the server for every loaded page again, one after the other from the first, with validators.
  ///
  /// Pages that the server confirms change no item. A changed next link links the
  /// chain anew: what was behind it stays visible until the new chain has replaced it, page by page,
  /// comes back to it, or ends. A refresh that is under way begins again.
  public func refresh() {
    ask { [self] in
      demand.want(chain.linkedItemCount)
      walk.refresh(configuration: firstPage.configurationVersion)
      waitingFor = nil
    }
  }

  /// Asks again for the page that failed, without waiting; does nothing in any other state.
  public func retry() {
    queue.post { [self] in
      guard case .failed(_, let page) = state else { return }
      walk.retry(page)
      advance()
    }
  }

  /// Gives up the load that is under way; the items stay, and the next demand goes on from there.
  public func cancelLoad() {
    queue.post { [self] in waitingFor?.cancelLoad() }
  }

  private func start() {
    walk.start(configuration: firstPage.configurationVersion)
  }

  /// Waits until nothing is being loaded, or the waiting task is cancelled.
  public func settled() async {
    while state.isLoading, !Task.isCancelled {
      for await _ in waiters.make() {}
    }
  }
}
