import Foundation
import Observation

/// The contents of a list and its loading state.
extension PagedCollection {
  // MARK: Items

  /// The items of all pages in chain order; with ``Options/identity``, each once.
  ///
  /// While a changed chain is being reloaded, items of the old one stay after those of the new.
  ///
  /// - Complexity: O(1). Holding the array across a change costs one copy of it.
  public var items: [Item] {
    access(.content)
    return shownItems
  }

  /// The index of the first item, relative to the first item when the list was loaded.
  ///
  /// It is negative if items were added before that item, and positive if pages were dropped there. So
  /// `firstItemIndex + offset` stays the same for an item when pages are added or dropped before it.
  public var firstItemIndex: Int {
    access(.details)
    return list.shownFirstItemIndex
  }

  /// The number of items that are hidden because another copy of them is shown; see ``Options/identity``.
  public var duplicateCount: Int {
    access(.details)
    return list.shown.duplicateCount
  }

  /// The number of pages that are loaded and linked to the first.
  public var pageCount: Int {
    access(.details)
    return list.shown.linkedCount
  }

  /// The pages that are loaded and linked to the first, in chain order.
  ///
  /// - Complexity: O(*p*) in the number of pages.
  public var pages: [PageResource] {
    access(.details)
    return list.shown.slots.prefix(list.shown.linkedCount).map {
      Self.resource($0.page)
    }
  }

  /// The page at an index of ``pages``.
  ///
  /// - Precondition: there is such a page.
  /// - Complexity: O(1).
  package func page(at index: Int) -> PageResource {
    access(.details)
    return Self.resource(list.shown.slots[index].page)
  }

  /// The pages that are loaded or requested at the end of the list, in chain order: the linked ones, the one after
  /// them, and those requested ahead of that.
  ///
  /// - Complexity: O(*p*) in the number of pages.
  package var requestedPages: [PageResource] {
    access(.details)
    let linked = list.chain.slots.prefix(list.chain.linkedCount).map { Self.resource($0.page) }
    let next = list[.end].beyond
    let ahead = list.loads.pagesAhead.filter { $0 !== next && list.slot(of: $0) == nil }
    return linked + ([next].compactMap(\.self) + ahead).map { Self.resource($0) }
  }

  /// Returns the range of a page's items in ``items``.
  ///
  /// - Parameter index: the index of the page in ``pages``.
  /// - Precondition: there is such a page.
  /// - Complexity: O(1).
  public func itemRange(ofPage index: Int) -> Range<Int> {
    access(.details)
    let count = list.shown.linkedCount
    require(
      (0..<count).contains(index),
      "PagedCollection.itemRange(ofPage:): page \(index) of \(count) pages")
    return list.shown.items(of: index)
  }

  /// Returns the index of a page in ``pages``; nil if it is not one of them.
  ///
  /// - Complexity: O(1).
  public func pageIndex(of page: PageResource) -> Int? {
    access(.details)
    let index = list.shown.index(of: page.id)
    return index.flatMap { $0 < list.shown.linkedCount ? $0 : nil }
  }

  /// Returns the index in ``pages`` of the page that shows an item; nil if there is none.
  ///
  /// Use it for margins and section headers. There is no such page if the index is beyond the last item, or if the
  /// item belongs to a changed chain that is being reloaded.
  ///
  /// - Parameter index: the index of the item in ``items``.
  /// - Complexity: O(log *p*) in the number of pages.
  public func pageIndex(ofItemAt index: Int) -> Int? {
    access(.details)
    guard (0..<list.shown.linkedItemCount).contains(index) else { return nil }
    return list.shown.index(showing: index).index
  }

  /// The number of items in the whole list, if the server reports it.
  public var totalCount: Int? {
    access(.details)
    let pages = list.shown.slots.prefix(list.shown.linkedCount)
    for page in [pages.last, pages.first] {
      if let page, let total = content(page.content).value.totalCount { return total }
    }
    // What a frozen list does not show yet does not count either, unless the first page is none of those that are
    // shown.
    guard list.frozen == nil || !list.shownDropped.isEmpty else { return nil }
    return firstPage.box?.value.totalCount
  }

  /// The numbers of items known to exist before and after ``items``, for placeholder rows; nil if unknown.
  ///
  /// - Complexity: O(*p*) in the number of pages.
  public var placeholderCounts: (before: Int, after: Int)? {
    access(.details)
    let dropped = list.shownDropped
    guard let totalCount, dropped.isEmpty ? !hasPreviousPage : dropped.reachesStart else {
      return nil
    }
    // What the total counts: neither what is hidden nor what the program has edited.
    let received = list.shown.slots.reduce(dropped.receivedCount) {
      $0 + $1.receivedCount
    }
    return (dropped.itemCount, max(0, max(0, totalCount) - received))
  }

  // MARK: State

  /// The date at which a refresh was last completed; nil once all pages are wiped, as at a log-out.
  public var lastRefreshDate: Date? {
    access(.details)
    return refreshDate
  }
  /// The date at which a page of the list was last loaded or confirmed, by this list or another, for a label such as
  /// "last updated"; nil once all pages are wiped.
  public var lastLoadDate: Date? {
    access(.details)
    return loadDate
  }

  /// The loading state at the end of the list.
  public var state: PagedCollectionState {
    access(.state)
    return list.end.state
  }
  /// Whether the list is loaded to its end, so that ``state`` is `.ended`.
  public var isEnded: Bool { state == .ended }

  /// The loading state at the start of the list: `.ended` if no page precedes the first loaded
  /// page, or no link leads there.
  public var previousState: PagedCollectionState {
    access(.previousState)
    return list.start.state
  }
  /// The loading state of a refresh: `.idle` if there is none, or if the last one was completed.
  public var refreshState: PagedCollectionState {
    access(.refreshState)
    return list.refreshState
  }

  /// The error of the newest load that failed, at either end or in a refresh; nil if none has.
  public var latestError: ResourceError? {
    access(.latestError)
    return newestError
  }

  /// The error of ``latestError``, read without being tracked.
  var newestError: ResourceError? {
    list.states.compactMap(\.error).max { $0.timestamp < $1.timestamp }
  }

  /// Whether anything is being loaded, at either end or in a refresh.
  public var isLoading: Bool {
    access(.isLoading)
    return list.isLoading
  }

  /// Whether a refresh is under way.
  public var isRefreshing: Bool {
    access(.isRefreshing)
    return list.walk.isRefresh
  }

  /// Whether there is, or may be, a page before the first one that is loaded.
  public var hasPreviousPage: Bool {
    access(.details)
    return list.showsPrevious
  }

  /// How many page visits the walk has made: the cost of a traversal.
  package var visitCount: Int { list.walk.visitCount }
}

extension PagedCollection: Observable {
  func update(_ tracked: TrackedProperties) {
    tracked.update(
      isLoading: list.isLoading, isRefreshing: list.walk.isRefresh, latestError: newestError)
  }

  func report(_ notice: Notice, to tracked: TrackedProperties) {
    switch notice.listEvent(Event.self) {
    case .itemsChanged: tracked.changed(.content)
    case .stateChanged: tracked.changed(.state)
    case .previousStateChanged: tracked.changed(.previousState)
    case .refreshStateChanged: tracked.changed(.refreshState)
    case .observerAdded, .invalidated: break
    }
  }
}

extension PagedCollection: CustomStringConvertible, SecretHolding {
  /// The first page, the numbers of pages and items, and the state; no secrets.
  ///
  /// For example, `GET https://a.test/gists: 2 pages, 40 items, idle`.
  ///
  /// Reading it is not tracked by views.
  public var description: String {
    "\(firstPage): \(list.shown.linkedCount) pages, \(shownItems.count) items, \(list.end.state)"
  }
}

extension PagedCollectionState {
  fileprivate var error: ResourceError? {
    if case .failed(let error, _) = self { error } else { nil }
  }
}
