import Observation

/// The state of a paginator, from the loaded pages. Unknown values are nil.
extension Paginator {
  /// Whether a page that was requested is still loading.
  public var isLoading: Bool {
    access(.isLoading)
    return table.pendingPage != nil
  }

  /// The number of the page that is being loaded.
  public var loadingPage: Int? {
    access(.state)
    return table.pendingPage
  }

  /// The error of the newest completed load; nil after a success, and once the page that failed is wiped.
  ///
  /// A cancelled load leaves the error as it is.
  public var latestError: ResourceError? {
    access(.latestError)
    return table.failure?.error
  }

  /// The number of the page that was loaded last; nil before the first success.
  ///
  /// It changes only when a load succeeds.
  public var currentPage: Int? {
    access(.content)
    return table.currentPage
  }

  /// The number of items before the current page if all earlier pages are full; nil if no page is loaded.
  public var offset: Int? {
    access(.content)
    return table.currentPage.map(table.offset)
  }

  /// The number of pages, reported by the server or derived from the number of items; nil if unknown.
  ///
  /// If the server reports neither, an empty page after one with items ends the list. The same applies if the
  /// first page has fewer items than were requested, although the list has more: then pages have another
  /// size, which the server does not report.
  public var totalPageCount: Int? {
    access(.content)
    return table.totalPageCount
  }

  /// The number of items in the whole list; nil if the server does not report it.
  public var totalCount: Int? {
    access(.content)
    return table.totals.totalCount
  }

  /// Whether there is a page after the current one; nil if no page is loaded, or if only
  /// ``loadNextPage()`` would show it.
  public var hasNextPage: Bool? {
    access(.content)
    return table.hasNextPage
  }

  /// Whether there is a page before the current one that ``loadPreviousPage()`` can load; nil if no
  /// page is loaded.
  public var hasPreviousPage: Bool? {
    access(.content)
    return table.currentPage.map { _ in table.previousPage != nil }
  }

  /// The items of the current page; empty before the first load.
  public var items: [Item] {
    access(.content)
    return table.currentKey.flatMap { table.entries[$0]?.content.items } ?? []
  }
}

extension Paginator: Observable {
  func update(_ tracked: TrackedProperties) {
    tracked.update(isLoading: table.pendingPage != nil, latestError: table.failure?.error)
  }

  func report(_ notice: Notice, to tracked: TrackedProperties) {
    switch notice.listEvent(Event.self) {
    case .loaded, .slotsChanged:
      tracked.changed(.content)
      tracked.changed(.state)
    case .loading, .failed, .cancelled: tracked.changed(.state)
    case .observerAdded, .invalidated: break
    }
    update(tracked)
  }
}
