/// Loading pages. A requested page replaces one that is still loading: the items of the older one
/// are still placed in the slots, and it does not become the current page.
extension Paginator {
  /// Loads the page after the current one. Calls while it is loading do not load it twice.
  ///
  /// - Throws: `.notLoaded`; `.noSuchPage` after the last page, if that is known.
  public func loadNextPage() throws(PaginatorError) {
    guard let current = table.currentPage else { throw .notLoaded }
    guard current < .max else { throw table.noSuchPage(current) }
    try loadPage(current + 1)
  }

  /// Loads the page before the current one, or the last known page of a list that has become
  /// shorter than that.
  ///
  /// - Throws: `.notLoaded`; `.noSuchPage` if ``hasPreviousPage`` is false.
  public func loadPreviousPage() throws(PaginatorError) {
    guard let current = table.currentPage else { throw .notLoaded }
    try loadPage(table.previousPage ?? current - 1)
  }

  /// Loads a page, which becomes the current one; without a request if it is fresh.
  ///
  /// Within ``Service/Configuration/failureCooldown`` of a failure, or before the server's
  /// `Retry-After` is over, the same failure is reported again; see ``retry()``.
  ///
  /// - Parameter page: the number, counted from ``firstPageNumber``.
  /// - Throws: `.noSuchPage` for a number before the first, or after the last if that is known.
  public func loadPage(_ page: Int) throws(PaginatorError) {
    try table.check(page)
    change { $0.requested(page, always: false) }
  }

  /// Reloads the current page from the server, with validators, even while it is fresh.
  ///
  /// - Throws: `.notLoaded`.
  public func refresh() throws(PaginatorError) {
    guard let page = table.currentKey else { throw .notLoaded }
    change { $0.requested(page, always: true) }
  }

  /// Requests the page that failed, without waiting; does nothing if none has failed.
  public func retry() {
    guard let page = table.failure?.page, (try? table.check(page)) != nil else { return }
    change { $0.requested(page, always: true) }
  }

  /// Cancels the load that is in progress, for others that joined it too; nothing else changes.
  public func cancelLoad() {
    change { $0.cancelled() }
  }
}
