import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Deadlines and retries", .standardTimeLimit)
struct DeadlineTests {
  @Test("A request that takes too long ends at its deadline", arguments: StoreActor.allCases)
  func deadline(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.timeout = .seconds(5) }
      let gate = fixture.stub.hold(.get, "/a")
      let resource = fixture.text("a")
      let request = resource.load()
      await gate.arrived()
      await fixture.clock.advanceToNextDeadline()
      #expect(fixture.clock.now == .seconds(5))
      #expect(await request.failure()?.kind == .timeout)
      #expect(gate.isCancelled)
      #expect(resource.latestError?.kind == .timeout)
      #expect(fixture.clock.timers.isEmpty)
    }
  }

  @Test("A transport that ignores cancellation delays no deadline", arguments: StoreActor.allCases)
  func deafTransport(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.timeout = .seconds(5) }
      let gate = fixture.stub.hold(.get, "/a", ignoringCancellation: true)
      let resource = fixture.text("a")
      let request = resource.load()
      await gate.arrived()
      await fixture.clock.advanceToNextDeadline()
      #expect(await request.failure()?.kind == .timeout)
      #expect(!resource.isLoading)
      gate.release(with: .text("late"))
      #expect(resource.content == nil)
    }
  }

  @Test("Each request has its own deadline", arguments: StoreActor.allCases)
  func ownDeadlines(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.timeout = .seconds(5) }
      fixture.service.configure("b") { $0.timeout = .seconds(2) }
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/b")]
      let (slow, fast) = (fixture.text("a").load(), fixture.text("b").load())
      for gate in gates { await gate.arrived() }
      await fixture.clock.advanceToNextDeadline()
      #expect(fixture.clock.now == .seconds(2))
      #expect(await fast.failure()?.kind == .timeout)
      #expect(!slow.isCompleted)
      await fixture.clock.advanceToNextDeadline()
      #expect(fixture.clock.now == .seconds(5))
      #expect(await slow.failure()?.kind == .timeout)
    }
  }

  @Test("A response in time leaves no deadline", arguments: StoreActor.allCases)
  func inTime(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      _ = try await fixture.text("a").load().value()
      #expect(fixture.clock.timers.isEmpty)
    }
  }

  /// An actor that a test can keep busy.
  private actor BusyActor {
    private static let sharedExecutor = QueueExecutor(label: "busy")
    nonisolated var executor: QueueExecutor { Self.sharedExecutor }
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var request: Request<String>?

    func load(by stub: StubTransport, _ clock: ManualClock) {
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      service.configure { $0.timeout = .seconds(5) }
      request = service.resource("a", of: String.self).load()
    }

    func failure() async -> ResourceError? { await request?.failure() }
  }

  @Test("A response that came before the actor could notice the deadline is in time")
  func inTimeWhileBusy() async {
    let (actor, stub, clock) = (BusyActor(), StubTransport(), ManualClock())
    let gate = stub.hold(.get, "/a")
    await actor.load(by: stub, clock)
    await gate.arrived()
    await clock.timers(atLeast: 1) { $0.purpose == .deadline }
    actor.executor.queue.suspend()
    let count = actor.executor.count
    clock.advance(by: .seconds(5))
    await actor.executor.jobs(atLeast: count + 1)
    gate.release(with: .text("in time"))
    await actor.executor.jobs(atLeast: count + 2)
    actor.executor.queue.resume()
    #expect(await actor.failure() == nil)
  }

  @Test("A transient failure is retried after its delay", arguments: StoreActor.allCases)
  func retries(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture {
        $0.retryPolicy = Service.RetryPolicy(maximumRetries: 2, baseDelay: .seconds(4))
        $0.random = { 0.5 }
      }
      fixture.stub.on(
        .get, "/a", .failure(.connectionLost), .status(503, headers: ["Retry-After": "7"]),
        .text("one"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let request = resource.load()
      for end in [2, 9] {
        let timer = await fixture.clock.advanceToNextTimer()
        #expect(timer == .init(end: .seconds(end), purpose: .retry(of: "GET https://api.test/a")))
      }
      _ = try await request.value()
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(fixture.stub.requests.count == 3)
    }
  }

  @Test("What is not safe to repeat is not repeated", arguments: StoreActor.allCases)
  func unsafeMethods(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.retryPolicy = .standard }
      fixture.stub.on(.post, "/a", .failure(.connectionLost))
      #expect(await fixture.text("a").request(.post).failure()?.kind == .connectionLost)
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("Cancelling during the wait for a retry sends nothing more", arguments: StoreActor.allCases)
  func cancelDuringWait(actor: StoreActor) async {
    await actor.run { actor in
      let (waits, wait) = AsyncStream<Service.LogEntry.Category>.makeStream()
      let fixture = ServiceFixture {
        $0.retryPolicy = .standard
        $0.random = { 1 }
        $0.log = { wait.yield($0.category) }
      }
      fixture.stub.on(.get, "/a", .failure(.connectionLost))
      let request = fixture.text("a").load()
      for await category in waits where category == .retry { break }
      request.cancel()
      #expect(await request.failure()?.kind == .cancelled)
      #expect(fixture.stub.requests.count == 1)
    }
  }
}
