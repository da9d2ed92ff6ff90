import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Pages that are loaded ahead", .standardTimeLimit)
struct PagedCollectionAheadTests {
  /// A list that repeats requests, and loads all pages: the first has come, and as many others as may are under way.
  private func fixture(
    _ server: CountedServer, atOnce limit: Int, on actor: isolated any Actor = #isolation
  ) async -> CountedListFixture {
    let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = limit }
    fixture.service.configure { $0.retryPolicy = .standard }
    fixture.list.loadAll()
    await fixture.respond(1)
    #expect(await fixture.inFlight() == limit)
    return fixture
  }

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
      await fixture.respondToAll()
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
          $0.retainedPageLimit = isWindowed ? 3 : nil
        }
        var problem: String?
        fixture.mirror.onEvent = { list, event in
          let first = list.firstItemIndex
          if list.items != Array(first..<(first + list.items.count)) {
            problem = "\(event): \(list.items) from \(first)"
          }
        }
        fixture.list.loadAll()
        let most = await fixture.respondToAll(seed: seed)
        let pageCount = (count + 1) / 2
        let expected = min(limit, isWindowed ? 3 : limit, max(1, pageCount - 1))
        // The empty page at the end, by offset, need not be requested ahead.
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
      #expect(await fixture.respondToAll() == 1)
      #expect(fixture.list.items == Array(0..<20))
    }
  }

  @Test("No more pages are requested than are wanted", arguments: StoreActor.allCases)
  func demand(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 8
      }
      fixture.list.displayedCount = 6
      fixture.list.loadIfNeeded()
      await fixture.respondToAll()
      #expect(fixture.asked.sorted() == [1, 2, 3])
      #expect(fixture.list.items == Array(0..<6))
      #expect(fixture.list.state.description == "idle")
    }
  }

  @Test("Pages are loaded ahead of one that an optimistic edit has emptied")
  func aheadOfEdited() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 4
      }
      fixture.list.loadIfNeeded()
      await fixture.respond(1)
      let edit = fixture.list.firstPage.updateContent { $0.items = [] }
      fixture.list.loadAll()
      #expect(await fixture.inFlight() == 4)
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(2..<40) && fixture.list.state == .ended)
      withExtendedLifetime(edit) {}
    }
  }

  @Test("Of a window no more than its pages are under way", arguments: StoreActor.allCases)
  func window(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 8
        $0.retainedPageLimit = 2
      }
      fixture.list.loadAll()
      #expect(await fixture.respondToAll() == 2)
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
      await fixture.respondToAll()
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
      let fixture = await fixture(server, atOnce: 4)
      server.fail(2, with: 429)
      fixture.requests.release("page=2")
      await until { fixture.list.state.nextAttemptDate != nil }
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
    "What a server has not refused arrives while it wants to be left alone, and each page counts once",
    arguments: StoreActor.allCases, [2, 8])
  func fewer(actor: StoreActor, refused: Int) async throws {
    await actor.run { actor in
      let server = CountedServer(itemCount: 20)
      let fixture = CountedListFixture(server, .pageNumber) {
        $0.concurrentLoads = 8
        $0.requestBudget = 10
      }
      fixture.service.configure { $0.retryPolicy = .standard }
      fixture.list.displayedCount = 20
      fixture.list.loadIfNeeded()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 8)
      await fixture.respond(4)
      server.fail(refused, with: 429)
      fixture.requests.release("page=\(refused)")
      if refused == 2 {
        await until { fixture.list.state.nextAttemptDate != nil }
      } else {
        await until { fixture.service.loadingCount == 7 }
      }
      #expect(fixture.requests.count == 7, "those that are under way continue")
      server.fail(refused, with: nil)
      for page in 2...10 { fixture.requests.release("page=\(page)") }
      await until {
        fixture.service.loadingCount == 1 && fixture.list.state.nextAttemptDate != nil
      }
      #expect(fixture.asked.sorted() == Array(1...10), "nothing is sent during the wait")
      await fixture.clock.timers(atLeast: 1)
      fixture.clock.advance(by: .seconds(5))
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<20))
      #expect(fixture.asked.sorted() == (Array(1...10) + [refused]).sorted())
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "What has given way to a server is requested at once again when more is wanted after the wait",
    arguments: StoreActor.allCases)
  func resumedAhead(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = await fixture(server, atOnce: 8)
      for page in 2...9 {
        server.fail(page, with: 429)
        fixture.requests.release("page=\(page)")
      }
      await until {
        fixture.service.loadingCount == 1 && fixture.list.state.nextAttemptDate != nil
      }
      for page in 2...9 { server.fail(page, with: nil) }
      await fixture.clock.timers(atLeast: 1)
      fixture.clock.advance(by: .seconds(5))
      await until { fixture.requests.count == 1 }
      let count = fixture.asked.count
      fixture.list.loadAll()
      #expect(await fixture.inFlight() == 8)
      #expect(fixture.asked.dropFirst(count).sorted() == Array(3...9))
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<40))
      #expect(fixture.asked.dropFirst(count).sorted() == Array(3...20), "each is sent once")
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
      await fixture.respondToAll()
      #expect(fixture.list.state.description == "failed(page 2, http)")
      #expect(fixture.list.items == Array(0..<4))
      server.fail(3, with: nil)
      fixture.list.retry()
      await fixture.respondToAll()
      fixture.list.loadAll()
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<40))
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }
}
