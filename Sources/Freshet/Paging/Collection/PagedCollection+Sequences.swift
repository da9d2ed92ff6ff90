/// A list of pages as asynchronous sequences, for scripts.
///
/// ```swift
/// for try await gist in service.pages("gists", of: Gist.self).itemSequence {
///   print(gist.title)
/// }
/// ```
///
/// Each loop begins at the first page. After an error, `next()` of the same iterator continues: it requests
/// the page again at once, as ``retry()`` does. The next page is requested when it is needed, and not
/// before: reading three items of the first page sends one request. Pages that were dropped because of
/// ``Options/retainedPageLimit`` before the iteration reached them are skipped. The sequences belong to the
/// actor of the service, and retain the collection while they are iterated.
extension PagedCollection {
  /// The items in chain order, each page as it was when it was reached; with ``Options/identity``,
  /// each once.
  ///
  /// Throws the ``ResourceError`` of a page that cannot be loaded, ``IncompleteWalk`` where something
  /// other than the end of the list stops the walk, and `CancellationError`.
  public var itemSequence: ItemSequence { ItemSequence(pages: pageSequence) }

  /// The pages in chain order, empty ones included. Throws what ``itemSequence`` throws.
  public var pageSequence: PageSequence { PageSequence(collection: self) }
}

// MARK: - The whole list

extension PagedCollection {
  /// Returns all items of the list, after loading the pages that are missing or stale.
  ///
  /// ```swift
  /// let gists = try await service.pages("gists", of: Gist.self).freshItems()
  /// ```
  ///
  /// For scripts and servers, as ``Resource/freshContent()`` for a resource. The items begin with those of the first
  /// loaded page, and are those that ``itemSequence`` has. Up to ``Options/concurrentLoads`` pages load at once. The
  /// list keeps the pages, so that the next call sends no request while they are fresh. Where several pages load at
  /// once, cancelling the task ends the call, and not the loads, which others may wait for; ``cancelLoad()`` ends them.
  ///
  /// - Throws: what ``itemSequence`` throws, and never returns a part of the list instead.
  /// - Precondition: ``Options/retainedPageLimit`` is nil, because pages that were dropped would be missing.
  public func freshItems() async throws -> [Item] {
    require(
      options.retainedPageLimit == nil,
      "PagedCollection.freshItems(): the list drops pages beyond its retainedPageLimit")
    var iterator = itemSequence.makeAsyncIterator()
    if options.concurrentLoads > 1 {
      // Before the loads, which are those of the iteration.
      iterator.begin()
      loadAll()
    }
    var items: [Item] = []
    while let item = try await iterator.next() { items.append(item) }
    return items
  }
}

// MARK: - Changes

extension PagedCollection {
  /// The changes of ``items`` from now on, as an asynchronous sequence.
  ///
  /// ```swift
  /// var rows = gists.items
  /// for await change in gists.changes { change.apply(to: &rows) }
  /// ```
  ///
  /// Each access makes another sequence, which observes from then on. No change is left out: those that
  /// the consumer has not read yet are kept, without a limit, and lead from the items at the access to
  /// the current ones. Iterating loads nothing.
  ///
  /// The sequence ends when the collection is deallocated, which it does not prevent, and when the
  /// iterating task is cancelled. It may be iterated on any actor, by one task.
  public var changes: AsyncStream<PagedChange<Item>> {
    var changes = ChangesFromNow(of: self)
    return stream(.unbounded) { notice in
      changes.next(notice.subject(PagedCollection.self), notice.listEvent(Event.self))
    }
  }

  /// ``items`` now, and after each change, as an asynchronous sequence.
  ///
  /// Each access makes another sequence, which observes from then on. A consumer that is slower than
  /// the changes reads only the newest. Iterating loads nothing. Holding an element costs one copy
  /// of the array at the next change; ``changes`` does not.
  ///
  /// The sequence ends when the collection is deallocated, which it does not prevent, and when the
  /// iterating task is cancelled. It may be iterated on any actor, by one task.
  public var snapshots: AsyncStream<[Item]> {
    stream(.bufferingNewest(1)) { notice in
      switch notice.listEvent(Event.self) {
      case .observerAdded, .itemsChanged: notice.subject(PagedCollection.self).shownItems
      case .stateChanged, .previousStateChanged, .refreshStateChanged, .invalidated: nil
      }
    }
  }
}
