extension PagedCollection {
  /// The pages of a list as an asynchronous sequence, which loads them as they are needed.
  public struct PageSequence: AsyncSequence {
    let collection: PagedCollection<Item>

    /// Begins at the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(collection: collection) }

    /// Iterates over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let collection: PagedCollection<Item>
      private var number = 0
      private var hasThrown = false
      /// The first load of this iteration; nil before it has begun.
      private var since: ResourceState.LoadID?

      init(collection: PagedCollection<Item>) {
        self.collection = collection
        number = collection.list.chain.firstPageIndex
      }

      /// Begins the iteration, if it has not begun: what is loaded from now on is used even if it has expired.
      ///
      /// - Returns: the first load of the iteration.
      @discardableResult
      mutating func begin() -> ResourceState.LoadID {
        let since = since ?? collection.firstPage.store.nextLoad
        self.since = since
        return since
      }

      /// Returns the next page, loading it if it is missing or stale; nil at the end of the list.
      public mutating func next() async throws -> Page<Item>? {
        try await next(isolation: #isolation)
      }

      /// Returns the next page, loading it if it is missing or stale; nil at the end of the list.
      ///
      /// - Parameter actor: the actor of the service.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> Page<Item>? {
        let retriesFailure = hasThrown
        hasThrown = true
        let since = begin()
        let page = try await collection.page(
          numbered: number, since: since, retryingFailure: retriesFailure, isolation: actor)
        hasThrown = false
        number = Swift.max(number, collection.list.chain.firstPageIndex) + 1
        return page
      }
    }
  }
}

extension PagedCollection {
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
          return content(list.chain.slots[slot].content).value
        }
        return try await load(page, retryingFailure: retriesFailure)
      }
      if list.isEnded(at: firstPage.clock.now), !list.isLoading { return nil }
      // By its index, which stays wanted if the list begins again.
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
