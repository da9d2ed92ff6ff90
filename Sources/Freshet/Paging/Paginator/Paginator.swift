import Foundation

/// A list that a server sends in numbered pages, loaded page by page.
///
/// ```swift
/// let articles = service.paginator(
///   "articles?per_page=:perPage&page=:currentPage", of: Article.self,
///   mapping: PaginatorMapping(totalCount: "meta.total"))
/// articles.onSuccess(owner: self) { [weak self] articles, items, page in self?.show(items) }
/// try articles.loadPage(1)
/// await articles.settled()
/// if articles.hasNextPage != false { try articles.loadNextPage() }  // nil: not known
/// articles.slots[120]  // the item, or which page would bring it
/// ```
///
/// One page is requested at a time, and becomes the current one when it is loaded; a failure
/// changes nothing but ``latestError``. All pages that were loaded stay in ``slots``, whatever code
/// changes them. Each is a resource of its own: a fresh one costs no request, and ``page(_:)``
/// returns it, to observe or change it. A wiped page is removed from the slots; if it was the
/// current page, there is none.
///
/// It belongs to the actor of its service. To show an endless list as one array, use
/// ``PagedCollection``.
public final class Paginator<Item: Sendable> {
  /// One page of the list.
  public typealias PageResource = Resource<PaginatorPage<Item>>

  /// The page size and the number of the first page.
  public struct Options: Sendable, Hashable {
    /// The number of items that are requested for each page; 25 by default.
    public var perPage: Int
    /// The number of the first page; 1 by default. Some servers begin with 0.
    public var firstPageNumber: Int

    /// Creates options with the default values, except for the arguments given.
    public init(perPage: Int = 25, firstPageNumber: Int = 1) {
      self.perPage = perPage
      self.firstPageNumber = firstPageNumber
    }
  }

  /// The URL of every page.
  public let pattern: PaginatorPattern

  let store: Store
  private(set) var table: PageTable<Item>
  private(set) var observersIfAny: ObserverList<Observation>?
  private(set) var trackedIfAny: TrackedProperties?
  /// The resources of the requested pages.
  private(set) var resources = PaginatorResources<Item>()
  /// The observation of all pages.
  private(set) lazy var pageObservation = PageObservation(of: self)
  private var waiters = Waiters()
  private var cachedSlots: PaginatorSlots<Item>?

  private let decoder: ContentDecoder<PaginatorPage<Item>>
  /// How many items are requested for each page, even if the server sends pages of another size.
  private var requestedPerPage: Int

  init(
    store: Store, pattern: PaginatorPattern, decoder: ContentDecoder<PaginatorPage<Item>>,
    options: Options
  ) {
    require(
      options.perPage > 0 && options.firstPageNumber >= 0,
      "Paginator.Options: perPage \(options.perPage) must be 1 or more, and firstPageNumber "
        + "\(options.firstPageNumber) must be 0 or more")
    self.store = store
    self.pattern = pattern
    self.decoder = decoder
    requestedPerPage = options.perPage
    table = PageTable(
      firstPageNumber: options.firstPageNumber, perPage: options.perPage,
      countsItems: pattern.countsItems)
    store.add(self)
  }

  deinit {
    waiters.resume()
  }

  /// The number of items in a full page: the requested number, until the server reports another one.
  ///
  /// Setting it starts over: all pages are released, and a requested page is no longer waited for.
  /// At least 1.
  public var perPage: Int {
    get {
      access(.content)
      return table.perPage
    }
    set {
      require(newValue > 0, "Paginator.perPage: \(newValue) items per page; set 1 or more")
      requestedPerPage = newValue
      change { $0.resized(to: newValue) }
      // Without pages there is no event of it, nor of a failure that it clears.
      queue.post { [self] in
        guard let trackedIfAny else { return }
        trackedIfAny.changed(.content)
        update(trackedIfAny)
      }
    }
  }

  /// The number of the first page.
  public var firstPageNumber: Int { table.firstPageNumber }

  /// Returns the resource of a page, which the paginator shows or would load.
  ///
  /// It may be observed and changed; ``slots`` reflects its changes once the paginator itself has
  /// requested the page.
  public func page(_ number: Int) -> PageResource {
    if let known = resources[number] { return known }
    let url = pattern.url(
      page: number, perPage: requestedPerPage, offset: table.offset(of: number))
    let isAbsolute = URIReference.origin(of: url) != nil
    return store.resource(
      .get, try isAbsolute ? store.base.absolute(url) : store.base.resolve(url), decoder: decoder)
  }

  /// The whole list as far as it is known: loaded items, and placeholders for the others.
  ///
  /// - Complexity: O(1); O(*p* log *p*) in the loaded pages for the first access after a change.
  public var slots: PaginatorSlots<Item> {
    access(.content)
    return shownSlots
  }

  /// ``slots``, without the access that is tracked.
  var shownSlots: PaginatorSlots<Item> {
    if let cachedSlots { return cachedSlots }
    let slots = table.slots
    cachedSlots = slots
    return slots
  }

  func makeObservers() -> ObserverList<Observation> {
    let made = ObserverList<Observation>()
    observersIfAny = made
    return made
  }

  func makeTracked() -> TrackedProperties {
    let made = TrackedProperties()
    trackedIfAny = made
    return made
  }

  /// Passes an input to the table, and performs the actions that it returns.
  func change(_ input: (inout PageTable<Item>) -> [PageTable<Item>.Action]) {
    // Together, so that observers receive all of a change before the effects of their reactions to
    // it.
    queue.together {
      let actions = input(&table)
      // Released after the events, and not while the table is being changed.
      let replaced = table.takeReplaced()
      for action in actions { perform(action) }
      if !replaced.isEmpty { queue.post { withExtendedLifetime(replaced) {} } }
      if table.pendingPage == nil { waiters.resume() }
    }
  }

  /// Loads the first page if none was requested, and the current page whenever it is invalidated, until the task is
  /// cancelled.
  ///
  /// Call it in the task of a view, which runs for as long as the view is shown.
  ///
  /// The paginator counts as observed meanwhile, so that ``Service/Configuration/reloadsWhenInvalidated`` and
  /// ``Service/loadIfNeeded(matching:on:_:)`` apply to its current page, and it stays in memory. A failed
  /// load is not repeated.
  public func keepLoaded() async {
    await observe {
      if let current = table.currentKey.flatMap({ resources[$0] }) {
        current.loadIfNeeded()
      } else if table.pendingPage == nil, table.failure == nil {
        try? loadPage(firstPageNumber)
      }
    }
  }

  /// Waits until nothing is loading, or the waiting task is cancelled.
  public func settled() async { await waitForRest() }

  /// A stream that ends when nothing is loading.
  func rest() -> AsyncStream<Void> { waiters.make() }
}

extension Paginator: Settling {
  var isBusy: Bool { table.pendingPage != nil }
  var awaitedRequests: [AnyRequest] {
    let request = table.pendingPage.flatMap { resources[$0] }?.inFlight.newestRequest
    return request.map { [$0] } ?? []
  }
}

// MARK: - Performing

extension Paginator {
  private func perform(_ action: PageTable<Item>.Action) {
    switch action {
    case .request(let page, let always): request(page, always: always)
    case .cancel(let page): resources[page]?.cancelLoad()
    case .release(let exception):
      for resource in resources.removeAll(except: exception) {
        resource.removeObserver(pageObservation)
      }
    case .notify(let event):
      if case .slotsChanged = event {
        // Released after the change: it may hold the last reference to an item.
        let old = cachedSlots
        cachedSlots = nil
        withExtendedLifetime(old) {}
      }
      emit(event)
      if case .invalidated(let page) = event { reload(page) }
    }
  }

  /// Loads a page that was invalidated, after the events that are waiting, if it is the current one and the
  /// paginator is observed.
  private func reload(_ page: Int) {
    queue.post { [self] in
      guard page == table.currentKey, isObservedByProgram,
        resources[page]?.currentConfiguration.value.reloadsWhenInvalidated == true
      else { return }
      store.reloads.append(self) { $0.isObservedByProgram }
    }
  }

  private func request(_ page: Int, always: Bool) {
    let resource = watched(page)
    if always { resource.load() } else { resource.loadIfNeeded() }
    if let content = resource.box?.value, table.entries[page] == nil {
      change { $0.received(page, content, sent: resource.sentBox?.value.items.count) }
    }
    // It may have reported another page size, and the resource may have been replaced since.
    guard resources[page] === resource else { return }
    let status = status(of: resource, afterReload: always)
    change { $0.changed(page, to: status) }
  }

  private func watched(_ page: Int) -> PageResource {
    if let known = resources[page] { return known }
    let resource = self.page(page)
    resources.insert(resource, for: page)
    resource.addObserver(pageObservation)
    return resource
  }

  private func status(
    of resource: PageResource, afterReload: Bool
  ) -> PageTable<Item>.Status {
    if resource.state.isLoading { return .loading }
    // A failed reload of a page that is fresh nevertheless counts only if a reload was requested.
    if let error = resource.state.error, afterReload || !resource.isFresh {
      return .failed(error)
    }
    return resource.hasData ? .loaded : .cancelled
  }
}

extension Paginator: PageObserver {
  func pageChanged(_ page: AnyResource, event: ResourceEvent) {
    guard let key = resources.page(of: page), let page = page as? PageResource else { return }
    switch event {
    case .observerAdded, .requested: return
    case .invalidated: return change { $0.invalidated(key) }
    case .newData(.wipe):
      change { $0.wiped(key) }
    case .newData:
      if let content = page.box?.value {
        change { $0.received(key, content, sent: page.sentBox?.value.items.count) }
      }
    case .notModified:
      if let content = page.box?.value { change { $0.confirmed(key, content) } }
    case .error: break
    case .requestCancelled:
      // After the other events of the page: a local write cancels a load too.
      return queue.post { [self] in
        guard resources[key] === page, !page.state.isLoading else { return }
        change { $0.changed(key, to: .cancelled) }
      }
    }
    guard resources[key] === page else { return }
    let status = status(of: page, afterReload: true)
    change { $0.changed(key, to: status) }
    // It was invalidated while it was loading; a failure is not repeated.
    if page.state.isInvalidated, page.state.error == nil, !page.state.isLoading { reload(key) }
  }
}

extension Paginator: Reloadable {
  var reloadURL: String { page(table.firstPageNumber).key.url }

  /// Loads the current page if it is stale, and leaves alone what else was asked for, except a failed page, which
  /// is asked for again if failures are retried.
  func reloadIfNeeded(
    retryingFailure retriesFailure: Bool, onEnd: @escaping () -> Void
  ) -> Bool {
    if retriesFailure, let error = table.failure?.error,
      error.retryDate(after: store.clock.date) == nil
    {
      retry()
    }
    guard let current = table.currentKey.flatMap({ resources[$0] }),
      current.reloadIfNeeded(retryingFailure: retriesFailure, onEnd: onEnd)
    else { return false }
    readAgain(after: queue)
    return true
  }
}

extension Paginator: CustomStringConvertible, SecretHolding {
  /// The path of the pattern with the current page and the slots, such as `gists: page 2, 50 slots, 25
  /// loaded`; no secrets.
  ///
  /// Reading it is not tracked by views.
  public var description: String {
    let page = table.currentPage.map { "page \($0)" } ?? "no page"
    return "\(shownPath): \(page), \(cachedSlots ?? table.slots)"
  }

  /// The path of the pattern, for messages.
  var shownPath: Substring { pattern.description.prefix { $0 != "?" } }
}
