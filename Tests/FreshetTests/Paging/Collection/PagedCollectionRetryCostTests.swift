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
}
