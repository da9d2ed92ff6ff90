import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Refreshes of a list of pages", .standardTimeLimit)
struct PagedCollectionRefreshTests {
  @Test("A refresh of stale pages requests only those", arguments: StoreActor.allCases)
  func stale(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.list.refresh(.stale)
      #expect(!fixture.list.isLoading && fixture.list.lastRefreshDate != nil)
      fixture.page(2).invalidate()
      await fixture.refresh(.stale)
      #expect(fixture.asked == [2])
    }
  }

  @Test(
    "A refresh from the first page ends at one that has not changed", arguments: StoreActor.allCases
  )
  func firstPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]])
      await fixture.loadAll()
      await fixture.refresh(.firstPage)
      #expect(fixture.asked == [1])
      fixture.serve([[9], [8], [3], [7]])
      await fixture.refresh(.firstPage)
      #expect(fixture.asked == [1, 1, 2, 3])
      #expect(fixture.list.items == [9, 8, 3, 4])
      #expect(fixture.list.state.description == "ended")
      fixture.list.loadIfNeeded()
      #expect(!fixture.list.isLoading)
      fixture.clock.advance(by: .seconds(30))
      await fixture.loadIfNeeded()
      #expect(fixture.list.items == [9, 8, 3, 7], "what was left alone expires as it did before")
    }
  }

  @Test(
    "A first page whose confirmation brings other header fields has not changed, whatever its items",
    arguments: StoreActor.allCases)
  func firstPageConfirmed(actor: StoreActor) async throws {
    struct Row: Decodable, Sendable {
      let number: Int
    }
    await actor.run { actor in
      let requests = Locked<[String]>([])
      let stub = StubTransport { request in
        let page = request.url.query?.last.flatMap(\.wholeNumberValue) ?? 0
        let count = requests.withLock { requests in
          requests.append("\(page)")
          return requests.count
        }
        var headers: HTTPHeaders = [
          "Content-Type": "application/json", "ETag": "\"\(page)\"", "X-Total-Count": "\(count)",
        ]
        if page < 3 { headers["Link"] = "</items?page=\(page + 1)>; rel=\"next\"" }
        let isKnown = request.headers["If-None-Match"] != nil
        return HTTPResponse(
          status: isKnown ? 304 : 200, headers: headers,
          body: isKnown ? Data() : Data("[{\"number\":\(page)}]".utf8), url: request.url)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items?page=1", of: Row.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      list.refresh(.firstPage)
      await list.settled()
      #expect(requests.withLock { $0 } == ["1", "2", "3", "1"])
      #expect(list.firstPage.content?.totalCount == 4)
    }
  }

  @Test(
    "What a refresh changes can be shown at once when it is complete",
    arguments: StoreActor.allCases)
  func whenComplete(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.publication = .whenComplete }
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.mirror.changeCount == 3, "a first walk shows each page as it arrives")
      fixture.serve([[4], [5], [6]])
      let gate = fixture.stub.hold(.get, "/items?page=3")
      fixture.mirror.forget()
      fixture.list.refresh()
      await gate.arrived()
      #expect(fixture.list.items == [1, 2, 3])
      let late = ListMirror<Int>()
      fixture.list.addObserver(late)
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.items == [4, 5, 6])
      #expect(fixture.mirror.changeCount == 1 && late.changeCount == 1)
      #expect(fixture.mirror.failure == nil && late.failure == nil)
    }
  }

  @Test(
    "A refresh that fails or is cancelled shows what it has changed", arguments: StoreActor.allCases
  )
  func whenIncomplete(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.publication = .whenComplete }
      await fixture.loadAll()
      fixture.serve(1, [4], next: "/items?page=2")
      fixture.fail(2)
      await fixture.refresh()
      #expect(fixture.list.items == [4, 2, 3])
      fixture.serve(1, [5], next: "/items?page=2")
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh()
      await gate.arrived()
      #expect(fixture.list.items == [4, 2, 3])
      fixture.list.cancelLoad()
      #expect(fixture.list.items == [5, 2, 3])
      #expect(fixture.list.refreshState.description == "idle")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A refresh outranks the page that is being loaded at the end, which comes after it",
    arguments: StoreActor.allCases)
  func outranks(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadIfNeeded()
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.loadMore()
      await gate.arrived()
      fixture.list.refresh()
      #expect(!fixture.list.state.isLoading && fixture.list.refreshState.isLoading)
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2])
    }
  }

  @Test(
    "What is asked for during a refresh is loaded after it, and is no part of it",
    arguments: StoreActor.allCases)
  func loadsMoreAfter(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.publication = .whenComplete }
      await fixture.loadIfNeeded()
      fixture.serve(1, [4], next: "/items?page=2")
      let first = fixture.stub.hold(.get, "/items?page=1")
      let second = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh()
      await first.arrived()
      fixture.list.loadMore()
      #expect(ResourceStatus(of: fixture.list).phase == .content)
      first.release()
      await second.arrived()
      #expect(!fixture.list.isRefreshing && fixture.list.refreshState.description == "idle")
      #expect(fixture.list.lastRefreshDate != nil && fixture.list.items == [4])
      #expect(fixture.list.state.isLoading)
      #expect(ResourceStatus(of: fixture.list).phase == .appending)
      fixture.fail(2)
      second.release()
      await fixture.list.settled()
      #expect(fixture.list.refreshState.description == "idle", "the refresh has not failed")
      #expect(fixture.list.state.description.hasPrefix("failed") && fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A cursor that has expired or a missing last page begins the list again, once",
    arguments: StoreActor.allCases, [400, 404, 410])
  func restarts(actor: StoreActor, status: Int) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.list.loadIfNeeded()
      await fixture.loadMore()
      fixture.stub.forgetRequests()
      fixture.stub.on(.get, "/items?page=3", .status(status))
      fixture.serve(1, [1], next: "/items?page=4")
      fixture.serve(4, [4], next: nil)
      let gate = fixture.stub.hold(.get, "/items?page=4")
      fixture.list.loadMore()
      await gate.arrived()
      #expect(fixture.asked == [3, 1, 4])
      #expect(fixture.list.items == [1, 2], "the old items stay visible meanwhile")
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 4])
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A page that is still not there after that is a failure", arguments: StoreActor.allCases)
  func restartsOnce(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.stub.on(.get, "/items?page=3", .status(410))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.asked == [1, 2, 3, 1, 2, 3])
      #expect(fixture.list.state.description == "failed(page 2, http)")
      fixture.clock.advance(by: .seconds(2))
      await fixture.loadMore()
      #expect(fixture.asked.count == 7, "not again, until something goes through")
      await fixture.retry()
      #expect(fixture.asked.count == 8 + 3, "but where a caller requests it")
    }
  }

  @Test(
    "One that failed is complete where the list ends before the page at which it did",
    arguments: StoreActor.allCases)
  func failedPageIsRemoved(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.fail(3)
      await fixture.refresh()
      #expect(fixture.list.refreshState.description == "failed(page 2, http)")
      #expect(fixture.list.lastRefreshDate == nil)
      fixture.serve(2, [2], next: nil)
      await fixture.page(2).load().completed()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2] && fixture.list.state == .ended)
      #expect(fixture.list.refreshState == .idle && fixture.list.latestError == nil)
      #expect(fixture.list.lastRefreshDate != nil && fixture.mirror.failure == nil)
      #expect(fixture.asked == [1, 2, 3, 2])
    }
  }

  @Test("A reset forgets the items and late responses", arguments: StoreActor.allCases)
  func reset(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadIfNeeded()
      let gate = fixture.stub.hold(.get, "/items?page=2", ignoringCancellation: true)
      fixture.list.loadMore()
      await gate.arrived()
      fixture.list.reset()
      #expect(fixture.list.items.isEmpty && !fixture.list.isLoading && fixture.list.pageCount == 0)
      gate.release()
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.mirror.failure == nil)
    }
  }
}
