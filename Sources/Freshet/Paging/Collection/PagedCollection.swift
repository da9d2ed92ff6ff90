import Foundation

/// A list that a server hands out in pages, as one array that stays right.
///
/// A collection observes a chain of page resources. It walks the chain with `loadIfNeeded()` as far as
/// items are wanted, and splices every change of any page into ``items``, whoever caused it.
///
/// ```swift
/// let gists = service.pages("gists", of: Gist.self)
/// gists.addObserver(owner: self) { [weak self] gists, event in
///   if case .itemsChanged(let change) = event { self?.apply(change.splices) }
/// }
/// gists.loadIfNeeded()
/// ```
///
/// It belongs to the actor of its service. Each page is a resource of its own, with its own freshness,
/// error and validators; two collections of one service share the pages that they have in common.
///
/// The page that it begins with need not be the first of the list: pages before it are loaded through
/// their `previous` links.
public final class PagedCollection<Item: Sendable> {
  /// One page of the list.
  public typealias PageResource = Resource<Page<Item>>

  /// The resource of the page that the collection began with.
  public let firstPage: PageResource
  /// What this collection may do.
  public let options: Options

  /// What it is doing at the end of the list, and why it does no more.
  public internal(set) var state = PagedCollectionState.idle {
    didSet { stateChanged(from: oldValue, to: state, PagedCollectionEvent.stateChanged) }
  }
  /// What it is doing at the start of the list: `.ended` where nothing is before the first page that
  /// is loaded, or nobody can tell how to get there.
  public internal(set) var previousState = PagedCollectionState.idle {
    didSet {
      stateChanged(from: oldValue, to: previousState, PagedCollectionEvent.previousStateChanged)
    }
  }
  /// What a refresh is doing: `.idle` when there is none, or the last one has gone through to the end.
  public internal(set) var refreshState = PagedCollectionState.idle {
    didSet {
      stateChanged(from: oldValue, to: refreshState, PagedCollectionEvent.refreshStateChanged)
    }
  }
  /// When a refresh last went through to the end, as wall date.
  public internal(set) var lastRefreshed: Date?
  /// When a page of the list was last loaded or confirmed, as wall date.
  public internal(set) var lastLoaded: Date?
  /// How often the walk has looked at a page; what a traversal costs.
  package internal(set) var visitCount = 0

  let observers = ObserverList<Observation<ListNotice>>()
  var chain: PageChain<Item>
  var demand: PageDemand
  var walk = PageWalk()
  /// The page that holds up the walk until it is loaded.
  var waitingFor: PageResource?
  /// The page before the first one, while it is being loaded.
  var waitingForPrevious: PageResource?
  /// The pages before the first one that were dropped.
  var dropped = DroppedPages()
  /// What is on screen, counted as ``firstItemIndex`` counts.
  var onScreen: Range<Int>?
  /// What the last refresh was asked to do, for a retry.
  var lastScope = RefreshScope.all
  /// What observers have yet to be told.
  var undelivered = SpliceLog<Item>()
  /// The items, and the number of the first, as they were before a refresh whose changes are shown when
  /// it is complete.
  var published: (items: [Item], firstItemIndex: Int)?
  /// What observers were told last that ``firstItemIndex`` is.
  var deliveredFirstItemIndex = 0
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
    self.options = options.allowingReturn(to: firstPage)
    demand = PageDemand(budget: options.requestBudget)
    chain = PageChain(first: firstPage, identity: options.identity, areEqual: areEqual)
    firstPage.addObserver(self)
  }

  // MARK: Items

  /// The items of all pages in chain order; with ``Options/identity``, each once.
  ///
  /// While a changed chain is being loaded again, items of the old one stay behind those of the new.
  ///
  /// - Complexity: O(1). Holding the array across a change costs one copy of it.
  public var items: [Item] { published?.items ?? chain.items }

  /// The number of the first item, counted from the one that was first when the list was loaded:
  /// negative when items came in front of it, positive when pages were dropped there. So
  /// `firstItemIndex + offset` stays the same for an item when pages come and go in front of it.
  public var firstItemIndex: Int { published?.firstItemIndex ?? chain.slots.firstItemIndex }

  /// How many items are not shown because another copy of them is; see ``Options/identity``.
  public var duplicateCount: Int { chain.slots.duplicateCount }

  /// How many pages are loaded and linked to the first.
  public var pageCount: Int { chain.slots.linkedCount }

  /// The pages that are loaded and linked to the first, in chain order.
  ///
  /// - Complexity: O(*p*) in the number of pages.
  public var pages: [PageResource] { (0..<chain.slots.linkedCount).map(page) }

  /// Where the items of a page are in ``items``.
  ///
  /// - Complexity: O(log *p*) in the number of pages.
  public func itemRange(ofPage index: Int) -> Range<Int> { chain.slots.items(of: index) }

  /// The number of items in the whole list, where the server tells it.
  public var total: Int? {
    let last = chain.slots.linkedCount > 0 ? page(at: chain.slots.linkedCount - 1) : firstPage
    return last.box?.value.total ?? firstPage.box?.value.total
  }

  /// How many items are known to be before and behind those in ``items``, for rows that are shown empty
  /// until they are loaded; nil where that is not known.
  public var placeholders: (before: Int, after: Int)? {
    guard let total, dropped.isEmpty ? !hasPrevious : dropped.reachesStart else { return nil }
    let loaded = items.count + duplicateCount
    return (dropped.itemCount, max(0, total - dropped.itemCount - loaded))
  }

  // MARK: State

  /// Whether anything is being loaded, at either end or in a refresh.
  public var isLoading: Bool {
    state.isLoading || previousState.isLoading || refreshState.isLoading
  }

  /// Whether a refresh is under way.
  public var isRefreshing: Bool { walk.isRefresh }

  /// Whether there is, or may be, a page before the first one that is loaded.
  public var hasPrevious: Bool {
    guard chain.slots.linkedCount > 0 else { return false }
    return !dropped.isEmpty || page(at: 0).box?.value.previous != nil
  }

  /// Waits until nothing is being loaded, or the waiting task is cancelled.
  public func settled() async {
    while isLoading, !Task.isCancelled {
      for await _ in waiters.make() {}
    }
  }

  private func stateChanged(
    from old: PagedCollectionState, to new: PagedCollectionState,
    _ event: (PagedCollectionState) -> PagedCollectionEvent<Item>
  ) {
    guard !new.isSame(as: old) else { return }
    emit(event(new))
    if !isLoading { waiters.resume() }
  }
}
