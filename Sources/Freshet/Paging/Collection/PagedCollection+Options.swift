extension PagedCollection {
  /// The limits and behavior of a collection.
  public struct Options: Sendable {
    /// The times at which the changes of a refresh are shown.
    public enum Publication: Sendable, Hashable {
      /// Shows the changes of each page as it arrives.
      case asPagesArrive
      /// Shows all changes together when the refresh has ended: completed, failed or cancelled. Until then all
      /// changes wait, edits in place too.
      case whenComplete
    }

    /// The initial value of ``PagedCollection/displayedCount``; 1 by default.
    public var displayedCount: Int
    /// The number of items before an end of the list at which the next page is requested; 5 by default.
    public var prefetchDistance: Int
    /// The maximum number of pages that are loaded; 10,000 by default.
    ///
    /// A longer list ends as incomplete, not as complete.
    public var pageLimit: Int
    /// The maximum number of items that are loaded; 1,000,000 by default.
    ///
    /// If the limit is reached within a page, the list ends as incomplete after that page.
    public var itemLimit: Int
    /// The maximum number of empty pages in a row at the end of the list, at least 1; 100 by default.
    ///
    /// If the last of them has a next page, the list ends as incomplete.
    ///
    /// Some servers name a next page forever. Others send many empty pages before one with items, such as
    /// when they filter the items after dividing them into pages: raise the limit for these.
    public var emptyPageLimit: Int
    /// The maximum number of pages that one call requests at an end of the list; 50 by default.
    ///
    /// Loaded pages that are stale, and those that take their place, are requested in addition.
    ///
    /// Raise it if ``PagedCollection/displayedCount`` needs more than 50 pages. ``PagedCollection/loadAll()`` and
    /// ``PagedCollection/loadPages(through:)`` have no such limit.
    public var requestBudget: Int
    /// The maximum number of pages that are kept in memory; nil, the default, to keep all.
    ///
    /// Beyond that, pages are dropped from the end that is farther away from where the list grows,
    /// never what is on screen, and are loaded again when the user scrolls back to them. A refresh
    /// requests only the pages in memory. The page before one that was read from a persistent cache stays until a
    /// response has confirmed that one.
    public var retainedPageLimit: Int?
    /// The maximum number of concurrent requests, at both ends together, at least 1; 1 by default.
    ///
    /// A refresh requests that many loaded pages at once, however they are linked, because a server
    /// that confirms a page confirms its link. Beyond the end, pages are requested ahead if they
    /// are counted by number or offset and the server reports a total. After a failure, or when a
    /// server asks for fewer requests, pages are requested one by one until the next call that asks for items.
    public var concurrentLoads: Int
    /// Whether invalidated pages are reloaded automatically while the list has observers; true by
    /// default.
    public var reloadsWhenInvalidated: Bool
    /// The identity of items; nil to show each copy. By default, it is the `id` of items that are `Identifiable`.
    public var identity: ItemIdentity<Item>?
    /// The time at which the changes of a refresh are shown; `.asPagesArrive` by default.
    public var publication: Publication
    /// Other origins that next links may lead to, without credentials, in the form `https://host[:port]`; none by
    /// default.
    ///
    /// From these origins, the list may return to the origin of its first page. Case, a default port and a trailing
    /// `/` make no difference; any other text allows nothing.
    public var allowedOrigins: Set<String>
    /// Whether a link may lead to a request that was made before in the same chain; false by default.
    ///
    /// Allow this if the server remembers how far a client has read, so that the same request has another page as its
    /// response. Otherwise such a link is a loop.
    ///
    /// A page that ``retainedPageLimit`` has dropped is requested again if an earlier page had the same
    /// request: the list shows in its place what the server sends then.
    public var allowsRepeatedPages: Bool
    /// Whether the list is loaded from its start again, once, if the server no longer has a page after the first;
    /// true by default.
    ///
    /// The server indicates this with 400, 404 or 410, for a cursor that has expired or a page that was deleted. If
    /// ``retainedPageLimit`` has dropped pages, 416 and 422 also do, for a page beyond the end of a list that has
    /// become shorter.
    ///
    /// The pages are then requested without validators, because a server that confirms a page (304)
    /// need not know the cursor in its link.
    public var restartsExpiredChains: Bool

    /// Creates options with the default values, except for the arguments given.
    public init(
      prefetchDistance: Int = 5,
      pageLimit: Int = 10_000,
      itemLimit: Int = 1_000_000,
      emptyPageLimit: Int = 100,
      requestBudget: Int = 50,
      retainedPageLimit: Int? = nil,
      concurrentLoads: Int = 1,
      reloadsWhenInvalidated: Bool = true,
      identity: ItemIdentity<Item>? = .automatic,
      displayedCount: Int = 1,
      publication: Publication = .asPagesArrive,
      allowedOrigins: Set<String> = [],
      allowsRepeatedPages: Bool = false,
      restartsExpiredChains: Bool = true
    ) {
      self.prefetchDistance = prefetchDistance
      self.pageLimit = pageLimit
      self.itemLimit = itemLimit
      self.emptyPageLimit = emptyPageLimit
      self.requestBudget = requestBudget
      self.retainedPageLimit = retainedPageLimit
      self.concurrentLoads = concurrentLoads
      self.reloadsWhenInvalidated = reloadsWhenInvalidated
      self.identity = identity
      self.displayedCount = displayedCount
      self.publication = publication
      self.allowedOrigins = allowedOrigins
      self.allowsRepeatedPages = allowsRepeatedPages
      self.restartsExpiredChains = restartsExpiredChains
    }

    /// The limits that decisions depend on, clamped if a value could not be counted with.
    var limits: PageListLimits {
      PageListLimits(
        prefetchDistance: min(max(prefetchDistance, 0), 1 << 48), pageLimit: pageLimit,
        itemLimit: itemLimit, emptyPageLimit: max(emptyPageLimit, 1),
        requestBudget: max(requestBudget, 1), retainedPageLimit: max(retainedPageLimit ?? .max, 1),
        // A greater number means as many as possible.
        concurrentLoads: min(max(concurrentLoads, 1), 1 << 16),
        showsRefreshWhenComplete: publication == .whenComplete,
        allowsRepeatedPages: allowsRepeatedPages, restartsExpiredChains: restartsExpiredChains,
        reloadsWhenInvalidated: reloadsWhenInvalidated)
    }

    func allowingReturn(to firstPage: AnyResource) -> Options {
      var options = self
      options.allowedOrigins = allowedOrigins.allowingReturn(to: firstPage)
      return options
    }
  }
}
