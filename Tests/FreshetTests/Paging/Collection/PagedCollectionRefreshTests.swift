import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Refreshes of a list of pages")
struct PagedCollectionRefreshTests {
  @Test("A refresh of stale pages asks for those only", arguments: Home.allCases)
  func stale(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.list.refresh(.stale)
      #expect(!scene.list.isLoading && scene.list.lastRefreshed != nil)
      scene.page(2).invalidate()
      scene.list.refresh(.stale)
      await scene.list.settled()
      #expect(scene.asked == [2])
    }
  }

  @Test("A refresh from the first page ends at one that has not changed", arguments: Home.allCases)
  func firstPage(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3], [4]])
      await scene.loadAll()
      scene.list.refresh(.firstPage)
      await scene.list.settled()
      #expect(scene.asked == [1])
      scene.serve([[9], [8], [3], [7]])
      scene.list.refresh(.firstPage)
      await scene.list.settled()
      #expect(scene.asked == [1, 1, 2, 3])
      #expect(scene.list.items == [9, 8, 3, 4])
      #expect(scene.list.state.description == "ended")
      scene.list.loadIfNeeded()
      #expect(!scene.list.isLoading)
      scene.clock.advance(by: .seconds(30))
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [9, 8, 3, 7], "what was left alone expires as it did before")
    }
  }

  @Test(
    "A first page whose confirmation brings other header fields has not changed, whatever its items",
    arguments: Home.allCases)
  func firstPageConfirmed(home: Home) async throws {
    struct Row: Decodable, Sendable {
      let number: Int
    }
    await home.run { home in
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
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      let list = service.pages("items?page=1", of: Row.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      list.refresh(.firstPage)
      await list.settled()
      #expect(requests.withLock { $0 } == ["1", "2", "3", "1"])
      #expect(list.firstPage.content?.total == 4)
    }
  }

  @Test("What a refresh changes can be shown at once when it is complete", arguments: Home.allCases)
  func whenComplete(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.publication = .whenComplete }
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.mirror.changeCount == 3, "a first walk shows each page as it arrives")
      scene.serve([[4], [5], [6]])
      let gate = scene.stub.hold(.get, "/items?page=3")
      scene.mirror.forget()
      scene.list.refresh()
      await gate.arrived()
      #expect(scene.list.items == [1, 2, 3])
      let late = ListMirror<Int>()
      scene.list.addObserver(late)
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [4, 5, 6])
      #expect(scene.mirror.changeCount == 1 && late.changeCount == 1)
      #expect(scene.mirror.failure == nil && late.failure == nil)
    }
  }

  @Test("A refresh that fails or is given up shows what it has changed", arguments: Home.allCases)
  func whenIncomplete(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.publication = .whenComplete }
      await scene.loadAll()
      scene.serve(1, [4], next: "/items?page=2")
      scene.fail(2)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [4, 2, 3])
      scene.serve(1, [5], next: "/items?page=2")
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.refresh()
      await gate.arrived()
      #expect(scene.list.items == [4, 2, 3])
      scene.list.cancelLoad()
      #expect(scene.list.items == [5, 2, 3])
      #expect(scene.list.refreshState.description == "idle")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A refresh outranks the page that is being loaded at the end, which comes after it",
    arguments: Home.allCases)
  func outranks(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.loadMore()
      await gate.arrived()
      scene.list.refresh()
      #expect(!scene.list.state.isLoading && scene.list.refreshState.isLoading)
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test(
    "A cursor that has expired or a last page that has gone begins the list again, once",
    arguments: Home.allCases, [400, 404, 410])
  func restarts(home: Home, status: Int) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      scene.list.loadMore()
      await scene.list.settled()
      scene.stub.forgetRequests()
      scene.stub.on(.get, "/items?page=3", .status(status))
      scene.serve(1, [1], next: "/items?page=4")
      scene.serve(4, [4], next: nil)
      let gate = scene.stub.hold(.get, "/items?page=4")
      scene.list.loadMore()
      await gate.arrived()
      #expect(scene.asked == [3, 1, 4])
      #expect(scene.list.items == [1, 2], "the old items stay visible meanwhile")
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [1, 4])
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("A page that is still not there after that is a failure", arguments: Home.allCases)
  func restartsOnce(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.stub.on(.get, "/items?page=3", .status(410))
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 3, 1, 2, 3])
      #expect(scene.list.state.description == "failed(page 3, http)")
      scene.clock.advance(by: .seconds(2))
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.asked.count == 7, "not again, until something goes through")
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.asked.count == 8 + 3, "but where somebody asks for it")
    }
  }

  @Test("A reset forgets the items and late answers", arguments: Home.allCases)
  func reset(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.stub.hold(.get, "/items?page=2", ignoringCancellation: true)
      scene.list.loadMore()
      await gate.arrived()
      scene.list.reset()
      #expect(scene.list.items.isEmpty && !scene.list.isLoading && scene.list.pageCount == 0)
      gate.release()
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.mirror.failure == nil)
    }
  }
}
