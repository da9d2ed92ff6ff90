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
  private var mirrors: [ListMirror<Int>] = []
  /// The last index of the first item that the first mirror received.
  private var reported = 0
  private let start: Int

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let server = ShiftingServer(
      usesTokens: random.chance(0.3), linksBack: random.chance(0.6))
    self.server = server
    stub = StubTransport { server.respond(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    var options = PagedCollection<Int>.Options()
    let choice = random.pick([nil, .first, .newest] as [ItemChoice?])
    options.identity = choice.map { ItemIdentity(showing: $0) { $0 } }
    options.retainedPageLimit = random.pick([nil, nil, 1, 2, 3])
    options.concurrentLoads = random.pick([1, 2, 8])
    options.publication = random.chance(0.3) ? .whenComplete : .asPagesArrive
    options.requestBudget = random.pick([1, 3, 50])
    options.prefetchDistance = random.pick([0, 1, 5, .max])
    options.restartsExpiredChains = random.chance(0.8)
    options.allowsRepeatedPages = random.chance(0.25)
    options.pageLimit = random.pick([12, 40])
    options.itemLimit = random.pick([10, 1000, 1000])
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
    list.list.chain.checkInvariants()
    if let stuck = list.stuck { fail("stuck: \(stuck)") }
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
    let pages = list.knownPages
    let slot = Int.random(in: pages.indices, using: &random)
    let page = pages[slot]
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<12: note("shift"); server.shift(&random)
    case 12..<18: note("invalidate \(slot)"); page.invalidate()
    case 18..<20: note("wipe \(slot)"); page.wipe()
    case 20: note("wipe all"); service.wipe()
    case 21..<29:
      let scope = random.pick(RefreshScope.allCases)
      note("refresh \(scope)")
      list.refresh(scope)
    case 29..<34: note("more"); list.loadMore()
    case 34..<37: note("to page 3"); list.loadPages(through: 3)
    case 37..<40: note("all"); list.loadAll()
    case 40..<48: note("previous"); list.loadPreviousPage()
    case 48..<60 where !list.items.isEmpty:
      let index = Int.random(in: list.items.indices, using: &random)
      note("shown \(index)")
      list.itemShown(at: index)
    case 60..<63:
      list.displayedCount = random.pick([0, 1, 4, 12, .max])
      note("displayed \(list.displayedCount)")
    case 63..<67: note("cancel"); list.cancelLoad()
    case 67..<69: note("page \(slot) cancels"); page.cancelLoad()
    case 69..<74: note("retry"); list.retry()
    case 74..<77: note("page \(slot) loads"); page.load()
    case 77..<82: note("loadIfNeeded"); list.loadIfNeeded()
    case 82: note("reset"); list.reset()
    case 83..<92: note(edits.edit(list, page, seed: random.next()))
    case 92..<97: note("time"); clock.advance(by: .seconds(random.pick([1, 10, 31])))
    default: random.chance(0.5) || mirrors.isEmpty ? addMirror() : dropMirror()
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
      guard random.chance(0.04) else { return }
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

  /// Compares the list to the server after everything was discarded and loaded again.
  private nonisolated(nonsending) func compareWithServer() async {
    await finishLoads()
    note("compare")
    for mirror in mirrors { list.removeObserver(mirror) }
    mirrors = []
    edits.endAll(seed: random.next())
    for resource in service.resources { resource.cancelLoad() }
    var now = server.list
    now.failing = []
    now.loop = nil
    server.list = now
    list.reset()
    list.refresh()
    list.loadAll()
    await finishLoads()
    guard failure == nil, let place = now.order.firstIndex(of: start) else { return }
    now.order.removeFirst(place)
    switch list.state {
    case .ended where list.options.retainedPageLimit == nil:
      let walked = now.walked(list.options.identity?.choice)
      if !list.hasSameItems(as: walked) { fail("\(list.items), the server has \(walked)") }
    case .ended:
      let last = now.items[now.order.last ?? 0] ?? []
      if !Set(last).isSubset(of: list.items) { fail("\(list.items) has not \(last)") }
    case .incomplete(let walk):
      if walk.reason != .itemLimit(10) { fail("\(walk)") }
    default: fail("\(list.state)")
    }
  }

  private func note(_ what: String) {
    script.append(what)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}
