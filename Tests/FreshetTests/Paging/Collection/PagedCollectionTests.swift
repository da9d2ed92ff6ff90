import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Walking a list of pages", .standardTimeLimit)
struct PagedCollectionTests {
  @Test("A cold cascade visits each page a fixed number of times", arguments: StoreActor.allCases)
  func coldCascadeIsLinear(actor: StoreActor) async throws {
    for pageCount in [100, 1_000] {
      await actor.run { actor in
        let server = PagedServer(pageCount: pageCount)
        let service = server.service()
        let list = server.list(in: service)
        list.loadAll()
        await list.settled()
        #expect(list.items == server.items)
        #expect(list.pageCount == pageCount)
        #expect(list.visitCount == pageCount)
        guard case .ended = list.state else {
          Issue.record("the state is \(list.state)")
          return
        }
      }
    }
  }

  @Test("Ten thousand pages load without deep recursion", arguments: StoreActor.allCases)
  func tenThousandPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let count = trialCount(10_000)
      let server = PagedServer(pageCount: count, size: 1)
      let service = server.service()
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      #expect(list.items.count == count)
      #expect(list.visitCount == count)
    }
  }

  @Test("Only the first page is loaded until more is wanted", arguments: StoreActor.allCases)
  func loadsOnDemand(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 5)
      let service = server.service()
      let list = server.list(in: service)
      list.loadIfNeeded()
      await list.settled()
      #expect(list.items == [0, 1])
      list.loadMore()
      await list.settled()
      #expect(list.items == [0, 1, 2, 3])
      list.displayedCount = 7
      await list.settled()
      #expect(list.items == [0, 1, 2, 3, 4, 5, 6, 7])
      #expect(server.fetched == [0, 1, 2, 3])
    }
  }

  @Test("More that is wanted while a page is loading is remembered", arguments: StoreActor.allCases)
  func demandWhileLoading(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 5)
      let service = server.service()
      let list = server.list(in: service)
      list.loadIfNeeded()
      list.loadMore()
      list.loadMore()
      await list.settled()
      #expect(list.items == [0, 1, 2, 3])
    }
  }

  @Test("A fresh list is confirmed without a visit", arguments: StoreActor.allCases)
  func confirmedWithoutVisit(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 5)
      let clock = ManualClock()
      let service = server.service(clock: clock)
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      let visits = list.visitCount
      list.loadIfNeeded()
      #expect(list.visitCount == visits)
      #expect(!list.state.isLoading)
      clock.advance(by: .seconds(31))
      server.forget()
      list.loadIfNeeded()
      await list.settled()
      #expect(server.confirmed == [0, 1, 2, 3, 4])
      #expect(server.fetched.isEmpty)
    }
  }

  @Test("A refresh of an unchanged list emits no change", arguments: StoreActor.allCases)
  func refreshOfUnchangedList(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 4)
      let service = server.service()
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      var changes = 0
      let token = list.observe { _, event in
        if case .itemsChanged = event { changes += 1 }
      }
      server.forget()
      list.refresh()
      #expect(list.isRefreshing)
      await list.settled()
      #expect(changes == 0)
      #expect(server.confirmed == [0, 1, 2, 3])
      #expect(!list.isRefreshing)
      #expect(list.lastRefreshDate != nil)
      token.cancel()
    }
  }

  @Test("After a refresh the items are those of the server", arguments: StoreActor.allCases)
  func refreshOfChangedList(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 4)
      let service = server.service()
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      var copy = list.items
      let token = list.observe { list, event in
        guard case .itemsChanged(let change) = event else { return }
        for splice in change.splices {
          copy.replaceSubrange(splice.removedRange, with: splice.insertedItems)
        }
        #expect(copy == list.items)
      }
      server.change { pages in pages = [[9, 0], [1, 2], [3, 4, 5]] }
      list.refresh()
      await list.settled()
      #expect(list.items == [9, 0, 1, 2, 3, 4, 5])
      server.change { pages in pages = [[9, 0], [7], [], [8, 6], [5]] }
      list.refresh()
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(list.items == server.items)
      token.cancel()
    }
  }

  @Test(
    "An error keeps the items, and retry asks for that page only", arguments: StoreActor.allCases)
  func errorAtOnePage(actor: StoreActor) async throws {
    await actor.run { actor in
      let server = PagedServer(pageCount: 4)
      server.fail(2)
      let service = server.service()
      let list = server.list(in: service)
      list.loadAll()
      await list.settled()
      #expect(list.items == [0, 1, 2, 3])
      guard case .failed(let error, page: 2) = list.state else {
        Issue.record("the state is \(list.state)")
        return
      }
      #expect(error.status == 500)
      server.fail()
      server.forget()
      list.retry()
      list.loadAll()
      await list.settled()
      #expect(server.fetched == [2, 3])
      #expect(list.items == server.items)
    }
  }
}
