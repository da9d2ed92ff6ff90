import Testing

@testable import Freshet

@Suite("Numbered pages under random treatment")
struct PageTableRandomTests {
  @Test("The table agrees with a naive one, whatever comes", arguments: 1...60)
  func random(seed: UInt64) {
    var trial = TableTrial(seed: seed)
    for step in 0..<trialCount(500) {
      trial.step()
      if let failure = trial.compare() {
        Issue.record("seed \(seed), step \(step): \(failure)\n\(trial.script.suffix(12))")
        return
      }
    }
  }
}

/// A table, its reference, and a series of random inputs for both.
private struct TableTrial {
  private var random: SeededGenerator
  private var table: PageTable<Int>
  private var naive: NaivePages
  private(set) var script: [String] = []
  private var failure: String?
  private var shown: [Int] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let first = Int(seed % 2)
    table = PageTable(firstPageNumber: first, perPage: 3, countsItems: false)
    naive = NaivePages(first: first, perPage: 3)
  }

  mutating func step() {
    let page = Int.random(in: 0...7, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: ask(page - 1)
    case 30..<55: bring(page)
    case 55..<75: respond(naive.waiting ?? page)
    case 75..<80: respond(page)
    case 80..<87: wipe(page)
    case 87..<91: confirm(page)
    case 91..<95: cancel()
    case 95..<98: feed("invalidated \(page)") { $0.invalidated(page) }
    default: resize()
    }
  }

  /// The difference between the table and its reference; nil if there is none.
  func compare() -> String? {
    if let failure { return failure }
    let slots = table.slots.map { slot in
      switch slot {
      case .item(let item): item
      case .placeholder(let page): -page - 1
      }
    }
    if slots != naive.slots { return "slots \(slots), not \(naive.slots)" }
    if table.slots.loadedCount != slots.count(where: { $0 >= 0 }) { return "loaded count" }
    if table.currentKey != naive.current { return "current \(table.currentKey ?? -1)" }
    if table.currentPage != naive.current.map(naive.number) { return "current page" }
    if table.pendingPage != naive.waiting { return "pending \(table.pendingPage ?? -1)" }
    if table.failure?.page != naive.failed { return "failure \(table.failure?.page ?? -1)" }
    if table.totals.totalCount != naive.totalCount { return "object count" }
    if let stated = naive.statedPages, table.totalPageCount != stated { return "page count" }
    for page in -1...9 where ((try? table.check(page)) != nil) != naive.allows(page) {
      return "page \(page) may be asked for: \(naive.allows(page))"
    }
    return nil
  }

  @discardableResult
  private mutating func feed(
    _ note: String, _ input: (inout PageTable<Int>) -> [PageTable<Int>.Action]
  ) -> [PageTable<Int>.Action] {
    script.append(note)
    let actions = input(&table)
    table.checkInvariants()
    let events = actions.compactMap { action in
      if case .notify(let event) = action { "\(event)" } else { nil }
    }
    let now = naive.slots
    defer { shown = now }
    // The reference is changed before: observers compare the new state.
    if now != shown, !events.contains("slotsChanged") { failure = "the slots changed in silence" }
    return actions
  }

  private mutating func ask(_ page: Int) {
    guard naive.allows(page) else { return }
    naive.waiting = page
    let actions = feed("ask \(page)") { $0.requested(page, always: false) }
    guard case .request(page, always: false)? = actions.last else {
      failure = "\(page) is not asked for"
      return
    }
    if random.chance(0.7) { feed("loading \(page)") { $0.changed(page, to: .loading) } }
  }

  private mutating func bring(_ page: Int) {
    guard page >= naive.first else { return }
    var totals = PaginatorTotals()
    if random.chance(0.2) { totals.totalPageCount = Int.random(in: 0...8, using: &random) }
    if random.chance(0.2) { totals.totalCount = Int.random(in: 0...20, using: &random) }
    if random.chance(0.1) { totals.currentPage = Int.random(in: 0...7, using: &random) }
    if random.chance(0.1) { totals.perPage = Int.random(in: 2...4, using: &random) }
    let items = (0..<Int.random(in: 0...4, using: &random)).map { page * 10 + $0 }
    if let size = totals.perPage, size != naive.perPage {
      naive.perPage = size
      naive.arrivals = []
      if naive.failed != page { naive.failed = nil }
      if naive.current != page { naive.current = nil }
    }
    naive.arrive(page, PaginatorPage(items: items, totals: totals))
    // Also where the same came again, which only the class knows.
    shown = []
    feed("bring \(page) \(totals)") {
      $0.received(page, PaginatorPage(items: items, totals: totals))
    }
  }

  private mutating func respond(_ page: Int) {
    let isLoaded = naive.arrivals.contains { $0.key == page }
    if isLoaded, random.chance(0.7) {
      if naive.waiting == page { (naive.current, naive.waiting, naive.failed) = (page, nil, nil) }
      feed("loaded \(page)") { $0.changed(page, to: .loaded) }
    } else if random.chance(0.6) {
      if naive.waiting == page { (naive.failed, naive.waiting) = (page, nil) }
      feed("failed \(page)") { $0.changed(page, to: .failed(ResourceError(.http, "no"))) }
    } else {
      if naive.waiting == page { naive.waiting = nil }
      feed("cancelled \(page)") { $0.changed(page, to: .cancelled) }
    }
  }

  private mutating func wipe(_ page: Int) {
    naive.wipe(page)
    if naive.failed == page { naive.failed = nil }
    feed("wipe \(page)") { $0.wiped(page) }
  }

  private mutating func confirm(_ page: Int) {
    guard let known = naive.arrivals.first(where: { $0.key == page }) else { return }
    // Its header fields may report another total.
    var content = known.page
    if random.chance(0.3) { content.totals.totalCount = Int.random(in: 0...20, using: &random) }
    naive.arrive(page, content)
    // The number that the page reports counts as the newest again, which may move the end.
    shown = naive.slots
    feed("confirm \(page)") { $0.confirmed(page, content) }
  }

  private mutating func cancel() {
    naive.waiting = nil
    feed("cancel") { $0.cancelled() }
  }

  private mutating func resize() {
    let size = Int.random(in: 2...4, using: &random)
    if size != naive.perPage {
      naive = NaivePages(first: naive.first, perPage: size)
    }
    feed("resize \(size)") { $0.resized(to: size) }
  }
}
