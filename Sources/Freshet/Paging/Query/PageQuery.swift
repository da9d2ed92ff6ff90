/// Loads a list page by page, and reports each item, and the cursor after each page.
///
/// It does for any list what CloudKit's `CKQueryOperation` does for records.
///
/// ```swift
/// let query = PageQuery<Gist>(firstPage: service.resource("gists", decoder: .page(.linkHeader)))
/// query.itemReceived = { gist in archive.append(gist) }
/// query.pageCompleted = { result in
///   if case .success(let cursor) = result { archive.save(resumingAt: cursor) }
/// }
/// query.start()
/// ```
///
/// ``PagedCollection`` keeps an array up to date; a query reports each item once and stores none.
/// Pages are resources: a fresh one costs no request.
///
/// It belongs to the actor of its service, where both closures are called, in one order with all events
/// of the store: the items of a page in the server's order, then `pageCompleted`, then the next page.
/// A running query keeps itself alive; ``cancelLoad()`` ends it. The closures may call anything.
public final class PageQuery<Item: Sendable> {
  /// One page of the list.
  public typealias PageResource = Resource<Page<Item>>

  /// A closure that is called with every item.
  public var itemReceived: ((Item) -> Void)? {
    // The old closure is released after the change: deallocating what it captures may run user code.
    didSet { withExtendedLifetime(oldValue) {} }
  }

  /// A closure that is called after the items of every page, with the cursor to the next page.
  ///
  /// At the end of the list the cursor is ``PageCursor/end``. If a page is not loaded, the closure is called with the
  /// reason, and not called again.
  ///
  /// Some ends are known only after the last page: if the server refuses the next page of a list that counts, as
  /// with a 404, and if a page that says that it is the last links back to ``firstPage`` or another page of the
  /// query. Each is reported by one more call with ``PageCursor/end``; a query that begins at a cursor whose page does
  /// not exist ends with that call alone.
  ///
  /// A cursor is relative to ``firstPage``. It can be stored, and passed to another query. Store it after the items:
  /// if the program ends between the two, the next query reports the items of that page again.
  public var pageCompleted: ((Result<PageCursor, PageQueryError>) -> Void)? {
    // As for `itemReceived`.
    didSet { withExtendedLifetime(oldValue) {} }
  }

  /// The maximum number of pages that one ``start()`` or ``retry()`` loads; no limit by default.
  ///
  /// Fresh pages count too, unlike for ``PagedCollection/Options/requestBudget``: a query reports each of them.
  public var pageBudget = Int.max

  /// The number of items after which one ``start()`` or ``retry()`` requests no more pages; no limit by default.
  ///
  /// Pages are not divided, so more items may be reported.
  public var itemBudget = Int.max

  /// The maximum number of empty pages in a row, at least 1; 100 by default.
  ///
  /// Because some servers always send a next link, the query then stops with
  /// ``IncompleteWalk/Reason/emptyPages(_:)``.
  public var emptyPageLimit = 100

  /// Other origins that links may lead to, without credentials, in the form `https://host[:port]`; none by default.
  ///
  /// From these origins, the list may return to the origin of ``firstPage``. Case, a default port and a trailing `/`
  /// make no difference; any other text allows nothing.
  public var allowedOrigins: Set<String> = []

  /// The first page of the list, which cursors are relative to.
  public let firstPage: PageResource

  /// The position at which the query continues: after the last page that was completed.
  public private(set) var cursor: PageCursor
  /// The number of pages that were completed since the query was created.
  public private(set) var pageCount = 0
  /// The number of items on the completed pages.
  public private(set) var itemCount = 0
  /// The number of items in the whole list, if the server reports it.
  ///
  /// It counts the items before the cursor too at which the query began.
  public private(set) var totalCount: Int?
  /// Whether pages are being loaded.
  public var isLoading: Bool { if case .running = phase { true } else { false } }
  /// Whether the whole list was loaded.
  public var isEnded: Bool { if case .ended = phase { true } else { false } }
  /// The error of the page at which the query stopped; nil otherwise, and after the next ``start()`` or ``retry()``.
  ///
  /// ``cancelLoad()`` causes no error. A load that is cancelled elsewhere causes one of kind `.cancelled`,
  /// and so does a page that is wiped before all of its items are reported.
  public var latestError: PageQueryError? {
    if case .failed(let error) = phase { error } else { nil }
  }

  private enum Phase {
    /// Not begun, or stopped by a limit or ``cancelLoad()``.
    case idle
    case running
    /// A page failed, and can be retried.
    case failed(PageQueryError)
    case ended
  }

  private var phase = Phase.idle {
    // The old value is released after the change: deallocating its error may run user code.
    didSet { withExtendedLifetime(oldValue) { if !isLoading { waiters.resume() } } }
  }
  private var waiters = Waiters()
  /// The next page, if its resource is known.
  private var page: PageResource?
  /// The link to the next page, and the page that has the link.
  private var link: (target: PageLink, source: PageResource)?
  private var seen: [ResourceKey: Int] = [:]
  private var request: Request<Page<Item>>?
  /// The counts at the last start, from which the budgets count.
  private var countsAtStart = (pages: 0, items: 0)
  private var emptyPageCount = 0
  /// How many items the server has sent from the first page on; nil if the query began at a cursor.
  private var receivedCount: Int?
  /// Counts starts and cancellations, to recognize results that belong to an earlier one.
  private var generation = 0

  /// Creates a query; nothing is loaded before ``start()``.
  ///
  /// - Parameters:
  ///   - firstPage: the first page of the list.
  ///   - cursor: the cursor of an earlier query at which to begin. From the end nothing is loaded.
  public init(firstPage: PageResource, from cursor: PageCursor = .start) {
    self.firstPage = firstPage
    self.cursor = cursor
    receivedCount = cursor == .start ? 0 : nil
    if cursor == .end { phase = .ended }
  }

  /// Begins the query, or continues with the next page after a limit, a failure or ``cancelLoad()``.
  ///
  /// Within ``Service/Configuration/failureCooldown`` of a failure, or before the server's
  /// `Retry-After` is over, the same failure is reported again; see ``retry()``.
  ///
  /// Fresh pages are reported before this returns, unless it is called while an event is being
  /// delivered. Does nothing while the query runs, and after the end of the list.
  public func start() {
    guard !isLoading, !isEnded else { return }
    begin(always: false)
  }

  /// Requests the page that failed, without waiting, and continues from there like ``start()``;
  /// does nothing if none has failed.
  public func retry() {
    guard latestError != nil else { return }
    begin(always: true)
  }

  /// - Parameter always: whether the first of these pages is requested even if it is fresh.
  private func begin(always: Bool) {
    phase = .running
    generation += 1
    (countsAtStart, emptyPageCount) = ((pageCount, itemCount), 0)
    let current = generation
    // After the event that is being delivered, and never inside its delivery.
    firstPage.store.queue.perform { [self] in run(current, always: always) }
  }

  /// Cancels the load of the page, for others that joined it too.
  ///
  /// `pageCompleted` is called once with an error of kind `.cancelled`; no more items are reported. If
  /// it is called while the items of a page are reported, the next ``start()`` begins again with the
  /// first of them.
  public func cancelLoad() {
    guard isLoading else { return }
    let request = request.take()
    generation += 1
    phase = .idle
    let error = cancellation("PageQuery.cancelLoad() was called.")
    firstPage.store.queue.together {
      request?.cancel()
      firstPage.store.queue.post { [self] in pageCompleted?(.failure(.load(error))) }
    }
  }

  /// Waits until nothing is loading, or the waiting task is cancelled.
  ///
  /// A query loads until the end of the list, a limit, a failure or ``cancelLoad()``. If the waiting task is
  /// cancelled, this returns and the query continues, for others may wait for it. A task that runs the query for
  /// itself calls ``cancelLoad()`` then, which does nothing if the query has stopped:
  ///
  /// ```swift
  /// query.start()
  /// await query.settled()
  /// query.cancelLoad()
  /// ```
  public func settled() async { await waitForRest() }

  var awaitedRequests: [AnyRequest] { page?.inFlight.newestRequest.map { [$0] } ?? [] }

  /// A stream that ends when nothing is loading.
  func rest() -> AsyncStream<Void> { waiters.make() }

  // MARK: The walk

  /// Reports page after page until one has to be loaded: in a loop, so that the stack does not grow
  /// with the list.
  private func run(_ current: Int, always: Bool = false) {
    while current == generation, isLoading {
      do throws(PageQueryError) {
        guard let page = try nextPage() else { return TokenFetch.outside { end() } }
        let request = always ? page.load() : page.loadIfNeeded()
        // A rule of the configuration may have cancelled the query.
        guard current == generation else {
          request?.cancel()
          return
        }
        if let request { return wait(for: request, of: page, current) }
        TokenFetch.outside { passLoaded(page, current) }
      } catch {
        TokenFetch.outside { fail(error) }
      }
    }
  }

  /// Reports a page that needs no load.
  private func passLoaded(_ page: PageResource, _ current: Int) {
    let content = page.isFresh ? page.box?.value : nil
    // As in ``run(_:always:)``.
    guard current == generation else { return }
    guard let content else {
      let error = page.state.error ?? cancellation("The load of \(page) was cancelled.")
      return fail(error, of: page)
    }
    pass(content, of: page, current)
  }

  /// - Parameter mayRepeat: whether another load follows, if the page is invalidated or the user changes during
  ///   this one.
  private func wait(
    for request: Request<Page<Item>>, of page: PageResource, _ current: Int,
    mayRepeat: Bool = true
  ) {
    self.request = request
    let load = page.awaitedLoad(from: request)
    request.onCompletion { [self] result in
      guard current == generation else { return }
      self.request = nil
      switch result {
      case .success:
        do throws(ResourceError) {
          let content = try page.content(of: load)
          if mayRepeat, page.freshUntil == nil {
            let request = page.loadIfNeeded()
            guard current == generation else {
              request?.cancel()
              return
            }
            if let request {
              return wait(for: request, of: page, current, mayRepeat: false)
            }
            passLoaded(page, current)
          } else {
            pass(content, of: page, current)
          }
        } catch {
          fail(error, of: page)
        }
      case .failure(let error):
        // A local write cancels the load, and replaces its response.
        if error.kind == .cancelled, page.isFresh, let content = page.box?.value {
          pass(content, of: page, current)
        } else if current == generation {
          fail(error, of: page)
        }
      }
      run(current)
    }
  }

  /// The next page; nil at the end of the list.
  private func nextPage() throws(PageQueryError) -> PageResource? {
    do throws(IncompleteWalk.Reason) {
      let limit = max(emptyPageLimit, 1)
      guard emptyPageCount < limit else { throw .emptyPages(limit) }
      let next: PageResource
      if let link {
        next = try link.source.following(
          link.target, allowing: allowedOrigins.allowingReturn(to: firstPage))
      } else if case .next(let link) = cursor {
        next = try firstPage.following(link, allowing: allowedOrigins)
      } else {
        next = firstPage
      }
      // After a failure its link was followed again: the program may allow other origins by now.
      if let page { return page }
      let known = seen[next.key]
      // A query that began at a cursor has not come from the first page.
      if known != nil || next.key == firstPage.key,
        link?.source.box?.value.hasStatedEnd == true
      {
        return nil
      }
      if let known { throw .loop(backTo: known) }
      seen[next.key] = seen.count
      page = next
      return next
    } catch {
      throw .link(error)
    }
  }

  private func pass(_ content: Page<Item>, of page: PageResource, _ current: Int) {
    guard current == generation else { return }
    // Before the closures are called, which may change the page.
    let count = page.receivedCount(showing: content.items.count)
    totalCount = content.totalCount ?? totalCount
    for item in content.items {
      itemReceived?(item)
      guard current == generation else { return }
      guard page.hasData else {
        return fail(cancellation("The content of \(page) was wiped."), of: page)
      }
    }
    let next = content.continuation(sending: count, after: receivedCount) {
      [firstPage, link?.source].compactMap { $0?.box?.value }
    }
    pageCount += 1
    itemCount += content.items.count
    emptyPageCount = count == 0 ? emptyPageCount + 1 : 0
    receivedCount? += count
    self.page = nil
    guard let next else { return end() }
    cursor = .next(next.after(cursor.link, responseURL: page.responseURL ?? page.key.url))
    // Released after the change: deallocating the page may run user code.
    let former = link
    link = (next, page)
    withExtendedLifetime(former) {}
    if pageCount - countsAtStart.pages >= pageBudget
      || itemCount - countsAtStart.items >= itemBudget
    {
      phase = .idle
    }
    pageCompleted?(.success(cursor))
  }

  /// A page could not be loaded: with page numbers, one that does not exist ends the list, and so does one that
  /// the server refuses after it has sent all items.
  private func fail(_ error: ResourceError, of page: PageResource) {
    let listEnd = link?.source.box?.value.listEnd(itemsOnFirst: itemsOnFirst) ?? endAtCursor(page)
    if listEnd.isReached(by: error, after: receivedCount) { end() } else { fail(.load(error)) }
  }

  /// What ends the list if the page at the cursor is refused, and no page is known that leads there: its style may be
  /// known only from the decoder.
  private func endAtCursor(_ page: PageResource) -> ListEnd {
    let isCounted =
      page.anyDecoder.endsAtNotFound || firstPage.box?.value.style.endsAtNotFound == true
    return ListEnd(isAtNotFound: page !== firstPage && isCounted)
  }

  /// The number of items on the first page of the list, if the query began with it.
  private var itemsOnFirst: Int? {
    guard let first = firstPage.box?.value, first.previous == nil else { return nil }
    return firstPage.receivedCount(showing: first.items.count)
  }

  private func fail(_ error: PageQueryError) {
    phase = .failed(error)
    pageCompleted?(.failure(error))
  }

  private func end() {
    let former = (link, page)
    (cursor, link, page) = (.end, nil, nil)
    withExtendedLifetime(former) {}
    phase = .ended
    pageCompleted?(.success(.end))
  }

  private func cancellation(_ message: String) -> ResourceError {
    ResourceError(.cancelled, message, timestamp: firstPage.clock.date)
  }
}

extension PageQuery: Settling {
  var isBusy: Bool { isLoading }
}

extension PageQuery {
  func checkInvariants() {
    precondition(isEnded == (cursor == .end), "it is at the end, and has not ended, or the reverse")
    precondition(
      !isEnded || page == nil && link == nil, "it has ended, and there is another page")
    precondition(request == nil || isLoading, "a request is awaited, and nothing is loading")
    precondition(page.map { seen[$0.key] != nil } ?? true, "the next page was not noted")
    precondition(link == nil || cursor.link != nil, "a page follows that the cursor does not name")
    precondition(
      countsAtStart.pages <= pageCount && countsAtStart.items <= itemCount, "it counts backwards")
    precondition(emptyPageCount <= pageCount - countsAtStart.pages, "more empty pages than pages")
    precondition(isLoading || waiters.isEmpty, "a task waits for nothing")
    waiters.checkInvariants()
  }
}
