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

  /// The page at an index, counted from the collection's first page, once it is loaded.
  ///
  /// - Parameters:
  ///   - since: the first load of the iteration. Content from that load or a later one is used even if it has
  ///     expired.
  ///   - retriesFailure: whether a page that has failed is requested at once.
  func page(
    numbered number: Int, since: ResourceState.LoadID, retryingFailure retriesFailure: Bool,
    isolation: isolated (any Actor)?
  ) async throws -> Page<Item>? {
    if retriesFailure { retry() }
    while true {
      try Task.checkCancellation()
      // Dropped pages are skipped.
      let index = max(number, list.chain.firstPageIndex)
      let slot = index - list.chain.firstPageIndex
      if slot < list.chain.linkedCount {
        let page = Self.resource(list.page(at: slot))
        if page.isFresh || !page.state.isInvalidated && page.state.confirmingLoad >= since {
          return content(list.chain.slots.inOrder[slot].loaded.content).value
        }
        return try await load(page, retryingFailure: retriesFailure)
      }
      if list.isEnded(at: firstPage.clock.now), !list.isLoading { return nil }
      // By its index, which stays wanted where the list begins again.
      ask { $0.loadPage(index, $1) }
      await settled()
      guard max(number - list.chain.firstPageIndex, 0) >= list.chain.linkedCount else { continue }
      switch list.end.state {
      case .failed(let error, _): throw error
      case .incomplete(let walk): throw walk
      case .ended: return nil
      case .idle, .loading, .waiting:
        // Cancelled by another caller, unless it continues.
        guard list.isLoading else { throw CancellationError() }
      }
    }
  }

  /// The content of a stale page after a load.
  private func load(
    _ page: PageResource, retryingFailure retriesFailure: Bool
  ) async throws -> Page<Item> {
    do throws(ResourceError) {
      let hasFailed = page.state.error != nil
      return retriesFailure && hasFailed ? try await page.reload() : try await page.freshContent()
    } catch {
      // By another caller.
      if error.kind == .cancelled { throw CancellationError() }
      throw error
    }
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

  /// Adds a closure that is called with each change of ``items`` from now on, for as long as the returned token
  /// is held.
  ///
  /// ```swift
  /// observation = gists.observeChanges { [tableView] in tableView.apply($0) }
  /// ```
  ///
  /// The first change starts from the items at the time of the call, even if that is in an observer, while
  /// earlier changes are undelivered.
  ///
  /// - Returns: the token, to be kept for as long as changes are wanted.
  /// - Complexity: amortized O(1).
  public func observeChanges(
    _ body: @escaping (_ change: PagedChange<Item>) -> Void
  ) -> ObservationToken {
    var changes = ChangesFromNow(of: self)
    return observe { list, event in
      if let change = changes.next(list, event) { body(change) }
    }
  }

  /// The changes from the items that an observer has read when it begins to observe.
  struct ChangesFromNow {
    /// What was shown then, where the observer is notified of later events only: within a delivery it is
    /// active after those that wait, and a change before that is in none of its events.
    private var start: (items: [Item], firstItemIndex: Int)?

    init(of list: PagedCollection) {
      guard !list.queue.isIdle else { return }
      start = (list.shownItems, list.list.shown.firstItemIndex)
    }

    /// The change that an event brings; nil for none.
    mutating func next(
      _ list: PagedCollection, _ event: PagedCollectionEvent<Item>
    ) -> PagedChange<Item>? {
      switch event {
      case .itemsChanged(let change): return change
      case .observerAdded:
        guard let start = start.take() else { return nil }
        let firstItemIndex = list.list.shown.firstItemIndex
        let items = list.shownItems
        var splices = SpliceLog<Item>()
        // An array that is held is changed in a copy of its memory.
        if !items.sharesStorage(with: start.items), !(items.isEmpty && start.items.isEmpty) {
          splices.append(.init(at: 0, removing: start.items[...], inserting: items[...]))
          splices.trim(by: list.traits.areEqual)
        }
        guard !splices.isEmpty || firstItemIndex != start.firstItemIndex else { return nil }
        return PagedChange(splices.inOrder, firstItemIndex: firstItemIndex)
      case .stateChanged, .previousStateChanged, .refreshStateChanged, .invalidated: return nil
      }
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

  /// Refreshes the list, and waits until that has ended: for `refreshable` in SwiftUI.
  ///
  /// ```swift
  /// List(gists.items) { Text($0.title) }.refreshable { @MainActor in await gists.refreshed() }
  /// ```
  ///
  /// The refresh continues when the waiting task is cancelled.
  ///
  /// - Returns: ``refreshState`` at that time: `.idle` if the refresh was completed or cancelled.
  @discardableResult
  public func refreshed(_ scope: RefreshScope = .all) async -> PagedCollectionState {
    refresh(scope)
    await settled()
    return list.refreshState
  }
}
