import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("The one task that sleeps for all deadlines", .standardTimeLimit)
struct DeadlineTimerTests {
  /// What requests on their own need, with a clock that shows what sleeps.
  private static func makeScope(
    _ clock: ManualClock, isolation: isolated any Actor = #isolation
  ) -> RequestScope {
    RequestScope(
      queue: EventQueue(), isolation: StoreIsolation(counter: clock, isolation: isolation),
      context: ExchangeContext(
        transport: StubTransport(), clock: clock, base: BaseURL("https://api.test")),
      running: (nil, RunningRequests()))
  }

  @Test("It sleeps on while another deadline is expected", arguments: StoreActor.allCases)
  func expected(actor: StoreActor) async throws {
    try await actor.run { actor in
      let clock = ManualClock()
      let scope = Self.makeScope(clock)
      let request = Request<String>(scope: scope)
      scope.deadlines.expect()
      let id = try #require(scope.deadlines.set(for: request, in: .seconds(5)))
      await clock.timers(atLeast: 1) { $0.purpose == .deadline }

      scope.deadlines.expect()
      scope.deadlines.lift(id)
      scope.deadlines.endTimerIfIdle()
      #expect(clock.timers.count == 1, "one is expected")

      // It was expected of a request that has ended meanwhile.
      _ = scope.deadlines.set(for: nil, in: .seconds(5))
      scope.deadlines.endTimerIfIdle()
      #expect(clock.timers.isEmpty)
    }
  }

  /// An actor that a test can keep busy, with requests that have deadlines.
  private actor BusyActor {
    private static let sharedExecutor = QueueExecutor(label: "busy")
    nonisolated var executor: QueueExecutor { Self.sharedExecutor }
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let clock: ManualClock
    private lazy var scope = DeadlineTimerTests.makeScope(clock, isolation: self)
    private var requests: [Request<String>] = []

    init(_ clock: ManualClock) {
      self.clock = clock
    }

    func setDeadline(in timeout: Duration) {
      let request = Request<String>(scope: scope)
      requests.append(request)
      scope.deadlines.expect()
      _ = scope.deadlines.set(for: request, in: timeout)
    }

    /// What sleeps once nothing is under way.
    func timersAtRest() async -> [Duration] {
      do {
        try await clock.run(until: { false }, within: .zero)
      } catch let stalled as ManualClock.Stalled {
        return stalled.timers.map(\.end)
      } catch {}
      return []
    }
  }

  @Test("A deadline that is set while it wakes does not delay an earlier one")
  func setWhileWaking() async {
    let clock = ManualClock()
    let actor = BusyActor(clock)
    await actor.setDeadline(in: .seconds(5))
    await actor.setDeadline(in: .seconds(6))
    #expect(await actor.timersAtRest() == [.seconds(5)])
    actor.executor.queue.suspend()
    let count = actor.executor.count
    clock.advance(by: .seconds(5))
    await actor.executor.jobs(atLeast: count + 1)
    // Comes after the timer, and before what follows from that.
    let later = Task { await actor.setDeadline(in: .seconds(5)) }
    await actor.executor.jobs(atLeast: count + 2)
    actor.executor.queue.resume()
    await later.value
    #expect(await actor.timersAtRest() == [.seconds(6)])
  }

  @Test("It ends with the last request", arguments: StoreActor.allCases)
  func end(actor: StoreActor) async {
    await actor.run { actor in
      let clock = ManualClock()
      weak var deadlines: Deadlines?
      do {
        let request = Request<String>(scope: Self.makeScope(clock))
        deadlines = request.scope.deadlines
        deadlines?.expect()
        _ = deadlines?.set(for: request, in: .seconds(5))
        await clock.timers(atLeast: 1) { $0.purpose == .deadline }
      }
      #expect(deadlines == nil)
      #expect(clock.timers.isEmpty)
    }
  }

  @Test(
    "One that was cancelled when its time had come leaves the next one alone",
    arguments: StoreActor.allCases)
  func cancelledTooLate(actor: StoreActor) async throws {
    try await actor.run { actor in
      let clock = ManualClock()
      let scope = Self.makeScope(clock)
      let request = Request<String>(scope: scope)
      func set() -> Deadlines.ID? {
        scope.deadlines.expect()
        return scope.deadlines.set(for: request, in: .seconds(5))
      }
      let first = try #require(set())
      await clock.timers(atLeast: 1) { $0.purpose == .deadline }
      // The actor is busy until the next deadline has been set.
      clock.advance(by: .seconds(5))
      scope.deadlines.lift(first)
      scope.deadlines.endTimerIfIdle()
      let second = try #require(set())
      await clock.timers(atLeast: 1) { $0.purpose == .deadline }
      for _ in 0..<500 { await Task.yield() }
      #expect(clock.timers.count == 1, "one task sleeps for all")
      scope.deadlines.lift(second)
      scope.deadlines.endTimerIfIdle()
      #expect(clock.timers.count == 0)
    }
  }
}
