import Freshet
import FreshetTesting
import Testing

@Suite("Resources that are invalidated while somebody observes them")
struct InvalidationReloadTests {
  @Test("They are loaded again by themselves", arguments: Home.allCases)
  func reloads(home: Home) async throws {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("1"), .text("2"))
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      await resource.load().ended()
      recorder.drain()
      scene.service.invalidate(matching: "a")
      #expect(resource.isLoading)
      await resource.loadIfNeeded()?.ended()
      #expect(resource.content == "2" && resource.isUpToDate)
      #expect(scene.stub.requests.count == 2)
      #expect(recorder.drain().count { $0 == .invalidated } == 1)
    }
  }

  @Test("Nobody's resource is not", arguments: Home.allCases)
  func unobserved(home: Home) async throws {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("1"), .text("2"))
      let resource = scene.text("a")
      await resource.load().ended()
      resource.invalidate()
      #expect(!resource.isLoading)
      #expect(scene.stub.requests.count == 1)
    }
  }

  @Test("By configuration that is an event only", arguments: Home.allCases)
  func eventOnly(home: Home) async throws {
    await home.run { home in
      let scene = Scene { $0.reloadsWhenInvalidated = false }
      scene.stub.on(.get, "/a", .text("1"), .text("2"))
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      await resource.load().ended()
      recorder.drain()
      scene.service.invalidate()
      #expect(!resource.isLoading)
      #expect(recorder.drain() == [.invalidated])
      #expect(scene.stub.requests.count == 1)
    }
  }

  @Test("One that was never loaded stays so", arguments: Home.allCases)
  func neverLoaded(home: Home) async throws {
    await home.run { home in
      let scene = Scene()
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      scene.service.invalidate()
      #expect(!resource.isLoading)
      #expect(scene.stub.requests.isEmpty)
      recorder.drain()
    }
  }
}
