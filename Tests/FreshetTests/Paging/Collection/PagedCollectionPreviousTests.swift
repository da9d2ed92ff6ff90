import Freshet
import FreshetTesting
import Testing

@Suite("Both ends of a list of pages", .standardTimeLimit)
struct PagedCollectionPreviousTests {
  @Test(
    "A list that begins in the middle grows at both ends, and reports by how much it moved",
    arguments: StoreActor.allCases)
  func startsInTheMiddle(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1, 2], [3], [4, 5], [6]], startingAt: 3)
      var indices: [Int] = []
      fixture.mirror.onEvent = { _, event in
        if case .itemsChanged(let change) = event { indices.append(change.firstItemIndex) }
      }
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      #expect(fixture.list.hasPreviousPage)
      #expect(fixture.list.previousState.description == "idle")
      fixture.list.loadPreviousPage()
      #expect(fixture.list.previousState.isLoading && fixture.list.isLoading)
      await fixture.list.settled()
      #expect(fixture.list.items == [3, 4, 5])
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      fixture.list.loadMore()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3, 4, 5, 6])
      #expect(indices == [0, -1, -3, -3])
      #expect(!fixture.list.hasPreviousPage)
      #expect(fixture.list.previousState.description == "ended")
      #expect(fixture.asked == [3, 2, 1, 4])
      #expect(fixture.mirror.failure == nil)
      fixture.list.loadPreviousPage()
      #expect(!fixture.list.isLoading)
    }
  }

  @Test("An item near the start requests the previous page", arguments: StoreActor.allCases)
  func itemShown(actor: StoreActor) async throws {
    await actor.run { actor in
      let pages = (0..<5).map { page in Array(page * 4..<(page + 1) * 4) }
      let fixture = TwoWayListFixture(pages, startingAt: 3) { $0.prefetchDistance = 2 }
      fixture.list.loadIfNeeded()
      await fixture.settled()
      fixture.list.itemShown(at: 2)
      await fixture.settled()
      #expect(fixture.list.items == Array(8..<16))
      fixture.list.itemShown(at: 1)
      await fixture.list.settled()
      #expect(fixture.asked == [2])
      #expect(fixture.list.items == Array(4..<16))
      #expect(fixture.list.firstItemIndex == -4)
    }
  }

  @Test(
    "A page before the first that fails keeps the items, and a retry asks for it only",
    arguments: StoreActor.allCases)
  func failure(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3]], startingAt: 2)
      await fixture.loadedWithFailedPrevious()
      #expect(fixture.list.previousState.description == "failed(page -1, http)")
      #expect(fixture.list.state.description == "ended", "the other end is not concerned")
      #expect(fixture.list.items == [2, 3])
      fixture.serve([[1], [2], [3]])
      fixture.list.retry()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.asked == [1, 1])
      #expect(
        fixture.mirror.previousStates.suffix(3) == ["failed(page -1, http)", "loading", "ended"])
    }
  }

  @Test(
    "A page before the first that has failed comes once the program has loaded it, and leaves the other end",
    arguments: StoreActor.allCases, [200, 304])
  func loadedByProgram(actor: StoreActor, status: Int) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3]], startingAt: 2)
      let first = fixture.fixture.page(1)
      // One that is confirmed is loaded, and stale.
      if status == 304 {
        fixture.fixture.stub.on(
          .get, "/items?page=1",
          .json("[1]", headers: ["ETag": "\"1\"", "Link": "</items?page=2>; rel=next"]))
        await first.load().completed()
        fixture.fixture.clock.advance(by: .seconds(31))
      }
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      for page in [1, 3] { fixture.fixture.fail(page) }
      fixture.list.loadMore()
      fixture.list.loadPreviousPage()
      await fixture.settled()
      #expect(fixture.list.state.description == "failed(page 1, http)")
      #expect(fixture.list.previousState.description == "failed(page -1, http)")
      fixture.fixture.clock.advance(by: .seconds(2))
      if status == 304 {
        fixture.fixture.stub.on(.get, "/items?page=1", .status(304))
      } else {
        fixture.serve([[1], [2], [3]])
      }
      await first.load().completed()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2] && fixture.list.previousState == .ended)
      #expect(fixture.list.state.description == "failed(page 2, http)")
      #expect(fixture.asked == [1] && fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A page before the first that has failed stays out of what is loaded after a wipe",
    arguments: [false, true])
  func loadedAfterWipe(failsAfterIt: Bool) async {
    await StoreActor.mainActor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3]], startingAt: 2)
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      let gate = fixture.fixture.stub.hold(.get, "/items?page=1")
      fixture.list.loadPreviousPage()
      await gate.arrived()
      if failsAfterIt { fixture.list.firstPage.wipe() }
      gate.release(with: .status(500))
      await fixture.settled()
      #expect(fixture.list.previousState.description == "failed(page -1, http)")
      if !failsAfterIt { fixture.list.firstPage.wipe() }
      fixture.serve([[1], [2], [3]])
      await fixture.fixture.page(1).load().completed()
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      #expect(fixture.list.items == [2] && fixture.asked == [1, 2])
    }
  }

  @Test(
    "After a page before the first has failed, the other end loads one page at a time",
    arguments: StoreActor.allCases)
  func failureNarrows(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3], [4], [5]], startingAt: 2) {
        $0.concurrentLoads = 2
      }
      let (stub, service) = (fixture.fixture.stub, fixture.fixture.service)
      fixture.list.loadAll()
      await fixture.settled()
      // Pages that are known and stale can be requested ahead.
      fixture.fixture.clock.advance(by: .seconds(31))
      let gates = (1...3).map { stub.hold(.get, "/items?page=\($0)") }
      fixture.list.loadPreviousPage()
      fixture.list.loadIfNeeded()
      #expect(service.loadingCount == 2)
      await gates[0].arrived()
      gates[0].release(with: .status(500))
      await until { service.loadingCount == 1 }
      #expect(fixture.list.previousState.description == "failed(page -1, http)")
      await gates[1].arrived()
      gates[1].release()
      await gates[2].arrived()
      #expect(service.loadingCount == 1)
      gates[2].release()
      await fixture.list.settled()
      // The first two are sent at once: which one arrives first is not determined.
      #expect(fixture.asked.prefix(2).sorted() == [1, 2])
      #expect(fixture.asked.dropFirst(2) == [3, 4, 5])
      #expect(fixture.list.items == [2, 3, 4, 5] && fixture.list.state == .ended)
    }
  }

  @Test("A load before the first page can be cancelled", arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2]], startingAt: 2)
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      let gate = fixture.fixture.stub.hold(.get, "/items?page=1", ignoringCancellation: true)
      fixture.list.loadPreviousPage()
      await gate.arrived()
      fixture.list.cancelLoad()
      #expect(fixture.list.previousState.description == "idle")
      gate.release()
      #expect(fixture.list.items == [2])
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2])
    }
  }

  @Test(
    "A page before the first leaves the items that a failed or cancelled refresh has left",
    arguments: StoreActor.allCases, [false, true])
  func keepsStaleItems(actor: StoreActor, isCancelled: Bool) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3], [4], [5]], startingAt: 3)
      fixture.list.loadAll()
      await fixture.settled()
      let stub = fixture.fixture.stub
      stub.on(
        .get, "/items?page=3",
        .json("[3]", headers: ["Link": "</items?page=9>; rel=next, </items?page=2>; rel=prev"]))
      fixture.fixture.fail(9)
      let gate = isCancelled ? stub.hold(.get, "/items?page=9") : nil
      fixture.list.refresh()
      if let gate {
        await gate.arrived()
        fixture.list.cancelLoad()
      }
      await fixture.settled()
      #expect(fixture.list.items == [3, 4, 5])
      fixture.list.loadPreviousPage()
      await fixture.settled()
      #expect(fixture.list.items == [2, 3, 4, 5] && fixture.mirror.failure == nil)
      fixture.fixture.serve(9, [9], next: nil)
      fixture.list.refresh()
      await fixture.list.settled()
      #expect(fixture.list.items == [2, 3, 9] && fixture.list.state == .ended)
    }
  }

  @Test(
    "A link before the first page that leads into the chain is a loop",
    arguments: StoreActor.allCases)
  func loop(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2]], startingAt: 1)
      fixture.fixture.stub.on(
        .get, "/items?page=1",
        .json("[1]", headers: ["Link": "</items?page=1>; rel=prev, </items?page=2>; rel=next"]))
      fixture.list.loadAll()
      await fixture.list.settled()
      fixture.list.loadPreviousPage()
      guard case .incomplete(let walk) = fixture.list.previousState else {
        Issue.record("the state is \(fixture.list.previousState)")
        return
      }
      #expect(walk.reason == .loop(backTo: 0))
    }
  }

  @Test(
    "A link back to the first page is a loop also where its style was recognized",
    arguments: StoreActor.allCases, [1, 2])
  func recognizedLoop(actor: StoreActor, start: Int) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([])
      for (page, previous) in [(1, start), (2, 1)] {
        let link = "</items?page=\(page + 1)>; rel=next, </items?page=\(previous)>; rel=prev"
        fixture.stub.on(.get, "/items?page=\(page)", .json("[\(page)]", headers: ["Link": link]))
      }
      let list = fixture.service.pages("items?page=\(start)", of: Int.self)
      list.loadIfNeeded()
      for _ in 1...2 {
        await list.settled()
        list.loadPreviousPage()
      }
      await list.settled()
      #expect(list.items == Array(1...start))
      guard case .incomplete(let walk) = list.previousState else {
        Issue.record("the state is \(list.previousState)")
        return
      }
      #expect(walk.reason == .loop(backTo: start - 1))
    }
  }
}
