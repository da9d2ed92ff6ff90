import FreshetTesting
import Testing

@testable import Freshet

@Suite("A list of pages under random treatment", .standardTimeLimit)
struct PagedCollectionRandomTests {
  @Test("The list stays right whatever happens to its pages", arguments: StoreActor.allCases)
  func randomTreatment(actor: StoreActor) async throws {
    await actor.run { actor in
      // Fewer on the main actor, which other tests need: 72,800 steps in all.
      let seeds =
        actor === MainActor.shared
        ? 1...trialCount(20 as UInt64) : 1_000_001...1_000_000 + trialCount(120)
      for seed in seeds {
        let trial = Trial(seed: seed)
        await trial.run(steps: 520)
        if let failure = trial.failure {
          Issue.record("seed \(trial.seed): \(failure)\n\(trial.script.suffix(20))")
          return
        }
      }
    }
  }
}

/// One list, one server, and a long series of random steps.
private final class Trial {
  let seed: UInt64
  private(set) var failure: String?
  private(set) var script: [String] = []
  private var random: SeededGenerator
  private let server: ShiftingServer
  private let clock = ManualClock()
  private let service: Service
  private let list: PagedCollection<Int>
  private let choice: ItemChoice?
  private var updates: [ContentUpdate] = []
  private var mirrors: [ListMirror<Int>] = []

  init(seed: UInt64, isolation: isolated any Actor = #isolation) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    let server = ShiftingServer(usesTokens: seed % 3 == 0)
    self.server = server
    service = Service(
      baseURL: "https://api.test", transport: StubTransport { server.respond(to: $0) },
      clock: clock, isolation: #isolation)
    var options = PagedCollection<Int>.Options()
    choice = [nil, .first, nil, .newest][Int(seed % 4)]
    options.identity = choice.map { ItemIdentity(showing: $0) { $0 } }
    options.publication = seed % 5 == 0 ? .whenComplete : .asPagesArrive
    options.requestBudget = seed % 7 == 0 ? 1 : 50
    options.restartsExpiredChains = seed % 6 != 0
    list = service.pages("items?p=0", of: Int.self, style: .linkHeader, options: options)
    for _ in 0..<12 { server.shift(&random) }
    addMirror()
  }

  nonisolated(nonsending) func run(steps: Int) async {
    for step in 0..<steps where failure == nil {
      if step % 40 == 39 { await compareWithServer() } else { act() }
      if random.chance(0.08) {
        script.append("settled")
        await list.settled()
        if !list.state.isLoading { checkAtRest() }
      }
      list.checkInvariants()
      for mirror in mirrors {
        if let failure = mirror.failure { fail(failure) }
      }
    }
  }

  /// Performs a random step.
  private func act() {
    let pages = list.knownPages
    let slot = Int.random(in: pages.indices, using: &random)
    let page = pages[slot]
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: note("shift"); server.shift(&random)
    case 20..<38: override(page, slot)
    case 38..<46: note("invalidate \(slot)"); page.invalidate()
    case 46..<49: note("wipe \(slot)"); page.wipe()
    case 49: note("wipe all"); service.wipe()
    case 50..<53:
      let scope = random.pick(RefreshScope.allCases)
      note("refresh \(scope)")
      list.refresh(scope)
    case 53..<57: note("more"); list.loadMore()
    case 57..<59: note("to page 2"); list.loadPages(through: 2)
    case 59..<61: note("all"); list.loadAll()
    case 61..<69:
      let index = Int.random(in: 0..<12, using: &random)
      note("shown \(index)")
      list.itemShown(at: index)
    case 69..<73:
      list.displayedCount = Int.random(in: 0..<14, using: &random)
      note("displayed \(list.displayedCount)")
    case 73..<77: note("cancel"); list.cancelLoad()
    case 77..<80: note("page \(slot) cancels"); page.cancelLoad()
    case 80..<84: note("retry"); list.retry()
    case 84..<87: note("page \(slot) loads"); page.load()
    case 87..<93: note("loadIfNeeded"); list.loadIfNeeded()
    case 93: note("reset"); list.reset()
    case 94: edit(page, slot)
    case 95..<97: note("time"); clock.advance(by: .seconds(random.pick([1, 10, 31])))
    default: random.chance(0.5) || mirrors.isEmpty ? addMirror() : dropMirror()
    }
  }

  private func override(_ page: Resource<Page<Int>>, _ slot: Int) {
    note("override \(slot)")
    var content = page.content ?? Page(items: [])
    content.items = ShiftingServer.someItems(&random)
    if random.chance(0.2) {
      let other = random.pick(server.list.order)
      content.next = random.chance(0.3) ? nil : PageLink(.follow("/items?p=\(other)"))
    }
    page.overrideLocalContent(content)
  }

  /// Edits a page before the server has confirmed that, or ends such an edit.
  private func edit(_ page: Resource<Page<Int>>, _ slot: Int) {
    note("edit \(slot)")
    if let update = updates.popLast() {
      random.chance(0.5) ? update.commit() : update.rollBack()
    }
    let item = Int.random(in: 0..<6, using: &random)
    let update = page.updateContent { $0.items.insert(item, at: 0) }
    if let update { updates.append(update) }
  }

  private func addMirror() {
    guard mirrors.count < 3 else { return }
    note("mirror")
    let mirror = ListMirror<Int>()
    meddle(mirror)
    mirrors.append(mirror)
    list.addObserver(mirror)
  }

  /// Lets an observer perform a random step now and then.
  private func meddle(_ mirror: ListMirror<Int>) {
    mirror.onEvent = { [unowned self] _, _ in
      if random.chance(0.05) { act() }
    }
  }

  private func dropMirror() {
    note("drop mirror")
    list.removeObserver(mirrors.remove(at: 0))
  }

  private func checkAtRest() {
    let held = list.pages.flatMap { $0.content?.items ?? [-1] }
    let linked = Array(list.items.prefix(list.list.chain.linkedItemCount))
    let isComplete = !list.list.chain.hasStalePages
    if choice == nil {
      if held != linked { fail("the pages have \(held), the list \(linked)") }
    } else if Set(list.items).count != list.items.count {
      fail("the list has something twice: \(list.items)")
    } else if isComplete, Set(held) != Set(list.items) {
      fail("the pages have \(held), the list \(list.items)")
    }
    if isComplete, choice != nil, held.count - list.items.count != list.duplicateCount {
      fail("\(list.duplicateCount) duplicates in \(held)")
    }
    if list.isRefreshing { fail("it rests and refreshes") }
  }

  /// Compares the list after a refresh of all pages to a fresh walk.
  private nonisolated(nonsending) func compareWithServer() async {
    await list.settled()
    note("compare")
    for mirror in mirrors { mirror.onEvent = nil }
    for update in updates.take() { update.rollBack() }
    // A load that began before the last shift may have older content.
    for resource in service.resources { resource.cancelLoad() }
    var now = server.list
    now.failing = []
    server.list = now
    if random.chance(0.5) || choice == .newest {
      list.refresh()
    } else {
      clock.advance(by: .seconds(31))
      list.loadIfNeeded()
    }
    list.loadAll()
    await list.settled()
    for mirror in mirrors { meddle(mirror) }
    let linked = Array(list.items.prefix(list.list.chain.linkedItemCount))
    let walked = now.walked(choice)
    switch (list.state, now.visitedLoop) {
    case (.ended, nil) where list.items == walked: checkAtRest()
    case (.incomplete(let walk), let loop?)
    where walk.reason == .loop(backTo: loop) && linked == walked:
      checkAtRest()
    default:
      fail("\(list.state) with \(list.items), the server has \(now.walked), loop \(now.loop ?? -1)")
    }
  }

  private func note(_ what: String) {
    script.append(what)
  }

  private func fail(_ message: String) {
    if failure == nil { failure = message }
  }
}
