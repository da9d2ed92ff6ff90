import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Invalidated and reloaded pages of a list", .standardTimeLimit)
struct PagedCollectionInvalidatedTests {
  @Test("An observed list that does not reload by its options does not, and neither do its pages")
  func noReload() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2]]) { $0.reloadsWhenInvalidated = false }
      await fixture.loadAll()
      fixture.service.invalidate()
      await fixture.list.settled()
      #expect(fixture.asked.isEmpty && fixture.mirror.invalidationCount == 1)
    }
  }

  @Test("An invalidation while pages are loaded ahead asks for each of them once more at most")
  func invalidatedAhead() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 24)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 4 }
      fixture.list.loadAll()
      await fixture.respond(1)
      await fixture.respond(3)
      fixture.service.invalidate()
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<24) && fixture.list.state.description == "ended")
      let counts = Dictionary(grouping: fixture.asked) { $0 }.mapValues(\.count)
      let isOften = counts.values.contains { $0 > 2 }
      #expect(!isOften, "asked for \(fixture.asked)")
      let isStale = fixture.list.pages.contains { !$0.isUpToDate }
      #expect(!isStale)
    }
  }

  @Test("Pages that are invalidated one by one are asked for at once, each of them once")
  func oneByOne() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 10) { $0.concurrentLoads = 4 }
      for page in fixture.list.pages { page.invalidate() }
      fixture.list.loadIfNeeded()
      #expect(await fixture.respondToAll() == 4)
      #expect(fixture.asked.sorted() == Array(1...10))
    }
  }

  @Test(
    "A page that did not exist after the last one is asked for again once it is invalidated",
    arguments: [1, 8], ["[1,2,3]", "[1,2,5]"])
  @MainActor func absentPage(width: Int, changed: String) async {
    let stub = StubTransport()
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    stub.on(.get, "/items", .json("[1,2,3]"))
    stub.on(.get, "/items?page=2", .response(status: 404))
    stub.on(.get, "/items?page=3", .response(status: 404))
    var options = PagedCollection<Int>.Options()
    options.concurrentLoads = width
    let list = service.pages("items", of: Int.self, style: .pageNumber("page"), options: options)
    let observation = list.observe { _, _ in }
    list.loadAll()
    await list.settled()
    #expect(list.items == [1, 2, 3] && list.state == .ended)
    // A row is added, and the program says that its lists are stale.
    stub.on(.get, "/items", .json(changed))
    stub.on(.get, "/items?page=2", .json("[4]"))
    service.invalidate(matching: "items")
    await list.settled()
    #expect(list.items.count == 4 && list.items.last == 4)
    list.loadAll()
    await list.settled()
    #expect(list.items.count == 4 && list.state == .ended)
    withExtendedLifetime(observation) {}
  }

  @Test("An expired list that ended where a page did not exist asks for that page again")
  @MainActor func expiredAbsence() async {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    stub.on(.get, "/items", .json("[1,2,3]"))
    stub.on(.get, "/items?page=2", .response(status: 404))
    stub.on(.get, "/items?page=3", .response(status: 404))
    let list = service.pages("items", of: Int.self, style: .pageNumber("page"))
    list.loadAll()
    await list.settled()
    stub.on(.get, "/items?page=2", .json("[4]"))
    clock.advance(by: .seconds(31))
    list.loadAll()
    await list.settled()
    #expect(list.items == [1, 2, 3, 4] && list.state == .ended)
  }

  @Test(
    "A window whose rows were deleted shows those before them after an invalidation",
    arguments: [1, 2], [false, true])
  @MainActor func emptiedWindow(window: Int, loadsAll: Bool) async {
    let stub = StubTransport()
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    stub.on(.get, "/items", .page(encoding: [1], next: "/items?after=1"))
    stub.on(.get, "/items?after=1", .page(encoding: [2], next: "/items?after=2"))
    stub.on(.get, "/items?after=2", .page(encoding: [3], next: "/items?after=3"))
    stub.on(.get, "/items?after=3", .page(encoding: [4], next: nil))
    var options = PagedCollection<Int>.Options()
    options.retainedPageLimit = window
    options.displayedCount = 1
    options.reloadsWhenInvalidated = !loadsAll
    let list = service.pages("items", of: Int.self, style: .linkHeader, options: options)
    let observation = list.observe { _, _ in }
    list.loadAll()
    await list.settled()
    for cursor in 1...3 {
      let rows = cursor == 1 ? [2] : [Int]()
      stub.on(.get, "/items?after=\(cursor)", .page(encoding: rows, next: nil))
    }
    service.invalidate(matching: "items")
    if loadsAll {
      list.loadIfNeeded()
      list.loadAll()
    }
    await list.settled()
    #expect(!list.items.isEmpty)
    if loadsAll { #expect(list.state == .ended) }
    withExtendedLifetime(observation) {}
  }

  @Test("A window whose rows were deleted loads those that follow now, where all are wanted")
  @MainActor func emptiedAndRelinked() async {
    let stub = StubTransport()
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    stub.on(.get, "/items", .page(encoding: [1], next: "/items?after=1"))
    stub.on(.get, "/items?after=1", .page(encoding: [2], next: nil))
    var options = PagedCollection<Int>.Options()
    options.retainedPageLimit = 1
    let list = service.pages("items", of: Int.self, style: .linkHeader, options: options)
    list.loadAll()
    await list.settled()
    #expect(list.items == [2] && list.state == .ended)
    stub.on(.get, "/items", .page(encoding: [4], next: "/items?after=4"))
    stub.on(.get, "/items?after=4", .page(encoding: [1], next: nil))
    stub.on(.get, "/items?after=1", .page(encoding: [Int](), next: nil))
    service.invalidate(matching: "items")
    list.loadIfNeeded()
    list.loadAll()
    await list.settled()
    #expect(list.items == [1] && list.state == .ended)
  }

  @Test(
    "An invalidated page that did not exist is asked for with the next demand, and wants nothing itself"
  )
  @MainActor func invalidatedAbsence() async {
    let stub = StubTransport()
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    stub.on(.get, "/items", .json("[1,2,3]"))
    stub.on(.get, "/items?page=2", .response(status: 404))
    stub.on(.get, "/items?page=3", .response(status: 404))
    var options = PagedCollection<Int>.Options()
    options.reloadsWhenInvalidated = false
    options.requestBudget = 1
    let list = service.pages("items", of: Int.self, style: .pageNumber("page"), options: options)
    let observation = list.observe { _, _ in }
    list.loadAll()
    await list.settled()
    stub.on(.get, "/items?page=2", .json("[4]"))
    stub.forgetRequests()
    let demand = list.list.demand
    service.invalidate(matching: "items")
    await list.settled()
    #expect(list.list.demand == demand && stub.requests.isEmpty)
    list.loadIfNeeded()
    await list.settled()
    #expect(list.items == [1, 2, 3, 4] && stub.requests.count == 2)
    // The page after that one is not asked for: no items are wanted there.
    #expect(list.list.demand == demand && list.state == .idle)
    withExtendedLifetime(observation) {}
  }

  @Test("A page that the program loads while the list waits for it is awaited to its newest load")
  func programLoads() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 12)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 3 }
      let style = PageStyle.pageNumber("page", totalPageCount: "pages").items(at: "items")
      fixture.list.loadAll()
      await fixture.respond(1)
      let third: Resource<Page<Int>> = fixture.service.resource(
        "rows?page=3", decoder: .page(style))
      let own = third.load()
      fixture.list.refresh()
      #expect(!own.isCompleted, "the program's own load is not the list's to cancel")
      // One more request is at the server than there are loads: the newer one supersedes it.
      var random = SeededGenerator(seed: 1)
      for _ in 0..<100 where fixture.list.isLoading {
        #expect(await fixture.requests.haveArrived(from: fixture.service))
        fixture.requests.release(&random)
        #expect(await fixture.requests.haveArrived(from: fixture.service))
      }
      #expect(fixture.list.items == Array(0..<12))
    }
  }
}
