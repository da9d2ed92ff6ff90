/// What a paginator knows. Every question is answered at once, from what is loaded.
extension Paginator {
  /// Whether a page that was asked for is not there yet.
  public var isLoading: Bool { table.pendingPage != nil }

  /// The number of the page that is being loaded.
  public var loadingPage: Int? { table.pendingPage }

  /// Why the last load failed; nil after a success.
  public var error: ResourceError? { table.failure?.error }

  /// Whether there is a current page: whether a load has succeeded.
  public var isLoaded: Bool { table.currentPage != nil }

  /// The number of the page that was loaded last. It moves only when a load succeeds.
  ///
  /// - Throws: `.notLoaded`.
  public var currentPage: Int {
    get throws(PaginatorError) {
      guard let page = table.currentPage else { throw .notLoaded }
      return page
    }
  }

  /// How many items are on the pages before the current one, if all are full.
  ///
  /// - Throws: `.notLoaded`.
  public var offset: Int {
    get throws(PaginatorError) { table.offset(of: try currentPage) }
  }

  /// Whether it is known how many pages there are.
  public var isPageCountKnown: Bool { table.pageCount != nil }

  /// How many pages there are: what the server tells, or what follows from the number of items.
  ///
  /// Where it tells neither, an empty page behind one that is not tells it too.
  ///
  /// - Throws: `.notLoaded`, `.pageCountUnknown`.
  public var pageCount: Int {
    get throws(PaginatorError) {
      if let count = table.pageCount { return count }
      throw isLoaded ? .pageCountUnknown : .notLoaded
    }
  }

  /// Whether the server tells how many items there are.
  public var isObjectCountKnown: Bool { table.totals.objectCount != nil }

  /// How many items the whole list has.
  ///
  /// - Throws: `.notLoaded`, `.objectCountUnknown`.
  public var objectCount: Int {
    get throws(PaginatorError) {
      if let count = table.totals.objectCount { return count }
      throw isLoaded ? .objectCountUnknown : .notLoaded
    }
  }

  /// Whether there is a page behind the current one.
  ///
  /// - Throws: `.notLoaded`; `.pageCountUnknown` where ``loadNextPage()`` would find out.
  public var hasNextPage: Bool {
    get throws(PaginatorError) { try table.hasNextPage() }
  }

  /// Whether there is a page before the current one.
  ///
  /// - Throws: `.notLoaded`.
  public var hasPreviousPage: Bool {
    get throws(PaginatorError) { try currentPage > firstPage }
  }

  /// The items of the current page; empty before the first load.
  public var items: [Item] {
    table.currentKey.flatMap { table.entries[$0]?.content.items } ?? []
  }

  /// The whole list as far as it is known: loaded items, and placeholders for the others.
  ///
  /// - Complexity: O(1); O(*p* log *p*) in the loaded pages for the first look after a change.
  public var slots: PaginatorSlots<Item> {
    if let cachedSlots { return cachedSlots }
    let slots = table.slots
    cachedSlots = slots
    return slots
  }
}
