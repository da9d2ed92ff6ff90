import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("What goes to standard error", .standardTimeLimit)
@MainActor
struct StandardErrorTests {
  @Test("Nothing where all went well and no progress is wanted")
  func quiet() async {
    let session = Session()
    _ = await session.run(address, "--quiet", transport: StubTransport(pages: ["[1]", "[2]"]))
    #expect(session.lines == ["1", "2"] && session.errorText.isEmpty)
  }

  @Test("Progress is plain lines where it is not a terminal")
  func plainProgress() async {
    let session = Session()
    _ = await session.run(address, transport: StubTransport(pages: ["[1]", "[2]"]))
    #expect(session.errorLines.first == "pagewalk: 1 page, 1 item")
    #expect(session.errorLines.last == "pagewalk: 2 items of 2 pages, complete")
    #expect(!session.errorText.contains("\u{1B}"))
  }

  @Test("Progress is one line on a terminal, which is erased before the last one comes")
  func liveProgress() async {
    let session = Session(isTerminal: true)
    _ = await session.run(address, transport: StubTransport(pages: ["[1]", "[2]"]))
    #expect(session.errorText.hasPrefix("pagewalk: 1 page, 1 item\r\u{1B}[K"))
    let report = """
      pagewalk: note: the pages are those of --style link
      pagewalk: 2 items of 2 pages, complete

      """
    #expect(session.errorText.hasSuffix("\r\u{1B}[K" + report))
  }

  @Test("A terminal that knows no control sequences gets lines, also with the demo")
  func dumbTerminal() async {
    let session = Session(isTerminal: true)
    session.isDumb = true
    _ = await session.run(address, transport: StubTransport(pages: ["[1]", "[2]"]))
    #expect(session.errorLines.first == "pagewalk: 1 page, 1 item")
    session.isOutputTerminal = true
    _ = await session.run(transport: SystemTransport())
    #expect(session.outputText == "1\n2\n")
    #expect(session.errorText.contains("500 of 500 items"))
    #expect(!session.errorText.contains("\u{1B}"))
  }

  @Test("Events of the collection and of every page are printed as they happen")
  func events() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    _ = await session.run(address, "--events", "--quiet", transport: stub)
    #expect(
      session.errorLines == [
        "page 1 GET http://api.test/items observerAdded",
        "collection observerAdded",
        "page 1 GET http://api.test/items requested",
        "collection stateChanged(loading)",
        "page 1 GET http://api.test/items newData(network)",
        "collection itemsChanged(+1 at 0)",
        "collection previousStateChanged(ended)",
        "page 2 GET http://api.test/items?page=2 observerAdded",
        "page 2 GET http://api.test/items?page=2 requested",
        "page 2 GET http://api.test/items?page=2 newData(network)",
        "collection itemsChanged(+1 at 1)",
        "collection stateChanged(ended)",
      ])
  }

  @Test("The events of a loop end")
  func eventsOfLoop() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(.get, "/items?page=2", .json("[2]", headers: ["Link": "</items>; rel=next"]))
    let status = await session.run(address, "--events", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.summary?["reason"]?.string == "loop")
    #expect(session.errorText.contains("page 2 links back to page 1"))
  }

  @Test("No credential is shown, whatever happens")
  func secrets() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { $0.url.query()?.contains("page=2") == true }, .status(503))
    stub.on(
      .get, "/items?api_key=hidden",
      .json("[1]", headers: ["Link": "</items?api_key=hidden&page=2>; rel=next"]))
    let status = await session.run(
      "http://user:hidden@api.test/items?api_key=hidden", "--events", "--summary", "--retries=1",
      "--header", "X-Key: hidden", transport: stub)
    #expect(status == .incomplete)
    #expect(session.errorText.contains("api_key=***&page=2"))
    #expect(session.errorText.contains("; retrying "))
    #expect(!session.errorText.contains("hidden"))
    #expect(!session.errorText.contains("dXNlcjpoaWRkZW4="))
  }

  @Test("A secret of a header is hidden in the path of a URL as well")
  func secretsInPaths() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/hidden12/items", .status(503, headers: ["Retry-After": "0"]), .json("[1]"))
    _ = await session.run(
      "http://api.test/hidden12/items", "--events", "-H", "X-Key: hidden12", transport: stub)
    #expect(session.errorText.contains("page 1 GET http://api.test/***/items requested"))
    #expect(session.errorText.contains("http://api.test/***/items: status 503; retrying now"))
    #expect(!session.errorText.contains("hidden12"))
  }

  @Test("What a server says cannot write to the terminal")
  func controlCharacters() async {
    let session = Session()
    let stub = StubTransport()
    let body = #"{"errors": [{"message": "a\u001b[2Jb\nc"}]}"#
    stub.on(.get, "/items", .json(body))
    #expect(await session.run(address, "--quiet", transport: stub) == .incomplete)
    #expect(session.errorLines.count == 1)
    #expect(!session.errorText.contains("\u{1B}"))
  }

  @Test("What controls a terminal is escaped in items on one, and as it is elsewhere")
  func itemsOnTerminal() async throws {
    let raw = "\"\u{7F}\u{9B}2Jé\u{202E}\u{2066}\u{200F}\u{61C}\""
    let outputs = [false, true].map { isTerminal in
      let session = Session()
      session.isOutputTerminal = isTerminal
      return session
    }
    for session in outputs {
      let stub = StubTransport(pages: ["[\(raw)]"])
      #expect(await session.run(address, transport: stub) == .complete)
    }
    #expect(outputs[0].outputText == raw + "\n")
    let escaped = #""\u007f\u009b2Jé\u202e\u2066\u200f\u061c""#
    #expect(outputs[1].outputText == escaped + "\n")
    #expect(try JSONText(parsing: escaped).string == JSONText(parsing: raw).string)
  }

  @Test("A reader that leaves ends a watch, also where there is nothing to print")
  func absentReader() async {
    let session = Session()
    session.onOutput = { session.hasReader = false }
    let stub = StubTransport(pages: ["[1]"])
    #expect(await session.run(address, "--watch=0.001", "--quiet", transport: stub) == .incomplete)
    #expect(session.outputText == "1\n" && stub.requests.count == 1)
  }

  @Test("A reader that leaves ends the walk without a word")
  func closedPipe() async {
    let session = Session()
    session.outputCapacity = 4
    let stub = StubTransport { request in
      let page = request.url.query()?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      let link = "</items?page=\(page + 1)>; rel=next"
      return HTTPResponse(
        status: 200, headers: ["Link": link], body: .init("[\(page)]".utf8), url: request.url)
    }
    #expect(await session.run(address, "--quiet", transport: stub) == .incomplete)
    #expect(session.lines == ["1", "2"])
    #expect(session.errorText.isEmpty)
  }

  @Test(
    "Help that cannot be written is incomplete, but not where its reader has left",
    arguments: ["--help", "--version"])
  func unwrittenHelp(option: String) async {
    let session = Session()
    #expect(await session.run(option, transport: StubTransport()) == .complete)
    session.outputCapacity = 0
    #expect(await session.run(option, transport: StubTransport()) == .complete)
    for failure in [EBADF, ENOSPC] {
      session.outputFailure = failure
      #expect(await session.run(option, transport: StubTransport()) == .incomplete)
    }
  }

  @Test("Items that nothing has read after an interrupt are named, and not counted")
  func unread() async {
    let session = Session()
    (session.outputCapacity, session.outputFailure) = (4, ECANCELED)
    _ = await session.run(
      address, "--quiet", "--summary", transport: StubTransport(pages: ["[1,2,3,4,5]"]))
    #expect(session.lines == ["1", "2"])
    #expect(session.summary?["items"]?.int == 2)
    #expect(session.summary?["reason"]?.string == "cancelled")
    #expect(
      session.errorLines.first == "pagewalk: interrupted: 3 items not written, because nothing "
        + "read standard output (printed: 2 items of 1 page)")
  }

  @Test("An interrupt ends the walk with what was loaded")
  func interrupt() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    let gate = stub.hold(.get, "/items?page=2")
    let status = await session.run(
      address, "--summary", "--refresh=2", transport: stub, interruptedAt: gate)
    #expect(status == .interrupted)
    #expect(session.lines == ["1"])
    #expect(session.summary?["reason"]?.string == "cancelled")
    #expect(gate.isCancelled)
  }

  @Test("A usage error is one line")
  func usageError() async {
    let session = Session()
    #expect(await session.run("--nonsense", transport: StubTransport()) == .usageError)
    #expect(session.errorLines.count == 1)
    #expect(session.outputText.isEmpty)
  }
}
