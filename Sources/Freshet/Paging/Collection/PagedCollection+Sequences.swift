/// A list of pages as asynchronous sequences, for scripts.
///
/// ```swift
/// for try await gist in service.pages("gists", of: Gist.self).itemSequence {
///   print(gist.description)
/// }
/// ```
///
/// Each iteration begins at the first page. The next page is asked for when it is needed, and not
/// before: who takes three items of the first page causes one request. Pages that were dropped
/// because of ``Options/retainedPageLimit`` before the iteration came to them are passed over. The
/// sequences belong to the actor of the service, and keep the collection for as long as they are
/// iterated.
extension PagedCollection {
  /// The items in chain order, each page as it was when it was reached; with ``Options/identity``,
  /// each once.
  ///
  /// Throws the ``ResourceError`` of a page that cannot be loaded, ``IncompleteWalk`` where something
  /// other than the end of the list stops the walk, and `CancellationError`.
  public var itemSequence: ItemSequence { ItemSequence(pages: pageSequence) }

  /// The pages in chain order, empty ones included. Throws what ``itemSequence`` throws.
  public var pageSequence: PageSequence { PageSequence(collection: self) }

  /// The page at an index, counted from the collection's first page, once it is loaded.
  func page(
    numbered number: Int, isolation: isolated (any Actor)?
  ) async throws -> Page<Item>? {
    while true {
      try Task.checkCancellation()
      // Dropped pages are skipped.
      let slot = max(number - list.chain.firstPageIndex, 0)
      if slot < list.chain.linkedCount {
        return content(list.chain.slots.inOrder[slot].loaded.content).value
      }
      if list.isEnded, !isLoading { return nil }
      let isFirst = list.chain.linkedCount == 0
      isFirst ? loadIfNeeded() : loadMore()
      await settled()
      guard number - list.chain.firstPageIndex >= list.chain.linkedCount else { continue }
      switch state {
      case .failed(let error, _): throw error
      case .incomplete(let walk): throw walk
      case .ended: return nil
      case .idle, .loading, .waiting:
        // Cancelled by another caller, unless it continues.
        guard isLoading else { throw CancellationError() }
      }
    }
  }
}
