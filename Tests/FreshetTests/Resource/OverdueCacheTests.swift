import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A persistent cache that is passed over at the deadline", .standardTimeLimit)
struct OverdueCacheTests {
  @TaskLocal static var label = "none"

  private static func fixture(
    _ cache: HeldCache, isolation: isolated any Actor = #isolation
  ) async -> ServiceFixture {
    await cache.hold(.entry)
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.timeout = .seconds(5)
    }
    return fixture
  }

  @Test(
    "The server is asked with the task-local values of the load", arguments: StoreActor.allCases)
  func taskLocals(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = await Self.fixture(cache)
      fixture.stub.on(where: { _ in true }) { _ in .text(Self.label) }
      var loads: [Request<String>] = []
      for name in ["a", "b", "c"] {
        Self.$label.withValue(name) { loads.append(fixture.text(name).load()) }
        await cache.begun(.entry)
      }
      await fixture.clock.timers(atLeast: 1) { $0.purpose == .deadline }
      fixture.clock.advance(by: .seconds(5))
      for (load, name) in zip(loads, ["a", "b", "c"]) {
        let content = try await load.value()
        #expect(content == name)
      }
      await cache.release()
      #expect(fixture.clock.timers.count == 0)
    }
  }

  @Test("Cancelling the load cancels the request to the server", arguments: StoreActor.allCases)
  func cancellation(actor: StoreActor) async throws {
    await actor.run { actor in
      let cache = HeldCache()
      let fixture = await Self.fixture(cache)
      let gates = ["a", "b"].map { fixture.stub.hold(.get, "/\($0)") }
      let loads = ["a", "b"].map { fixture.text($0).load() }
      for _ in loads { await cache.begun(.entry) }
      await fixture.clock.timers(atLeast: 1) { $0.purpose == .deadline }
      fixture.clock.advance(by: .seconds(5))
      for gate in gates { await gate.arrived() }
      loads[0].cancel()
      await gates[0].cancelled()
      #expect(!gates[1].isCancelled)
      fixture.clock.advance(by: .seconds(4))
      #expect(!loads[1].isCompleted, "The server has all of its time")
      await fixture.clock.timers(atLeast: 1) { $0.purpose == .deadline }
      fixture.clock.advance(by: .seconds(1))
      #expect(await loads[1].failure()?.kind == .timeout)
      await cache.release()
    }
  }

  @Test("Cancelling it before the deadline ends it at once", arguments: StoreActor.allCases)
  func earlyCancellation(actor: StoreActor) async throws {
    await actor.run { actor in
      let cache = HeldCache()
      let fixture = await Self.fixture(cache)
      let load = fixture.text("a").load()
      await cache.begun(.entry)
      load.cancel()
      #expect(load.isCompleted)
      #expect(await load.failure()?.kind == .cancelled)
      await cache.release()
      #expect(fixture.stub.requests.isEmpty)
    }
  }

  @Test("Waiting for a cache that hangs ends when the waiting task is cancelled")
  @MainActor func flush() async throws {
    let cache = HeldCache()
    let fixture = ServiceFixture { $0.cache = cache }
    fixture.stub.on(.get, "/a", .text("one"))
    await cache.hold(.store)
    _ = try await fixture.text("a").load().value()
    await cache.begun(.store)
    fixture.stub.on(.get, "/b", .text("two"))
    for _ in 0..<3 {
      var (hasBegun, isDone) = (false, false)
      let task = Task {
        hasBegun = true
        await fixture.service.flushCache()
        isDone = true
      }
      #expect(await soon { hasBegun })
      // It looks into the cache after that, and is not held.
      _ = try await fixture.text("b").load().value()
      #expect(!isDone)
      task.cancel()
      #expect(await soon { isDone })
    }
    // One that is not cancelled still waits for the entry.
    let task = Task {
      await fixture.service.flushCache()
      return await cache.text(of: fixture.text("a").key)
    }
    await cache.release()
    #expect(await task.value == "one")
  }
}
