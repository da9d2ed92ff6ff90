import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("A watch of a server that asks to wait", .standardTimeLimit)
@MainActor
struct WaitingWatchTests {
  /// Runs a watch with an interval of 5 s until an item 2 comes.
  private func watch(
    _ session: Session, _ clock: ManualClock, retryAfter: String
  ) throws -> (task: Task<pagewalk.ExitStatus, Never>, stub: StubTransport) {
    let stub = StubTransport()
    stub.on(
      .get, "/items", .json("[1]"), .status(429, headers: ["Retry-After": retryAfter]),
      .json("[1, 2]"))
    session.onOutput = {
      if session.lines.contains("+ 2") { session.interrupts.interrupt() }
    }
    let command = try Command(parsing: [address, "--watch=5", "--timeout=2"])
    guard case .walk(let address, let options) = command else { throw UsageError("no walk") }
    let walk = Walk(
      address, options, console: session.console, interrupts: session.interrupts, transport: stub,
      clock: clock)
    return (Task { await walk.run() }, stub)
  }

  @Test("It refreshes when the server allows it, and says when that is")
  func longWait() async throws {
    let (session, clock) = (Session(), ManualClock())
    let (task, stub) = try watch(session, clock, retryAfter: "100")
    await clock.advanceToNextTimer()
    #expect(clock.now == .seconds(5))
    await clock.advanceToNextTimer()
    #expect(clock.now == .seconds(105))
    #expect(await task.value == .interrupted)
    #expect(stub.requests.count == 3)
    let lines = session.errorLines.filter { $0.contains("failed") }
    #expect(lines.count == 1 && !session.errorText.contains("again"), "\(session.errorText)")
    let expected = /; the server asks to wait; the next refresh is at [0-9:]{8}, in 100 s$/
    #expect(lines.first?.contains(expected) == true, "\(lines)")
  }

  @Test("A wait that is over before the next refresh changes nothing")
  func shortWait() async throws {
    let (session, clock) = (Session(), ManualClock())
    let (task, _) = try watch(session, clock, retryAfter: "4")
    await clock.advanceToNextTimer()
    await clock.advanceToNextTimer()
    #expect(clock.now == .seconds(10))
    #expect(await task.value == .interrupted)
    #expect(session.errorText.contains("the next one is in 5 s"))
  }
}
