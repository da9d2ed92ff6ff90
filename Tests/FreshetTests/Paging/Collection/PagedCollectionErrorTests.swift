import Freshet
import FreshetTesting
import Testing

@Suite("Errors of a list of pages", .standardTimeLimit)
struct PagedCollectionErrorTests {
  @Test(
    "A first page that fails leaves an empty list, and a retry begins with it",
    arguments: StoreActor.allCases)
  func firstPageFails(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.fail(1)
      await fixture.loadIfNeeded()
      #expect(fixture.list.state.description == "failed(page 0, http)")
      #expect(fixture.list.items.isEmpty && fixture.list.pageCount == 0)
      fixture.serve([[1], [2]])
      await fixture.retry()
      #expect(fixture.list.items == [1])
      #expect(fixture.mirror.states == ["loading", "failed(page 0, http)", "loading", "idle"])
    }
  }

  @Test(
    "An error keeps the items, and a retry asks for that page only", arguments: StoreActor.allCases)
  func errorInTheMiddle(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]])
      fixture.fail(3)
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2])
      #expect(fixture.list.state.description == "failed(page 2, http)")
      #expect(fixture.list.latestError?.kind == .http)
      fixture.list.loadMore()
      fixture.list.loadIfNeeded()
      #expect(fixture.asked.isEmpty, "not before the failure cooldown")
      fixture.serve(3, [3], next: "/items?page=4")
      await fixture.retry()
      #expect(fixture.asked == [3, 4], "it continues with what was requested")
      #expect(fixture.list.items == [1, 2, 3, 4])
      #expect(fixture.list.state.description == "ended" && fixture.list.latestError == nil)
    }
  }

  @Test("A retry does nothing where nothing has failed", arguments: StoreActor.allCases)
  func retryOfNothing(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]]) { $0.reloadsWhenInvalidated = false }
      fixture.list.retry()
      #expect(!fixture.list.state.isLoading)
      await fixture.loadAll()
      fixture.page(1).invalidate()
      fixture.list.retry()
      #expect(!fixture.list.state.isLoading && fixture.asked.isEmpty)
    }
  }

  @Test(
    "A retry loads what was invalidated before the page that failed, too",
    arguments: StoreActor.allCases)
  func retryAfterInvalidation(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.reloadsWhenInvalidated = false }
      fixture.fail(3)
      await fixture.loadAll()
      fixture.page(1).invalidate()
      fixture.serve([[1], [2], [3]])
      await fixture.retry()
      #expect(fixture.asked == [1, 3])
    }
  }

  @Test(
    "A refresh that fails in the middle keeps everything and is no refresh",
    arguments: StoreActor.allCases)
  func refreshFails(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.serve(1, [9], next: "/items?page=2")
      fixture.fail(2)
      await fixture.refresh()
      #expect(fixture.list.items == [9, 2, 3])
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      #expect(fixture.list.state.description == "ended", "the end of the list is not concerned")
      #expect(!fixture.list.isRefreshing && fixture.list.lastRefreshDate == nil)
      #expect(fixture.asked == [1, 2])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A retry resumes a refresh at the page that failed", arguments: StoreActor.allCases)
  func retryOfRefresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.fail(2)
      await fixture.refresh()
      fixture.serve([[1], [2], [4]])
      await fixture.retry()
      #expect(fixture.asked == [1, 2, 2, 3])
      #expect(fixture.list.items == [1, 2, 4])
      #expect(fixture.list.lastRefreshDate != nil)
      #expect(
        fixture.mirror.refreshStates == ["loading", "failed(page 1, http)", "loading", "idle"])
      #expect(fixture.mirror.states.isEmpty)
    }
  }

  @Test(
    "A retry of a refresh requests what has failed before its page as well, and nothing else twice",
    arguments: StoreActor.allCases)
  func retryOfSeveral(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]])
      await fixture.loadAll()
      fixture.fail(3)
      await fixture.refresh()
      fixture.fail(1)
      fixture.page(1).invalidate()
      await fixture.list.settled()
      #expect(fixture.list.refreshState.description == "failed(page 2, http)")
      #expect(fixture.list.state.description == "failed(page 0, http)")
      fixture.serve([[1], [2], [3], [4]])
      fixture.stub.forgetRequests()
      await fixture.retry()
      #expect(fixture.asked == [1, 3, 4])
      #expect(fixture.list.refreshState == .idle && fixture.list.state == .ended)
      #expect(fixture.list.latestError == nil)
    }
  }

  @Test(
    "A retry requests what has failed after a refresh had, beyond its pages",
    arguments: StoreActor.allCases)
  func retryBeyondRefresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadIfNeeded()
      fixture.fail(1)
      await fixture.refresh()
      fixture.fail(2)
      await fixture.loadMore()
      #expect(fixture.list.refreshState.description == "failed(page 0, http)")
      #expect(fixture.list.state.description == "failed(page 1, http)")
      fixture.serve([[1], [2], [3]])
      fixture.stub.forgetRequests()
      await fixture.retry()
      #expect(fixture.asked == [1, 2] && fixture.list.items == [1, 2])
      #expect(fixture.list.latestError == nil)
    }
  }

  @Test(
    "A failed refresh does not keep a list that is still fresh from continuing",
    arguments: StoreActor.allCases)
  func goesOnAfterFailedRefresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadIfNeeded()
      fixture.fail(1)
      await fixture.refresh()
      #expect(fixture.list.refreshState.description == "failed(page 0, http)")
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2])
    }
  }

  @Test(
    "A failed refresh continues when the list loads the page that had failed",
    arguments: StoreActor.allCases, [false, true])
  func resumesFailedRefresh(actor: StoreActor, failsAgain: Bool) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.fail(2)
      await fixture.refresh()
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      fixture.serve([[1], [2], [3]])
      if failsAgain { fixture.fail(3) }
      fixture.clock.advance(by: .seconds(2))
      fixture.stub.forgetRequests()
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [2, 3])
      if failsAgain {
        #expect(fixture.list.refreshState.description == "failed(page 2, http)")
        fixture.serve([[1], [2], [3]])
        await fixture.retry()
        #expect(fixture.asked == [2, 3, 3])
      }
      #expect(fixture.list.refreshState == .idle && fixture.list.latestError == nil)
      #expect(fixture.list.state == .ended && fixture.list.lastRefreshDate != nil)
    }
  }

  @Test(
    "A retry requests what failed after the page at which a refresh had failed was loaded",
    arguments: StoreActor.allCases)
  func failsAfterFailedRefresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]])
      fixture.list.loadIfNeeded()
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2])
      fixture.fail(2)
      await fixture.refresh()
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      fixture.serve([[1], [2], [3], [4]])
      fixture.fail(3)
      fixture.clock.advance(by: .seconds(2))
      await fixture.loadMore()
      #expect(fixture.list.state.description == "failed(page 2, http)")
      #expect(fixture.list.refreshState == .idle)
      fixture.serve([[1], [2], [3], [4]])
      fixture.stub.forgetRequests()
      await fixture.retry()
      #expect(fixture.asked == [3] && fixture.list.items == [1, 2, 3])
    }
  }

  @Test(
    "A page that failed and is then loaded by the program lets the list continue, changed or not",
    arguments: StoreActor.allCases, [false, true])
  func loadedByProgram(actor: StoreActor, hasChanged: Bool) async throws {
    await actor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 4)
      fixture.clock.advance(by: .seconds(31))
      fixture.server.fail(1)
      fixture.list.loadIfNeeded()
      await fixture.respondToAll()
      #expect(fixture.list.state.description == "failed(page 1, http)")
      fixture.server.fail()
      if hasChanged { fixture.server.change { $0[1] = [2, 30] } }
      fixture.list.pages[1].load()
      await fixture.respond(2)
      await fixture.respondToAll()
      #expect(fixture.list.state == .ended && fixture.list.latestError == nil)
      #expect(fixture.asked == [1, 2, 2, 3, 4])
      #expect(fixture.server.confirmed.contains(1) != hasChanged)
      #expect(fixture.list.items == fixture.server.items)
    }
  }

  @Test(
    "Where the last page no longer names the page that failed, the list ends or continues with another one",
    arguments: [(nil, false), (7, false), (7, true)] as [(Int?, Bool)])
  func failedPageIsNotNamed(next: Int?, isConfirmed: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      var headers: HTTPHeaders = ["ETag": "\"2\"", "Link": "</items?page=3>; rel=\"next\""]
      fixture.stub.on(.get, "/items?page=2", .json("[2]", headers: headers))
      fixture.fail(3)
      await fixture.loadAll()
      #expect(fixture.list.state.description == "failed(page 2, http)")
      headers["Link"] = next.map { "</items?page=\($0)>; rel=\"next\"" }
      fixture.stub.on(
        .get, "/items?page=2",
        isConfirmed ? .status(304, headers: headers) : .json("[2]", headers: headers))
      fixture.serve(7, [7], next: nil)
      // As another list does.
      await fixture.list.pages[1].load().completed()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2] + (next.map { [$0] } ?? []))
      #expect(fixture.list.state == .ended && fixture.list.latestError == nil)
      #expect(fixture.asked == [2] + (next.map { [$0] } ?? []))
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A next page whose first load fails in a refresh leaves the stale items",
    arguments: StoreActor.allCases)
  func relinkedPageFails(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.serve(1, [1], next: "/items?page=7")
      fixture.fail(7)
      await fixture.refresh()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.list.pageCount == 1)
      fixture.serve(7, [7], next: nil)
      await fixture.retry()
      #expect(fixture.list.items == [1, 7])
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test(
    "A response that is no page is a failure, not an end",
    arguments: [
      .text("<html>Log in</html>", headers: ["Content-Type": "text/html"]), .status(204),
      .json("[3]", status: 206), .json("[3"), .json("{}"), .json(""),
    ] as [StubTransport.Response])
  func noPage(response: StubTransport.Response) async throws {
    await StoreActor.plainActor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.stub.on(.get, "/items?page=2", response)
      await fixture.loadAll()
      #expect(fixture.list.items == [1])
      guard case .failed(let error, page: 1) = fixture.list.state else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
      #expect([.decoding, .badResponse, .contentType].contains(error.kind), "\(error)")
    }
  }
}
