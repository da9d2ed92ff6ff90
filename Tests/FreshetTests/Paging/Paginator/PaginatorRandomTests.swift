import FreshetTesting
import Testing

@testable import Freshet

@Suite("A paginator under random treatment", .standardTimeLimit)
struct PaginatorRandomTests {
  @Test("It shows what its pages hold, whatever happens to them", arguments: StoreActor.allCases)
  func random(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in UInt64(1)...30 {
        let trial = PaginatorTrial(seed: actor === MainActor.shared ? seed : seed + 1000)
        for _ in 0..<100 where trial.failure == nil { await trial.step() }
        if let failure = trial.failure {
          Issue.record("seed \(seed): \(failure)\n\(trial.script.suffix(12))")
          return
        }
      }
    }
  }
}

/// One paginator, one server, and a series of random steps.
private final class PaginatorTrial {
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let fixture: PaginatorFixture
  private var articles: Paginator<Int> { fixture.articles }
  /// The page that was the current one at the last event.
  private var current: Int?

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    random = SeededGenerator(seed: seed)
    fixture = PaginatorFixture(
      Array(0..<17),
      pattern: seed % 3 == 0
        ? "articles?per_page=:perPage&offset=:offset"
        : "articles?per_page=:perPage&page=:currentPage",
      server: { $0.sends = seed % 2 == 0 ? ["per_page", "total"] : ["pages"] })
    fixture.recorder.onEvent = { [unowned self] articles, event in
      switch event {
      case .loaded(let page): current = page
      case .slotsChanged: if articles.currentPage == nil { current = nil }
      default: break
      }
      if random.chance(0.05) { act() }
    }
  }

  nonisolated(nonsending) func step() async {
    act()
    guard random.chance(0.3) else { return }
    await articles.settled()
    guard !articles.isLoading else { return }
    check()
  }

  private func act() {
    let page = Int.random(in: 1...9, using: &random)
    let choice = Int.random(in: 0..<100, using: &random)
    script.append("\(choice) \(page)")
    switch choice {
    case 0..<30: try? articles.loadPage(page)
    case 30..<40: try? articles.loadNextPage()
    case 40..<48: try? articles.loadPreviousPage()
    case 48..<54: try? articles.refresh()
    case 54..<58: articles.retry()
    case 58..<63: articles.cancelLoad()
    case 63..<69: articles.page(page).invalidate()
    case 69..<73: articles.page(page).wipe()
    case 73..<78: articles.page(page).load()
    case 78..<81: articles.page(page).cancelLoad()
    case 81..<86:
      articles.page(page).overrideLocalContent(PaginatorPage(items: [100 + page]))
    case 86..<91:
      let count = Int.random(in: 0..<20, using: &random)
      fixture.server.change { $0.items = Array(200..<200 + count) }
    case 91..<94:
      let failing = Set([page])
      fixture.server.change { $0.failing = failing }
    case 94..<96: fixture.clock.advance(by: .seconds(31))
    case 96: articles.perPage = random.pick([2, 3])
    case 97: fixture.service.wipe()
    default:
      let cap = random.pick([2, 3, 9])
      fixture.server.change { $0.cap = cap }
    }
  }

  private func check() {
    articles.resources.checkInvariants()
    fixture.service.store.checkInvariants()
    if articles.currentPage != current { fail("the page moved in silence") }
    for (key, resource) in articles.resources.byPage {
      let held = articles.table.entries[key]?.content
      if held != resource.content { fail("page \(key) is another one") }
    }
    let shown = articles.slots.compactMap(\.item)
    let expected = articles.table.entries.keys.sorted()
      .flatMap { articles.table.entries[$0]?.content.items ?? [] }
    if shown != expected { fail("slots \(shown), not \(expected)") }
    if articles.currentPage != nil,
      articles.items
        != (articles.table.currentKey.flatMap {
          articles.page($0).content?.items
        })
    {
      fail("the items are not those of the current page")
    }
  }

  private func fail(_ message: String) {
    failure = failure ?? message
  }
}
