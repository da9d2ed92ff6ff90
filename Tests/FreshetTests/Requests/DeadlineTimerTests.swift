import FreshetTesting
import Testing

@testable import Freshet

@Suite("The one task that sleeps for all deadlines", .standardTimeLimit)
struct DeadlineTimerTests {
  /// What requests on their own need, with a clock that shows what sleeps.
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
        await clock.timers(atLeast: 1) { $0.purpose == .deadline }
      }
      #expect(deadlines == nil)
      #expect(clock.timers.isEmpty)
    }
  }
}
