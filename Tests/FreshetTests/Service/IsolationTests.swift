import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Every observer and hook below traps where it is called off the store's actor.
@Suite("Isolation", .standardTimeLimit)
struct IsolationTests {
  @Test("The result of work off the actor is received on it", arguments: StoreActor.allCases)
  func launch(actor: StoreActor) async {
    await actor.run { actor in
      let isolation = StoreIsolation(isolation: actor)
      var results: Set<Int> = []
      let tasks = (0..<10).map { number in
        isolation.launch {
          await Task.yield()
          return number
        } completion: { result in
          actor.preconditionIsolated()
          results.insert(result)
        }
      }
      #expect(results.isEmpty, "nothing comes back before the turn is over")
      for task in tasks { await task?.value }
      #expect(results == Set(0..<10))
    }
  }

  @Test("Observers and hooks are called on the actor", arguments: StoreActor.allCases)
  func observersAndHooks(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      let progress = TransferProgress(bytesReceived: 1, bytesExpectedToReceive: 2)
      stub.on(.get, "/a", .text("1").reporting(progress), .status(500))
      stub.on(.put, "/a", .text("2").reporting(progress))
      let cache = MemoryCache()
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      service.configure { $0.cache = cache }
      let resource = service.resource("a", of: String.self)
      var calls = 0
      let called = {
        actor.preconditionIsolated()
        calls += 1
      }
      resource.addObserver(owner: actor) { _, _ in called() }
      for request in [resource.load(), resource.load(), resource.request(.put)] {
        request.onProgress { _ in called() }.onCompletion { _ in called() }
        await request.completed()
        actor.preconditionIsolated()
      }
      // One completion and the last progress of each request, and the events: that it was added, two
      // requested, and a response; the second one comes too unless the newer load is quicker.
      #expect(calls >= 3 + 3 + 4)
      #expect(stub.unexpected.isEmpty)
    }
  }

  @Test("An actor that owns its store is freed with it")
  func actorIsFreed() async throws {
    let stub = StubTransport()
    stub.on(.get, "/a", .text("1"))
    let gate = stub.hold(.get, "/a")
    weak var freed: StoreOwner?
    do {
      let owner = StoreOwner(transport: stub)
      freed = owner
      await owner.begin()
      await gate.arrived()
    }
    gate.release()
    // The task of the load may hold the actor for a moment longer.
    #expect(await soon { freed == nil })
  }
}

private actor StoreOwner {
  private let transport: StubTransport
  private lazy var service = Service(
    baseURL: "https://api.test", transport: transport, clock: ManualClock(), isolation: self)

  init(transport: StubTransport) {
    self.transport = transport
  }

  func begin() {
    service.resource("a", of: String.self).load()
  }
}
