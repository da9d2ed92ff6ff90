import Freshet
import FreshetTesting
import Testing

@Suite("The timers of a manual clock", .standardTimeLimit)
struct ManualClockTimerTests {
  /// A request of a store that a gate holds, and another that the server lets wait for 7 seconds.
  private struct HeldAndWaiting {
    let fixture: ServiceFixture
    let held: Request<String>
    let waiting: Request<String>

    init(isolation: isolated any Actor = #isolation) async {
      fixture = ServiceFixture {
        $0.retryPolicy = .standard
        $0.timeout = .seconds(8)
      }
      fixture.service.configure("held") { $0.timeout = .seconds(60) }
      fixture.stub.on(.get, "/b", .status(429, headers: ["Retry-After": "7"]), .text("b"))
      let gate = fixture.stub.hold(.get, "/held")
      held = fixture.text("held").load()
      await gate.arrived()
      waiting = fixture.text("b").load()
    }
  }

  @Test("A list says until when and why they sleep", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async throws {
    try await actor.run { actor in
      let both = await HeldAndWaiting()
      await both.fixture.clock.timers(atLeast: 1)
      await both.fixture.clock.timers(atLeast: 1) { $0.purpose == .deadline }
      let timers = both.fixture.clock.timers
      #expect(
        timers.contains(.init(end: .seconds(7), purpose: .retry(of: "GET https://api.test/b"))))
      #expect(timers.map(\.end) == timers.map(\.end).sorted())
      #expect(timers.map(\.purpose).contains(.deadline))
      #expect("\(timers)".contains("retry of GET https://api.test/b at 7.0 seconds"))
      both.held.cancel()
      both.waiting.cancel()
      try await both.fixture.clock.run(until: { both.fixture.clock.timers.isEmpty })
      #expect(both.fixture.clock.now == .zero)
    }
  }

  @Test("A deadline is not what a test waits for", arguments: StoreActor.allCases)
  func deadlines(actor: StoreActor) async {
    await actor.run { actor in
      let both = await HeldAndWaiting()
      let clock = both.fixture.clock
      let timer = await clock.advanceToNextTimer()
      #expect(timer?.purpose == .retry(of: "GET https://api.test/b") && clock.now == .seconds(7))
      #expect(await both.waiting.failure() == nil)
      #expect(!both.held.isCompleted)
      repeat { await clock.advanceToNextDeadline() } while clock.now < .seconds(60)
      #expect(await both.held.failure()?.kind == .timeout)
      #expect(clock.now == .seconds(60))
    }
  }

  @Test("Secrets are not in the list", arguments: StoreActor.allCases)
  func secrets(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture { $0.retryPolicy = .standard }
      fixture.stub.on(.get, "/a?token=hunter2", .status(429, headers: ["Retry-After": "7"]))
      let request = fixture.text("a?token=hunter2").load()
      await fixture.clock.timers(atLeast: 1)
      #expect(!"\(fixture.clock.timers)".contains("hunter2"))
      request.cancel()
    }
  }

  @Test("A wait for a timer that is cancelled leaves the clock as it is")
  func cancelled() async {
    let clock = ManualClock()
    let sleep = Task { try await clock.sleep(for: .seconds(1), purpose: .deadline) }
    let waiter = Task { await clock.advanceToNextTimer() }
    await clock.timers(atLeast: 1) { $0.purpose == .deadline }
    waiter.cancel()
    #expect(await waiter.value == nil)
    #expect(clock.now == .zero && clock.timers.count == 1)
    sleep.cancel()
  }

  /// A timer as a plain list knows it.
  private struct Expected {
    let number: Int
    let timer: ManualClock.Timer
    let task: Task<Bool, Never>
  }

  @Test("They end as in a sorted list", arguments: 1...20 as ClosedRange<UInt64>)
  func matchesModel(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let clock = ManualClock()
    var expected: [Expected] = []
    var number = 0
    var now = Duration.zero
    /// Moves the list's time; its tasks have to end, all others to sleep on.
    func advance(to end: Duration) async {
      now = max(now, end)
      for entry in expected.prefix(while: { $0.timer.end <= now }) {
        #expect(await entry.task.value, "seed \(seed)")
      }
      expected.removeAll { $0.timer.end <= now }
    }
    for step in 0..<150 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        number += 1
        // Few different ends, so that equal ones come up.
        let duration = Duration.seconds(Int.random(in: 1...12, using: &random))
        let purpose: TimerPurpose = random.pick([
          .deadline, .retry(of: "\(number)"), .other("\(number)"),
        ])
        let task = Task { (try? await clock.sleep(for: duration, purpose: purpose)) != nil }
        let timer = ManualClock.Timer(end: now + duration, purpose: purpose)
        let place = expected.firstIndex { $0.timer.end > timer.end } ?? expected.endIndex
        expected.insert(Expected(number: number, timer: timer, task: task), at: place)
        await clock.timers(atLeast: expected.count) { _ in true }
      case 5:
        guard !expected.isEmpty else { continue }
        let entry = expected.remove(at: Int.random(in: 0..<expected.count, using: &random))
        entry.task.cancel()
        #expect(await !entry.task.value, "seed \(seed)")
      case 6, 7:
        guard let next = expected.first(where: { $0.timer.purpose != .deadline }) else { continue }
        #expect(await clock.advanceToNextTimer() == next.timer, "seed \(seed)")
        await advance(to: next.timer.end)
      case 8:
        guard let next = expected.first(where: { $0.timer.purpose == .deadline }) else { continue }
        #expect(await clock.advanceToNextDeadline() == next.timer, "seed \(seed)")
        await advance(to: next.timer.end)
      default:
        let duration = Duration.seconds(Int.random(in: 0...6, using: &random))
        clock.advance(by: duration)
        await advance(to: now + duration)
      }
      #expect(clock.timers == expected.map(\.timer), "seed \(seed) step \(step)")
      #expect(clock.now == now, "seed \(seed) step \(step)")
    }
    clock.advance(by: .seconds(12))
    await advance(to: now + .seconds(12))
    #expect(expected.isEmpty && clock.timers.isEmpty, "seed \(seed)")
  }
}
