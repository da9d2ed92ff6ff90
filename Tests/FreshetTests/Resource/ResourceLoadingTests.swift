import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Loading a resource")
struct ResourceLoadingTests {
  @Test("A new resource is empty and idle", arguments: Home.allCases)
  func newResourceIsEmptyAndIdle(home: Home) async throws {
    await home.run { home in
      let service = Service(baseURL: "https://api.test", transport: StubTransport())
      let resource = service.resource("a", of: String.self)
      #expect(resource.content == nil)
      #expect(resource.latestError == nil)
      #expect(!resource.isLoading)
      #expect(!resource.isUpToDate)
    }
  }

  @Test("A load sets loading, then brings data", arguments: Home.allCases)
  func loadSetsLoadingThenData(home: Home) async throws {
    try await home.run { home in
      let stub = StubTransport()
      stub.on(.get, "/a", .text("hello"))
      let service = Service(baseURL: "https://api.test", transport: stub)
      let resource = service.resource("a", of: String.self)
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      let request = resource.load()
      #expect(resource.isLoading)
      _ = try await request.value()
      #expect(resource.content == "hello")
      #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
    }
  }
}
