import Foundation
import FreshetTesting
import Testing

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
  private let steps: RandomListSteps
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
    steps = RandomListSteps(
      [
        .invalidate: 5, .invalidateAll: 1, .wipe: 2, .wipeAll: 1, .loadPage: 3, .cancelPage: 2,
        .refresh: 8, .loadMore: 8, .loadAll: 5, .loadPreviousPage: 8, .loadIfNeeded: 4, .retry: 4,
        .show: 10, .display: 3, .cancel: 4, .edit: 10, .advance: 8,
      ], clock: clock, edits: edits)
    for _ in 0..<8 { server.shift(&random) }
    start = random.chance(0.7) ? 0 : random.pick(server.list.order)
    script.append("short \(isShort)")
    // With other lists, which copy is the newest depends on those too.
    let choices: [ItemChoice?] = listCount == 1 ? [nil, .first, .newest] : [nil, .first]
    for _ in 0..<listCount {
      let options = PagedCollection<Int>.Options.random(&random, showing: choices)
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

  /// Runs that many trials, until one fails.
  static func run(_ count: UInt64, listCount: Int, on actor: StoreActor) async {
    await actor.run { actor in
      for seed in 1...trialCount(count) {
        let trial = ComparedTrial(
          seed: actor === MainActor.shared ? seed : seed + 1_000_000, listCount: listCount)
        await trial.run(rounds: 3, steps: 30)
        if let failure = trial.failure {
          Issue.record("seed \(trial.seed): \(failure)\n\(trial.script.suffix(40))")
          return
        }
      }
    }
  }

  private nonisolated(nonsending) func run(rounds: Int, steps: Int) async {
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
    if random.chance(0.14) {
      note("shift")
      server.shift(&random)
    } else {
      steps.perform(on: list, page: page, service: service, seed: random.next(), note: note)
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
    if let difference = now.difference(from: list) { fail("\(when): \(difference)") }
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
