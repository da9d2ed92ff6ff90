/// Loads a list page after page, and passes on each item, and after each page the cursor to the next:
/// as CloudKit's `CKQueryOperation` does, for any list.
///
/// ```swift
/// let query = PageQuery(firstPage: service.resource("gists", decoder: .page(.linkHeader)))
/// query.itemReceived = { gist in archive.append(gist) }
/// query.pageCompleted = { result in
///   if case .success(let cursor) = result { archive.save(resumingAt: cursor) }
/// }
/// query.start()
/// ```
///
/// Where ``PagedCollection`` keeps an array right, this passes each item on once and keeps none. Pages
/// are resources: one that is fresh costs no request.
///
/// It belongs to the actor of its service, where both closures are called, in one order with all events
/// of the store: the items of a page in the server's order, then `pageCompleted`, then the next page.
/// A running query keeps itself alive; ``cancelLoad()`` ends it. The closures may call anything.
public final class PageQuery<Item: Sendable> {
  /// One page of the list.
  public typealias PageResource = Resource<Page<Item>>

  /// Called with every item.
  public var itemReceived: ((Item) -> Void)?

  /// Called after the items of every page with the cursor to the next one, nil at the end of the list;
  /// or with the reason why a page did not come, which is the last call.
  ///
  /// Where page numbers end with a 404, the end is known only then, and a call of its own.
  ///
  /// A cursor is relative to ``firstPage``. It can be stored, and be given to another query.
  public var pageCompleted: ((Result<PageLink?, PageQueryError>) -> Void)?

  /// How many pages one ``start()`` loads at most; no limit at first.
  public var pageLimit = Int.max

  /// No page is requested once one ``start()`` has passed on as many items; no limit at first. Pages are
  /// never divided, so there may be more.
  public var itemLimit = Int.max

  /// Further origins, as `https://host[:port]`, that links may lead to, without credentials, and from
  /// which the list may come back to the origin of ``firstPage``.
  public var allowedOrigins: Set<String> = []

  /// The first page of the list, which cursors are relative to.
  public let firstPage: PageResource

  /// Where the next page is: nil for the first page, and at the end of the list.
  public private(set) var cursor: PageLink?
  /// Whether pages are being loaded.
  public var isLoading: Bool { phase == .running }
  /// Whether the whole list has come.
  public var isEnded: Bool { phase == .ended }

  private enum Phase {
    /// Not begun, or stopped by a limit or ``cancelLoad()``.
    case idle
    case running
    /// There is something to retry.
    case failed
    case ended
  }

  private var phase = Phase.idle
  /// The page that comes next, where that is known.
  private var page: PageResource?
  /// The link that leads there, and the page that has it.
  private var link: (target: PageLink, source: PageResource)?
  private var seen: [ResourceKey: Int] = [:]
  private var request: Request<Page<Item>>?
  private var pageCount = 0
  private var itemCount = 0
  /// Counts starts and cancellations: what belongs to an older one is over.
  private var generation = 0

  /// Makes a query; nothing is loaded before ``start()``.
  ///
  /// - Parameters:
  ///   - firstPage: the first page of the list.
  ///   - cursor: where to begin, if not there: the cursor of an earlier query.
  public init(firstPage: PageResource, from cursor: PageLink? = nil) {
    self.firstPage = firstPage
    self.cursor = cursor
  }

  /// Begins, or goes on with the page that has not come yet: after a limit, a failure or
  /// ``cancelLoad()``.
  ///
  /// Within ``Service/Configuration/failureCooldown`` of a failure, or before the server's
  /// `Retry-After` is over, the same failure is reported again; see ``retry()``.
  ///
  /// Pages that are fresh are passed on before this returns, unless it is called while an event is being
  /// delivered. Does nothing while it runs, and after the end of the list.
  public func start() {
    guard !isLoading, !isEnded else { return }
    begin(always: false)
  }

  /// Requests the page that failed, without waiting, and goes on from there like ``start()``; does
  /// nothing where none has failed.
  public func retry() {
    guard phase == .failed else { return }
    begin(always: true)
  }

  /// - Parameter always: whether the first page is requested whatever is known of it.
  private func begin(always: Bool) {
    phase = .running
    generation += 1
    (pageCount, itemCount) = (0, 0)
    let current = generation
    // After what is just being delivered, and never inside it.
    firstPage.store.queue.post { [self] in run(current, always: always) }
  }

  /// Cancels the page that is being loaded, also for others who joined that load.
  ///
  /// `pageCompleted` is called once with an error of kind `.cancelled`; no item comes any more. Called
  /// while a page's items are passed on, the next ``start()`` begins with the first of them again.
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

  // MARK: The walk

  /// Passes on page after page for as long as none has to be waited for: in a loop, however long the
  /// list.
  private func run(_ current: Int, always: Bool = false) {
    while current == generation, isLoading {
      do throws(PageQueryError) {
        let page = try nextPage()
        if let request = always ? page.load() : page.loadIfNeeded() {
          return wait(for: request, of: page, current)
        }
        guard page.isUpToDate, let content = page.content else {
          let error = page.latestError ?? cancellation("The load of \(page) was cancelled.")
          return fail(error, of: page)
        }
        pass(content, of: page, current)
      } catch {
        finish(.failed, .failure(error))
      }
    }
  }

  private func wait(for request: Request<Page<Item>>, of page: PageResource, _ current: Int) {
    self.request = request
    request.onCompletion { [self] result in
      guard current == generation else { return }
      self.request = nil
      switch result {
      case .success(let entity):
        pass(entity.content, of: page, current)
      case .failure(let error):
        // A local write cancels the load, and is as good as its response.
        if error.kind == .cancelled, page.isUpToDate, let content = page.content {
          pass(content, of: page, current)
        } else {
          fail(error, of: page)
        }
      }
      run(current)
    }
  }

  /// The page that comes next.
  private func nextPage() throws(PageQueryError) -> PageResource {
    if let page { return page }
    do throws(IncompleteWalk.Reason) {
      let next: PageResource
      if let link {
        next = try link.source.following(
          link.target, allowing: allowedOrigins.allowingReturn(to: firstPage))
      } else if let cursor {
        next = try firstPage.following(cursor, allowing: allowedOrigins)
      } else {
        next = firstPage
      }
      if let known = seen[next.key] { throw .loop(backTo: known) }
      seen[next.key] = seen.count
      page = next
      return next
    } catch {
      throw .link(error)
    }
  }

  private func pass(_ content: Page<Item>, of page: PageResource, _ current: Int) {
    for item in content.items {
      itemReceived?(item)
      guard current == generation else { return }
    }
    pageCount += 1
    itemCount += content.items.count
    self.page = nil
    guard let next = content.next else { return end() }
    cursor = next.after(cursor, responseURL: page.responseURL ?? page.key.url)
    link = (next, page)
    if pageCount >= pageLimit || itemCount >= itemLimit { phase = .idle }
    pageCompleted?(.success(cursor))
  }

  /// A page could not be loaded: with page numbers, one that does not exist ends the list.
  private func fail(_ error: ResourceError, of page: PageResource) {
    // A list that is begun at a stored cursor may know its style by its first page only.
    let before = link?.source ?? firstPage
    let isEnd =
      error.kind == .http && error.status == 404 && page !== firstPage
      && before.content?.style.endsAtNotFound == true
    if isEnd { end() } else { finish(.failed, .failure(.load(error))) }
  }

  private func end() {
    (cursor, link, page) = (nil, nil, nil)
    finish(.ended, .success(nil))
  }

  private func finish(_ phase: Phase, _ result: Result<PageLink?, PageQueryError>) {
    self.phase = phase
    pageCompleted?(result)
  }

  private func cancellation(_ message: String) -> ResourceError {
    ResourceError(.cancelled, message, timestamp: firstPage.clock.date)
  }
}

/// Why a ``PageQuery`` did not get a page.
public enum PageQueryError: Error, Sendable {
  /// The load failed, or was cancelled. ``PageQuery/retry()`` requests that page again.
  case load(ResourceError)
  /// The link to the page is not to be followed: never to be taken for the end of the list.
  case link(IncompleteWalk.Reason)
}
