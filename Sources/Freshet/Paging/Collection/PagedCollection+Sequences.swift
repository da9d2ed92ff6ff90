/// A list of pages as asynchronous sequences, for scripts.
///
/// ```swift
/// for try await gist in service.pages("gists", of: Gist.self).itemSequence {
///   print(gist.description)
/// }
/// ```
///
/// Each iteration begins at the first page. The next page is requested only when it is needed:
/// taking three items of the first page causes one request. Pages that were dropped because of
/// ``Options/maxPages`` before the iteration reached them are skipped. The sequences belong to the
/// actor of the service, and keep the collection alive while they are iterated.
extension PagedCollection {
  /// The items in chain order, each page as it was when it was reached; with ``Options/identity``,
  /// each once.
  ///
  /// Throws the ``ResourceError`` of a page that cannot be loaded, ``IncompleteWalk`` where something
  /// other than the end of the list stops the walk, and `CancellationError`.
  public var itemSequence: PagedItems<Item> { PagedItems(pages: pageSequence) }

  /// The pages in chain order, empty ones included. Throws what ``itemSequence`` throws.
  public var pageSequence: PagedPages<Item> { PagedPages(collection: self) }

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

/// The pages of a list, loaded one by one as they are requested.
public struct PagedPages<Item: Sendable>: AsyncSequence {
  let collection: PagedCollection<Item>

  /// Begins at the first page.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(collection: collection) }

  /// Iterates over the pages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let collection: PagedCollection<Item>
    private var number = 0

    init(collection: PagedCollection<Item>) {
      self.collection = collection
      number = collection.list.chain.firstPageIndex
    }

    /// The next page, loaded if needed; nil at the end of the list.
    public mutating func next() async throws -> Page<Item>? {
      try await next(isolation: #isolation)
    }

    /// The next page, loaded if needed; nil at the end of the list.
    ///
    /// - Parameter actor: the actor of the service.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Page<Item>? {
      let page = try await collection.page(numbered: number, isolation: actor)
      number = Swift.max(number, collection.list.chain.firstPageIndex) + 1
      return page
    }
  }
}

/// The items of a list, whose pages are loaded one by one as they are requested.
public struct PagedItems<Item: Sendable>: AsyncSequence {
  let pages: PagedPages<Item>

  /// Begins at the first page.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(pages: pages.makeAsyncIterator())
  }

  /// Iterates over the items.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var pages: PagedPages<Item>.AsyncIterator
    private var items: ArraySlice<Item> = []
    private var seen: Set<AnyHashable> = []

    init(pages: PagedPages<Item>.AsyncIterator) {
      self.pages = pages
    }

    /// The next item, loaded if needed; nil at the end of the list.
    public mutating func next() async throws -> Item? {
      try await next(isolation: #isolation)
    }

    /// The next item, loaded if needed; nil at the end of the list.
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
