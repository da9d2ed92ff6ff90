import FreshetTesting
import Testing

@testable import Freshet

@Suite("The one task that sleeps for all deadlines", .standardTimeLimit)
struct DeadlineTimerTests {
  /// What requests on their own need, with a clock that shows who sleeps.
  private func makeScope(
    _ clock: ManualClock, isolation: isolated any Actor = #isolation
  ) -> RequestScope {
    RequestScope(
      queue: EventQueue(), isolation: StoreIsolation(isolation: isolation),
      context: ExchangeContext(
        transport: StubTransport(), clock: clock, base: BaseURL("https://api.test")))
  }

  @Test("It sleeps on while another deadline is expected", arguments: StoreActor.allCases)
  func expected(actor: StoreActor) async throws {
    try await actor.run { actor in
      let clock = ManualClock()
      let scope = makeScope(clock)
      let request = Request<String>(scope: scope)
      scope.deadlines.expect()
      let id = try #require(scope.deadlines.set(for: request, in: .seconds(5)))
      await clock.sleepers(atLeast: 1)

      scope.deadlines.expect()
      scope.deadlines.lift(id)
      scope.deadlines.endTimerIfIdle()
      #expect(clock.sleeperCount == 1, "one is expected")

      // It was expected of a request that has ended meanwhile.
      _ = scope.deadlines.set(for: nil, in: .seconds(5))
      scope.deadlines.endTimerIfIdle()
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("It ends with the last request", arguments: StoreActor.allCases)
  func end(actor: StoreActor) async {
    await actor.run { actor in
      let clock = ManualClock()
      weak var deadlines: Deadlines?
      do {
        let request = Request<String>(scope: makeScope(clock))
        deadlines = request.scope.deadlines
        deadlines?.expect()
        _ = deadlines?.set(for: request, in: .seconds(5))
        await clock.sleepers(atLeast: 1)
      }
      #expect(deadlines == nil)
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test(
    "One that was cancelled when its time had come leaves the next one alone",
    arguments: StoreActor.allCases)
  func cancelledTooLate(actor: StoreActor) async throws {
    try await actor.run { actor in
      let clock = ManualClock()
      let scope = makeScope(clock)
      let request = Request<String>(scope: scope)
      func set() -> Deadlines.ID? {
        scope.deadlines.expect()
        return scope.deadlines.set(for: request, in: .seconds(5))
      }
      let first = try #require(set())
      await clock.sleepers(atLeast: 1)
      // The actor is busy until the next deadline has been set.
      clock.advance(by: .seconds(5))
      scope.deadlines.lift(first)
      scope.deadlines.endTimerIfIdle()
      let second = try #require(set())
      await clock.sleepers(atLeast: 1)
      for _ in 0..<500 { await Task.yield() }
      #expect(clock.sleeperCount == 1, "one task sleeps for all")
      scope.deadlines.lift(second)
      scope.deadlines.endTimerIfIdle()
      #expect(clock.sleeperCount == 0)
    }
  }
}
