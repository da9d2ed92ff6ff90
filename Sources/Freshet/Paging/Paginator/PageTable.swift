/// The pages of a list that is requested by number, and every decision about them: a pure value.
///
/// Each input is a method that returns the actions to perform, in order. ``Paginator`` performs
/// them; the state is complete before the first action is performed.
///
/// A page is identified by the number that it was requested with. The number that the server
/// reports decides where its items are placed; if two pages have the same number, the one that was
/// requested with it is placed there, or else the newer one.
struct PageTable<Item: Sendable> {
  /// The status of the resource of a page.
  enum Status {
    case loading
    case loaded
    case failed(ResourceError)
    /// Neither loading, nor loaded, nor failed: its load was cancelled.
    case cancelled
  }

  /// An action that an input leads to.
  enum Action {
    /// Load the resource of this page, then report its status.
    case request(Int, always: Bool)
    case cancel(Int)
    /// Release the resources of all pages but this one.
    case release(except: Int?)
    case notify(PaginatorEvent)
  }

  struct Entry {
    let content: PaginatorPage<Item>
    /// Grows with every page that arrives: the newest page is the most reliable.
    let stamp: Int
    /// How many items the server has sent, whatever optimistic edits have made of them.
    let receivedCount: Int
  }

  private struct Pending {
    let page: Int
    /// Whether observers were notified of its load.
    var isAnnounced = false
    /// Whether it was requested again because the server reported another page size.
    var isRepeated = false

    /// The actions when the page is no longer waited for.
    var end: [Action] { isAnnounced ? [.notify(.cancelled(page: page))] : [] }
  }

  let firstPageNumber: Int
  /// Whether pages are requested only by the number of items before them.
  private let countsItems: Bool
  /// How many items a full page has: the requested number, or the one the server reports.
  private(set) var perPage: Int
  /// The page that the last load failed to load, and its error; nil after a success.
  private(set) var failure: (page: Int, error: ResourceError)?
  /// The loaded pages, by the numbers they were requested with.
  private(set) var entries: [Int: Entry] = [:]
  /// The totals that the newest pages report.
  private(set) var totals = PaginatorTotals()

  /// The number that the current page was requested with.
  private(set) var currentKey: Int?
  private var pending: Pending?
  private var newestStamp = 0
  /// The contents and errors that were replaced, for the caller of an input to release: deallocating them may
  /// run code of the program.
  private var replaced: [Any] = []

  init(firstPageNumber: Int, perPage: Int, countsItems: Bool) {
    self.firstPageNumber = firstPageNumber
    self.perPage = perPage
    self.countsItems = countsItems
  }

  /// The page that was requested and has not arrived yet.
  var pendingPage: Int? { pending?.page }
}

// MARK: - Loads

extension PageTable {
  /// Requests a page that ``check(_:)`` accepts.
  ///
  /// - Parameter always: even if it is fresh.
  mutating func requested(_ page: Int, always: Bool) -> [Action] {
    let actions: [Action] = [.request(page, always: always)]
    guard pending?.page != page else { return actions }
    // An older load continues, and its items will be shown; its page just does not become the
    // current one.
    let end = pending?.end ?? []
    pending = Pending(page: page)
    return end + actions
  }

  mutating func changed(_ page: Int, to status: Status) -> [Action] {
    guard let waiting = pending, waiting.page == page else { return [] }
    if case .loading = status {
      pending?.isAnnounced = true
      return waiting.isAnnounced ? [] : [.notify(.loading(page: page))]
    }
    pending = nil
    switch status {
    case .loaded where entries[page] != nil:
      currentKey = page
      setFailure(nil)
      return [.notify(.loaded(page: number(of: page)))]
    case .failed(let error):
      setFailure((page, error))
      return [.notify(.failed(error, page: page))]
    case .loaded, .cancelled, .loading: return waiting.end
    }
  }

  private mutating func setFailure(_ new: (page: Int, error: ResourceError)?) {
    if let failure { replaced.append(failure.error) }
    failure = new
  }

  /// The requested page is no longer wanted.
  mutating func cancelled() -> [Action] {
    guard let waiting = pending.take() else { return [] }
    return [.cancel(waiting.page)] + waiting.end
  }
}

// MARK: - Pages

extension PageTable {
  /// The content of a page's resource changed.
  ///
  /// - Parameter count: how many items the server has sent in it, if optimistic edits have changed that; nil
  ///   for all that it has.
  mutating func received(
    _ page: Int, _ content: PaginatorPage<Item>, sent count: Int? = nil
  ) -> [Action] {
    guard let size = content.totals.perPage, size > 0, size != perPage else {
      store(content, as: page, receivedCount: count)
      return [.notify(.slotsChanged)]
    }
    // Another page size is another numbering: everything known from the older one is void.
    let isWaitedFor = pending?.page == page
    let isMisplaced =
      countsItems && page != firstPageNumber && !(isWaitedFor && pending?.isRepeated == true)
    let wasCurrent = currentKey == page
    clear()
    // Its page is released, so that a wipe of it would not be noticed.
    if isMisplaced || failure?.page != page { setFailure(nil) }
    perPage = size
    var actions: [Action] = [.release(except: isMisplaced ? nil : page)]
    if !isMisplaced {
      store(content, as: page, receivedCount: count)
      if wasCurrent { currentKey = page }
    }
    actions.append(.notify(.slotsChanged))
    if isMisplaced, isWaitedFor { pending?.isRepeated = true }
    if let pending, isMisplaced || !isWaitedFor {
      actions.append(.request(pending.page, always: false))
    }
    return actions
  }

  /// The server confirmed the content of a page, except for totals in header fields.
  mutating func confirmed(_ page: Int, _ content: PaginatorPage<Item>) -> [Action] {
    guard let entry = entries[page] else { return [] }
    guard content.totals == entry.content.totals else {
      return received(page, content, sent: entry.receivedCount)
    }
    let older = totals
    store(content, as: page, receivedCount: entry.receivedCount)
    return totals == older ? [] : [.notify(.slotsChanged)]
  }

  func invalidated(_ page: Int) -> [Action] {
    entries[page] == nil ? [] : [.notify(.invalidated(page: page))]
  }

  mutating func wiped(_ page: Int) -> [Action] {
    let isFailed = failure?.page == page
    if isFailed { setFailure(nil) }
    guard let removed = entries.removeValue(forKey: page) else {
      // No slot changes. What shows the error is notified, and receives no other event.
      return isFailed ? [.notify(.slotsChanged)] : []
    }
    replaced.append(removed)
    if currentKey == page { currentKey = nil }
    collectTotals()
    return [.notify(.slotsChanged)]
  }

  mutating func resized(to size: Int) -> [Action] {
    guard size != perPage else { return [] }
    let end = pending.take()?.end ?? []
    let change: [Action] = entries.isEmpty ? [] : [.notify(.slotsChanged)]
    clear()
    setFailure(nil)
    perPage = size
    return [.release(except: nil)] + change + end
  }

  private mutating func store(
    _ content: PaginatorPage<Item>, as page: Int, receivedCount: Int?
  ) {
    newestStamp += 1
    let entry = Entry(
      content: content, stamp: newestStamp, receivedCount: receivedCount ?? content.items.count)
    let older = entries.updateValue(entry, forKey: page)
    if let older { replaced.append(older) }
    let (now, before) = (content.totals, older?.content.totals)
    let omitsTotals =
      (now.totalPageCount == nil && before?.totalPageCount != nil)
      || (now.totalCount == nil && before?.totalCount != nil)
    if omitsTotals { collectTotals() } else { addTotals(now) }
  }

  /// Collects the totals of all pages again, after one of them was removed or reports others.
  private mutating func collectTotals() {
    totals = PaginatorTotals()
    for entry in entries.values.sorted(by: { $0.stamp < $1.stamp }) {
      addTotals(entry.content.totals)
    }
  }

  private mutating func addTotals(_ reported: PaginatorTotals) {
    totals.totalPageCount = reported.totalPageCount ?? totals.totalPageCount
    totals.totalCount = reported.totalCount ?? totals.totalCount
  }

  private mutating func clear() {
    if !entries.isEmpty { replaced.append(entries) }
    entries = [:]
    totals = PaginatorTotals()
    currentKey = nil
  }

  mutating func takeReplaced() -> [Any] { replaced.take() }
}

// MARK: - Invariants

extension PageTable {
  func checkInvariants() {
    precondition(perPage > 0, "pages of \(perPage) items")
    precondition(currentKey.map { entries[$0] != nil } ?? true, "the current page is not loaded")
    precondition(pending.map { $0.page >= firstPageNumber } ?? true, "no such page is pending")
    let stamps = Set(entries.values.map(\.stamp))
    precondition(stamps.count == entries.count, "two pages have one stamp")
    precondition(stamps.max() ?? 0 <= newestStamp, "a page is newer than the newest")
    var collected = self
    collected.collectTotals()
    precondition(collected.totals == totals, "the totals are not those of the loaded pages")
  }
}
