import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("A refresh that fails", .standardTimeLimit)
@MainActor
struct FailedRefreshTests {
  @Test("It is incomplete, also where the limit is covered", arguments: ["2", "1"])
  func limit(limit: String) async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1, 2]"), .status(500))
    let status = await session.run(
      address, "--refresh=3", "--limit", limit, "--retries=0", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.lines == Array(["1", "2"].prefix(Int(limit) ?? 0)))
    #expect(session.errorText.contains("incomplete: the refresh failed at page 1: "))
    #expect(session.summary?["status"]?.string == "incomplete")
    #expect(session.summary?["reason"]?.string == "http")
    #expect(stub.requests.count == 2)
  }

  @Test("One that cannot follow a link is incomplete too, where older pages cover the limit")
  func unfollowedLink() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(
      .get, "/items", .json("[1]", headers: ["Link": "</items?page=2>; rel=next"]),
      .json("[1]", headers: ["Link": "<https://other.test/items>; rel=next"]))
    let status = await session.run(
      address, "--refresh=1", "--limit=2", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.summary?["reason"]?.string == "crossOrigin", "\(session.errorText)")
  }

  @Test("It is a single line that says what, which page and what to do, also with --quiet")
  func line() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(.get, "/items?page=2", .json("[2]"), .status(503))
    let status = await session.run(
      address, "--refresh=1", "--limit=2", "--retries=0", "--quiet", transport: stub)
    #expect(status == .incomplete)
    #expect(session.errorLines.count == 1)
    #expect(session.errorText.contains("page 2: "))
    #expect(session.errorText.contains("503"))
    #expect(session.errorText.contains("--retries"))
  }

  @Test("A page limit that both walks reach is no failed refresh of a limited list")
  func pageLimit() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]", "[3]"])
    let status = await session.run(
      address, "--refresh=1", "--limit=2", "--max-pages=2", "--summary", transport: stub)
    #expect(status == .complete)
    #expect(session.summary?["status"]?.string == "limit")
  }

  @Test(
    "A watch says so each time, reports no changes, and continues",
    arguments: ["--limit=1", "--id=."])
  func watch(option: String) async {
    let session = Session()
    let stub = StubTransport()
    stub.on(
      .get, "/items", .json("[1, 2]"), .failure(.unreachable), .failure(.unreachable),
      .json("[0, 1]"))
    session.onError = {
      if session.errorText.contains("refresh 4") { session.interrupts.interrupt() }
    }
    let status = await session.run(
      address, "--watch=0.001", "--retries=0", option, transport: stub)
    #expect(status == .interrupted)
    #expect(session.errorText.contains("refresh 1 failed: page 1: "))
    #expect(session.errorText.contains("refresh 2 failed: page 1: "))
    #expect(session.errorText.contains("the next one is in 0.001 s"))
    #expect(!session.errorLines.contains { $0.contains("refresh 1: ") })
    #expect(session.lines.contains { $0 == "+ 0" || $0 == "~ 0" })
  }
}

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

@Suite("An interrupted watch", .standardTimeLimit)
@MainActor
struct InterruptedWatchTests {
  @Test("Its list was complete, so it says no more than that it was interrupted")
  func complete() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1, 2]"])
    session.onError = {
      if session.errorText.contains("refresh 2: ") { session.interrupts.interrupt() }
    }
    let status = await session.run(address, "--watch=0.001", "--summary", transport: stub)
    #expect(status == .interrupted)
    #expect(session.errorText.contains("interrupted"))
    #expect(!session.errorText.contains("incomplete"))
    #expect(session.summary?["status"]?.string == "complete")
    #expect(session.summary?["reason"]?.string == "cancelled")
  }

  @Test("In the middle of a refresh too")
  func refreshing() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1, 2]"])
    let first = stub.hold(.get, "/items")
    first.release()
    let second = stub.hold(.get, "/items")
    let status = await session.run(
      address, "--watch=0.001", "--summary", transport: stub, interruptedAt: second)
    #expect(status == .interrupted)
    #expect(session.errorLines.contains { $0.contains("interrupted") })
    #expect(!session.errorText.contains("incomplete"))
    #expect(!session.errorText.contains("failed"))
  }

  @Test("During the first walk the list is incomplete")
  func firstWalk() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    let gate = stub.hold(.get, "/items?page=2")
    let status = await session.run(
      address, "--watch=1", "--summary", transport: stub, interruptedAt: gate)
    #expect(status == .interrupted)
    #expect(session.errorText.contains("incomplete: interrupted"))
    #expect(session.summary?["status"]?.string == "incomplete")
  }
}
