extension PagedCollection {
  /// The pages of a list, loaded one after the other as they are needed.
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

      /// The next page, loaded if it is missing or stale; nil at the end of the list.
      public mutating func next() async throws -> Page<Item>? {
        try await next(isolation: #isolation)
      }

      /// The next page, loaded if it is missing or stale; nil at the end of the list.
      ///
      /// - Parameter actor: the actor of the service.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> Page<Item>? {
        let retriesFailure = hasThrown
        hasThrown = true
        let since = since ?? collection.firstPage.store.nextLoad
        self.since = since
        let page = try await collection.page(
          numbered: number, since: since, retryingFailure: retriesFailure, isolation: actor)
        hasThrown = false
        number = Swift.max(number, collection.list.chain.firstPageIndex) + 1
        return page
      }
    }
  }
}
