import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Walks of a list of pages that cross each other", .standardTimeLimit)
struct PagedCollectionCrossingTests {
  @Test(
    "A walk that was sent back continues, though the page it waited for is loaded twice",
    arguments: StoreActor.allCases)
  func sentBack(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      let older = fixture.stub.hold(.get, "/items?page=3")
      fixture.page(3).invalidate()
      fixture.list.loadIfNeeded()
      await older.arrived()
      let first = fixture.page(3).loadIfNeeded()
      let newer = fixture.stub.hold(.get, "/items?page=3")
      let second = fixture.page(3).load()
      await newer.arrived()
      fixture.page(1).invalidate()
      older.release(with: PageListFixture.response([4], next: nil))
      await first?.completed()
      newer.release(with: .status(500))
      await second.completed()
      #expect(fixture.list.stuck == nil)
      if fixture.list.stuck == nil { await fixture.list.settled() }
      #expect(fixture.list.items == [1, 2, 4])
    }
  }

  @Test(
    "A page that is awaited at both ends is a loop at the start, and keeps no caller waiting",
    arguments: StoreActor.allCases)
  func awaitedAtBothEnds(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3]], startingAt: 2)
      fixture.fixture.stub.on(
        .get, "/items?page=3", PageListFixture.response([3], next: "/items?page=1"))
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      let gate = fixture.fixture.stub.hold(.get, "/items?page=1")
      fixture.list.loadPreviousPage()
      await gate.arrived()
      let request = fixture.fixture.page(1).loadIfNeeded()
      fixture.list.loadAll()
      await fixture.fixture.page(3).loadIfNeeded()?.completed()
      gate.release()
      await request?.completed()
      #expect(fixture.list.stuck == nil)
      if fixture.list.stuck == nil { await fixture.list.settled() }
      fixture.list.checkInvariants()
      #expect(fixture.list.items == [2, 3, 1])
      guard case .incomplete(let walk) = fixture.list.previousState else {
        Issue.record("the state is \(fixture.list.previousState)")
        return
      }
      #expect(walk.reason == .loop(backTo: 2))
    }
  }

  @Test(
    "A refresh that failed at a page that was dropped can be retried",
    arguments: StoreActor.allCases)
  func retriesDropped(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.retainedPageLimit = 1 }
      await fixture.loadIfNeeded()
      fixture.fail(1)
      await fixture.refresh()
      await fixture.loadMore()
      #expect(fixture.list.items == [2])
      fixture.stub.forgetRequests()
      await fixture.retry()
      #expect(fixture.list.refreshState.description == "idle")
      #expect(fixture.list.items == [2])
      // What failed was dropped, and what is left came after the refresh began.
      #expect(fixture.asked.isEmpty)
    }
  }

  @Test(
    "A list whose end failed stays so, however often items near it are shown",
    arguments: StoreActor.allCases)
  func failureIsNoBudget(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.fail(2)
      await fixture.loadIfNeeded()
      await fixture.loadMore()
      fixture.mirror.forget()
      for _ in 0..<120 { fixture.list.itemShown(at: 0) }
      #expect(fixture.list.state.description == "failed(page 1, http)")
      #expect(fixture.mirror.states.isEmpty)
    }
  }

  @Test("Only the demand for the whole list is without a budget", arguments: StoreActor.allCases)
  func budgetAfterAll(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]]) { $0.requestBudget = 3 }
      await fixture.loadAll()
      fixture.serve([[1]] + (0..<9).map { _ in [] } + [[2]])
      await fixture.refresh()
      await fixture.loadMore()
      #expect(fixture.asked.count == 1 + 3)
    }
  }

  @Test(
    "An item that is on every page does not make a refresh run away", arguments: StoreActor.allCases
  )
  func pinnedItem(actor: StoreActor) async throws {
    await actor.run { actor in
      let counter = Locked(0)
      let stub = StubTransport { request in
        // An endless list of new items after the same one, with new cursors on every read.
        let number = counter.next()
        return HTTPResponse(
          status: 200,
          headers: [
            "Content-Type": "application/json", "Link": "</items?t=\(number)>; rel=\"next\"",
          ],
          body: Data("[1,\(number * 10 + 2),\(number * 10 + 3)]".utf8), url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      var options = PagedCollection<Int>.Options()
      options.identity = ItemIdentity { $0 }
      options.pageLimit = 200
      let list = service.pages("items", of: Int.self, style: .linkHeader, options: options)
      list.displayedCount = 8
      list.loadIfNeeded()
      await list.settled()
      #expect(list.pageCount == 4)
      list.refresh()
      await list.settled()
      #expect(list.state.description == "idle")
      #expect(list.pageCount <= 5 && counter.withLock { $0 } <= 10)
      let hasStaleItems = list.list.chain.hasStalePages
      #expect(!hasStaleItems)
    }
  }

  @Test(
    "A page that is changed by whoever learns first of its confirmation",
    arguments: StoreActor.allCases)
  func changedAtConfirmation(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 2)
      let clock = ManualClock()
      let service = server.service(clock: clock)
      let page =
        service.resource("items?page=2", decoder: .page(.linkHeader)) as Resource<Page<Int>>
      let mirror = ListMirror<Int>()
      page.addObserver(owner: mirror) { _, event in
        if case .notModified = event { page.updateContent { $0.items.append(9) } }
      }
      let list = service.pages("items?page=1", of: Int.self, style: .linkHeader)
      list.addObserver(mirror)
      list.loadAll()
      await list.settled()
      clock.advance(by: .seconds(40))
      list.loadIfNeeded()
      await list.settled()
      #expect(page.content?.items == [2, 3, 9])
      #expect(list.items == [0, 1, 2, 3, 9] && list.itemRange(ofPage: 1) == 2..<5)
      #expect(mirror.failure == nil)
    }
  }
}
