import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Servers that want to be left alone", .standardTimeLimit)
struct PagedCollectionWaitTests {
  @Test(
    "A wait is a state with its time and its reason, and can be cancelled",
    arguments: StoreActor.allCases,
    [
      (StubTransport.Response.status(429, headers: ["Retry-After": "20"]), 20.0, "server"),
      (.status(503), 0.1, "backoff"),
    ])
  func waits(
    actor: StoreActor, failure: (response: StubTransport.Response, seconds: Double, reason: String)
  ) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      fixture.service.configure {
        $0.retryPolicy = .standard
        $0.random = { 0.5 }
      }
      await fixture.loadIfNeeded()
      fixture.stub.on(
        .get, "/items?page=2", failure.response, PageListFixture.response([2], next: nil))
      var waited: RequestWait?
      fixture.mirror.onEvent = { list, event in
        if case .stateChanged(.waiting(let wait)) = event {
          waited = wait
          #expect(list.state.nextAttemptDate == wait.nextAttemptDate)
          #expect(list.state.description.hasSuffix("GMT, \(failure.reason))"))
          list.cancelLoad()
        }
      }
      await fixture.loadMore()
      #expect(waited?.nextAttemptDate == fixture.clock.date.addingTimeInterval(failure.seconds))
      #expect(waited?.reason == RequestWait.Reason(rawValue: failure.reason))
      #expect(fixture.list.state.description == "idle" && fixture.list.items == [1])
    }
  }

  @Test("A wait that is too long is a failure with its time", arguments: StoreActor.allCases)
  func tooLong(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadIfNeeded()
      fixture.stub.on(.get, "/items?page=2", .status(429, headers: ["Retry-After": "4000"]))
      await fixture.loadMore()
      #expect(fixture.list.state.description == "failed(page 1, rateLimited)")
      #expect(fixture.list.state.nextAttemptDate == fixture.clock.date.addingTimeInterval(4000))
    }
  }

  @Test(
    "Whatever is shown while a server wants to be left alone begins no load, and changes no state",
    arguments: StoreActor.allCases, [false, true])
  func demandsWhileItWaits(actor: StoreActor, isObserver: Bool) async throws {
    await actor.run { actor in
      let pages = [[1], [2], [3], [4], [5], [6]]
      let fixture = TwoWayListFixture(pages, startingAt: 4) { $0.concurrentLoads = 2 }
      fixture.fixture.service.configure { $0.retryPolicy = .standard }
      fixture.list.loadIfNeeded()
      await fixture.settled()
      fixture.fixture.stub.on(.get, "/items?page=5", .status(429, headers: ["Retry-After": "20"]))
      fixture.list.loadMore()
      await until { fixture.list.state.nextAttemptDate != nil }
      var (requestCount, eventCount) = (0, 0)
      fixture.fixture.page(3).addObserver(owner: fixture.list) { _, event in
        if case .requested = event { requestCount += 1 }
      }
      fixture.mirror.onEvent = { list, _ in
        eventCount += 1
        if isObserver, eventCount < 50 { list.itemsShown(in: 0..<1) }
      }
      for _ in 1...10 { fixture.list.itemShown(at: 0) }
      #expect(requestCount == 0 && eventCount == 0)
      #expect(fixture.list.state.nextAttemptDate != nil)
      fixture.mirror.onEvent = nil
      fixture.serve(pages)
      await fixture.fixture.clock.timers(atLeast: 1)
      fixture.fixture.clock.advance(by: .seconds(25))
      await fixture.list.settled()
      #expect(fixture.list.items == Array(1...6), "what is wanted is loaded after the wait")
    }
  }

  @Test(
    "What is to be loaded before the list while a request waits ends with that wait",
    arguments: StoreActor.allCases, [false, true])
  func startWaitsForItsTurn(actor: StoreActor, isWipe: Bool) async throws {
    await actor.run { actor in
      let fixture = TwoWayListFixture([[1], [2], [3], [4], [5], [6]], startingAt: 4) {
        $0.concurrentLoads = 2
      }
      fixture.fixture.service.configure { $0.retryPolicy = .standard }
      fixture.list.loadIfNeeded()
      await fixture.settled()
      let stub = fixture.fixture.stub
      let gate = stub.hold(.get, "/items?page=3")
      stub.on(.get, "/items?page=5", .status(500))
      fixture.list.itemShown(at: 0)
      await gate.arrived()
      await until { fixture.list.state.nextAttemptDate != nil }
      gate.release()
      await until { fixture.list.items == [3, 4] }
      #expect(fixture.list.previousState == .loading, "more is wanted there, after page 5")
      if isWipe { fixture.fixture.service.wipe() } else { fixture.list.cancelLoad() }
      #expect(!fixture.list.isLoading, "\(fixture.list.state), \(fixture.list.previousState)")
      fixture.list.checkInvariants()
      #expect(fixture.asked.sorted() == [3, 5])
    }
  }
}
