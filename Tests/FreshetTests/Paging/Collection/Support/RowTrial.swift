import FreshetTesting

@testable import Freshet

/// One list of rows with some options, a server whose rows change, and a series of random steps;
/// compared with the server after every completed refresh, once the server is quiet.
///
/// A seed fixes the steps and the order of the responses.
final class RowTrial {
  let seed: UInt64
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let server: RowServer
  private let requests: HeldRequests
  private let clock = ManualClock()
  private let service: Service
  private let list: PagedCollection<Int>
  /// Another list of the same pages.
  private let other: PagedCollection<Int>?
  private let mirror = ListMirror<Int>()
  private let edits = RandomEdits(ofItemsBelow: 30)

  init(seed: UInt64, isShared: Bool = false, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let rows = Array(1...Int.random(in: 3...10, using: &random))
    let server = RowServer(
      rows, size: Int.random(in: 1...3, using: &random),
      style: random.pick(RowServer.Style.allCases), sendsTags: random.chance(0.5),
      confirmsExpiredLinks: random.chance(0.3),
      sendsTotal: random.chance(0.5), isFiltering: random.chance(0.3),
      statusOfExpired: random.pick([nil, 400, 404, 410]))
    let requests = HeldRequests { server.respond(to: $0) }
    self.server = server
    self.requests = requests
    service = Service(
      baseURL: "https://api.test", transport: StubTransport { try await requests.respond(to: $0) },
      clock: clock, isolation: #isolation)
    var options = PagedCollection<Int>.Options()
    options.retainedPageLimit = random.pick([nil, 1, 2, 2, 3])
    options.displayedCount = random.pick([0, 1, 1, 1])
    options.concurrentLoads = random.pick([1, 1, 2, 8])
    options.prefetchDistance = random.pick([0, 1, 3])
    options.publication = random.chance(0.3) ? .whenComplete : .asPagesArrive
    options.identity = random.chance(0.3) ? ItemIdentity { $0 } : nil
    list = server.list(in: service, options: options)
    other = isShared ? server.list(in: service) : nil
    list.addObserver(mirror)
    script.append(
      """
      \(server.style), \(server.rows.count) rows, filtering \(server.isFiltering), retainedPageLimit \(options.retainedPageLimit ?? 0), \
      displayedCount \(options.displayedCount), \
      \(options.concurrentLoads) at once, \(options.publication), \
      \(options.identity == nil ? "no identity" : "identity")
      """)
  }

  nonisolated(nonsending) func run(rounds: Int, steps: Int) async {
    for _ in 0..<rounds where failure == nil {
      for _ in 0..<steps where failure == nil { await step() }
      if failure == nil { await compare() }
    }
  }

  private nonisolated(nonsending) func step() async {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<28: note(server.change(&random))
    case 28..<35: note("more"); list.loadMore()
    case 35..<38: note("to page 3"); list.loadPages(through: 3)
    case 38..<46: note("all"); list.loadAll()
    case 46..<56: note("previous"); list.loadPreviousPage()
    case 56..<64 where !list.items.isEmpty:
      let index = Int.random(in: list.items.indices, using: &random)
      note("shown \(index)")
      list.itemShown(at: index)
    case 64..<67:
      let count = Int.random(in: 0...4, using: &random)
      note("displayed \(count)")
      list.displayedCount = count
    case 67..<75:
      let scope = random.pick(RefreshScope.allCases)
      note("refresh \(scope)")
      list.refresh(scope)
    case 75..<79: note("cancel"); list.cancelLoad()
    case 79..<82: note("loadIfNeeded"); list.loadIfNeeded()
    case 82..<84: note("retry"); list.retry()
    case 84..<86: note("time"); clock.advance(by: .seconds(random.pick([1, 31])))
    case 86: note("invalidate"); service.invalidate()
    case 87: note("wipe"); service.wipe()
    case 88..<96 where other != nil:
      switch Int.random(in: 0..<3, using: &random) {
      case 0: note("other: all"); other?.loadAll()
      case 1: note("other: more"); other?.loadMore()
      default: note("other: refresh"); other?.refresh()
      }
    default:
      let page = list.pages.randomElement(using: &random) ?? list.firstPage
      note(edits.edit(list, page, seed: random.next()))
    }
    check()
    if random.chance(0.4) {
      await finishLoads()
    } else {
      for _ in 0..<Int.random(in: 0...3, using: &random) where failure == nil { await respond() }
    }
  }

  /// Lets the server respond to one request, and waits until the list has received that.
  private nonisolated(nonsending) func respond() async {
    await arrivals()
    guard requests.count > 0 else { return }
    requests.release(&random)
    await arrivals()
    check()
  }

  /// Waits until every load has its request at the server.
  private nonisolated(nonsending) func arrivals() async {
    if await !requests.haveArrived(from: service) { fail("a load has no request") }
  }

  private nonisolated(nonsending) func finishLoads() async {
    note("finish loads")
    let limit = server.requestCount + 250
    while failure == nil, isLoading {
      await respond()
      if server.requestCount > limit { fail("it asks without end") }
    }
  }

  private var isLoading: Bool { list.isLoading || other?.isLoading == true }

  private func check() {
    if let failure = mirror.failure { fail(failure) }
    list.checkInvariants()
    other?.checkInvariants()
    service.store.checkInvariants()
    if list.isLoading, service.loadingCount == 0 {
      fail("stuck: \(list.state), \(list.previousState) and \(list.refreshState), nothing loads")
    }
  }

  /// Refreshes everything while the rows stay as they are, and compares.
  private nonisolated(nonsending) func compare() async {
    await finishLoads()
    edits.endAll(seed: random.next())
    let rows = server.sentRows
    note("compare with \(rows)")
    list.refresh()
    await finishLoads()
    expect(list.refreshState.description == "idle", "the refresh is \(list.refreshState)")
    expect(list.items.isRun(of: rows), "after the refresh")
    list.loadAll()
    await finishLoads()
    expect(list.state.description == "ended", "after all")
    expect(list.items.isEnd(of: rows) && list.items.isEmpty == rows.isEmpty, "the end of the rows")
    guard list.options.retainedPageLimit != nil else {
      return expect(list.items == rows, "all rows")
    }
    for _ in 0..<30 where failure == nil && list.previousState.description != "ended" {
      list.loadPreviousPage()
      await finishLoads()
      expect(list.items.isRun(of: rows), "after a previous page")
      expect(!list.previousState.description.hasPrefix("failed"), "after a previous page")
    }
    expect(list.previousState.description == "ended", "at the start")
    // The first page may be empty where rows are hidden.
    let isEmpty = list.items.isEmpty && !server.isFiltering
    expect(list.items.isStart(of: rows) && !isEmpty, "the start of the rows")
    let pages = list.pages.flatMap { $0.content?.items ?? [] }
    expect(list.items == pages, "its pages have \(pages)")
  }

  private func expect(_ isTrue: Bool, _ what: String) {
    guard !isTrue else { return }
    fail(
      """
      \(what): \(list.items) of \(server.sentRows), \(list.state), previous \(list.previousState), \
      refresh \(list.refreshState)
      """)
  }

  private func note(_ what: String) {
    script.append(what)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}
