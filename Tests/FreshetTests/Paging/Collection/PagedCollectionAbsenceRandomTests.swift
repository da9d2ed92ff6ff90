import FreshetTesting
import Testing

@testable import Freshet

@Suite("Ends and failures where a server refuses pages after the last row", .standardTimeLimit)
struct PagedCollectionAbsenceRandomTests {
  @Test(
    "Whatever changes, an end or a failure is that of the page which the last one names",
    arguments: StoreActor.allCases)
  func random(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in 1...trialCount(60 as UInt64) {
        let trial = AbsenceTrial(seed: seed)
        await trial.run(steps: 40)
        if let failure = trial.failure {
          Issue.record("seed \(seed): \(failure)\n\(trial.script.suffix(40))")
          return
        }
      }
    }
  }
}

/// One list, a server whose rows, page size and failures change, and random steps.
private final class AbsenceTrial {
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let fixture: RefusingListFixture
  private var server: RefusingServer { fixture.server }
  private var list: PagedCollection<Int> { fixture.list }

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    var random = SeededGenerator(seed: seed)
    let server = RefusingServer(
      random.pick(RefusingServer.Style.allCases),
      rows: Array(1...Int.random(in: 1...9, using: &random)))
    let (window, width) = (random.pick([nil, 1, 2, 3]), random.pick([1, 1, 2]))
    fixture = RefusingListFixture(server) {
      $0.retainedPageLimit = window
      $0.concurrentLoads = width
    }
    self.random = random
    script.append("\(server.style), \(server.rows.count) rows, window \(window ?? 0), \(width)")
  }

  nonisolated(nonsending) func run(steps: Int) async {
    for _ in 0..<steps where failure == nil {
      act()
      await list.settled()
      check()
    }
  }

  private func act() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: change()
    case 2..<5: note("time"); fixture.clock.advance(by: .seconds(random.pick([1, 2, 31])))
    case 5..<9: note("all"); list.loadAll()
    case 9, 10: note("more"); list.loadMore()
    case 11..<14: note("previous"); list.loadPreviousPage()
    case 14: note("loadIfNeeded"); list.loadIfNeeded()
    case 15: note("retry"); list.retry()
    case 16:
      let scope = random.pick(RefreshScope.allCases)
      note("refresh \(scope)")
      list.refresh(scope)
    default:
      let page = random.chance(0.7) ? list.pages.last : list.pages.randomElement(using: &random)
      note("\(page?.description ?? "no page") loads")
      page?.load()
    }
  }

  private func change() {
    var now = server.content
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: now.rows.append((now.rows.max() ?? 0) + 1)
    case 2: if now.rows.count > 1 { now.rows.removeLast() }
    case 3: now.size = Int.random(in: 1...3, using: &random)
    default: now.failing = random.chance(0.6) ? Int.random(in: 1...9, using: &random) : nil
    }
    server.content = now
    note("\(now.rows.count) rows, \(now.size) a page, failing \(now.failing ?? 0)")
  }

  private func check() {
    script.append("  \(list.items) \(list.state), \(list.refreshState)")
    if let failure = fixture.mirror.failure { return fail(failure) }
    list.checkInvariants()
    guard let last = list.pages.last, let next = list.list.nextPage else { return }
    switch list.state {
    case .ended:
      let number = server.number(next.url) ?? 0
      guard server.content.refused.contains(number) else {
        return fail("it has ended before \(next), which was not asked for")
      }
      if server.style == .offset, let total = last.content?.totalCount, number < total {
        fail("it has ended after \(number) of \(total) rows")
      }
    case .failed(_, list.pageCount) where list.refreshState == .idle:
      if next.latestError == nil { fail("it has failed before \(next), which has not") }
    default: break
    }
  }

  private func note(_ what: String) {
    script.append(what)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}
