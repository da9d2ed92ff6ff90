import Freshet
import FreshetTesting
import Testing

@Suite("What one demand may cost", .standardTimeLimit)
struct PagedCollectionBudgetTests {
  @Test("The first page is part of it", arguments: StoreActor.allCases, [1, 4])
  func firstPage(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<20).map { _ in [] } + [[1]]) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [1, 2, 3, 4])
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
      await fixture.loadMore()
      #expect(fixture.asked == [1, 2, 3, 4, 5, 6, 7, 8], "and of the next demand nothing is lost")
    }
  }

  @Test("A demand that is remembered while a page loads is one demand, not two")
  func remembered() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.requestBudget = 2
        $0.displayedCount = 8
      }
      fixture.list.loadIfNeeded()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 1)
      fixture.list.loadMore()
      await fixture.respondToAll()
      #expect(fixture.asked == [1, 2, 3, 4])
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(2))
      fixture.list.loadMore()
      await fixture.respondToAll()
      #expect(fixture.asked == [1, 2, 3, 4, 5], "and nothing of the next demand is lost")
    }
  }

  @Test(
    "Loaded pages that are stale are requested in addition", arguments: StoreActor.allCases, [1, 4])
  func stalePages(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...12).map { [$0] }) {
        $0.requestBudget = 3
        $0.concurrentLoads = concurrentLoads
      }
      fixture.list.loadPages(through: 5)
      await fixture.list.settled()
      fixture.stub.forgetRequests()
      fixture.clock.advance(by: .seconds(31))
      fixture.list.displayedCount = 12
      await fixture.loadIfNeeded()
      #expect(fixture.asked.sorted() == Array(1...9))
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(3))
    }
  }

  @Test("It is the same toward the start", arguments: StoreActor.allCases, [1, 4])
  func backwards(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[9]] + (0..<18).map { _ in [] } + [[1]], startingAt: 20) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      fixture.list.loadIfNeeded()
      await fixture.settled()
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      #expect(fixture.asked == [19, 18, 17, 16])
      guard case .incomplete(let walk) = fixture.list.previousState else {
        Issue.record("the state is \(fixture.list.previousState)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
    }
  }

  @Test(
    "So are the pages before a window whose items were all deleted",
    arguments: StoreActor.allCases, [1, 4])
  func emptiedWindow(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((1...20).map { [$0] }) {
        $0.retainedPageLimit = 2
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      await fixture.loadAll()
      fixture.serve([[1]] + (2...20).map { _ in [] })
      await fixture.refresh()
      #expect(fixture.asked.sorted() == Array(15...20), "two that were loaded, and four")
      guard case .incomplete(let walk) = fixture.list.previousState else {
        Issue.record("the state is \(fixture.list.previousState)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
      fixture.stub.forgetRequests()
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      #expect(fixture.asked == [14, 13, 12, 11])
      for _ in 0..<3 {
        fixture.list.loadMore()
        await fixture.list.settled()
      }
      #expect(fixture.list.items == [1], "and the next demands come to the items")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Pages that are asked for ahead are part of it", arguments: StoreActor.allCases, [1, 3, 8])
  func ahead(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) {
        $0.requestBudget = 4
        $0.concurrentLoads = concurrentLoads
      }
      fixture.list.displayedCount = 30
      fixture.list.loadIfNeeded()
      await fixture.respondToAll()
      #expect(fixture.stub.requests.count == 4)
      #expect(fixture.list.items == Array(0..<8))
      guard case .incomplete(let walk) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect(walk.reason == .requestBudget(4))
    }
  }
}
