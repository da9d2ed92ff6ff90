import FreshetTesting
import Testing

@testable import Freshet

@Suite("The one task that sleeps for all deadlines")
struct RunningRequestsTests {
  /// Requests on their own, and a clock that shows who sleeps.
  private struct Bench {
    let clock = ManualClock()
    var running: RunningRequests?
    let scope: RequestScope

    init(isolation: isolated any Actor = #isolation) {
      let isolation = StoreIsolation(isolation: isolation)
      let running = RunningRequests(isolation: isolation, clock: clock)
      self.running = running
      scope = RequestScope(
        queue: EventQueue(), isolation: isolation,
        context: ExchangeContext(
          transport: StubTransport(), clock: clock, base: BaseURL("https://api.test")),
        running: running)
    }
  }

  @Test("It sleeps on while another deadline is expected", arguments: Home.allCases)
  func expected(home: Home) async {
    await home.run { home in
      let bench = Bench()
      let request = Request<String>(scope: bench.scope)
      bench.running?.expectDeadline()
      bench.running?.setDeadline(of: request, in: .seconds(5))
      await bench.clock.sleepers(atLeast: 1)

      bench.running?.expectDeadline()
      bench.running?.liftDeadline(of: request)
      bench.running?.letSleeperGo()
      #expect(bench.clock.sleeperCount == 1, "one is expected")

      // It was expected of a request that has ended meanwhile.
      bench.running?.setDeadline(of: nil, in: .seconds(5))
      bench.running?.letSleeperGo()
      #expect(bench.clock.sleeperCount == 0)
    }
  }

  @Test("It ends with the store", arguments: Home.allCases)
  func end(home: Home) async {
    await home.run { home in
      var bench = Bench()
      let request = Request<String>(scope: bench.scope)
      bench.running?.expectDeadline()
      bench.running?.setDeadline(of: request, in: .seconds(5))
      await bench.clock.sleepers(atLeast: 1)
      bench.running = nil
      #expect(bench.scope.running == nil)
      #expect(bench.clock.sleeperCount == 0)
    }
  }
}
