import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Feeding a resource from another request")
struct LoadUsingTests {
  @Test("The resource loads until the request ends and takes its answer", arguments: Home.allCases)
  func runningRequest(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      let gate = scene.stub.hold(.put, "/a")
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      let request = resource.load(using: resource.request(.put, body: .text("x")))
      #expect(resource.isLoading)
      #expect(resource.loadIfNeeded() === request)
      await gate.arrived()
      gate.release(with: .text("saved"))
      _ = try await request.value()
      #expect(resource.content == "saved")
      #expect(resource.isUpToDate)
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(scene.stub.requests.count == 1)
    }
  }

  @Test("A request that has already ended counts at once", arguments: Home.allCases)
  func endedRequest(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.put, "/a", .text("saved"))
      let resource = scene.text("a")
      let request = resource.request(.put)
      _ = try await request.value()
      let recorder = scene.record(resource)
      resource.load(using: request)
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(!resource.isLoading)
      #expect(resource.content == "saved")
    }
  }

  @Test("A failure becomes the error of the resource", arguments: Home.allCases)
  func failingRequest(home: Home) async {
    await home.run { home in
      let scene = Scene()
      scene.stub.on(.put, "/a", .status(409))
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      await resource.load(using: resource.request(.put)).ended()
      #expect(recorder.events == [.requested, .error])
      #expect(resource.latestError?.status == 409)
    }
  }

  @Test("A cancelled request is a cancelled load", arguments: Home.allCases)
  func cancelledRequest(home: Home) async {
    await home.run { home in
      let scene = Scene()
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      resource.load(using: resource.request(.put)).cancel()
      #expect(recorder.events == [.requested, .requestCancelled])
      #expect(!resource.isLoading)
      #expect(resource.latestError == nil)
    }
  }

  @Test("Giving up the load leaves the request alone", arguments: Home.allCases)
  func cancelLoadLeavesRequest(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.put, "/a", .text("saved"))
      let resource = scene.text("a")
      let request = resource.load(using: resource.request(.put))
      resource.cancelLoad()
      #expect(!request.isCompleted)
      let entity = try await request.value()
      #expect(entity.content == "saved")
      #expect(resource.content == nil)
    }
  }

  @Test("One request may feed several resources", arguments: Home.allCases)
  func severalResources(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.put, "/a", .text("saved"))
      let (one, two) = (scene.text("a"), scene.text("b"))
      let request = one.request(.put)
      one.load(using: request)
      two.load(using: request)
      _ = try await request.value()
      #expect(one.content == "saved")
      #expect(two.content == "saved")
    }
  }

  @Test(
    "The lifetime that the response states counts, less the time since it came",
    arguments: [0, 20], Home.allCases)
  func statedLifetime(later: Int, home: Home) async throws {
    try await home.run { home in
      let scene = Scene { $0.usesServerFreshness = true }
      scene.stub.on(.put, "/a", .text("saved", headers: ["Cache-Control": "max-age=60"]))
      let resource = scene.text("a")
      let request = resource.request(.put)
      if later == 0 { resource.load(using: request) }
      _ = try await request.value()
      scene.clock.advance(by: .seconds(later))
      if later > 0 { resource.load(using: request) }
      scene.clock.advance(by: .seconds(60 - later) - .nanoseconds(1))
      #expect(resource.isUpToDate)
      scene.clock.advance(by: .nanoseconds(1))
      #expect(!resource.isUpToDate)
    }
  }

  @Test("A response is as old as it is when it is adopted", arguments: Home.allCases)
  func ageOfResponse(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.put, "/a", .text("saved"))
      let resource = scene.text("a")
      let request = resource.request(.put)
      _ = try await request.value()
      scene.clock.advance(by: .seconds(20))
      resource.load(using: request)
      #expect(resource.isUpToDate)
      scene.clock.advance(by: .seconds(10))
      #expect(!resource.isUpToDate)
    }
  }

  @Test(
    "The response replaces the entry of the persistent cache, where it may be stored",
    arguments: [false, true], Home.allCases)
  func persistentEntry(mayBeStored: Bool, home: Home) async throws {
    try await home.run { home in
      let cache = HeldCache()
      let scene = Scene { $0.cache = cache }
      scene.stub.on(.get, "/a", .text("old"))
      scene.stub.on(
        .put, "/a",
        .text("saved", headers: mayBeStored ? [:] : ["Cache-Control": "no-store"]))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      _ = try await resource.load(using: resource.request(.put)).value()
      // Writes are made in order: with this one, those before have been made.
      scene.text("b").wipe()
      await cache.written(scene.text("b").key)
      #expect(await cache.text(of: resource.key) == (mayBeStored ? "saved" : nil))
    }
  }

  @Test(
    "A response that another decoder has read removes the entry of the persistent cache",
    arguments: Home.allCases)
  func otherDecoder(home: Home) async throws {
    try await home.run { home in
      let cache = HeldCache()
      let scene = Scene { $0.cache = cache }
      scene.stub.on(.get, "/a", .text("old"))
      scene.stub.on(.put, "/a", .text("<saved>"))
      let resource = scene.text("a")
      _ = try await resource.load().value()
      let decoder = ContentDecoder<String>("unwrapping") { _ in "saved" }
      _ = try await resource.load(using: resource.request(.put, decoder: decoder)).value()
      #expect(resource.content == "saved")
      scene.text("b").wipe()
      await cache.written(scene.text("b").key)
      #expect(await cache.text(of: resource.key) == nil)
    }
  }

  @Test("A load of the resource itself is one load", arguments: Home.allCases)
  func ownLoad(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a", .text("one"))
      let resource = scene.text("a")
      let recorder = scene.record(resource)
      let load = resource.load()
      #expect(resource.load(using: load) === load)
      _ = try await load.value()
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(!resource.isLoading)
    }
  }
}
