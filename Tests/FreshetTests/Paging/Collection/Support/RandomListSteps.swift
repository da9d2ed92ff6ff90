import Freshet
import FreshetTesting

/// The steps of a random trial of lists, each with how often it is taken.
struct RandomListSteps {
  enum Step {
    case invalidate, invalidateAll, wipe, wipeAll, loadPage, cancelPage
    case refresh, loadMore, loadPages, loadAll, loadPreviousPage, loadIfNeeded, retry
    case show, display, displayAll, cancel, reset, edit, advance
  }

  /// Each as often as it is to be taken.
  private let steps: [Step]
  private let clock: ManualClock
  private let edits: RandomEdits

  /// - Parameter weights: how often each step is taken, in relation to the others.
  init(_ weights: KeyValuePairs<Step, Int>, clock: ManualClock, edits: RandomEdits) {
    steps = weights.flatMap { Array(repeating: $0.key, count: $0.value) }
    self.clock = clock
    self.edits = edits
  }

  /// Takes one of the steps.
  ///
  /// - Parameters:
  ///   - page: one of the list.
  ///   - seed: fixes what it does: observers that are notified of that may need the generator.
  ///   - note: receives what it does, mostly before.
  func perform(
    on list: PagedCollection<Int>, page: Resource<Page<Int>>, service: Service, seed: UInt64,
    note: (String) -> Void
  ) {
    var random = SeededGenerator(seed: seed)
    switch random.pick(steps) {
    case .invalidate: note("invalidate \(page)"); page.invalidate()
    case .invalidateAll: note("invalidate all"); service.invalidate()
    case .wipe: note("wipe \(page)"); page.wipe()
    case .wipeAll: note("wipe all"); service.wipe()
    case .loadPage: note("load \(page)"); page.load()
    case .cancelPage: note("cancel \(page)"); page.cancelLoad()
    case .refresh:
      let scope = random.pick(RefreshScope.allCases)
      note("refresh \(scope)")
      list.refresh(scope)
    case .loadMore: note("more"); list.loadMore()
    case .loadPages: note("to page 3"); list.loadPages(through: 3)
    case .loadAll: note("all"); list.loadAll()
    case .loadPreviousPage: note("previous"); list.loadPreviousPage()
    case .loadIfNeeded: note("loadIfNeeded"); list.loadIfNeeded()
    case .retry: note("retry"); list.retry()
    case .show where !list.items.isEmpty:
      let index = Int.random(in: list.items.indices, using: &random)
      note("shown \(index)")
      list.itemShown(at: index)
    case .display:
      let count = random.pick([0, 1, 4, 12])
      note("displayed \(count)")
      list.displayedCount = count
    case .displayAll: note("displayed all"); list.displayedCount = .max
    case .cancel: note("cancel"); list.cancelLoad()
    case .reset: note("reset"); list.reset()
    case .edit: note(edits.edit(list, page, seed: random.next()))
    case .show, .advance:
      let seconds = random.pick([1, 3, 10, 31])
      note("\(seconds) seconds")
      clock.advance(by: .seconds(seconds))
    }
  }
}

extension PagedCollection.Options where Item == Int {
  /// Options of all kinds that leave what a list shows in the end as it is.
  ///
  /// - Parameters:
  ///   - choices: the item that is shown of several copies; nil where items have no identity.
  ///   - limits: how many pages are in memory.
  static func random(
    _ random: inout SeededGenerator, showing choices: [ItemChoice?],
    retaining limits: [Int?] = [nil, nil, 1, 2, 3]
  ) -> Self {
    var options = Self()
    options.identity = random.pick(choices).map { ItemIdentity(showing: $0) { $0 } }
    options.retainedPageLimit = random.pick(limits)
    options.concurrentLoads = random.pick([1, 2, 4, 8])
    options.publication = random.chance(0.4) ? .whenComplete : .asPagesArrive
    options.requestBudget = random.pick([1, 3, 50])
    options.prefetchDistance = random.pick([0, 1, 5])
    options.reloadsWhenInvalidated = random.chance(0.5)
    return options
  }
}
