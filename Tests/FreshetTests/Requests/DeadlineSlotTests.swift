import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The deadline of a deallocated request is no other request's", .standardTimeLimit)
struct DeadlineSlotTests {
  /// A resource without its service, and a deallocated request of that service, whose deadline has
  /// passed, and whose transport ignores cancellation.
  private static func lateResponse(
    _ stub: StubTransport, _ clock: ManualClock, isolation: isolated any Actor = #isolation
  ) async -> (resource: Resource<String>, gate: StubTransport.Gate) {
    let (resource, load): (Resource<String>, Request<String>)
    let deaf = stub.hold(.put, "/a", ignoringCancellation: true)
    do {
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      service.configure { $0.timeout = .seconds(5) }
      resource = service.resource("a", of: String.self)
      _ = resource.request(.put)
      await deaf.arrived()
      let gate = stub.hold(.get, "/a")
      load = resource.load()
      await gate.arrived()
      withExtendedLifetime(service) {}
    }
    await clock.advanceToNextDeadline()
    #expect(await load.failure()?.kind == .timeout)
    return (resource, deaf)
  }

  @Test(
    "A late response leaves the deadline of another request", arguments: StoreActor.allCases,
    [true, false])
  func late(actor: StoreActor, hasResponded: Bool) async throws {
    try await actor.run { actor in
      let (stub, clock) = (StubTransport(), ManualClock())
      let (resource, deaf) = await Self.lateResponse(stub, clock)
      let gates = [stub.hold(.get, "/a"), stub.hold(.get, "/a")]
      var loads: [Request<String>] = []
      for gate in gates {
        loads.append(resource.load())
        await gate.arrived()
      }
      await clock.timers(atLeast: 1) { $0.purpose == .deadline }
      if hasResponded { deaf.release(with: .text("late")) }
      stub.on(.post, "/a", .text("later"))
      for _ in 0..<20 { _ = try await resource.request(.post).value() }
      await clock.advanceToNextDeadline()
      #expect(await loads[0].failure()?.kind == .timeout)
      #expect(loads[1].isCompleted, "It has the same deadline")
      resource.cancelLoad()
      deaf.release(with: .text("late"))
    }
  }

  @Test("A late response does not free the slot of another deadline")
  func twice() async throws {
    await #expect(processExitsWith: .success) {
      try await Self.loadAgain(afterLateResponse: true)
    }
  }

  @Test("Without a late response each deadline has a slot of its own")
  func control() async throws {
    await #expect(processExitsWith: .success) {
      try await Self.loadAgain(afterLateResponse: false)
    }
  }

  private static func loadAgain(afterLateResponse hasResponded: Bool) async throws {
    try await StoreActor.mainActor.run { actor in
      let (stub, clock) = (StubTransport(), ManualClock())
      let (resource, deaf) = await Self.lateResponse(stub, clock)
      let gates = [stub.hold(.get, "/a"), stub.hold(.get, "/a")]
      for gate in gates {
        resource.load()
        await gate.arrived()
      }
      if hasResponded { deaf.release(with: .text("late")) }
      stub.on(.post, "/a", .text("later"))
      for _ in 0..<20 { _ = try await resource.request(.post).value() }
      resource.cancelLoad()
      let more = (0..<3).map { _ in stub.hold(.get, "/a") }
      for gate in more {
        resource.load()
        await gate.arrived()
      }
      resource.cancelLoad()
      resource.store.checkInvariants()
    }
  }
}
