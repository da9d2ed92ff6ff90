import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Pages of a known chain that are revalidated at once", .standardTimeLimit)
struct PagedCollectionRevalidationTests {
  @Test(
    "As many as allowed are asked for at once, each of them once",
    arguments: StoreActor.allCases, [1, 2, 4, 8])
  func atOnce(actor: StoreActor, limit: Int) async throws {
    await actor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 10) { $0.concurrentLoads = limit }
      #expect(fixture.list.items == Array(0..<20))
      fixture.list.refresh()
      #expect(await fixture.inFlight() == limit)
      #expect(await fixture.respondToAll() == limit)
      #expect(fixture.asked.sorted() == Array(1...10) && fixture.server.fetched.isEmpty)
      #expect(fixture.mirror.changeCount == 0)
      #expect(
        fixture.list.refreshState.description == "idle" && fixture.list.lastRefreshDate != nil)
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test(
    "Where a page names another next one, the walk continues from there",
    arguments: StoreActor.allCases)
  func anotherNextPage(actor: StoreActor) async throws {
    for seed in UInt64(1)...20 {
      await actor.run { actor in
        let fixture = await LinkedPagesFixture(pageCount: 8) { $0.concurrentLoads = 4 }
        // Page 3 leads to page 20 now, which leads to page 6.
        fixture.stub.on(
          .get, "/items?page=3", PageListFixture.response([4, 5], next: "/items?page=20"))
        fixture.stub.on(
          .get, "/items?page=20", PageListFixture.response([99], next: "/items?page=6"))
        fixture.list.refresh()
        await fixture.respondToAll(seed: seed)
        fixture.list.loadAll()
        await fixture.respondToAll(seed: seed)
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
        let fixture = await LinkedPagesFixture(pageCount: 7) {
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
          let most = await fixture.respondToAll(seed: seed)
          fixture.list.loadAll()
          await fixture.respondToAll(seed: seed)
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
      let fixture = await LinkedPagesFixture(pageCount: 8) { $0.concurrentLoads = 4 }
      fixture.list.refresh(.firstPage)
      await fixture.respondToAll()
      #expect(fixture.asked == [1])
    }
  }

  @Test(
    "A cancelled load and a reset cancel all of them", arguments: StoreActor.allCases,
    [false, true])
  func cancelled(actor: StoreActor, isReset: Bool) async throws {
    await actor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 8) { $0.concurrentLoads = 4 }
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      if isReset { fixture.list.reset() } else { fixture.list.cancelLoad() }
      #expect(!fixture.list.isLoading && fixture.service.loadingCount == 0)
      #expect(await fixture.inFlight() == 0)
      fixture.list.refresh()
      await fixture.respondToAll()
      fixture.list.loadAll()
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<16))
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A list that has become shorter cancels what comes after its end",
    arguments: StoreActor.allCases)
  func shortened(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 8) { $0.concurrentLoads = 8 }
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

  @Test("A page ahead that names another next one does not cancel the loads in front of it")
  func relinkedAhead() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 8) { $0.concurrentLoads = 4 }
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      fixture.server.change { $0.removeLast(5) }
      await fixture.respond(3)
      #expect(await fixture.inFlight() == 2, "the load of page 4 is cancelled")
      await fixture.respondToAll()
      #expect(fixture.asked.sorted() == [1, 2, 3, 4])
      #expect(fixture.list.items == Array(0..<6))
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("After an error pages are requested one by one", arguments: StoreActor.allCases)
  func failed(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 12) { $0.concurrentLoads = 4 }
      fixture.server.fail(1)
      fixture.list.refresh()
      #expect(await fixture.inFlight() == 4)
      await fixture.respond(2)
      #expect(await fixture.inFlight() <= 3)
      await fixture.respondToAll()
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      #expect(fixture.list.items == Array(0..<24))
      #expect(fixture.asked.allSatisfy { $0 <= 5 })
      fixture.server.fail()
      fixture.list.retry()
      await fixture.respondToAll()
      #expect(fixture.list.refreshState.description == "idle")
      #expect(fixture.list.items == Array(0..<24))
      #expect(fixture.mirror.failure == nil)
    }
  }
}
