import FreshetTesting
import Testing

@testable import Freshet

@Suite("Loads that nothing waits for any more", .standardTimeLimit)
struct UnobservedLoadTests {
  @Test(
    "The last observer takes its load with it, where that is wanted", arguments: StoreActor.allCases
  )
  func lastObserver(actor: StoreActor) async {
    await actor.run { actor in
      for isWanted in [true, false] {
        let fixture = ServiceFixture { $0.cancelsUnobservedLoads = isWanted }
        let gate = fixture.stub.hold(.get, "/a")
        let resource = fixture.text("a")
        let (first, second) = (resource.observe { _, _ in }, resource.observe { _, _ in })
        resource.loadIfNeeded()
        await gate.arrived()
        first.cancel()
        #expect(resource.isLoading)
        second.cancel()
        #expect(resource.isLoading != isWanted)
        if isWanted { await gate.cancelled() } else { gate.release(with: .text("one")) }
      }
    }
  }

  @Test("A load that a hook or a task waits for continues", arguments: StoreActor.allCases)
  func awaited(actor: StoreActor) async {
    await actor.run { actor in
      for kind in 0..<2 {
        let fixture = ServiceFixture { $0.cancelsUnobservedLoads = true }
        let gate = fixture.stub.hold(.get, "/a")
        let resource = fixture.text("a")
        let token = resource.observe { _, _ in }
        let request = resource.load()
        if kind == 0 { request.onSuccess { _ in } } else { request.onProgress { _ in } }
        await gate.arrived()
        token.cancel()
        #expect(resource.isLoading, "kind \(kind)")
        gate.release(with: .text("one"))
        await request.completed()
      }
    }
  }

  @Test("A request that was made elsewhere continues", arguments: StoreActor.allCases)
  func adopted(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.cancelsUnobservedLoads = true }
      let gate = fixture.stub.hold(.put, "/a")
      let resource = fixture.text("a")
      let token = resource.observe { _, _ in }
      let request = resource.request(.put)
      resource.load(using: request)
      await gate.arrived()
      token.cancel()
      gate.release(with: .text("one"))
      await request.completed()
      #expect(resource.content == "one")
    }
  }

  @Test("A load that waits for its next attempt is cancelled too", arguments: StoreActor.allCases)
  func waiting(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture {
        $0.cancelsUnobservedLoads = true
        $0.retries = .standard
      }
      fixture.stub.on(.get, "/a", .status(503, headers: ["Retry-After": "5"]))
      let resource = fixture.text("a")
      let token = resource.observe { _, _ in }
      let request = resource.load()
      await withCheckedContinuation { waiting in
        request.onWait { wait in
          guard wait != nil else { return }
          token.cancel()
          waiting.resume()
        }
      }
      #expect(request.isCompleted)
      #expect(fixture.stub.requests.count == 1)
    }
  }
}
