import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What retries and demands of a list cost", .standardTimeLimit)
struct PagedCollectionRetryCostTests {
  @Test("A retry asks again for the page that failed, and not for those that came ahead of it")
  func retryKeepsAhead() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 4 }
      server.fail(2, with: 500)
      fixture.list.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      await fixture.respond(2)
      #expect(fixture.list.state.description == "failed(page 1, http)")
      server.fail(2, with: nil)
      fixture.stub.forgetRequests()
      fixture.list.retry()
      _ = await fixture.inFlight()
      #expect(!fixture.asked.contains { (3...4).contains($0) }, "asked for \(fixture.asked)")
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<40))
    }
  }

  @Test("A retry asks again for the pages that failed ahead as well, each when its turn comes")
  func retryOfAhead() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 4 }
      for page in [2, 3] { server.fail(page, with: 500) }
      fixture.list.loadAll()
      for page in [1, 3, 2] { await fixture.respond(page) }
      #expect(fixture.list.state.description == "failed(page 1, http)")
      for page in [2, 3] { server.fail(page, with: nil) }
      fixture.list.retry()
      await fixture.respondToAll()
      #expect(fixture.list.items == Array(0..<40), "\(fixture.list.state)")
      #expect(fixture.asked.filter { $0 == 3 }.count == 2)
    }
  }

  @Test("A page that is stale by itself does not make the fresh ones after it be asked for")
  func onePageAfterFirst() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 6) { _ in }
      fixture.list.refresh(.firstPage)
      await fixture.respondToAll()
      #expect(fixture.asked == [1])
      fixture.list.pages[1].invalidate()
      await fixture.respondToAll()
      #expect(fixture.asked == [1, 2])
    }
  }

  @Test("After a refresh of the first page the fresh last one is not asked for by loadMore")
  func moreAfterFirst() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 3) { _ in }
      fixture.list.refresh(.firstPage)
      await fixture.respondToAll()
      #expect(fixture.list.state.description == "ended")
      fixture.list.loadMore()
      await fixture.respondToAll()
      #expect(fixture.asked == [1])
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test("A retry of a refresh of pages that expire at once asks for no page twice")
  func retryOfRefresh() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await LinkedPagesFixture(pageCount: 6) { $0.concurrentLoads = 4 }
      fixture.service.configure { $0.freshnessLifetime = .zero }
      fixture.server.fail(1)
      fixture.list.refresh()
      for page in [3, 4] { await fixture.respond(page) }
      await fixture.respond(2)
      await fixture.respond(1)
      await fixture.respondToAll()
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      fixture.server.fail()
      fixture.list.retry()
      await fixture.respondToAll()
      #expect(fixture.list.refreshState.description == "idle")
      let counts = Dictionary(grouping: fixture.asked) { $0 }.mapValues(\.count)
      #expect(counts[3] == 1 && counts[4] == 1, "asked for \(fixture.asked)")
    }
  }

  @Test("One demand costs no more than its budget, though a page fails and another is loaded")
  func budgetAfterFailure() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 40)
      let fixture = CountedListFixture(server, .pageNumber) { $0.requestBudget = 3 }
      server.fail(3, with: 500)
      fixture.list.displayedCount = 30
      fixture.list.loadIfNeeded()
      await fixture.respondToAll()
      #expect(fixture.asked == [1, 2, 3])
      for round in 0..<4 {
        fixture.clock.advance(by: .seconds(2))
        server.itemCount += round % 2 == 0 ? 1 : -1
        fixture.list.firstPage.load()
        await fixture.respond(1)
        await fixture.respondToAll()
      }
      #expect(fixture.asked.count { $0 == 3 } == 1, "asked for \(fixture.asked)")
    }
  }

  @Test("A call requests no more pages than its budget, though others load what has failed")
  func budgetOfSharedPages() async throws {
    await StoreActor.mainActor.run { actor in
      for seed in UInt64(1)...trialCount(150) {
        var random = SeededGenerator(seed: seed)
        let pageCount = 14
        let budget = random.pick([1, 2, 3, 5])
        let fixture = PageListFixture((0..<pageCount).map { [$0] }) { $0.requestBudget = budget }
        fixture.list.displayedCount = 100
        for call in 0..<3 {
          fixture.serve((0..<pageCount).map { [$0] })
          for page in 1...pageCount where random.chance(0.3) { fixture.fail(page) }
          fixture.stub.forgetRequests()
          switch random.pick([0, 1, 2]) {
          case 0 where call > 0: await fixture.retry()
          case 1: await fixture.loadMore()
          default: await fixture.loadIfNeeded()
          }
          var loads = 0
          for _ in 0..<4 {
            // The page that has failed, or the one at which the budget was used up.
            let number = fixture.list.pageCount + 1
            guard number <= pageCount else { break }
            if random.chance(0.8) {
              let next = number < pageCount ? "/items?page=\(number + 1)" : nil
              fixture.serve(number, [number - 1], next: next)
            }
            await fixture.page(number).load().completed()
            loads += 1
            await fixture.list.settled()
            if random.chance(0.3) { fixture.clock.advance(by: .seconds(1)) }
          }
          #expect(
            fixture.asked.count - loads <= budget,
            "seed \(seed): asked for \(fixture.asked), \(loads) by others, a budget of \(budget)")
        }
      }
    }
  }

  @Test("A failed page that is visited again costs no second page of the budget")
  func failedPageVisitedAgain() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.requestBudget = 2 }
      fixture.fail(2)
      fixture.list.displayedCount = 100
      await fixture.loadIfNeeded()
      #expect(fixture.list.state.description == "failed(page 1, http)")
      // No new demand: what is wanted is less.
      fixture.list.displayedCount = 50
      await fixture.list.settled()
      #expect(fixture.list.state.description == "failed(page 1, http)" && fixture.asked == [1, 2])
      fixture.serve([[1], [2], [3]])
      await fixture.page(2).load().completed()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2] && fixture.asked == [1, 2, 2])
      #expect(fixture.list.state.description.hasPrefix("incomplete"))
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2, 3])
    }
  }
}
