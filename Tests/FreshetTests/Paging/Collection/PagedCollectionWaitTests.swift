import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Servers that want to be left alone", .standardTimeLimit)
struct PagedCollectionWaitTests {
  @Test(
    "A wait for the server is a state with its time, and can be cancelled",
    arguments: StoreActor.allCases)
  func waits(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.service.configure { $0.retries = .standard }
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      fixture.stub.on(
        .get, "/items?page=2", .status(429, headers: ["Retry-After": "20"]),
        PageListFixture.response([2], next: nil))
      var waited: Date?
      fixture.mirror.onEvent = { list, event in
        if case .stateChanged(.waiting(let date)) = event {
          waited = date
          list.cancelLoad()
        }
      }
      fixture.list.loadMore()
      await fixture.list.settled()
      #expect(waited == fixture.clock.date.addingTimeInterval(20))
      #expect(fixture.list.state.description == "idle" && fixture.list.items == [1])
    }
  }

  @Test("A wait that is too long is a failure with its time", arguments: StoreActor.allCases)
  func tooLong(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      fixture.stub.on(.get, "/items?page=2", .status(429, headers: ["Retry-After": "4000"]))
      fixture.list.loadMore()
      await fixture.list.settled()
      #expect(fixture.list.state.description == "failed(page 2, rateLimited)")
      #expect(fixture.list.state.retryDate == fixture.clock.date.addingTimeInterval(4000))
    }
  }
}
