import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Pages that are loaded ahead")
struct PagedCollectionAheadTests {
  @Test(
    "As many as allowed are under way at once, and items come in the order of the list",
    arguments: Home.allCases, CountedScene.Style.allCases)
  func order(home: Home, style: CountedScene.Style) async throws {
    await home.run { home in
      let scene = CountedScene(CountedServer(itemCount: 20), style) { $0.concurrentLoads = 4 }
      scene.list.loadAll()
      #expect(await scene.inFlight() == 1, "nothing is known before the first page")
      await scene.respond(1)
      #expect(await scene.inFlight() == 4)
      await scene.respond(5)
      #expect(scene.list.items == [0, 1])
      await scene.respond(3)
      #expect(scene.list.items == [0, 1])
      await scene.respond(2)
      #expect(scene.list.items == Array(0..<6))
      #expect(await scene.inFlight() == 4)
      await scene.respond(4)
      #expect(scene.list.items == Array(0..<10))
      await scene.settle()
      #expect(scene.list.items == Array(0..<20))
      #expect(scene.list.state.description == "ended")
      #expect(Set(scene.asked.prefix(10)) == Set(1...10))
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "Whatever the order of the responses, every page is asked for once, and no more at once",
    arguments: Home.allCases, CountedScene.Style.allCases)
  func anyOrder(home: Home, style: CountedScene.Style) async throws {
    await home.run { home in
      for seed in UInt64(1)...30 {
        var random = SeededGenerator(seed: seed)
        let limit = random.pick([1, 2, 3, 8])
        let count = Int.random(in: 1...24, using: &random)
        let isWindowed = random.chance(0.3)
        let scene = CountedScene(CountedServer(itemCount: count), style) {
          $0.concurrentLoads = limit
          $0.maxPages = isWindowed ? 3 : nil
        }
        var problem: String?
        scene.mirror.onEvent = { list, event in
          let first = list.firstItemIndex
          if list.items != Array(first..<(first + list.items.count)) {
            problem = "\(event): \(list.items) from \(first)"
          }
        }
        scene.list.loadAll()
        let most = await scene.settle(seed: seed)
        let pageCount = (count + 1) / 2
        let expected = min(limit, isWindowed ? 3 : limit, max(1, pageCount - 1))
        // The empty page at the end, by offset, need not be asked for ahead.
        if problem != nil || most > limit || most < expected
          || scene.list.state.description != "ended"
          || scene.list.items.last != count - 1 || Set(scene.asked).count != scene.asked.count
          || scene.mirror.failure != nil
        {
          Issue.record(
            """
            seed \(seed): \(limit) at once, \(count) items, window \(isWindowed), \
            \(problem ?? "in order"), \(most) were under way, \(scene.list.state), \
            \(scene.list.items), asked for \(scene.asked)
            """)
          return
        }
      }
    }
  }

  @Test("One at a time is the default", arguments: Home.allCases)
  func standard(home: Home) async throws {
    await home.run { home in
      let scene = CountedScene(CountedServer(itemCount: 20), .pageNumber)
      scene.list.loadAll()
      #expect(await scene.settle() == 1)
      #expect(scene.list.items == Array(0..<20))
    }
  }

  @Test("No more is asked for than is wanted", arguments: Home.allCases)
  func demand(home: Home) async throws {
    await home.run { home in
      let scene = CountedScene(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 8
      }
      scene.list.displayedCount = 6
      scene.list.loadIfNeeded()
      await scene.settle()
      #expect(scene.asked.sorted() == [1, 2, 3])
      #expect(scene.list.items == Array(0..<6))
      #expect(scene.list.state.description == "idle")
    }
  }

  @Test("Of a window no more than its pages are under way", arguments: Home.allCases)
  func window(home: Home) async throws {
    await home.run { home in
      let scene = CountedScene(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 8
        $0.maxPages = 2
      }
      scene.list.loadAll()
      #expect(await scene.settle() == 2)
      #expect(scene.list.items == Array(36..<40))
      #expect(scene.list.firstItemIndex == 36)
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A cancelled load and a reset cancel what is ahead", arguments: Home.allCases, [false, true])
  func cancelled(home: Home, isReset: Bool) async throws {
    await home.run { home in
      let scene = CountedScene(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 4
      }
      scene.list.loadAll()
      await scene.respond(1)
      #expect(await scene.inFlight() == 4)
      if isReset { scene.list.reset() } else { scene.list.cancelLoad() }
      #expect(!scene.list.isLoading && scene.service.loadingCount == 0)
      #expect(await scene.inFlight() == 0)
      #expect(scene.list.items == (isReset ? [] : [0, 1]))
      scene.list.loadAll()
      await scene.settle()
      #expect(scene.list.items == Array(0..<40))
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A list that has become shorter ends, and what was ahead is cancelled", arguments: Home.allCases
  )
  func shortened(home: Home) async throws {
    await home.run { home in
      let server = CountedServer(itemCount: 40)
      let scene = CountedScene(server, .pageNumber) { $0.concurrentLoads = 6 }
      scene.list.loadAll()
      await scene.respond(1)
      #expect(await scene.inFlight() == 6)
      server.itemCount = 6
      await scene.respond(2)
      await scene.respond(3)
      #expect(scene.list.items == Array(0..<6))
      #expect(scene.list.state.description == "ended" && !scene.list.isLoading)
      #expect(scene.service.loadingCount == 0)
      #expect(await scene.inFlight() == 0)
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("After 429 one request is under way at a time", arguments: Home.allCases)
  func tooMany(home: Home) async throws {
    await home.run { home in
      let server = CountedServer(itemCount: 40)
      let scene = CountedScene(server, .pageNumber) { $0.concurrentLoads = 4 }
      scene.service.configure { $0.retries = .standard }
      scene.list.loadAll()
      await scene.respond(1)
      #expect(await scene.inFlight() == 4)
      server.fail(2, with: 429)
      scene.requests.release("page=2")
      await until { scene.list.state.retryDate != nil }
      server.fail(2, with: nil)
      for page in 3...5 { scene.requests.release("page=\(page)") }
      await until { scene.service.loadingCount == 1 }
      scene.clock.advance(by: .seconds(5))
      var most = 0
      var random = SeededGenerator(seed: 1)
      await until {
        most = max(most, scene.service.loadingCount)
        scene.requests.release(&random)
        return !scene.list.isLoading
      }
      #expect(most == 1)
      #expect(scene.list.items == Array(0..<40))
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A page that fails ends the walk there, and nothing is lost by a retry",
    arguments: Home.allCases)
  func failed(home: Home) async throws {
    await home.run { home in
      let server = CountedServer(itemCount: 40)
      let scene = CountedScene(server, .pageNumber) { $0.concurrentLoads = 4 }
      server.fail(3, with: 500)
      scene.list.loadAll()
      await scene.respond(1)
      #expect(await scene.inFlight() == 4)
      await scene.respond(3)
      #expect(await scene.inFlight() <= 3, "nothing further is asked for after an error")
      await scene.respond(2)
      await scene.settle()
      #expect(scene.list.state.description == "failed(page 3, http)")
      #expect(scene.list.items == Array(0..<4))
      server.fail(3, with: nil)
      scene.list.retry()
      await scene.settle()
      scene.list.loadAll()
      await scene.settle()
      #expect(scene.list.items == Array(0..<40))
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }
}

@Suite("Pages of a known chain that are revalidated at once")
struct PagedCollectionRevalidationTests {
  /// A list of pages that link to each other by header, with tags, all of it loaded.
  private struct LinkScene {
    let server: PagedServer
    let requests: HeldRequests
    let stub: StubTransport
    let service: Service
    let list: PagedCollection<Int>
    let mirror = ListMirror<Int>()

    init(
      pageCount: Int, isolation: isolated any Actor = #isolation,
      options: (inout PagedCollection<Int>.Options) -> Void
    ) async {
      let server = PagedServer(pageCount: pageCount)
      let requests = HeldRequests { server.respond(to: $0) }
      self.server = server
      self.requests = requests
      stub = StubTransport { try await requests.respond(to: $0) }
      service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      var chosen = PagedCollection<Int>.Options()
      options(&chosen)
      list = service.pages("items?page=1", of: Int.self, style: .linkHeader, options: chosen)
      list.addObserver(mirror)
      list.loadAll()
      await settle()
      server.forget()
      mirror.forget()
      stub.forgetRequests()
    }

    nonisolated(nonsending) func inFlight() async -> Int {
      await requests.exactCount(from: service)
    }

    nonisolated(nonsending) func respond(_ page: Int) async {
      _ = await inFlight()
      requests.release("page=\(page)")
      _ = await inFlight()
    }

    @discardableResult
    nonisolated(nonsending) func settle(seed: UInt64 = 1) async -> Int {
      var random = SeededGenerator(seed: seed)
      var most = 0
      for _ in 0..<500 where list.isLoading {
        most = max(most, await inFlight())
        requests.release(&random)
        most = max(most, await inFlight())
      }
      return most
    }

    var asked: [Int] {
      stub.requests.map { Int($0.url.query?.split(separator: "=").last ?? "") ?? 0 }
    }
  }

  @Test(
    "As many as allowed are asked for at once, each of them once",
    arguments: Home.allCases, [1, 2, 4, 8])
  func atOnce(home: Home, limit: Int) async throws {
    await home.run { home in
      let scene = await LinkScene(pageCount: 10) { $0.concurrentLoads = limit }
      #expect(scene.list.items == Array(0..<20))
      scene.list.refresh()
      #expect(await scene.inFlight() == limit)
      #expect(await scene.settle() == limit)
      #expect(scene.asked.sorted() == Array(1...10) && scene.server.fetched.isEmpty)
      #expect(scene.mirror.changeCount == 0)
      #expect(scene.list.refreshState.description == "idle" && scene.list.lastRefreshed != nil)
      #expect(scene.list.state.description == "ended")
    }
  }

  @Test(
    "Where a page names another next one, the walk goes on from there", arguments: Home.allCases)
  func anotherNextPage(home: Home) async throws {
    for seed in UInt64(1)...20 {
      await home.run { home in
        let scene = await LinkScene(pageCount: 8) { $0.concurrentLoads = 4 }
        // Page 3 leads to page 20 now, which leads to page 6.
        scene.stub.on(.get, "/items?page=3", PageListScene.answer([4, 5], next: "/items?page=20"))
        scene.stub.on(.get, "/items?page=20", PageListScene.answer([99], next: "/items?page=6"))
        scene.list.refresh()
        await scene.settle(seed: seed)
        scene.list.loadAll()
        await scene.settle(seed: seed)
        #expect(scene.list.items == [0, 1, 2, 3, 4, 5, 99] + Array(10..<16), "seed \(seed)")
        #expect(scene.list.state.description == "ended", "seed \(seed)")
        #expect(scene.mirror.failure == nil && scene.service.loadingCount == 0)
      }
    }
  }

  @Test(
    "In any order of responses and changes, a refreshed list is what the server has",
    arguments: Home.allCases)
  func anyOrder(home: Home) async throws {
    for seed in UInt64(1)...40 {
      await home.run { home in
        var random = SeededGenerator(seed: seed)
        let limit = random.pick([1, 2, 4, 8])
        let isWhole = random.chance(0.5)
        let scene = await LinkScene(pageCount: 7) {
          $0.concurrentLoads = limit
          $0.publication = isWhole ? .whenComplete : .asPagesArrive
        }
        for round in 1...4 {
          let (place, kind) = (Int.random(in: 0..<4, using: &random), random.pick([0, 1, 2]))
          scene.server.change { pages in
            switch kind {
            case 0: pages[place] = [1000 * round, 1000 * round + 1]
            case 1: pages.insert([1000 * round], at: place)
            default: if pages.count > 5 { pages.remove(at: place) }
            }
          }
          scene.list.refresh()
          let most = await scene.settle(seed: seed)
          scene.list.loadAll()
          await scene.settle(seed: seed)
          if scene.list.items != scene.server.items || most > limit || scene.mirror.failure != nil
            || scene.list.state.description != "ended"
          {
            Issue.record(
              """
              seed \(seed), round \(round), \(most) of \(limit) at once: \(scene.list.items), the \
              server has \(scene.server.items), \(scene.list.state), \(scene.mirror.failure ?? "")
              """)
            return
          }
        }
      }
    }
  }

  @Test("A refresh that ends with the first page asks for that only", arguments: Home.allCases)
  func firstPage(home: Home) async throws {
    await home.run { home in
      let scene = await LinkScene(pageCount: 8) { $0.concurrentLoads = 4 }
      scene.list.refresh(.firstPage)
      await scene.settle()
      #expect(scene.asked == [1])
    }
  }

  @Test("A cancelled load and a reset cancel all of them", arguments: Home.allCases, [false, true])
  func cancelled(home: Home, isReset: Bool) async throws {
    await home.run { home in
      let scene = await LinkScene(pageCount: 8) { $0.concurrentLoads = 4 }
      scene.list.refresh()
      #expect(await scene.inFlight() == 4)
      if isReset { scene.list.reset() } else { scene.list.cancelLoad() }
      #expect(!scene.list.isLoading && scene.service.loadingCount == 0)
      #expect(await scene.inFlight() == 0)
      scene.list.refresh()
      await scene.settle()
      scene.list.loadAll()
      await scene.settle()
      #expect(scene.list.items == Array(0..<16))
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("A list that has become shorter cancels what comes after its end", arguments: Home.allCases)
  func shortened(home: Home) async throws {
    await home.run { home in
      let scene = await LinkScene(pageCount: 8) { $0.concurrentLoads = 8 }
      scene.list.refresh()
      #expect(await scene.inFlight() == 8)
      scene.server.change { $0.removeLast(5) }
      for page in 1...3 { await scene.respond(page) }
      #expect(!scene.list.isLoading && scene.service.loadingCount == 0)
      #expect(scene.list.items == Array(0..<6))
      #expect(scene.list.state.description == "ended")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("After an error no more is asked for at once", arguments: Home.allCases)
  func failed(home: Home) async throws {
    await home.run { home in
      let scene = await LinkScene(pageCount: 12) { $0.concurrentLoads = 4 }
      scene.server.fail(1)
      scene.list.refresh()
      #expect(await scene.inFlight() == 4)
      await scene.respond(2)
      #expect(await scene.inFlight() <= 3)
      await scene.settle()
      #expect(scene.list.refreshState.description == "failed(page 2, http)")
      #expect(scene.list.items == Array(0..<24))
      #expect(scene.asked.allSatisfy { $0 <= 5 })
      scene.server.fail()
      scene.list.retry()
      await scene.settle()
      #expect(scene.list.refreshState.description == "idle")
      #expect(scene.list.items == Array(0..<24))
      #expect(scene.mirror.failure == nil)
    }
  }
}
