/// The pages of a list that is requested by number, and every decision about them: a pure value.
///
/// (state, input) → actions. ``Paginator`` passes in what happens and performs the actions that it
/// returns, in order. The state is complete before the first action is performed.
///
/// A page is identified by the number that it was requested with. What the server says its number is counts
/// for where its items stand; where two pages claim one number, the one that was requested with it
/// stands there, or else the newer one.
struct PageTable<Item: Sendable> {
  /// The status of the resource of a page.
  enum Status {
    case loading
    case loaded
    case failed(ResourceError)
    /// Neither loading, nor loaded, nor failed: its load was cancelled.
    case cancelled
  }

  /// What can happen.
  enum Input {
    /// Somebody requests a page that ``check(_:)`` lets pass; `always` also where it is fresh.
    case requested(Int, always: Bool)
    /// The resource of a page has this content now.
    case received(Int, PaginatorPage<Item>)
    /// The server confirmed the content of a page.
    case confirmed(Int)
    /// The resource of a page has this status now.
    case changed(Int, Status)
    /// The resource of a page has no content any more.
    case wiped(Int)
    case invalidated(Int)
    /// The page that was requested is no longer wanted.
    case cancelled
    /// Pages of another size are wanted.
    case resized(Int)
  }

  /// What to do about it.
  enum Action {
    /// Load the resource of this page, then report its status.
    case request(Int, always: Bool)
    /// Cancel the load of this page.
    case cancel(Int)
    /// Release the resources of all pages but this one.
    case release(except: Int?)
    /// Notify the observers.
    case emit(PaginatorEvent)
  }

  struct Entry {
    var content: PaginatorPage<Item>
    /// Grows with every arrival: the newest page knows best.
    var stamp: Int
  }

  private struct Pending {
    let page: Int
    /// Whether observers were notified that it is loading.
    var isAnnounced = false
    /// Whether it was requested again because the page size turned out to be another one.
    var isRepeated = false

    /// What to do when it is no longer waited for.
    var end: [Action] { isAnnounced ? [.emit(.cancelled(page: page))] : [] }
  }

  let firstPage: Int
  /// Whether pages are requested by the number of items before them only.
  private let countsItems: Bool
  /// How many items a full page has: what was requested, or what the server reports.
  private(set) var perPage: Int
  /// Which page the last load did not bring, and why; nil after a success.
  private(set) var failure: (page: Int, error: ResourceError)?
  /// The loaded pages, by the numbers they were requested with.
  private(set) var entries: [Int: Entry] = [:]
  /// What the newest pages report of the list.
  private(set) var totals = PaginatorTotals()

  /// The number that the current page was requested with.
  private(set) var currentKey: Int?
  private var pending: Pending?
  private var newestStamp = 0

  init(firstPage: Int, perPage: Int, countsItems: Bool) {
    self.firstPage = firstPage
    self.perPage = perPage
    self.countsItems = countsItems
  }

  /// The page that was requested and has not come yet.
  var pendingPage: Int? { pending?.page }
  /// Updates the state for an input and returns what to do, in order.
  mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .requested(let page, let always): request(page, always)
    case .received(let page, let content): receive(page, content)
    case .confirmed(let page): confirm(page)
    case .changed(let page, let status): update(page, to: status)
    case .wiped(let page): wipe(page)
    case .invalidated(let page): entries[page] == nil ? [] : [.emit(.invalidated(page: page))]
    case .cancelled: cancel()
    case .resized(let size): resize(size)
    }
  }
}

// MARK: - Loads

extension PageTable {
  private mutating func request(_ page: Int, _ always: Bool) -> [Action] {
    let actions: [Action] = [.request(page, always: always)]
    guard pending?.page != page else { return actions }
    // An older load goes on, and its items will be shown; it just does not become the current page.
    let end = pending?.end ?? []
    pending = Pending(page: page)
    return end + actions
  }

  private mutating func update(_ page: Int, to status: Status) -> [Action] {
    guard let waiting = pending, waiting.page == page else { return [] }
    if case .loading = status {
      pending?.isAnnounced = true
      return waiting.isAnnounced ? [] : [.emit(.loading(page: page))]
    }
    pending = nil
    switch status {
    case .loaded where entries[page] != nil:
      currentKey = page
      failure = nil
      return [.emit(.loaded(page: number(of: page)))]
    case .failed(let error):
      failure = (page, error)
      return [.emit(.failed(error, page: page))]
    case .loaded, .cancelled, .loading: return waiting.end
    }
  }

  private mutating func cancel() -> [Action] {
    guard let waiting = pending.take() else { return [] }
    return [.cancel(waiting.page)] + waiting.end
  }
}

// MARK: - Pages

extension PageTable {
  private mutating func receive(_ page: Int, _ content: PaginatorPage<Item>) -> [Action] {
    guard let size = content.totals.perPage, size > 0, size != perPage else {
      store(page, content)
      return [.emit(.slotsChanged)]
    }
    // Another page size is another numbering: what is known of the older one is void.
    let isWaitedFor = pending?.page == page
    let isMisplaced =
      countsItems && page != firstPage && !(isWaitedFor && pending?.isRepeated == true)
    let wasCurrent = currentKey == page
    clear()
    perPage = size
    var actions: [Action] = [.release(except: isMisplaced ? nil : page)]
    if !isMisplaced {
      store(page, content)
      if wasCurrent { currentKey = page }
    }
    actions.append(.emit(.slotsChanged))
    if isMisplaced, isWaitedFor { pending?.isRepeated = true }
    if let pending, isMisplaced || !isWaitedFor {
      actions.append(.request(pending.page, always: false))
    }
    return actions
  }

  private mutating func confirm(_ page: Int) -> [Action] {
    guard let entry = entries[page] else { return [] }
    store(page, entry.content)
    return []
  }

  private mutating func wipe(_ page: Int) -> [Action] {
    guard entries.removeValue(forKey: page) != nil else { return [] }
    if currentKey == page { currentKey = nil }
    learnAnew()
    return [.emit(.slotsChanged)]
  }

  private mutating func resize(_ size: Int) -> [Action] {
    guard size != perPage else { return [] }
    let end = pending.take()?.end ?? []
    let change: [Action] = entries.isEmpty ? [] : [.emit(.slotsChanged)]
    clear()
    failure = nil
    perPage = size
    return [.release(except: nil)] + change + end
  }

  private mutating func store(_ page: Int, _ content: PaginatorPage<Item>) {
    newestStamp += 1
    let older = entries.updateValue(Entry(content: content, stamp: newestStamp), forKey: page)
    let (now, before) = (content.totals, older?.content.totals)
    let omitsTotals =
      (now.pageCount == nil && before?.pageCount != nil)
      || (now.objectCount == nil && before?.objectCount != nil)
    if omitsTotals { learnAnew() } else { learn(now) }
  }

  /// Collects the totals of all pages anew, where one no longer reports what it did.
  private mutating func learnAnew() {
    totals = PaginatorTotals()
    for entry in entries.values.sorted(by: { $0.stamp < $1.stamp }) { learn(entry.content.totals) }
  }

  private mutating func learn(_ reported: PaginatorTotals) {
    totals.pageCount = reported.pageCount ?? totals.pageCount
    totals.objectCount = reported.objectCount ?? totals.objectCount
  }

  private mutating func clear() {
    entries = [:]
    totals = PaginatorTotals()
    currentKey = nil
  }
}
