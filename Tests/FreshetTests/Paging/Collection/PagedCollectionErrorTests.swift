import Freshet
import FreshetTesting
import Testing

@Suite("Errors of a list of pages")
struct PagedCollectionErrorTests {
  @Test(
    "A first page that fails leaves an empty list, and a retry begins with it",
    arguments: Home.allCases)
  func firstPageFails(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      scene.fail(1)
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.state.description == "failed(page 1, http)")
      #expect(scene.list.items.isEmpty && scene.list.pageCount == 0)
      scene.serve([[1], [2]])
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.list.items == [1])
      #expect(scene.mirror.states == ["loading", "failed(page 1, http)", "loading", "idle"])
    }
  }

  @Test("An error keeps the items, and a retry asks for that page only", arguments: Home.allCases)
  func errorInTheMiddle(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3], [4]])
      scene.fail(3)
      await scene.loadAll()
      #expect(scene.list.items == [1, 2])
      #expect(scene.list.state.description == "failed(page 3, http)")
      scene.list.loadMore()
      scene.list.loadIfNeeded()
      #expect(scene.asked.isEmpty, "not before the retry time")
      scene.serve(3, [3], next: "/items?page=4")
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.asked == [3, 4], "it goes on with what was asked for")
      #expect(scene.list.items == [1, 2, 3, 4])
      #expect(scene.list.state.description == "ended")
    }
  }

  @Test("A retry does nothing where nothing has failed", arguments: Home.allCases)
  func retryOfNothing(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]]) { $0.reloadsWhenInvalidated = false }
      scene.list.retry()
      #expect(!scene.list.state.isLoading)
      await scene.loadAll()
      scene.page(1).invalidate()
      scene.list.retry()
      #expect(!scene.list.state.isLoading && scene.asked.isEmpty)
    }
  }

  @Test(
    "A retry loads what was invalidated before the page that failed, too", arguments: Home.allCases)
  func retryAfterInvalidation(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.reloadsWhenInvalidated = false }
      scene.fail(3)
      await scene.loadAll()
      scene.page(1).invalidate()
      scene.serve([[1], [2], [3]])
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.asked == [1, 3])
    }
  }

  @Test(
    "A refresh that fails in the middle keeps everything and is no refresh",
    arguments: Home.allCases)
  func refreshFails(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.serve(1, [9], next: "/items?page=2")
      scene.fail(2)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [9, 2, 3])
      #expect(scene.list.refreshState.description == "failed(page 2, http)")
      #expect(scene.list.state.description == "ended", "the end of the list is not concerned")
      #expect(!scene.list.isRefreshing && scene.list.lastRefreshed == nil)
      #expect(scene.asked == [1, 2])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("A retry takes up a refresh at the page that failed", arguments: Home.allCases)
  func retryOfRefresh(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.fail(2)
      scene.list.refresh()
      await scene.list.settled()
      scene.serve([[1], [2], [4]])
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 2, 3])
      #expect(scene.list.items == [1, 2, 4])
      #expect(scene.list.lastRefreshed != nil)
      #expect(scene.mirror.refreshStates == ["loading", "failed(page 2, http)", "loading", "idle"])
      #expect(scene.mirror.states.isEmpty)
    }
  }

  @Test(
    "A failed refresh does not keep a list that is still fresh from going on",
    arguments: Home.allCases)
  func goesOnAfterFailedRefresh(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.fail(1)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.refreshState.description == "failed(page 1, http)")
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test(
    "A next page whose first load fails in a refresh leaves the stale items",
    arguments: Home.allCases)
  func relinkedPageFails(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.serve(1, [1], next: "/items?page=7")
      scene.fail(7)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.list.pageCount == 1)
      scene.serve(7, [7], next: nil)
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.list.items == [1, 7])
      #expect(scene.list.state.description == "ended")
    }
  }

  @Test(
    "An answer that is no page is a failure, not an end",
    arguments: [
      .text("<html>Log in</html>", headers: ["Content-Type": "text/html"]), .status(204),
      .json("[3]", status: 206), .json("[3"), .json("{}"), .json(""),
    ] as [StubTransport.Answer])
  func noPage(answer: StubTransport.Answer) async throws {
    await Home.plainActor.run { home in
      let scene = PageListScene([[1], [2]])
      scene.stub.on(.get, "/items?page=2", answer)
      await scene.loadAll()
      #expect(scene.list.items == [1])
      guard case .failed(let error, page: 1) = scene.list.state else {
        Issue.record("the state is \(scene.list.state)")
        return
      }
      #expect([.decoding, .badResponse, .contentType].contains(error.kind), "\(error)")
    }
  }
}
