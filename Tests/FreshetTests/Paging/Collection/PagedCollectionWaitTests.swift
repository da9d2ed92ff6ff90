import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Servers that want to be left alone")
struct PagedCollectionWaitTests {
  @Test(
    "A wait for the server is a state with its time, and can be given up",
    arguments: Home.allCases)
  func waits(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      scene.service.configure { $0.retries = .standard }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.stub.on(
        .get, "/items?page=2", .status(429, headers: ["Retry-After": "20"]),
        PageListScene.answer([2], next: nil))
      var waited: Date?
      scene.mirror.onEvent = { list, event in
        if case .stateChanged(.waiting(let date)) = event {
          waited = date
          list.cancelLoad()
        }
      }
      scene.list.loadMore()
      await scene.list.settled()
      #expect(waited == scene.clock.date.addingTimeInterval(20))
      #expect(scene.list.state.description == "idle" && scene.list.items == [1])
    }
  }

  @Test("A wait that is too long is a failure with its time", arguments: Home.allCases)
  func tooLong(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      scene.stub.on(.get, "/items?page=2", .status(429, headers: ["Retry-After": "4000"]))
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.state.description == "failed(page 2, rateLimited)")
      #expect(scene.list.state.retryDate == scene.clock.date.addingTimeInterval(4000))
    }
  }
}
