import Foundation
import FreshetTesting

@testable import Freshet

/// Lists of one service, each with its options, a server that is edited, and random steps, through the
/// public API only.
final class ComparedTrial {
  let seed: UInt64
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let server: ShiftingServer
  private let requests: HeldRequests
  private let clock = ManualClock()
  private let service: Service
  private var lists: [PagedCollection<Int>] = []
  private var list: PagedCollection<Int>
  private var mirrors: [ListMirror<Int>] = []
  private let usesTokens: Bool
  private let edits = RandomEdits(ofItemsBelow: 6)
  private var requestCount = 0
  /// The page that the list begins with.
  private let start: Int

  init(seed: UInt64, listCount: Int, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    usesTokens = random.chance(0.3)
    let server = ShiftingServer(usesTokens: usesTokens, linksBack: random.chance(0.5))
    let requests = HeldRequests { server.respond(to: $0) }
    self.server = server
    self.requests = requests
    let stub = StubTransport { try await requests.respond(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    let isShort = random.chance(0.25)
    service.configure { if isShort { $0.freshnessLifetime = .zero } }
    for _ in 0..<8 { server.shift(&random) }
    start = random.chance(0.7) ? 0 : random.pick(server.list.order)
    script.append("short \(isShort)")
    // With other lists, which copy is the newest depends on those too.
    let choices: [ItemChoice?] = listCount == 1 ? [nil, .first, .newest] : [nil, .first]
    for _ in 0..<listCount {
      var options = PagedCollection<Int>.Options()
      options.identity = random.pick(choices).map { ItemIdentity(showing: $0) { $0 } }
      options.retainedPageLimit = random.pick([nil, nil, 1, 2, 3])
      options.concurrentLoads = random.pick([1, 2, 8])
      options.publication = random.chance(0.5) ? .whenComplete : .asPagesArrive
      options.requestBudget = random.pick([1, 3, 50])
      options.prefetchDistance = random.pick([0, 1, 5])
      options.reloadsWhenInvalidated = random.chance(0.5)
      lists.append(
        service.pages("items?p=\(start)", of: Int.self, style: .linkHeader, options: options))
      script.append("\(options), start \(start)")
    }
    list = lists[0]
    for list in lists {
      let mirror = ListMirror<Int>()
      mirror.onEvent = { [unowned self] list, event in
        if let problem = list.inconsistency(isWhole: false) { fail("at \(event) \(problem)") }
      }
      list.addObserver(mirror)
      mirrors.append(mirror)
    }
  }

  nonisolated(nonsending) func run(rounds: Int, steps: Int) async {
    for _ in 0..<rounds where failure == nil {
      for _ in 0..<steps where failure == nil {
        act()
        check()
        if random.chance(0.15) {
          await finishLoads()
        } else if random.chance(0.5) {
          await respond()
        }
      }
      if failure == nil { await compareWithServer() }
    }
  }

  private func act() {
    list = random.pick(lists)
    if lists.count > 1 { note(name(of: list)) }
    let page = list.pages.randomElement(using: &random) ?? list.firstPage
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<14: note("shift"); server.shift(&random)
    case 14..<19: note("invalidate \(page)"); page.invalidate()
    case 19: note("invalidate all"); service.invalidate()
    case 20..<22: note("wipe a page"); page.wipe()
    case 22: note("wipe all"); service.wipe()
    case 23..<31:
      let scope = random.pick(RefreshScope.allCases)
      note("refresh \(scope)")
      list.refresh(scope)
    case 31..<39: note("more"); list.loadMore()
    case 39..<44: note("all"); list.loadAll()
    case 44..<52: note("previous"); list.loadPreviousPage()
    case 52..<62 where !list.items.isEmpty:
      let index = Int.random(in: list.items.indices, using: &random)
      note("shown \(index)")
      list.itemShown(at: index)
    case 62..<65:
      list.displayedCount = random.pick([0, 1, 4, 12])
      note("displayed \(list.displayedCount)")
    case 65..<69: note("cancel"); list.cancelLoad()
    case 69..<71: note("a page cancels"); page.cancelLoad()
    case 71..<75: note("retry"); list.retry()
    case 75..<78: note("a page loads"); page.load()
    case 78..<82: note("loadIfNeeded"); list.loadIfNeeded()
    case 82..<92: note(edits.edit(list, page, seed: random.next()))
    default: note("time"); clock.advance(by: .seconds(random.pick([1, 10, 31])))
    }
  }

  private nonisolated(nonsending) func respond() async {
    guard await requests.haveArrived(from: service) else { return fail("a load has no request") }
    guard requests.count > 0 else { return }
    requestCount += 1
    requests.release(&random)
    guard await requests.haveArrived(from: service) else { return fail("a load has no request") }
    check()
  }

  private nonisolated(nonsending) func finishLoads() async {
    note("finish loads")
    requestCount = 0
    while failure == nil, lists.contains(where: \.isLoading) {
      await respond()
      if requestCount > 800 { fail("it asks without end") }
    }
  }

  private func check() {
    for mirror in mirrors { if let failure = mirror.failure { fail(failure) } }
    for list in lists {
      if let problem = list.inconsistency(isWhole: false) { fail(problem) }
      if list.isLoading, service.loadingCount == 0 {
        fail("stuck: \(list.state), \(list.previousState) and \(list.refreshState), nothing loads")
      }
      let loadCount = list.list.loads.count
      if loadCount > list.options.concurrentLoads { fail("\(loadCount) loads at once") }
      if loadCount > 0, !list.isLoading, !list.hasFailed { fail("idle with \(loadCount) loads") }
    }
  }

  /// Compares the lists to the server after a refresh of all pages; and again after a reset.
  private nonisolated(nonsending) func compareWithServer() async {
    await finishLoads()
    note("compare")
    edits.endAll(seed: random.next())
    for resource in service.resources { resource.cancelLoad() }
    var now = server.list
    now.failing = []
    now.loop = nil
    server.list = now
    clock.advance(by: .seconds(2))
    for each in lists {
      list = each
      list.refresh()
      await finishLoads()
      list.loadAll()
      await finishLoads()
      compare(now, "\(name(of: list)) before the reset")
    }
    guard failure == nil else { return }
    // Links that are tokens are new with every read, and a window moves: not with another list.
    let isStable = !usesTokens && lists.allSatisfy { $0.options.retainedPageLimit == nil }
    guard lists.count == 1 || isStable else { return }
    for each in lists {
      list = each
      if lists.count == 1 {
        list.reset()
        list.refresh()
      }
      list.loadAll()
      await finishLoads()
      compare(now, "\(name(of: list)) again")
    }
  }

  private func compare(_ now: ShiftingServer.List, _ when: String) {
    // A list whose page was deleted has nothing to begin with.
    guard failure == nil, now.order.contains(start) else { return }
    guard case .ended = list.state else { return fail("\(when): \(list.state)") }
    guard let first = list.pages.first.flatMap(name), let place = now.order.firstIndex(of: first)
    else { return fail("\(when): the first page is \(list.pages.first?.description ?? "none")") }
    var walk = now
    walk.order.removeFirst(place)
    let walked = walk.walked(list.options.identity?.choice)
    if !list.hasSameItems(as: walked) {
      fail("\(when): \(list.items), a walk from page \(first) finds \(walked)")
    }
    if let problem = list.inconsistency(isWhole: true) { fail("\(when): \(problem)") }
  }

  private func name(_ page: Resource<Page<Int>>) -> Int? {
    Int((page.url?.query ?? "").split(separator: "&")[0].dropFirst(2))
  }

  private func name(of list: PagedCollection<Int>) -> String {
    "list \(lists.firstIndex { $0 === list } ?? -1)"
  }

  private func note(_ what: String) {
    script.append(what)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}

extension PagedCollection {
  /// Whether a load at either end, or of a refresh, has failed: others may continue.
  fileprivate var hasFailed: Bool {
    [state, previousState, refreshState].contains { if case .failed = $0 { true } else { false } }
  }
}
