import Foundation

/// What is asked of a collection.
extension PagedCollection {
  /// How many items are shown, 1 at first: as many are loaded by ``loadIfNeeded()``, and stay loaded
  /// when pages become shorter. Raising it loads more.
  public var displayedCount: Int {
    get { list.displayedCount }
    set { ask { $0.display(newValue, $1) } }
  }

  /// Loads what is missing or stale, as far as items are wanted.
  ///
  /// A collection that is complete and fresh is confirmed without a look at any page.
  ///
  /// - Complexity: O(1) where nothing is to be done and nothing has changed; otherwise O(*p*) in the
  ///   pages from the first one that may need a load.
  public func loadIfNeeded() {
    // With no event waiting, there is nothing that could change that.
    let (now, configuration) = (firstPage.clock.now, firstPage.configurationVersion)
    if queue.isIdle, list.walk.isConfirmed(at: now, configuration: configuration) { return }
    ask { $0.loadIfNeeded($1) }
  }

  /// Loads the next page that has items, if there is one. Called while a page is loading, it is
  /// remembered.
  ///
  /// At the end of the list it asks for the last page again once that is stale: the list may have grown.
  public func loadMore() {
    ask { $0.loadMore($1) }
  }

  /// Loads the page before the first one that is loaded, if there is one.
  ///
  /// Its items come before the others; ``firstItemIndex`` shows by how many the others moved.
  public func loadPreviousPage() {
    ask { list, _ in list.loadPreviousPage() }
  }

  /// Loads the whole list after the first page, up to ``Options/pageLimit`` and ``Options/itemLimit``.
  public func loadAll() {
    ask { $0.loadAll($1) }
  }

  /// Reports that an item is on screen: loads more when an end of ``items`` is within
  /// ``Options/prefetchDistance``.
  public func itemShown(at index: Int) {
    itemsShown(in: index..<index.saturatingSum(1))
  }

  /// Reports which items are on screen: loads more when an end of ``items`` is within
  /// ``Options/prefetchDistance`` of them. They are not dropped from memory, nor are
  /// ``displayedCount`` items around them.
  public func itemsShown(in range: Range<Int>) {
    ask { $0.itemsShown(range, $1) }
  }

  /// Revalidates loaded pages in chain order, with validators.
  ///
  /// Pages that the server confirms change no item. A changed next link links the chain anew: what
  /// followed stays visible until the new chain has replaced it, comes back to it, or ends. A refresh
  /// that is under way begins again. What is being loaded at the end of the list waits for it.
  ///
  /// - Parameter scope: which pages.
  public func refresh(_ scope: RefreshScope = .all) {
    ask { $0.refresh(scope, $1) }
  }

  /// Asks again for the pages that failed, at either end or in a refresh, without waiting; does nothing
  /// where nothing has failed. A refresh goes on from the page at which it failed.
  public func retry() {
    ask { $0.retry($1) }
  }

  /// Cancels the loads that are under way; the items stay, and the next demand goes on from there.
  ///
  /// A page that others wait for is cancelled for them too: it is one resource.
  public func cancelLoad() {
    ask { list, _ in list.cancel() }
  }

  /// Cancels what is under way, and forgets the items and the chain: the list is as it was when the
  /// collection was made, except for its observers and ``displayedCount``. The pages keep what they
  /// have.
  public func reset() {
    ask { [self] list, _ in
      list.reset()
      dates = ListDates()
    }
  }

  /// A request of a page waits before another attempt, or goes on.
  func requestWaits(_ wait: RequestWait?) {
    for page in [list.awaited.end, list.awaited.start] {
      if let page { list.waits(page, page.inFlight.newestRequest?.wait) }
    }
    if wait != nil { list.narrow() }
    perform()
  }
}
