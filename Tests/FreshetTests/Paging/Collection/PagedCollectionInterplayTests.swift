import Foundation
import FreshetTesting
import Testing

@testable import Freshet

extension PagedCollection {
  /// The pages in memory, and the one beyond the end that was asked for.
  var knownPages: [PageResource] {
    let beyond = list.beyond.end.map { [Self.resource($0)] } ?? []
    return list.chain.slots.inOrder.map { Self.resource(PageList.resource($0.page)) } + beyond
  }

  /// What holds whenever no event is being delivered: nothing counts as loading but what a page under
  /// way will end.
  var stuck: String? {
    if state.isLoading || refreshState.isLoading, list.awaited.end?.isLoading != true {
      return "\(state), refresh \(refreshState), and no page is loading"
    }
    if previousState.isLoading, list.awaited.start?.isLoading != true {
      return "\(previousState) at the start, and no page is loading"
    }
    return nil
  }
}

@Suite("Walks of a list of pages that cross each other")
struct PagedCollectionCrossingTests {
  @Test(
    "A walk that was sent back goes on, though the page it waited for is loaded twice",
    arguments: Home.allCases)
  func sentBack(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      let older = scene.stub.hold(.get, "/items?page=3")
      scene.page(3).invalidate()
      scene.list.loadIfNeeded()
      await older.arrived()
      let first = scene.page(3).loadIfNeeded()
      let newer = scene.stub.hold(.get, "/items?page=3")
      let second = scene.page(3).load()
      await newer.arrived()
      scene.page(1).invalidate()
      older.release(with: PageListScene.answer([4], next: nil))
      await first?.ended()
      newer.release(with: .status(500))
      await second.ended()
      #expect(scene.list.stuck == nil)
      if scene.list.stuck == nil { await scene.list.settled() }
      #expect(scene.list.items == [1, 2, 4])
    }
  }

  @Test(
    "A page that is awaited at both ends is a loop at the start, and keeps nobody waiting",
    arguments: Home.allCases)
  func awaitedAtBothEnds(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1], [2], [3]], startingAt: 2)
      scene.scene.stub.on(
        .get, "/items?page=3", PageListScene.answer([3], next: "/items?page=1"))
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.scene.stub.hold(.get, "/items?page=1")
      scene.list.loadPrevious()
      await gate.arrived()
      let request = scene.scene.page(1).loadIfNeeded()
      scene.list.loadAll()
      await scene.scene.page(3).loadIfNeeded()?.ended()
      gate.release()
      await request?.ended()
      #expect(scene.list.stuck == nil)
      if scene.list.stuck == nil { await scene.list.settled() }
      scene.list.list.chain.checkInvariants()
      #expect(scene.list.items == [2, 3, 1])
      guard case .incomplete(let walk) = scene.list.previousState else {
        Issue.record("the state is \(scene.list.previousState)")
        return
      }
      #expect(walk.reason == .loop(backTo: 2))
    }
  }

  @Test("A refresh that failed at a page that was dropped can be retried", arguments: Home.allCases)
  func retriesDropped(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.maxPages = 1 }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.fail(1)
      scene.list.refresh()
      await scene.list.settled()
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [2])
      scene.stub.forgetRequests()
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.list.refreshState.description == "idle")
      #expect(scene.list.items == [2] && scene.asked == [2])
    }
  }

  @Test(
    "A list whose end failed stays so, however often items near it are shown",
    arguments: Home.allCases)
  func failureIsNoBudget(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      scene.fail(2)
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.list.loadMore()
      await scene.list.settled()
      scene.mirror.forget()
      for _ in 0..<120 { scene.list.itemShown(at: 0) }
      #expect(scene.list.state.description == "failed(page 2, http)")
      #expect(scene.mirror.states.isEmpty)
    }
  }

  @Test("Only the demand for the whole list is without a budget", arguments: Home.allCases)
  func budgetAfterAll(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1]]) { $0.requestBudget = 3 }
      await scene.loadAll()
      scene.serve([[1]] + (0..<9).map { _ in [] } + [[2]])
      scene.list.refresh()
      await scene.list.settled()
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.asked.count == 1 + 3)
    }
  }

  @Test("An item that is on every page does not make a refresh run away", arguments: Home.allCases)
  func pinnedItem(home: Home) async throws {
    await home.run { home in
      let counter = Locked(0)
      let stub = StubTransport { request in
        // An endless list of ever new items behind the same one, with cursors made anew.
        let number = counter.withLock { count in
          count += 1
          return count
        }
        return HTTPResponse(
          status: 200,
          headers: [
            "Content-Type": "application/json", "Link": "</items?t=\(number)>; rel=\"next\"",
          ],
          body: Data("[1,\(number * 10 + 2),\(number * 10 + 3)]".utf8), url: request.url)
      }
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
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
    "A page that is changed by whoever learns first of its confirmation", arguments: Home.allCases)
  func changedAtConfirmation(home: Home) async throws {
    await home.run { home in
      let server = PagedServer(pageCount: 2)
      let clock = ManualClock()
      let service = Service(baseURL: "https://api.test", transport: server.transport, clock: clock)
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
