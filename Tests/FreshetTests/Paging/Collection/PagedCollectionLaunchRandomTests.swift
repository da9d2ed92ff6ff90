import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Two lists of one service, the persistent cache, launches of the program, and what else happens.
private final class NumberTrial {
  let seed: UInt64
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let server: NumberServer
  private let cache: MemoryCache?
  private let clock = ManualClock()
  private var requests: HeldRequests
  private var service: Service
  private var lists: [PagedCollection<Int>] = []
  private var mirrors: [ListMirror<Int>] = []
  private var starts: [Int] = []
  private var requestCount = 0
  private let lifetime: Duration
  private let edits = RandomEdits(ofItemsBelow: 20)
  private let steps: RandomListSteps
  private let isNarrow: Bool

  /// - Parameter isNarrow: whether lists keep one page or two, of a server whose lists end with 404.
  init(seed: UInt64, isNarrow: Bool, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    self.isNarrow = isNarrow
    random = SeededGenerator(seed: seed)
    let server = NumberServer(&random, endsAtNotFound: isNarrow)
    self.server = server
    let isCached = random.chance(0.4)
    cache = isCached ? MemoryCache() : nil
    lifetime = .seconds(random.pick([0, 2, 30, 30]))
    let requests = HeldRequests { server.respond(to: $0) }
    self.requests = requests
    service = Service(baseURL: "https://api.test", isolation: #isolation)
    steps = RandomListSteps(
      [
        .invalidate: 4, .invalidateAll: 1, .wipe: 1, .wipeAll: 1, .loadPage: 3, .cancelPage: 2,
        .refresh: 8, .loadMore: 9, .loadAll: 8, .loadPreviousPage: 8, .loadIfNeeded: 5, .retry: 5,
        .show: 8, .display: 3, .cancel: 4, .reset: 1, .edit: 8, .advance: 3,
      ], clock: clock, edits: edits)
    script.append(
      "\(server.style), size \(server.size), \(server.rows.count) rows, \(lifetime), cache \(cache != nil)"
    )
    launch()
  }

  private func launch(isolation: isolated any Actor = #isolation) {
    for resource in service.resources { resource.cancelLoad() }
    let server = server
    let requests = HeldRequests { server.respond(to: $0) }
    self.requests = requests
    service = Service(
      baseURL: "https://api.test", transport: StubTransport { try await requests.respond(to: $0) },
      clock: clock, isolation: #isolation)
    let (cache, lifetime) = (cache, lifetime)
    service.configure {
      $0.cache = cache
      $0.freshnessLifetime = lifetime
    }
    (lists, mirrors, starts) = ([], [], [])
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      var options = PagedCollection<Int>.Options.random(
        &random, showing: [nil, nil, .first],
        retaining: isNarrow ? [1, 1, 2] : [nil, nil, 1, 2, 3])
      options.restartsExpiredChains = random.chance(0.8)
      let start = random.pick([0, 0, 0, 1, 2])
      let list = service.pages(
        server.path(start), of: Int.self, style: server.pageStyle, options: options)
      script.append("start \(start): \(options)")
      let mirror = ListMirror<Int>()
      mirror.onEvent = { [unowned self] list, event in
        if let problem = list.inconsistency(isWhole: false) { fail("at \(event) \(problem)") }
      }
      list.addObserver(mirror)
      lists.append(list)
      mirrors.append(mirror)
      starts.append(start)
    }
  }

  func run(rounds: Int, steps: Int, isolation: isolated any Actor = #isolation) async {
    for _ in 0..<rounds where failure == nil {
      for _ in 0..<steps where failure == nil {
        if random.chance(0.02), cache != nil {
          note("launch")
          launch()
        }
        act()
        check()
        if random.chance(0.15) {
          await finishLoads()
        } else {
          for _ in 0..<Int.random(in: 0...2, using: &random) { await respond() }
        }
      }
      if failure == nil { await compareWithServer() }
    }
  }

  private func act() {
    let number = Int.random(in: lists.indices, using: &random)
    let list = lists[number]
    note("list \(number)")
    let page = list.pages.randomElement(using: &random) ?? list.firstPage
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<16: note(server.change(&random))
    case 16, 17:
      let index = Int.random(in: 0..<6, using: &random)
      note("the program loads page \(index)")
      let page: Resource<Page<Int>> = service.resource(
        server.path(index), decoder: .page(server.pageStyle))
      page.loadIfNeeded()
    default:
      steps.perform(on: list, page: page, service: service, seed: random.next(), note: note)
    }
  }

  private nonisolated(nonsending) func respond() async {
    for list in lists { await list.restored() }
    guard await requests.haveArrived(from: service) else { return fail("a load has no request") }
    guard requests.count > 0 else { return }
    requestCount += 1
    requests.release(&random)
    for list in lists { await list.restored() }
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
    script += server.takeLog()
    for (number, list) in lists.enumerated() {
      script.append(
        "    \(number): \(list.items) \(list.state), \(list.previousState), \(list.refreshState)")
    }
    for mirror in mirrors { if let failure = mirror.failure { fail(failure) } }
    for (number, list) in lists.enumerated() {
      if let problem = list.inconsistency(isWhole: false) { fail(problem) }
      list.checkInvariants()
      if list.isLoading, service.loadingCount == 0, !list.list.walk.isRestoring {
        fail("stuck: \(list.state), \(list.previousState) and \(list.refreshState), nothing loads")
      }
      // The end is claimed only where the last page names no other, or the server had none after it.
      if case .ended = list.state, list.options.publication == .asPagesArrive {
        guard let last = list.pages.last else {
          fail("list \(number) has ended with no page")
          continue
        }
        let query = last.url?.query?.split(separator: "=").last.flatMap { Int($0) }
        let place =
          query.map { server.style == .offset ? $0 / server.size : $0 - 1 } ?? 0
        let isEnd =
          last.content?.next == nil || server.content.missing.contains(place + 1)
        if !isEnd {
          fail(
            "list \(number) has ended at \(last), which names \(String(describing: last.content?.next))"
          )
        }
      }
    }
  }

  private nonisolated(nonsending) func compareWithServer() async {
    await finishLoads()
    note("compare")
    edits.endAll(seed: random.next())
    for resource in service.resources { resource.cancelLoad() }
    var now = server.content
    now.failing = [:]
    server.content = now
    clock.advance(by: .seconds(2))
    for (number, list) in lists.enumerated() where failure == nil {
      let start = starts[number]
      // A list whose first page no longer exists has nothing to begin with.
      guard start == 0 || start * server.size < now.rows.count else { continue }
      let from = list.hasPreviousPage || list.options.retainedPageLimit != nil
      note("refresh list \(number)")
      list.refresh()
      await finishLoads()
      guard list.refreshState.description == "idle" else {
        return fail("list \(number): the refresh is \(list.refreshState)")
      }
      list.loadAll()
      await finishLoads()
      guard list.state == .ended else { return fail("list \(number): \(list.state)") }
      guard list.items.isEnd(of: now.rows), list.items.isEmpty == now.rows.isEmpty else {
        return fail("list \(number): \(list.items), not an end of \(now.rows)")
      }
      if let problem = list.inconsistency(isWhole: true) { return fail(problem) }
      if let problem = list.inconsistencyWithPages { return fail(problem) }
      if start == 0, !from, let rest = list.placeholderCounts, rest != (0, 0) {
        return fail("list \(number): placeholders for \(rest)")
      }
      if list.options.retainedPageLimit == nil {
        guard
          let first = list.pages.first?.url?.query?.split(separator: "=").last.map({ Int($0) ?? 0 })
            ?? Optional(server.style == .offset ? 0 : 1)
        else { continue }
        let skipped = server.style == .offset ? first : (first - 1) * server.size
        guard list.items == Array(now.rows.dropFirst(skipped)) else {
          return fail("list \(number): \(list.items) of \(now.rows) from \(first)")
        }
      } else if from, server.style != .offset, list.options.retainedPageLimit != nil {
        for _ in 0..<80 where failure == nil && list.previousState.description != "ended" {
          list.loadPreviousPage()
          await finishLoads()
          guard list.items.isRun(of: now.rows) else {
            return fail("list \(number): after a previous page \(list.items) of \(now.rows)")
          }
        }
        guard list.previousState.description == "ended", list.items.isStart(of: now.rows) else {
          return fail("list \(number): \(list.previousState), \(list.items) of \(now.rows)")
        }
      }
    }
  }

  private func note(_ what: String) {
    script.append(what)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}

@Suite("Lists of counted and linked pages over launches of the program", .standardTimeLimit)
struct PagedCollectionLaunchRandomTests {
  @Test(
    "Whatever happens, what a refresh leaves is what the server has", arguments: [false, true])
  func numbers(isNarrow: Bool) async throws {
    let first = UInt64(1)
    let count = trialCount(70 as UInt64)
    await StoreActor.mainActor.run { actor in
      var failures: [String: (count: Int, seed: UInt64, script: [String])] = [:]
      for seed in first..<(first + count) {
        let trial = NumberTrial(seed: seed, isNarrow: isNarrow)
        await trial.run(rounds: 3, steps: 25)
        if let failure = trial.failure {
          let kind = failure.filter { !$0.isNumber && !",[] ".contains($0) }
          let script =
            [failure, trial.script[0]]
            + trial.script.suffix(
              60)
          failures[kind, default: (0, seed, script)].count += 1
        }
      }
      for (kind, found) in failures.sorted(by: { $0.value.count > $1.value.count }).prefix(6) {
        Issue.record(
          "\(found.count) times \(kind); first seed \(found.seed):\n\(found.script.joined(separator: "\n"))"
        )
      }
    }
  }
}
