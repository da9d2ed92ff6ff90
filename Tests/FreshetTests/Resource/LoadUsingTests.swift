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
}
