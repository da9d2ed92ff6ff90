import Foundation

/// Requests for items: loading, refreshing, cancelling.
extension PagedCollection {
  /// The number of items that ``loadIfNeeded()`` loads; initially ``Options/displayedCount``.
  ///
  /// If pages become shorter, more pages are loaded. Raising the number loads more.
  public var displayedCount: Int {
    get { list.demand.displayed }
    set { ask { $0.display(newValue, $1) } }
  }

  /// Loads missing and stale pages, as far as items are needed.
  ///
  /// Returns without visiting any page if the collection is complete and fresh.
  ///
  /// - Complexity: O(1) if there is nothing to do and nothing has changed; otherwise O(*p*) in the
  ///   pages from the first one that may need a load.
  public func loadIfNeeded() {
    // While an event waits, something may have changed.
    let (now, configuration) = (firstPage.clock.now, firstPage.configurationVersion)
    if queue.isIdle, list.walk.isConfirmed(at: now, configuration: configuration) { return }
    ask { $0.loadIfNeeded($1) }
  }

  /// Loads the next page that has items, if there is one.
  ///
  /// A call while a page is loading is remembered.
  ///
  /// At the end of the list it requests the last page again once that is stale: the list may have
  /// grown.
  public func loadMore() {
    ask { $0.loadMore($1) }
  }

  /// Loads the page before the first one that is loaded, if there is one.
  ///
  /// Its items come before the others; ``firstItemIndex`` shows by how many the others moved.
  public func loadPreviousPage() {
    ask { list, _ in list.loadPreviousPage() }
  }

  /// Loads every page from the first loaded one to the end of the list, up to ``Options/pageLimit`` and
  /// ``Options/itemLimit``.
  public func loadAll() {
    ask { $0.loadAll($1) }
  }

  /// Keeps the items until the next refresh, whatever ``Options/restartsExpiredChains`` is: for a program that
  /// has written them where they cannot be taken back.
  package func keepItems() {
    ask { list, _ in list.walk.keepItems() }
  }

  /// Loads the pages up to an index in ``pages``, or to the end of a shorter list.
  ///
  /// The limit is the index, not ``Options/requestBudget``.
  ///
  /// - Parameter index: the index of the last page to load.
  public func loadPages(through index: Int) {
    ask { $0.loadPages(through: index, $1) }
  }

  /// Reports that an item is on screen, and loads more if an end of ``items`` is within ``Options/prefetchDistance``.
  public func itemShown(at index: Int) {
    itemsShown(in: index..<index.saturatingSum(1))
  }

  /// Reports which items are on screen, and loads more if an end of ``items`` is within ``Options/prefetchDistance``.
  ///
  /// Items on screen are not dropped from memory, nor are ``displayedCount`` items around them.
  ///
  /// The items need not be loaded yet. To restore a scroll position, report the rows that are to be
  /// on screen, in place of ``loadIfNeeded()``: what is missing up to there is loaded, at most
  /// ``Options/requestBudget`` pages of it.
  public func itemsShown(in range: Range<Int>) {
    ask { $0.itemsShown(range, $1) }
  }

  /// Requests loaded pages again, with their validators; they are merged in chain order.
  ///
  /// Pages that the server confirms change no item. A changed next link relinks the chain: what
  /// followed stays visible until the new chain has replaced it, leads back to it, or ends. A
  /// refresh that is under way begins again. A load at the end of the list waits for the refresh, which is
  /// complete once the pages that it began with are loaded again, or others with as many items.
  ///
  /// - Parameter scope: which pages.
  public func refresh(_ scope: RefreshScope = .all) {
    ask { $0.refresh(scope, $1) }
  }

  /// Refreshes the list and waits until the refresh has ended, as `refreshable` in SwiftUI needs it.
  ///
  /// ```swift
  /// List(gists.items) { Text($0.title) }
  ///   .refreshable { @MainActor in await gists.refreshAndWait() }
  /// ```
  ///
  /// The refresh continues when the waiting task is cancelled.
  ///
  /// - Returns: ``refreshState`` at that time: `.idle` if the refresh was completed or cancelled.
  @discardableResult
  public func refreshAndWait(_ scope: RefreshScope = .all) async -> PagedCollectionState {
    refresh(scope)
    await settled()
    return list.refreshState
  }

  /// Requests again the pages that failed, at either end or in a refresh, without waiting.
  ///
  /// It does nothing if no page has failed. A refresh continues with the page that failed.
  public func retry() {
    ask { $0.retry($1) }
  }

  /// Cancels the loads in progress. The items stay, and the next call that requests items continues from there.
  ///
  /// The load of a page that others wait for is cancelled for them too, because they share its
  /// resource.
  public func cancelLoad() {
    ask { list, _ in list.cancel() }
  }

  /// Cancels loads in progress, and discards the items and the chain.
  ///
  /// Afterwards the list is as it was when it was created, except for its observers and ``displayedCount``. The
  /// resources of the pages keep their content.
  public func reset() {
    queue.post { [self] in discard() }
  }

  /// Waits until nothing is loading, or the waiting task is cancelled.
  public func settled() async { await waitForRest() }

  /// Cancels all loads of the list and of its pages, for a program that is about to end.
  package func cancelAllLoads() {
    cancelLoad()
    for page in pages { page.cancelLoad() }
  }
}

extension PagedCollection where Item: Identifiable {
  /// Reports that an item is on screen, as ``itemShown(at:)`` does; an item that is not in ``items`` is
  /// ignored.
  ///
  /// - Precondition: ``Options/identity`` is the items' own `id`, as it is unless set.
  /// - Complexity: O(*m*) in the items of its page.
  public func itemShown(_ item: Item) {
    if let index = index(ofID: item.id) { itemShown(at: index) }
  }
}

extension PagedCollection: Settling {
  var isBusy: Bool { list.isLoading }
  /// The read of the persistent cache too: it ends before the request that follows it is known.
  var awaitedRequests: [AnyRequest] {
    list.awaitedPages.compactMap(\.inFlight.newestRequest) + [reading].compactMap(\.self)
  }
}
