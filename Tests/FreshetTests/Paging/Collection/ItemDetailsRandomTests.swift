import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A list, a second one of the same rows, and the resources of rows under random treatment.
private final class ItemDetailsTrial {
  let seed: UInt64
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let fixture: ItemDetailsFixture
  private let lists: [PagedCollection<Row>]
  private let details: [ItemDetails<Row, Row>]
  /// Those that are kept; the registry keeps a few others.
  private var rows: [Int: Resource<Row>] = [:]
  /// The lists that each was asked for through.
  private var asked: [Int: Set<Int>] = [:]
  private var updates: [(row: Row, update: ContentUpdate)] = []

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    fixture = ItemDetailsFixture(Int.random(in: 1...8, using: &random), isolation: #isolation)
    let service = fixture.service
    var options = PagedCollection<Row>.Options()
    options.concurrentLoads = random.pick([1, 3])
    options.publication = random.chance(0.3) ? .whenComplete : .asPagesArrive
    let other = service.pages("newest?page=1", of: Row.self, style: .linkHeader, options: options)
    // The same pages as those of the first list, in a window.
    options.retainedPageLimit = random.pick([1, 2])
    options.publication = .asPagesArrive
    let window = service.pages("rows?page=1", of: Row.self, style: .linkHeader, options: options)
    lists = [fixture.list, other, window]
    details =
      [fixture.details]
      + [other, window].map { $0.details { service.resource("rows/\($0)", of: Row.self) } }
  }

  nonisolated(nonsending) func run(steps: Int) async {
    for _ in 0..<steps where failure == nil {
      act()
      check()
      if random.chance(0.5) { await respond() }
    }
    for (_, update) in updates { update.rollBack() }
    updates = []
    await finish()
    for row in rows.values { row.load() }
    for list in lists { list.refresh() }
    await finish()
    check()
    let now = fixture.server.rows
    for list in lists where failure == nil {
      for item in list.items where !now.contains(item) { fail("\(item) of \(now)") }
    }
  }

  private func act() {
    let id = Int.random(in: 1...8, using: &random)
    let index = Int.random(in: 0...2, using: &random)
    let list = lists[index]
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20:
      guard let at = fixture.server.rows.firstIndex(where: { $0.id == id }) else { return }
      note("server: \(id)")
      fixture.server.rows[at].value += 1
    case 20..<24:
      note("server: shuffle")
      fixture.server.rows = fixture.server.rows.shuffled(using: &random)
    case 24..<40:
      note("ask for \(id) of list \(index)")
      // Those of shared pages together: an edit by one list reaches the resources that it was asked for.
      for index in index == 1 ? [1] : [0, 2] {
        rows[id] = details[index][id]
        asked[id, default: []].insert(index)
      }
    case 40..<44:
      note("drop \(id)")
      (rows[id], asked[id]) = (nil, nil)
    case 44..<55: note("load \(id)"); rows[id]?.load()
    case 55..<60:
      note("all of list \(index)"); random.chance(0.5) ? list.loadAll() : list.loadMore()
    case 60..<65: note("refresh list \(index)"); list.refresh()
    case 65..<72: note("load a page of \(index)"); list.pages.randomElement(using: &random)?.load()
    case 72..<78:
      let value = -Int.random(in: 1...99, using: &random)
      note("edit \(id) of list \(index): \(value)")
      if let update = list.update(id: id, { $0.value += value }) {
        updates.append((Row(id: id, value: value), update))
      }
    case 78..<84:
      let value = -Int.random(in: 1...99, using: &random)
      note("edit \(id): \(value)")
      guard let update = rows[id]?.updateContent({ $0.value += value }) else { return }
      updates.append((Row(id: id, value: value), update))
    case 84..<88 where !updates.isEmpty:
      let (row, update) = updates.remove(at: Int.random(in: updates.indices, using: &random))
      note("roll back \(row)")
      update.rollBack()
    case 88..<91 where !updates.isEmpty:
      let (row, update) = updates.remove(at: Int.random(in: updates.indices, using: &random))
      note("commit \(row)")
      guard let at = fixture.server.rows.firstIndex(where: { $0.id == row.id }) else { return }
      fixture.server.rows[at].value += row.value
      update.commit()
    case 91: note("wipe \(id)"); rows[id]?.wipe()
    case 92: note("previous page of \(index)"); list.loadPreviousPage()
    case 93..<95:
      note("override \(id)")
      rows[id]?.overrideLocalContent(Row(id: id, value: 1000 + script.count))
    case 95..<97: note("cancel"); list.cancelLoad()
    case 97: note("invalidate \(id)"); rows[id]?.invalidate()
    case 98:
      note("override a page of \(index)")
      guard let page = list.pages.randomElement(using: &random), var content = page.content else {
        return
      }
      for item in content.items.indices { content.items[item].value = 2000 + script.count }
      page.overrideLocalContent(content)
    default:
      note("wipe a page of \(index)")
      list.pages.randomElement(using: &random)?.wipe()
    }
  }

  private func check() {
    fixture.service.store.checkInvariants()
    for details in details { details.link.checkInvariants() }
    for (index, list) in lists.enumerated() where !list.isRefreshing {
      for item in list.items {
        guard let content = rows[item.id]?.content, asked[item.id]?.contains(index) == true
        else { continue }
        if content != item { fail("list \(index) has \(item), its resource \(content)") }
      }
    }
  }

  private nonisolated(nonsending) func respond() async {
    guard await requests.haveArrived(from: fixture.service) else { return fail("no request") }
    requests.release(&random)
    guard await requests.haveArrived(from: fixture.service) else { return fail("no request") }
    note("response")
    check()
  }

  private nonisolated(nonsending) func finish() async {
    for _ in 0..<500 where failure == nil && fixture.service.loadingCount > 0 { await respond() }
  }

  private var requests: HeldRequests { fixture.requests }
  private func note(_ what: String) { script.append(what) }
  private func fail(_ message: String) { if failure == nil { failure = message } }
}

@Suite("Items and their own resources under random treatment", .standardTimeLimit)
struct ItemDetailsRandomTests {
  @Test("What both show is the same after every step", arguments: StoreActor.allCases)
  func random(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in UInt64(1)...trialCount(30) {
        let trial = ItemDetailsTrial(
          seed: actor === MainActor.shared ? seed : seed + 1_000_000)
        await trial.run(steps: 60)
        if let failure = trial.failure {
          Issue.record("seed \(trial.seed): \(failure)\n\(trial.script.suffix(60))")
          return
        }
      }
    }
  }
}
