extension PagedCollection {
  /// The items of a list as an asynchronous sequence, which loads pages as they are needed.
  public struct ItemSequence: AsyncSequence {
    let pages: PageSequence

    /// Begins at the first page.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(pages: pages.makeAsyncIterator())
    }

    /// Iterates over the items.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var pages: PageSequence.AsyncIterator
      private var items: ArraySlice<Item> = []
      private var seen: Set<AnyHashable> = []

      init(pages: PageSequence.AsyncIterator) {
        self.pages = pages
      }

      /// Begins the iteration, if it has not begun: what is loaded from now on is used even if it has expired.
      mutating func begin() { pages.begin() }

      /// Returns the next item, loading its page if it is missing or stale; nil at the end of the list.
      public mutating func next() async throws -> Item? {
        try await next(isolation: #isolation)
      }

      /// Returns the next item, loading its page if it is missing or stale; nil at the end of the list.
      ///
      /// - Parameter actor: the actor of the service.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Item? {
        let id = pages.collection.traits.id
        while true {
          while let item = items.popFirst() {
            guard let id = id?(item) else { return item }
            if seen.insert(id).inserted { return item }
          }
          guard let page = try await pages.next(isolation: actor) else { return nil }
          items = page.items[...]
        }
      }
    }
  }
}
