import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Refreshing", .standardTimeLimit)
@MainActor
struct RefreshTests {
  @Test("The list is printed once, and each refresh prints what changed")
  func changes() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1, 2]", "[3]"])
    stub.on(
      .get, "/items?page=2", .json("[3]"), .json("[3]"), .json("[4]"), .json("[4, 5]"))
    let status = await session.run(address, "--refresh=3", "--quiet", transport: stub)
    #expect(status == .complete)
    #expect(session.lines == ["1", "2", "4", "5"])
    #expect(session.errorLines == ["~ 4", "+ 5"])
  }

  @Test("A change is one line with the JSON of the item, whatever characters that has")
  func characters() async throws {
    let session = Session()
    let raw = "\"a\u{7F}\u{85}\u{200F}\u{2028}é\""
    let stub = StubTransport(pages: ["[1]", "[\(raw)]"])
    stub.on(.get, "/items?page=2", .json("[\(raw)]"), .json("[]"))
    _ = await session.run(address, "--refresh=1", "--quiet", transport: stub)
    let escaped = #""a\u007f\u0085\u200f\u2028é""#
    #expect(session.errorLines == ["- " + escaped])
    #expect(try JSONText(parsing: escaped).string == JSONText(parsing: raw).string)
  }

  @Test("Pages that the server confirms are counted, and change nothing")
  func notModified() async {
    let session = Session()
    let demo = DemoAPI(itemCount: 30, perPage: 10)
    let stub = StubTransport { demo.respond(to: $0) }
    _ = await session.run(address, "--refresh=2", "--summary", transport: stub)
    #expect(session.lines.count == 30)
    #expect(session.summary?["requests"]?.int == 9)
    #expect(session.summary?["notModified"]?.int == 6)
    #expect(!session.errorText.contains("\n~ "))
  }

  @Test("A limit holds for the list after the refresh too")
  func limit() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1, 2, 3]"), .json("[0, 1, 2, 3]"))
    _ = await session.run(address, "--refresh=1", "--limit=2", "--quiet", transport: stub)
    #expect(session.lines == ["0", "1"])
    #expect(session.errorLines == ["+ 0", "- 2"])
  }

  @Test("A watch prints the items, then what changes, until it is interrupted")
  func watch() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1, 2]"), .json("[1, 2]"), .status(500), .json("[0, 1, 3]"))
    session.onOutput = {
      if session.lines.contains("+ 0") { session.interrupts.interrupt() }
    }
    let status = await session.run(
      address, "--watch=0.001", "--retries=0", "--summary", transport: stub)
    #expect(status == .interrupted)
    #expect(session.lines.starts(with: ["1", "2", "+ 0"]))
    #expect(session.errorText.contains("refresh 2 failed: page 1: "))
    #expect(session.summary?["reason"]?.string == "cancelled")
  }

  @Test("A watch names the style that was recognized before the first refresh, and once")
  func watchedStyle() async {
    let session = Session()
    session.onError = {
      if session.errorText.contains("refresh 2: ") { session.interrupts.interrupt() }
    }
    let stub = StubTransport(pages: ["[1]", "[2]"])
    _ = await session.run(address, "--watch=0.001", transport: stub)
    let lines = session.errorLines.filter { $0.contains("note:") || $0.contains("refresh 1: ") }
    #expect(lines.first?.hasSuffix("the pages are those of --style link") == true, "\(lines)")
    #expect(lines.count == 2, "\(lines)")
  }

  @Test("A watch on a terminal shows no progress while it waits")
  func watchOnTerminal() async {
    let session = Session(isTerminal: true)
    session.onError = {
      if session.errorText.contains("refresh 2: ") { session.interrupts.interrupt() }
    }
    let stub = StubTransport(pages: ["[1]", "[2]"])
    _ = await session.run(address, "--watch=0.001", transport: stub)
    let waiting = session.errorText.split(separator: "--style link\n").last ?? ""
    #expect(waiting.contains("refresh 1: "))
    #expect(!waiting.contains("1 page, 1 item"), "\(session.errorText)")
  }

  @Test("A refresh that fails leaves the list, incomplete")
  func failure() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1]"), .status(500))
    let status = await session.run(
      address, "--refresh=5", "--retries=0", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.lines == ["1"])
    #expect(session.summary?["reason"]?.string == "http")
    #expect(stub.requests.count == 2)
  }
}
