import Freshet
import FreshetTesting
import Testing

@Suite("What pages that are loaded ahead cost", .standardTimeLimit)
struct PagedCollectionAheadCostTests {
  /// A list of the numbers to 40, two a page.
  private func fixture(
    _ server: CountedServer = CountedServer(itemCount: 40), budget: Int = 50, atOnce limit: Int,
    on actor: isolated any Actor = #isolation
  ) -> CountedListFixture {
    CountedListFixture(server, .pageNumber) {
      $0.requestBudget = budget
      $0.concurrentLoads = limit
    }
  }

  @Test(
    "Pages that expire at once are asked for once each, however many at once", arguments: [1, 4])
  func expiring(limit: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = fixture(atOnce: limit)
      fixture.service.configure { $0.freshnessLifetime = .zero }
      fixture.list.loadAll()
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<40))
      #expect(fixture.stub.requests.count == 20, "asked for \(fixture.asked)")
    }
  }

  @Test("A refresh of pages that expire at once requests each once", arguments: [1, 4])
  func expiringRefresh(limit: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 10) { $0.concurrentLoads = limit }
      fixture.service.configure { $0.freshnessLifetime = .zero }
      fixture.list.refresh()
      await fixture.respondToAll()
      #expect(fixture.asked.sorted() == Array(1...10), "asked for \(fixture.asked)")
    }
  }

  @Test("The budget holds where pages expire at once", arguments: [1, 4])
  func budget(limit: Int) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = fixture(budget: 6, atOnce: limit)
      fixture.service.configure { $0.freshnessLifetime = .zero }
      fixture.list.displayedCount = 30
      fixture.list.loadIfNeeded()
      await fixture.respondToAll(seed: 3)
      #expect(fixture.stub.requests.count <= 6, "asked for \(fixture.asked)")
    }
  }

  @Test("The budget holds where a page ahead failed a while ago")
  func failedAhead() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = fixture(server, budget: 3, atOnce: 2)
      server.fail(3, with: 500)
      fixture.list.displayedCount = 30
      fixture.list.loadIfNeeded()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 2)
      await fixture.respond(3)
      fixture.clock.advance(by: .seconds(2))
      await fixture.respond(2)
      await fixture.respondToAll()
      #expect(fixture.stub.requests.count <= 3, "asked for \(fixture.asked)")
    }
  }

  @Test("Pages wanted by their index need no budget when requested again after a 429")
  func postponed() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = fixture(server, budget: 1, atOnce: 8)
      fixture.service.configure { $0.retryPolicy = .standard }
      fixture.list.loadPages(through: 19)
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 8)
      for page in 3...9 {
        server.fail(page, with: 429)
        fixture.requests.release("page=\(page)")
      }
      await until { fixture.service.loadingCount == 1 }
      server.fail(2, with: 403)
      await fixture.respond(2)
      #expect(fixture.list.state.description == "failed(page 1, http)")
      for page in 2...9 { server.fail(page, with: nil) }
      fixture.clock.advance(by: .seconds(5))
      fixture.stub.forgetRequests()
      fixture.list.loadPages(through: 19)
      #expect(await fixture.inFlight() == 8)
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<40))
      #expect(fixture.asked.sorted() == Array(2...20))
    }
  }

  @Test("A page wanted by its index that fails leaves the budget as it is")
  func failedByIndex() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = fixture(server, budget: 2, atOnce: 2)
      server.fail(2, with: 500)
      fixture.list.displayedCount = 30
      fixture.list.loadPages(through: 1)
      await fixture.respond(1)
      // Page 3 is requested ahead, and takes one of two.
      #expect(await fixture.inFlight() == 2)
      await fixture.respond(2)
      await fixture.respond(3)
      #expect(fixture.list.state.description == "failed(page 1, http)")
      server.fail(2, with: nil)
      fixture.service.resources.first { $0.key.url.hasSuffix("page=2") }?.load()
      await fixture.respond(2)
      await fixture.respondToAll()
      #expect(fixture.asked.sorted() == [1, 2, 2, 3, 4])
      #expect(fixture.list.items == Array(0..<8))
    }
  }

  @Test("However pages expire and fail, a demand requests a page once and keeps to its budget")
  func random() async throws {
    await StoreActor.mainActor.run { actor in
      for seed in UInt64(1)...trialCount(300) {
        var random = SeededGenerator(seed: seed)
        let server = CountedServer(itemCount: 40)
        let budget = random.pick([1, 3, 6, 50])
        let limit = random.pick([1, 2, 4, 8])
        let fixture = CountedListFixture(server, random.pick([.pageNumber, .offset])) {
          $0.requestBudget = budget
          $0.concurrentLoads = limit
        }
        let lifetime = Duration.seconds(random.pick([0, 2, 30]))
        fixture.service.configure { $0.freshnessLifetime = lifetime }
        fixture.list.displayedCount = random.pick([4, 10, 30])
        for round in 0..<4 {
          for page in 1...20 { server.fail(page, with: random.chance(0.1) ? 500 : nil) }
          fixture.stub.forgetRequests()
          switch random.pick([0, 1, 2]) {
          case 0: fixture.list.retry()
          case 1 where round > 0: fixture.list.displayedCount += random.pick([4, 10, 30])
          default: fixture.list.loadIfNeeded()
          }
          for _ in 0..<500 where fixture.list.isLoading {
            _ = await fixture.inFlight()
            fixture.requests.release(&random)
            _ = await fixture.inFlight()
            if random.chance(0.2) { fixture.clock.advance(by: .seconds(random.pick([1, 2, 5]))) }
          }
          let asked = fixture.asked
          #expect(asked.count == Set(asked).count, "seed \(seed): asked for \(asked)")
          let loaded = fixture.list.pageCount
          #expect(
            asked.count { $0 > loaded } <= budget && asked.count <= budget + loaded,
            "seed \(seed): \(asked), a budget of \(budget), \(loaded) pages")
          fixture.clock.advance(by: .seconds(random.pick([0, 2, 31])))
        }
      }
    }
  }
}
