import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

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

  @Test(
    "In the middle of a refresh that has printed a part of its changes, its list is incomplete",
    arguments: [[], ["--limit=3"]])
  func relinked(options: [String]) async {
    let session = Session()
    let stub = StubTransport(pages: ["[1, 2]", "[3]"])
    let gate = relink(stub, to: "[1, 9]")
    let status = await session.run(
      [address, "--watch=0.001", "--summary"] + options, transport: stub, interruptedAt: gate)
    #expect(status == .interrupted)
    #expect(session.lines == ["1", "2", "3", "~ 9"])
    #expect(session.errorText.contains("incomplete: interrupted"), "\(session.errorText)")
    #expect(session.summary?["status"]?.string == "incomplete")
  }

  @Test("In the middle of one that has printed nothing, its list is complete, with all its pages")
  func relinkedUnchanged() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1, 2]", "[3]"])
    let gate = relink(stub, to: "[1, 2]")
    let status = await session.run(
      address, "--watch=0.001", "--summary", transport: stub, interruptedAt: gate)
    #expect(status == .interrupted && session.lines == ["1", "2", "3"])
    #expect(session.summary?["status"]?.string == "complete")
    #expect(session.summary?["pages"]?.int == 2, "\(session.errorText)")
  }

  /// Lets the first page lead to another next one when it is requested again, and holds that.
  private func relink(_ stub: StubTransport, to page: String) -> StubTransport.Gate {
    stub.on(
      .get, "/items", .json("[1, 2]", headers: ["Link": "</items?page=2>; rel=next"]),
      .json(page, headers: ["Link": "</items?page=3>; rel=next"]))
    return stub.hold(.get, "/items?page=3")
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
