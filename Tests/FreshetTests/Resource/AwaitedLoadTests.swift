import Foundation
import FreshetTesting
import Observation
import Testing

@testable import Freshet

@Suite("What a task waits for of a load that ends before its request", .standardTimeLimit)
struct AwaitedLoadTests {
  /// Waits until the task that was just begun on this actor waits.
  private func yield(isolation: isolated any Actor = #isolation) async {
    for _ in 0..<100 { await Task.yield() }
  }

  @Test(
    "A hundred tasks wait for one load, and one that is cancelled leaves it to the others (F64)",
    arguments: StoreActor.allCases)
  func hundredTasks(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.cancelsUnobservedLoads = true }
      let resource = fixture.text("a")
      let gate = fixture.stub.hold(.get, "/a")
      let tasks = (0..<100).map { _ in
        Task {
          _ = actor
          return try await resource.freshContent()
        }
      }
      await gate.arrived()
      await yield()
      tasks[0].cancel()
      await yield()
      #expect(resource.isLoading)
      gate.release(with: .text("one"))
      for task in tasks.dropFirst() {
        let content = try await task.value
        #expect(content == "one")
      }
      _ = await tasks[0].result
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("Content is not returned for a load that was cancelled", arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      fixture.stub.on(.get, "/a", .text("old"))
      await resource.load().completed()
      fixture.clock.advance(by: .seconds(31))
      let gate = fixture.stub.hold(.put, "/a")
      resource.load(using: resource.request(.put))
      let fresh = Task {
        _ = actor
        return try await resource.freshContent()
      }
      await gate.arrived()
      await yield()
      resource.cancelLoad()
      gate.release(with: .text("new"))
      let result = await fresh.result
      #expect(throws: ResourceError.self) { try result.get() }
      #expect(resource.content == "old" && !resource.isUpToDate)
    }
  }

  @Test("Nor for one that a newer load has ended in failure", arguments: StoreActor.allCases)
  func superseded(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      resource.overrideLocalContent("old")
      let gate = fixture.stub.hold(.get, "/a")
      let reload = Task {
        _ = actor
        return try await resource.reload()
      }
      await gate.arrived()
      fixture.stub.on(.get, "/a", .status(500))
      await resource.load().completed()
      gate.release(with: .text("new"))
      let result = await reload.result
      guard case .failure(let error as ResourceError) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(error.status == 500)
      #expect(resource.content == "old")
    }
  }

  @Test(
    "Nor where it was invalidated during the load, and the load that follows fails at once",
    arguments: StoreActor.allCases)
  func failedAtOnce(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.retryPolicy = .standard }
      fixture.stub.on(.get, "/b", .status(429, headers: ["Retry-After": "120"]))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let gate = fixture.stub.hold(.get, "/a")
      let fresh = Task {
        _ = actor
        return try await resource.freshContent()
      }
      await gate.arrived()
      // The server asks all requests to wait for longer than one does.
      await fixture.text("b").load().completed()
      resource.invalidate()
      gate.release(with: .text("old"))
      let result = await fresh.result
      guard case .failure(let error as ResourceError) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(error.kind == .rateLimited && resource.content == "old")
      #expect(
        recorder.events == [.requested, .invalidated, .newData(.network), .requested, .error])
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test(
    "Content is returned for a load though a newer one was cancelled that an observer has begun",
    arguments: StoreActor.allCases)
  func newerCancelled(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      var newer: Request<String>?
      let token = resource.observe { resource, event in
        if event == .requested, newer == nil { newer = resource.load() }
      }
      let reload = Task {
        _ = actor
        return try await resource.reload()
      }
      for gate in gates { await gate.arrived() }
      await yield()
      newer?.cancel()
      #expect(resource.isLoading)
      for gate in gates { gate.release(with: .text("new")) }
      let result = await reload.result
      #expect(throws: Never.self) { try result.get() }
      #expect(resource.content == "new")
      token.cancel()
    }
  }

  @Test(
    "Older content is not returned for a cancelled load from a request that ended with an entry",
    arguments: StoreActor.allCases)
  func cancelledBeforeRestored(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      let (restored, resource) = (fixture.text("a"), fixture.text("b"))
      fixture.stub.on(.get, "/b", .text("old"))
      await resource.load().completed()
      fixture.clock.advance(by: .seconds(31))
      await cache.begun(.entry)
      await cache.put(.text("kept", age: 0, fixture.clock), for: restored.key)
      await cache.hold(.entry)
      let request = try #require(restored.loadIfNeeded())
      resource.load(using: request)
      await cache.begun(.entry)
      let fresh = Task {
        _ = actor
        return try await resource.freshContent()
      }
      await yield()
      resource.cancelLoad()
      await cache.release()
      let result = await fresh.result
      guard case .failure(let error as ResourceError) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(error.kind == .cancelled)
      #expect(restored.content == "kept" && resource.content == "old")
    }
  }

  @Test("settled() returns as soon as nothing is loading", arguments: StoreActor.allCases)
  func settled(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let put = fixture.stub.hold(.put, "/a")
      resource.load(using: resource.request(.put))
      let cancelled = Task {
        _ = actor
        await resource.settled()
      }
      await put.arrived()
      await yield()
      resource.cancelLoad()
      await cancelled.value
      #expect(put.request != nil && !put.isCancelled)

      let slow = fixture.stub.hold(.get, "/a", ignoringCancellation: true)
      let first = resource.load()
      await slow.arrived()
      let superseded = Task {
        _ = actor
        await resource.settled()
      }
      await yield()
      fixture.stub.on(.get, "/a", .text("newer"))
      await resource.load().completed()
      await superseded.value
      #expect(resource.content == "newer" && !resource.isLoading)
      slow.release(with: .text("older"))
      put.release(with: .text("put"))
      await first.completed()
    }
  }

  @Test("A task that waits keeps the load of a resource without observers")
  func settledIsAwaited() async {
    await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture { $0.cancelsUnobservedLoads = true }
      let resource = fixture.text("a")
      let gate = fixture.stub.hold(.get, "/a")
      let token = resource.observe { _, _ in }
      resource.load()
      let waiting = Task {
        _ = actor
        await resource.settled()
      }
      await gate.arrived()
      await yield()
      token.cancel()
      #expect(resource.isLoading)
      gate.release(with: .text("one"))
      await waiting.value
      #expect(resource.content == "one")
    }
  }

  @Test("A task that was cancelled keeps no load", arguments: StoreActor.allCases)
  func cancelledTask(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.cancelsUnobservedLoads = true }
      let resource = fixture.text("a")
      let gate = fixture.stub.hold(.get, "/a")
      let token = resource.observe { _, _ in }
      let task = Task {
        _ = actor
        _ = try? await resource.freshContent()
        await resource.settled()
      }
      await gate.arrived()
      task.cancel()
      await task.value
      token.cancel()
      #expect(!resource.isLoading)
      await gate.cancelled()
    }
  }

  @Test("What a view has read in a delivery is reported when it changes back")
  func trackedInDelivery() async {
    await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      fixture.stub.on(.get, "/a", .text("one"))
      withObservationTracking {
        _ = resource.latestError
      } onChange: {
      }
      let isNotified = Locked(false)
      var seen = false
      let token = resource.observe { resource, event in
        guard event == .invalidated else { return }
        resource.load()
        withObservationTracking {
          seen = resource.isLoading
        } onChange: {
          isNotified.withLock { $0 = true }
        }
        resource.cancelLoad()
      }
      resource.invalidate()
      #expect(seen && !resource.isLoading)
      #expect(isNotified.withLock { $0 })
      token.cancel()
    }
  }
}
