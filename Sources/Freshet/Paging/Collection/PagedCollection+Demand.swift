/// What is asked of a collection.
extension PagedCollection {
  /// How many items are shown, 1 at first: as many are loaded by ``loadIfNeeded()``, and stay loaded
  /// when pages become shorter. Raising it loads more.
  public var displayedCount: Int {
    get { demand.displayed }
    set {
      if newValue > demand.displayed { demand.renew() }
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
        if !isLoading { demand.renew() }
        walk.restartIfNeeded(at: now, configuration: configuration)
      }
    }
  }

  /// Loads the next page that has items, if there is one. Called while a page is loading, it is
  /// remembered.
  public func loadMore() {
    ask { [self] in
      demand.wantMore(
        than: chain.slots.firstItemIndex + chain.slots.linkedItemCount,
        isLoading: state.isLoading || refreshState.isLoading)
      start()
    }
  }

  /// Loads the page before the first one that is loaded, if there is one.
  ///
  /// Its items come in front of the others; ``firstItemIndex`` tells by how many the others moved.
  public func loadPrevious() {
    ask { [self] in
      demand.want(from: chain.slots.firstItemIndex - 1)
      stepBack()
    }
  }

  /// Loads the whole list behind the first page, up to ``Options/pageLimit`` and ``Options/itemLimit``.
  public func loadAll() {
    ask { [self] in
      demand.wantAll()
      start()
    }
  }

  /// Says that an item is on screen: loads more when an end of ``items`` is within
  /// ``Options/prefetchDistance``.
  public func itemShown(at index: Int) {
    itemsShown(in: index..<(index + 1))
  }

  /// Says which items are on screen: loads more when an end of ``items`` is within
  /// ``Options/prefetchDistance`` of them. They are not dropped from memory, nor are
  /// ``displayedCount`` items around them.
  public func itemsShown(in range: Range<Int>) {
    ask { [self] in
      let first = firstItemIndex
      let distance = prefetchDistance
      onScreen = (first + range.lowerBound)..<(first + range.upperBound)
      demand.want(upTo: first + range.upperBound + distance)
      start()
      if hasPrevious, range.lowerBound < distance {
        demand.want(from: first + range.lowerBound - distance)
        stepBack()
      }
    }
  }

  /// Asks the server for loaded pages again, one after the other from the first, with validators.
  ///
  /// Pages that the server confirms change no item. A changed next link links the chain anew: what was
  /// behind it stays visible until the new chain has replaced it, comes back to it, or ends. A refresh
  /// that is under way begins again. What is being loaded at the end of the list waits for it.
  ///
  /// - Parameter scope: which pages.
  public func refresh(_ scope: RefreshScope = .all) {
    ask { [self] in
      demand.want(upTo: chain.slots.firstItemIndex + chain.slots.linkedItemCount)
      beginRefresh(scope)
    }
  }

  /// Asks again for the pages that failed, at either end or in a refresh, without waiting; does nothing
  /// where nothing has failed. A refresh goes on from the page at which it failed.
  public func retry() {
    queue.post { [self] in
      if case .failed(_, let page) = refreshState {
        ask { self.resumeRefresh(at: page) }
      } else if case .failed(_, let page) = state {
        walk.retry(page)
        advance()
      }
      if case .failed = previousState {
        demand.want(from: chain.slots.firstItemIndex - 1)
        ask { self.stepBack(isRetry: true) }
      }
    }
  }

  /// Gives up the loads that are under way; the items stay, and the next demand goes on from there.
  ///
  /// A page that somebody else waits for is given up for them too: it is one resource.
  public func cancelLoad() {
    queue.post { [self] in
      waitingFor?.cancelLoad()
      waitingForPrevious?.cancelLoad()
    }
  }

  /// Gives up what is under way, and forgets the items and the chain: the list is as it was when the
  /// collection was made, except for its observers and ``displayedCount``. The pages keep what they
  /// have.
  public func reset() {
    queue.post { [self] in
      let awaited = [waitingFor, waitingForPrevious]
      waitingFor = nil
      waitingForPrevious?.removeObserver(self)
      waitingForPrevious = nil
      published = nil
      dropped = DroppedPages()
      onScreen = nil
      walk = PageWalk()
      demand.settle()
      demand.settleStart()
      apply(chain.reset(to: firstPage))
      for page in awaited { page?.cancelLoad() }
      state = .idle
      previousState = .idle
      refreshState = .idle
      lastRefreshed = nil
    }
  }

  /// How close to an end more is asked for: not negative, and small enough to be added to any place.
  var prefetchDistance: Int { min(max(options.prefetchDistance, 0), 1 << 48) }

  private func start() {
    walk.start(configuration: firstPage.configurationVersion)
  }
}
