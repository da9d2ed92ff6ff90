import FreshetTesting
import Testing

@testable import Freshet

@Suite("A list of pages with all options under random treatment", .standardTimeLimit)
struct PagedCollectionMixedRandomTests {
  @Test(
    "Whatever is done with any options, the list stays right, stops, and keeps no caller waiting",
    arguments: StoreActor.allCases)
  func mixed(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in 1...trialCount(60 as UInt64) {
        let trial = MixedTrial(seed: actor === MainActor.shared ? seed : seed + 1_000_000)
        await trial.run(steps: 200)
        if let failure = trial.failure {
          Issue.record("seed \(trial.seed): \(failure)\n\(trial.script.suffix(30))")
          return
        }
      }
    }
  }
}

/// One list with some options, one server, and a long series of random steps.
private final class MixedTrial {
  let seed: UInt64
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let server: ShiftingServer
  private let stub: StubTransport
  private let clock = ManualClock()
  private let service: Service
  private let list: PagedCollection<Int>
  private let edits = RandomEdits(ofItemsBelow: 6)
  private let steps: RandomListSteps
  private var mirrors: [ListMirror<Int>] = []
  /// The last index of the first item that the first mirror received.
  private var reported = 0
  private let start: Int
  /// Whether observers change nothing, because the list is compared.
  private var isQuiet = false

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let server = ShiftingServer(
      usesTokens: random.chance(0.3), linksBack: random.chance(0.6))
    self.server = server
    stub = StubTransport { server.respond(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    var options = PagedCollection<Int>.Options.random(&random, showing: [nil, .first, .newest])
    if random.chance(0.25) { options.prefetchDistance = .max }
    options.restartsExpiredChains = random.chance(0.8)
    options.allowsRepeatedPages = random.chance(0.25)
    options.pageLimit = random.pick([12, 40])
    options.itemLimit = random.pick([10, 1000, 1000])
    steps = RandomListSteps(
      [
        .invalidate: 6, .wipe: 2, .wipeAll: 1, .loadPage: 3, .cancelPage: 2, .refresh: 8,
        .loadMore: 5, .loadPages: 3, .loadAll: 3, .loadPreviousPage: 8, .loadIfNeeded: 5, .retry: 5,
        .show: 12, .display: 3, .displayAll: 1, .cancel: 4, .reset: 1, .edit: 9, .advance: 5,
      ], clock: clock, edits: edits)
    for _ in 0..<12 { server.shift(&random) }
    start = random.chance(0.5) ? 0 : random.pick(server.list.order)
    list = service.pages("items?p=\(start)", of: Int.self, style: .linkHeader, options: options)
    script.append("\(options), start \(start)")
    addMirror()
  }

  nonisolated(nonsending) func run(steps: Int) async {
    for _ in 0..<steps where failure == nil {
      act()
      check()
      if random.chance(0.15) { await finishLoads() }
    }
    if failure == nil { await compareWithServer() }
  }

  /// Waits until nothing is loading, unless nothing would ever end that.
  private nonisolated(nonsending) func finishLoads() async {
    script.append("finish loads")
    stub.forgetRequests()
    while failure == nil, list.isLoading {
      check()
      if stub.requests.count > 400 { fail("\(stub.requests.count) requests") }
      await Task.yield()
    }
    check()
  }

  private func check() {
    list.checkInvariants()
    if let stuck = list.stuck { fail("stuck: \(stuck)") }
    if let problem = list.inconsistencyAtStart { fail(problem) }
    for mirror in mirrors {
      if let failure = mirror.failure { fail(failure) }
    }
    if !mirrors.isEmpty, !list.items.isEmpty, reported != list.firstItemIndex {
      fail("the first item has number \(list.firstItemIndex), \(reported) was reported")
    }
    guard list.options.identity != nil else { return }
    for id in 0..<6 where list.index(identifiedBy: id) != list.items.firstIndex(of: id) {
      fail("\(id) is at \(list.index(identifiedBy: id) ?? -1) of \(list.items)")
    }
  }

  /// Performs a random step.
  private func act() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12: note("shift"); server.shift(&random)
    case 12..<15: random.chance(0.5) || mirrors.isEmpty ? addMirror() : dropMirror()
    default:
      let page = random.pick(list.knownPages)
      steps.perform(on: list, page: page, service: service, seed: random.next(), note: note)
    }
  }

  private func addMirror() {
    guard mirrors.count < 3 else { return }
    note("mirror")
    let mirror = ListMirror<Int>()
    mirror.onEvent = { [unowned self, unowned mirror] list, event in
      switch event {
      case .observerAdded: reported = list.firstItemIndex
      case .itemsChanged(let change): reported = change.firstItemIndex
      default: break
      }
      guard !isQuiet, random.chance(0.04) else { return }
      if random.chance(0.1) {
        note("removes itself")
        mirrors.removeAll { $0 === mirror }
        list.removeObserver(mirror)
      } else {
        act()
      }
    }
    mirrors.append(mirror)
    list.addObserver(mirror)
  }

  private func dropMirror() {
    note("drop mirror")
    list.removeObserver(mirrors.remove(at: 0))
  }

  /// Compares the list to the server after a refresh of all pages; and again after a reset.
  private nonisolated(nonsending) func compareWithServer() async {
    await finishLoads()
    note("compare")
    isQuiet = true
    edits.endAll(seed: random.next())
    for resource in service.resources { resource.cancelLoad() }
    var now = server.list
    now.failing = []
    now.loop = nil
    server.list = now
    clock.advance(by: .seconds(2))
    list.refresh()
    await finishLoads()
    list.loadAll()
    await finishLoads()
    // A list whose page was deleted has nothing to begin with.
    guard failure == nil, now.order.contains(start) else { return }
    if !endsAtDeletedPage { compare(now, "before the reset") }
    for mirror in mirrors { list.removeObserver(mirror) }
    mirrors = []
    list.reset()
    list.refresh()
    list.loadAll()
    await finishLoads()
    compare(now, "after the reset")
    if list.options.retainedPageLimit == nil, list.pages.first !== list.firstPage {
      fail("after the reset it begins with \(list.pages.first?.description ?? "no page")")
    }
  }

  /// Whether the list, or its refresh, has come to a page that was deleted, and may not begin again: the page that it
  /// begins with was found by links back, or others were dropped before it.
  private var endsAtDeletedPage: Bool {
    guard !list.options.restartsExpiredChains, list.pages.first !== list.firstPage else {
      return false
    }
    // A page that is still fresh stops only the refresh.
    return [list.state, list.refreshState].contains {
      if case .failed(let error, _) = $0 { [400, 404, 410].contains(error.status) } else { false }
    }
  }

  /// Compares what the list's limits allow.
  private func compare(_ now: ShiftingServer.List, _ when: String) {
    guard failure == nil else { return }
    switch list.state {
    case .ended: break
    case .incomplete(let walk)
    where walk.reason == .itemLimit(list.options.itemLimit)
      && list.list.dropped.itemCount + list.list.chain.linkedItemCount
        >= list.options.itemLimit:
      break
    case .incomplete(let walk)
    where walk.reason == .pageLimit(list.options.pageLimit) && list.list.isPageLimitReached:
      break
    default: return fail("\(when): \(list.state)")
    }
    if let difference = now.difference(from: list) { fail("\(when): \(difference)") }
  }

  private func note(_ what: String) {
    script.append(what)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}
