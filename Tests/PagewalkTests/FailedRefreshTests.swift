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

  @Test(
    "A change that comes after a refresh has failed, and before the next one, is printed by that")
  func lateChange() async throws {
    let (session, clock) = (Session(), ManualClock())
    let stub = StubTransport(pages: ["[1]", "[2]", "[3]"])
    stub.on(
      .get, "/items?page=2", .json("[2]", headers: ["Link": "</items?page=3>; rel=next"]),
      .status(500), .json("[2]", headers: ["Link": "</items?page=3>; rel=next"]))
    stub.on(.get, "/items?page=3", .json("[3]"), .json("[30]"))
    let command = try Command(
      parsing: [address, "--watch=5", "--retries=0", "--concurrency=4", patience])
    guard case .walk(let address, let options) = command else { throw UsageError("no walk") }
    let walk = Walk(
      address, options, console: session.console, interrupts: session.interrupts, transport: stub,
      clock: clock)
    var gate: StubTransport.Gate?
    session.onError = {
      if session.errorText.contains("refresh 2: ") { session.interrupts.interrupt() }
    }
    session.onOutput = {
      // The first walk is over but for its report.
      if session.lines == ["1", "2", "3"] { gate = stub.hold(.get, "/items?page=3") }
    }
    let task = Task { await walk.run() }
    await clock.advanceToNextTimer()
    while !session.errorText.contains("refresh 1 failed") { await Task.yield() }
    let held = try #require(gate)
    await held.arrived()
    held.release()
    while walk.collection.items.last?.description != "30" { await Task.yield() }
    await clock.advanceToNextTimer()
    #expect(await task.value == .interrupted)
    #expect(session.lines == ["1", "2", "3", "~ 30"], "\(session.errorText)")
  }
}
