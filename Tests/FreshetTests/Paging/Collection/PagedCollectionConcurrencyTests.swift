import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Pages that are loaded ahead")
struct PagedCollectionAheadTests {
  @Test(
    "As many as allowed are under way at once, and items come in the order of the list",
    arguments: StoreActor.allCases, CountedListFixture.Style.allCases)
  func order(actor: StoreActor, style: CountedListFixture.Style) async throws {
    await actor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 20), style) {
        $0.concurrentLoads = 4
      }
      fixture.list.loadAll()
      #expect(await fixture.inFlight() == 1, "nothing is known before the first page")
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      await fixture.respond(5)
      #expect(fixture.list.items == [0, 1])
      await fixture.respond(3)
      #expect(fixture.list.items == [0, 1])
      await fixture.respond(2)
      #expect(fixture.list.items == Array(0..<6))
      #expect(await fixture.inFlight() == 4)
      await fixture.respond(4)
      #expect(fixture.list.items == Array(0..<10))
      await fixture.settle()
      #expect(fixture.list.items == Array(0..<20))
      #expect(fixture.list.state.description == "ended")
      #expect(Set(fixture.asked.prefix(10)) == Set(1...10))
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Whatever the order of the responses, every page is asked for once, and no more at once",
    arguments: StoreActor.allCases, CountedListFixture.Style.allCases)
  func anyOrder(actor: StoreActor, style: CountedListFixture.Style) async throws {
    await actor.run { actor in
      for seed in UInt64(1)...30 {
        var random = SeededGenerator(seed: seed)
        let limit = random.pick([1, 2, 3, 8])
        let count = Int.random(in: 1...24, using: &random)
        let isWindowed = random.chance(0.3)
        let fixture = CountedListFixture(CountedServer(itemCount: count), style) {
          $0.concurrentLoads = limit
          $0.maxPages = isWindowed ? 3 : nil
        }
        var problem: String?
        fixture.mirror.onEvent = { list, event in
          let first = list.firstItemIndex
          if list.items != Array(first..<(first + list.items.count)) {
            problem = "\(event): \(list.items) from \(first)"
          }
        }
        fixture.list.loadAll()
        let most = await fixture.settle(seed: seed)
        let pageCount = (count + 1) / 2
        let expected = min(limit, isWindowed ? 3 : limit, max(1, pageCount - 1))
        // The empty page at the end, by offset, need not be asked for ahead.
        if problem != nil || most > limit || most < expected
          || fixture.list.state.description != "ended"
          || fixture.list.items.last != count - 1 || Set(fixture.asked).count != fixture.asked.count
          || fixture.mirror.failure != nil
        {
          Issue.record(
            """
            seed \(seed): \(limit) at once, \(count) items, window \(isWindowed), \
            \(problem ?? "in order"), \(most) were under way, \(fixture.list.state), \
            \(fixture.list.items), asked for \(fixture.asked)
            """)
          return
        }
      }
    }
  }

  @Test("One at a time is the default", arguments: StoreActor.allCases)
  func standard(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 20), .pageNumber)
      fixture.list.loadAll()
      #expect(await fixture.settle() == 1)
      #expect(fixture.list.items == Array(0..<20))
    }
  }

  @Test("No more is asked for than is wanted", arguments: StoreActor.allCases)
  func demand(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 8
      }
      fixture.list.displayedCount = 6
      fixture.list.loadIfNeeded()
      await fixture.settle()
      #expect(fixture.asked.sorted() == [1, 2, 3])
      #expect(fixture.list.items == Array(0..<6))
      #expect(fixture.list.state.description == "idle")
    }
  }

  @Test("Of a window no more than its pages are under way", arguments: StoreActor.allCases)
  func window(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 8
        $0.maxPages = 2
      }
      fixture.list.loadAll()
      #expect(await fixture.settle() == 2)
      #expect(fixture.list.items == Array(36..<40))
      #expect(fixture.list.firstItemIndex == 36)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A cancelled load and a reset cancel what is ahead", arguments: StoreActor.allCases,
    [false, true])
  func cancelled(actor: StoreActor, isReset: Bool) async throws {
    await actor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 4
      }
      fixture.list.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      if isReset { fixture.list.reset() } else { fixture.list.cancelLoad() }
      #expect(!fixture.list.isLoading && fixture.service.loadingCount == 0)
      #expect(await fixture.inFlight() == 0)
      #expect(fixture.list.items == (isReset ? [] : [0, 1]))
      fixture.list.loadAll()
      await fixture.settle()
      #expect(fixture.list.items == Array(0..<40))
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A list that has become shorter ends, and what was ahead is cancelled",
    arguments: StoreActor.allCases
  )
  func shortened(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 6 }
      fixture.list.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 6)
      server.itemCount = 6
      await fixture.respond(2)
      await fixture.respond(3)
      #expect(fixture.list.items == Array(0..<6))
      #expect(fixture.list.state.description == "ended" && !fixture.list.isLoading)
      #expect(fixture.service.loadingCount == 0)
      #expect(await fixture.inFlight() == 0)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("After 429 one request is under way at a time", arguments: StoreActor.allCases)
  func tooMany(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 4 }
      fixture.service.configure { $0.retries = .standard }
      fixture.list.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      server.fail(2, with: 429)
      fixture.requests.release("page=2")
      await until { fixture.list.state.retryDate != nil }
      server.fail(2, with: nil)
      for page in 3...5 { fixture.requests.release("page=\(page)") }
      await until { fixture.service.loadingCount == 1 }
      fixture.clock.advance(by: .seconds(5))
      var most = 0
      var random = SeededGenerator(seed: 1)
      await until {
        most = max(most, fixture.service.loadingCount)
        fixture.requests.release(&random)
        return !fixture.list.isLoading
      }
      #expect(most == 1)
      #expect(fixture.list.items == Array(0..<40))
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A page that fails ends the walk there, and nothing is lost by a retry",
    arguments: StoreActor.allCases)
  func failed(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 4 }
      server.fail(3, with: 500)
      fixture.list.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      await fixture.respond(3)
      #expect(await fixture.inFlight() <= 3, "nothing further is asked for after an error")
      await fixture.respond(2)
      await fixture.settle()
      #expect(fixture.list.state.description == "failed(page 3, http)")
      #expect(fixture.list.items == Array(0..<4))
      server.fail(3, with: nil)
      fixture.list.retry()
      await fixture.settle()
      fixture.list.loadAll()
      await fixture.settle()
      #expect(fixture.list.items == Array(0..<40))
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }
}

@Suite("Pages of a known chain that are revalidated at once")
struct PagedCollectionRevalidationTests {
  /// A list of pages that link to each other by header, with tags, all of it loaded.
  private struct LinkedListFixture {
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
    arguments: StoreActor.allCases, [1, 2, 4, 8])
  func atOnce(actor: StoreActor, limit: Int) async throws {
    await actor.run { actor in
      let fixture = await LinkedListFixture(pageCount: 10) { $0.concurrentLoads = limit }
      #expect(fixture.list.items == Array(0..<20))
      fixture.list.refresh()
      #expect(await fixture.inFlight() == limit)
      #expect(await fixture.settle() == limit)
      #expect(fixture.asked.sorted() == Array(1...10) && fixture.server.fetched.isEmpty)
      #expect(fixture.mirror.changeCount == 0)
      #expect(fixture.list.refreshState.description == "idle" && fixture.list.lastRefreshed != nil)
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test(
    "Where a page names another next one, the walk goes on from there",
    arguments: StoreActor.allCases)
  func anotherNextPage(actor: StoreActor) async throws {
    for seed in UInt64(1)...20 {
      await actor.run { actor in
        let fixture = await LinkedListFixture(pageCount: 8) { $0.concurrentLoads = 4 }
        // Page 3 leads to page 20 now, which leads to page 6.
        fixture.stub.on(
          .get, "/items?page=3", PageListFixture.answer([4, 5], next: "/items?page=20"))
        fixture.stub.on(.get, "/items?page=20", PageListFixture.answer([99], next: "/items?page=6"))
        fixture.list.refresh()
        await fixture.settle(seed: seed)
        fixture.list.loadAll()
        await fixture.settle(seed: seed)
        #expect(fixture.list.items == [0, 1, 2, 3, 4, 5, 99] + Array(10..<16), "seed \(seed)")
        #expect(fixture.list.state.description == "ended", "seed \(seed)")
        #expect(fixture.mirror.failure == nil && fixture.service.loadingCount == 0)
      }
    }
  }

  @Test(
    "In any order of responses and changes, a refreshed list is what the server has",
    arguments: StoreActor.allCases)
  func anyOrder(actor: StoreActor) async throws {
    for seed in UInt64(1)...40 {
      await actor.run { actor in
        var random = SeededGenerator(seed: seed)
        let limit = random.pick([1, 2, 4, 8])
        let isWhole = random.chance(0.5)
        let fixture = await LinkedListFixture(pageCount: 7) {
          $0.concurrentLoads = limit
          $0.publication = isWhole ? .whenComplete : .asPagesArrive
        }
        for round in 1...4 {
          let (place, kind) = (Int.random(in: 0..<4, using: &random), random.pick([0, 1, 2]))
          fixture.server.change { pages in
            switch kind {
            case 0: pages[place] = [1000 * round, 1000 * round + 1]
            case 1: pages.insert([1000 * round], at: place)
            default: if pages.count > 5 { pages.remove(at: place) }
            }
          }
          fixture.list.refresh()
          let most = await fixture.settle(seed: seed)
          fixture.list.loadAll()
          await fixture.settle(seed: seed)
          if fixture.list.items != fixture.server.items || most > limit
            || fixture.mirror.failure != nil
            || fixture.list.state.description != "ended"
          {
            Issue.record(
              """
              seed \(seed), round \(round), \(most) of \(limit) at once: \(fixture.list.items), the \
              server has \(fixture.server.items), \(fixture.list.state), \(fixture.mirror.failure ?? "")
              """)
            return
          }
        }
      }
    }
  }

  @Test(
    "A refresh that ends with the first page asks for that only", arguments: StoreActor.allCases)
  func firstPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await LinkedListFixture(pageCount: 8) { $0.concurrentLoads = 4 }
      fixture.list.refresh(.firstPage)
      await fixture.settle()
      #expect(fixture.asked == [1])
    }
  }

  @Test(
    "A cancelled load and a reset cancel all of them", arguments: StoreActor.allCases,
    [false, true])
  func cancelled(actor: StoreActor, isReset: Bool) async throws {
    await actor.run { actor in
      let fixture = await LinkedListFixture(pageCount: 8) { $0.concurrentLoads = 4 }
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      if isReset { fixture.list.reset() } else { fixture.list.cancelLoad() }
      #expect(!fixture.list.isLoading && fixture.service.loadingCount == 0)
      #expect(await fixture.inFlight() == 0)
      fixture.list.refresh()
      await fixture.settle()
      fixture.list.loadAll()
      await fixture.settle()
      #expect(fixture.list.items == Array(0..<16))
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A list that has become shorter cancels what comes after its end",
    arguments: StoreActor.allCases)
  func shortened(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await LinkedListFixture(pageCount: 8) { $0.concurrentLoads = 8 }
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 8)
      fixture.server.change { $0.removeLast(5) }
      for page in 1...3 { await fixture.respond(page) }
      #expect(!fixture.list.isLoading && fixture.service.loadingCount == 0)
      #expect(fixture.list.items == Array(0..<6))
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("After an error no more is asked for at once", arguments: StoreActor.allCases)
  func failed(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await LinkedListFixture(pageCount: 12) { $0.concurrentLoads = 4 }
      fixture.server.fail(1)
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      await fixture.respond(2)
      #expect(await fixture.inFlight() <= 3)
      await fixture.settle()
      #expect(fixture.list.refreshState.description == "failed(page 2, http)")
      #expect(fixture.list.items == Array(0..<24))
      #expect(fixture.asked.allSatisfy { $0 <= 5 })
      fixture.server.fail()
      fixture.list.retry()
      await fixture.settle()
      #expect(fixture.list.refreshState.description == "idle")
      #expect(fixture.list.items == Array(0..<24))
      #expect(fixture.mirror.failure == nil)
    }
  }
}
