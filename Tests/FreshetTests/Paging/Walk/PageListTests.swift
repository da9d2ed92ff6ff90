import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The decisions of a list, as inputs and actions", .standardTimeLimit)
struct PageListTests {
  @Test("No page is visited before the first demand", arguments: StoreActor.allCases)
  func atFirst(actor: StoreActor) async {
    await actor.run { actor in
      var script = ListScript()
      #expect(script.actions() == ["observe 1"])
      script.list.loadIfNeeded(script.moment)
      #expect(script.actions() == ["visit 1"])
    }
  }

  @Test("A page that is loading is waited for, and its event takes the walk further")
  func waits() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript()
      script.list.loadAll(script.moment)
      #expect(script.actions() == ["observe 1", "visit 1"])
      script.visit(1, isLoading: true)
      #expect(script.actions() == ["end loading"])
      script.load(1, [10, 11], next: 2)
      #expect(
        script.actions() == [
          "splice 0-0+[10, 11]", "observe 2", "start ended", "deliver", "visit 2",
        ])
      script.visit(2, isLoading: true)
      #expect(script.actions() == [])
      script.load(2, [20], next: nil)
      #expect(script.actions() == ["splice 2-0+[20]", "deliver", "end ended"])
    }
  }

  @Test("A page ahead that has failed is retried, unless it was loaded since")
  func retriedAhead() async {
    await StoreActor.plainActor.run { actor in
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), isolation: #isolation)
      let pages = ["a", "b"].map { service.resource($0, of: String.self) }
      var loads = PageLoads(width: 4)
      for page in pages {
        loads.append(page, 1)
        loads.setFailed(page, true)
      }
      loads.setFailed(pages[1], false)
      loads.retry()
      #expect(loads.reach(pages[0]) == .max)
      #expect(loads.reach(pages[1]) == 1)
    }
  }

  @Test("Fresh pages are walked without waiting, as far as items are wanted")
  func freshPages() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript()
      script.list.loadIfNeeded(script.moment)
      _ = script.actions()
      script.visit(1, holding: [10], next: 2)
      #expect(
        script.actions() == ["splice 0-0+[10]", "observe 2", "start ended", "deliver"])
      #expect(script.list.walk.isConfirmed(at: script.moment.now, configuration: 0))
      script.list.loadMore(script.moment)
      #expect(script.actions() == ["visit 2"])
    }
  }

  @Test("A refresh requests known pages at once, and cancels them where another page follows")
  func refreshAhead() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript { $0.concurrentLoads = 3 }
      script.fill(pages: 4)
      script.list.refresh(.all, script.moment)
      #expect(script.actions() == ["visit 1"])
      script.visit(1, isLoading: true)
      #expect(script.actions() == ["refresh loading", "ahead 2"])
      script.visitAhead(2)
      #expect(script.actions() == ["ahead 3"])
      script.visitAhead(3)
      #expect(script.actions() == [])
      script.load(1, [10], next: 9)
      #expect(
        script.actions() == [
          "splice 0-1+[10]", "cancel 2", "cancel 3", "observe 9", "end idle", "deliver", "visit 9",
        ])
    }
  }

  @Test(
    "Both ends load at once where several pages may, and no more after a 429",
    arguments: [false, true])
  func narrowedEnds(isNarrow: Bool) async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript { $0.concurrentLoads = 2 }
      script.list.loadAll(script.moment)
      _ = script.actions()
      script.visit(1, holding: [10], next: 2, hasPreviousPage: true)
      #expect(script.actions().contains("visit 2"))
      script.visit(2, isLoading: true)
      if isNarrow { script.list.loads.narrow() }
      script.list.loadPreviousPage()
      #expect(script.actions().contains { $0.contains("visit") } == !isNarrow)
    }
  }

  @Test(
    "Where the server asks for fewer requests, the start of the list waits for its end if it has to wait anyway",
    arguments: [false, true])
  func endFirst(doesWait: Bool) async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript {
        $0.concurrentLoads = 2
        $0.requestBudget = 1
      }
      script.list.loadIfNeeded(script.moment)
      _ = script.actions()
      script.visit(1, holding: [10], next: 3, hasPreviousPage: true)
      _ = script.actions()
      script.list.loadMore(script.moment)
      #expect(script.actions() == ["visit 3"])
      script.visit(3, isLoading: true)
      script.list.loadPreviousPage()
      _ = script.actions()
      script.list.began(1, of: script.page(0))
      let loading = PageReport(
        page: script.page(0), moment: script.moment, isLoading: true, hasData: false)
      script.list.visited(loading, nil, on: .start)
      _ = script.actions()
      script.list.giveWayToServer(until: .seconds(20)) { _ in doesWait }
      #expect(script.actions() == (doesWait ? ["cancel 0", "stop 0", "start idle"] : []))
      script.load(3, [30], next: nil)
      // The budget of one request has it still.
      #expect(script.actions().contains { $0.hasPrefix("visit") } == doesWait)
      #expect(script.list.demand.wantsPrevious)
    }
  }

  @Test("A page ahead that is not found is not taken from the budget")
  func refundedAhead() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript {
        $0.concurrentLoads = 2
        $0.requestBudget = 3
      }
      script.list.display(30, script.moment)
      script.list.loadIfNeeded(script.moment)
      #expect(script.actions().last == "visit 1")
      script.visit(1, holding: [10, 11], next: 2)
      #expect(script.actions().last == "visit 2")
      script.visit(2, isLoading: true)
      #expect(script.actions().last == "ahead another")
      script.couldNotReachVisited()
      _ = script.actions()
      script.load(2, [20, 21], next: 3)
      #expect(script.actions().last == "visit 3")
      script.visit(3, isLoading: true)
      _ = script.actions()
      script.load(3, [30, 31], next: 4)
      #expect(!script.actions().contains { $0.hasPrefix("visit") })
    }
  }

  @Test("A failure at one end leaves the other alone, and a retry requests only that page")
  func retries() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript()
      script.list.loadAll(script.moment)
      _ = script.actions()
      script.visit(1, holding: [10], next: 2)
      _ = script.actions()
      script.visit(2, isLoading: true)
      _ = script.actions()
      script.fail(2)
      #expect(script.actions() == ["end failed(page 1, timeout)"])
      #expect(script.list.start.state.description == "ended")
      script.list.retry(script.moment)
      #expect(script.actions() == ["visit 2"])
    }
  }

  @Test("A refresh is complete before what else is wanted is loaded")
  func refreshedFirst() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript()
      script.list.loadIfNeeded(script.moment)
      _ = script.actions()
      script.visit(1, holding: [10], next: 2)
      _ = script.actions()
      script.list.refresh(.all, script.moment)
      #expect(script.actions() == ["visit 1"])
      script.visit(1, isLoading: true)
      script.list.loadMore(script.moment)
      #expect(script.actions() == ["refresh loading"])
      script.load(1, [11], next: 2)
      #expect(
        script.actions() == ["splice 0-1+[11]", "deliver", "complete", "refresh idle", "visit 2"])
      script.visit(2, isLoading: true)
      #expect(script.actions() == ["end loading"])
    }
  }

  @Test("Pages that are invalidated together are one notification")
  func invalidated() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript()
      script.fill(pages: 3)
      script.list.invalidated(script.page(1))
      script.list.invalidated(script.page(2))
      #expect(script.actions() == ["invalidated"])
      script.list.invalidationNotified()
      script.list.invalidated(script.page(2))
      #expect(script.actions() == ["invalidated"])
    }
  }

  @Test("Content that is removed is handed out to be released outside")
  func releases() async {
    await StoreActor.plainActor.run { actor in
      var script = ListScript()
      script.fill(pages: 1)
      script.list.wiped(script.page(1))
      #expect(script.actions().contains("release"))
    }
  }
}

/// A list whose pages are resources that are never loaded: the test sets their content.
private struct ListScript {
  var list: PageList
  /// The page that is to be visited, or was last.
  private var visited: PageVisit?
  private let service: Service
  private let stub = StubTransport()

  init(
    isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) {
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    var chosen = PagedCollection<Int>.Options()
    options(&chosen)
    list = PageList(firstPage: service.resource("1", of: String.self), limits: chosen.limits)
  }

  var moment: ListMoment { ListMoment(clock: ManualClock(), configuration: 0, nextLoad: 1) }

  func page(_ number: Int) -> AnyResource { service.resource("\(number)", of: String.self) }

  private func found(_ number: Int, _ items: [Int], next: Int?) -> LoadedPage {
    LoadedPage(
      page: page(number), content: ContentBox(Page(items: items)), itemCount: items.count, ids: nil,
      next: next.map { .page(page($0)) } ?? .end)
  }

  private func fresh(_ number: Int) -> PageReport {
    PageReport(
      page: page(number), moment: moment, freshUntil: .seconds(30), confirmingLoad: 1)
  }

  mutating func visit(_ number: Int, isLoading: Bool) {
    if isLoading { list.began(1, of: page(number)) }
    let report = PageReport(
      page: page(number), moment: moment, isLoading: isLoading, hasData: false)
    list.visited(report, nil, on: .end)
  }

  mutating func visit(
    _ number: Int, holding items: [Int], next: Int?, hasPreviousPage: Bool = false
  ) {
    var found = found(number, items, next: next)
    found.hasPreviousPage = hasPreviousPage
    list.visited(fresh(number), found, on: .end)
  }

  mutating func visitAhead(_ number: Int) {
    list.began(1, of: page(number))
    list.visitedAhead(page(number), .page(page(number)), 1)
  }

  mutating func couldNotReachVisited() {
    if let visited { list.couldNotReach(visited) }
  }

  mutating func load(_ number: Int, _ items: [Int], next: Int?) {
    list.loaded(fresh(number), found(number, items, next: next))
  }

  mutating func fail(_ number: Int) {
    let error = ResourceError(.timeout, "No.", timestamp: Date(timeIntervalSince1970: 0))
    let report = PageReport(page: page(number), moment: moment, hasData: false, error: error)
    list.failed(report, nil)
  }

  /// Walks pages 1…count, each with one item.
  mutating func fill(pages count: Int) {
    list.loadAll(moment)
    _ = actions()
    for number in 1...count {
      visit(number, holding: [number * 10], next: number < count ? number + 1 : nil)
      _ = actions()
    }
  }

  /// Performs the actions, up to the next page to visit.
  mutating func actions() -> [String] {
    var texts: [String] = []
    list.checkInvariants(isResting: false)
    while let action = list.nextAction() {
      list.checkInvariants(isResting: false)
      if case .visit(let visit) = action, visit.purpose == .restore {
        // There is no cache.
        list.walk.finishRestoring()
        continue
      }
      texts.append(text(of: action))
      if case .visit(let visit) = action {
        visited = visit
        break
      }
    }
    return texts
  }

  private func text(of action: PageListAction) -> String {
    func name(_ page: AnyResource) -> String { page.url?.lastPathComponent ?? "" }
    switch action {
    case .nothing: return "nothing"
    case .visit(let visit):
      let verb = visit.purpose == .ahead ? "ahead " : "visit "
      guard case .page(let page) = visit.target else { return verb + "another" }
      return verb + name(page)
    case .observe(let page): return "observe " + name(page)
    case .stopObserving(let page): return "stop " + name(page)
    case .cancel(let page), .releaseLoad(let page, _): return "cancel " + name(page)
    case .invalidate(let page): return "invalidate " + name(page)
    case .wipe(let page): return "wipe " + name(page)
    case .splice(let edits):
      return edits.map { edit in
        let run: [Int] = edit.inserted.map { Array($0.items()) } ?? []
        return "splice \(edit.range.lowerBound)-\(edit.range.count)+\(run)"
      }.joined(separator: ", ")
    case .deliverChanges: return "deliver"
    case .freeze: return "freeze"
    case .unfreeze: return "unfreeze"
    case .notify(let state, let side): return "\(side) \(state)"
    case .notifyRefresh(let state): return "refresh \(state)"
    case .notifyInvalidation: return "invalidated"
    case .completeRefresh: return "complete"
    case .release: return "release"
    }
  }
}
