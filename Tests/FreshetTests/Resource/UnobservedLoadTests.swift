import FreshetTesting
import Testing

@testable import Freshet

@Suite("Loads that nothing waits for any more", .standardTimeLimit)
struct UnobservedLoadTests {
  /// A resource whose next load is held, in a store that cancels loads without observers, where wanted.
  private func held(
    isWanted: Bool = true, isolation: isolated any Actor = #isolation
  ) -> (resource: Resource<String>, gate: StubTransport.Gate) {
    let fixture = ServiceFixture { $0.cancelsUnobservedLoads = isWanted }
    let gate = fixture.stub.hold(.get, "/a")
    return (fixture.text("a"), gate)
  }

  @Test(
    "The last observer takes its load with it, where that is wanted", arguments: StoreActor.allCases
  )
  func lastObserver(actor: StoreActor) async {
    await actor.run { actor in
      for isWanted in [true, false] {
        let (resource, gate) = held(isWanted: isWanted)
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

  @Test(
    "A load continues if what is evicted for its resource observes that again",
    arguments: StoreActor.allCases)
  func observedAgain(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.get, "/a")
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(),
        limits: Service.RetentionLimits(resourceCount: 1), isolation: #isolation
      ) { $0.cancelsUnobservedLoads = true }
      let resource: Resource<String> = service.resource("a")
      let first = resource.observe { _, _ in }
      var second: ObservationToken?
      resource.load()
      await gate.arrived()
      // There is no room for it once the first one is observed no more.
      service.resource("b", decoder: ProbedContent.decoder).overrideLocalContent(
        ProbedContent(DeinitProbe { second = resource.observe { _, _ in } }))
      #expect(second == nil)
      first.cancel()
      #expect(second != nil && resource.isLoading)
      gate.release(with: .text("one"))
      await resource.settled()
    }
  }

  @Test("A load that a hook or a task waits for continues", arguments: StoreActor.allCases)
  func awaited(actor: StoreActor) async {
    await actor.run { actor in
      for kind in 0..<2 {
        let (resource, gate) = held()
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
        $0.retryPolicy = .standard
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

  @Test(
    "The last observer that exists takes its load with it, also after others that were deallocated",
    arguments: StoreActor.allCases)
  func lastLiving(actor: StoreActor) async {
    await actor.run { actor in
      let (resource, gate) = held()
      var owners = (0..<3).map { _ in Owner() }
      for owner in owners { resource.addObserver(owner: owner) { _, _ in } }
      let token = resource.observe { _, _ in }
      resource.loadIfNeeded()
      await gate.arrived()
      owners = []
      #expect(resource.isObserved && resource.isLoading)
      token.cancel()
      #expect(!resource.isObserved && !resource.isLoading)
    }
  }

  @Test(
    "An observer that was deallocated before a load began does not cancel it",
    arguments: StoreActor.allCases)
  func deallocatedBefore(actor: StoreActor) async {
    await actor.run { actor in
      for isOwner in [false, true] {
        let (resource, gate) = held()
        var observer: EventRecorder? = EventRecorder()
        if let observer {
          if isOwner {
            resource.addObserver(owner: observer) { _, _ in }
          } else {
            resource.addObserver(observer)
          }
        }
        observer = nil
        let request = resource.load()
        #expect(resource.isLoading && !request.isCompleted)
        await gate.arrived()
        gate.release(with: .text("one"))
        await request.completed()
        #expect(resource.content == "one")
      }
    }
  }

  @Test(
    "A task that keeps a resource loaded takes its load with it, and no other one's",
    arguments: StoreActor.allCases)
  func keptLoaded(actor: StoreActor) async {
    await actor.run { actor in
      let (resource, gate) = held()
      let tasks = (0..<2).map { _ in
        Task {
          _ = actor
          await resource.keepLoaded()
        }
      }
      await gate.arrived()
      #expect(await soon { resource.observersIfAny?.endIndex == 2 })
      tasks[0].cancel()
      await tasks[0].value
      #expect(resource.isObserved && resource.isLoading)
      tasks[1].cancel()
      await tasks[1].value
      #expect(!resource.isObserved && !resource.isLoading)
    }
  }

  @Test(
    "It does so where an event comes between its cancellation and its end",
    arguments: StoreActor.allCases)
  func keptLoadedUntilEvent(actor: StoreActor) async {
    await actor.run { actor in
      let (resource, gate) = held()
      let task = Task {
        _ = actor
        await resource.keepLoaded()
      }
      await gate.arrived()
      task.cancel()
      resource.invalidate()
      #expect(resource.isLoading)
      await task.value
      #expect(!resource.isObserved && !resource.isLoading)
      await gate.cancelled()
    }
  }
}
