import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Lines for people", .standardTimeLimit)
@MainActor
struct MessageTests {
  @Test("A retry says which page it is for, and when", arguments: ["", "--retries=1"])
  func retryLines(option: String) async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(
      .get, "/items?page=2", .status(503, headers: ["Retry-After": "0"]), .json("[2]"))
    _ = await session.run([address] + (option.isEmpty ? [] : [option]), transport: stub)
    #expect(session.errorLines.count { $0.contains("retry") } == 1)
    #expect(
      session.errorText.contains(
        "pagewalk: page 2, http://api.test/items?page=2: status 503; retrying now\n"),
      "\(session.errorText)")
  }

  @Test("Each page has all of its retries, however many pages need them")
  func retriesOfManyPages() async {
    let session = Session()
    let count = 30
    let stub = StubTransport(pages: (1...count).map { "[\($0)]" })
    for page in 2...count {
      let refusal = StubTransport.Response.status(503, headers: ["Retry-After": "0"])
      let next = page < count ? "<http://api.test/items?page=\(page + 1)>; rel=next" : ""
      stub.on(
        .get, "/items?page=\(page)", refusal, .json("[\(page)]", headers: ["Link": next]))
    }
    #expect(await session.run([address, "--retries=1"], transport: stub) == .complete)
    #expect(session.lines.count == count)
  }

  @Test("A wait that the server did not name is not said to be asked for")
  func unnamedWait() async {
    for headers: HTTPHeaders in [
      [:], ["Retry-After": "-5"], ["Retry-After": "0"], ["Retry-After": "1"],
    ] {
      let session = Session()
      let stub = StubTransport(pages: ["[1]"])
      let refusal = StubTransport.Response.status(429, headers: headers)
      if headers["Retry-After"] == "0" {
        // The first wait of no time is over at once, and so is not named.
        stub.on(.get, "/items", refusal, refusal, .json("[1]"))
      } else {
        stub.on(.get, "/items", refusal, .json("[1]"))
      }
      _ = await session.run(address, "--timeout=5", transport: stub)
      let isNamed = headers["Retry-After"] == "1"
      #expect(session.errorText.contains("as the server asks") == isNamed, "\(session.errorText)")
    }
  }

  @Test(
    "JSON that is labeled as text is printed with one warning, also with --quiet",
    arguments: [false, true])
  func mislabeled(isQuiet: Bool) async {
    let session = Session()
    let stub = StubTransport()
    let headers: HTTPHeaders = [
      "Content-Type": "text/html", "Link": "<http://api.test/items?page=2>; rel=\"next\"",
    ]
    stub.on(.get, "/items", .text("[1]", headers: headers))
    stub.on(.get, "/items?page=2", .text("[2]", headers: ["Content-Type": "text/html"]))
    let arguments = [address] + (isQuiet ? ["--quiet"] : [])
    #expect(await session.run(arguments, transport: stub) == .complete)
    #expect(session.outputText == "1\n2\n")
    let warnings = session.errorLines.filter {
      $0.contains("warning: ") && $0.contains("text/html")
    }
    #expect(warnings.count == 1, "\(session.errorText)")
  }

  @Test("A retry says whether the server requested the wait")
  func waitReasons() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(
      .get, "/items?page=2", .status(503, headers: ["Retry-After": "1"]), .status(503),
      .json("[2]"))
    _ = await session.run(address, transport: stub)
    let lines = session.errorLines.filter { $0.contains("retrying") }
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix(": status 503; retrying in 1 s, as the server asks") == true)
    #expect(lines.last?.contains(/: status 503; retrying (now|in [0-9.]+ s)$/) == true, "\(lines)")
  }

  @Test("A retry in a refresh, and one without a response, name the page too")
  func otherRetryLines() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]", "[3]"])
    stub.on(
      .get, "/items?page=2", .json("[2]"),
      .failure(TransportError(.connectionLost, "GET http://api.test/items: It broke. Retry.")),
      .json("[2]"))
    _ = await session.run(address, "--refresh=1", transport: stub)
    #expect(
      // The wait is random, from none at all.
      session.errorText.contains(
        /pagewalk: page 2, http:..api\.test.items\?page=2: It broke; retrying (now|in [0-9.]+ s)\n/),
      "\(session.errorText)")
  }

  @Test("A retry of what failed where a redirect led names that place")
  func redirectedRetry() async {
    let session = Session()
    let stub = StubTransport()
    var error = TransportError(.unreachable, "GET http://b.test/c: It is closed. Check the port.")
    error.redirectedURL = "http://b.test/c?token=hidden"
    stub.on(.get, "/items", .failure(error), .json("[1]"))
    _ = await session.run(address, transport: stub)
    #expect(
      session.errorText.contains(": redirected to http://b.test/c: It is closed; retrying"),
      "\(session.errorText)")
  }

  @Test("A retry of a page that is requested ahead names that page")
  func retryAhead() async {
    let session = Session()
    let stub = StubTransport()
    let page = { (number: Int) in
      StubTransport.Response.json("{\"items\": [\(number)], \"total_pages\": 4}")
    }
    stub.on(.get, "/items", page(1))
    stub.on(.get, "/items?page=2", page(2))
    stub.on(.get, "/items?page=3", page(3))
    stub.on(.get, "/items?page=4", .status(503, headers: ["Retry-After": "0"]), page(4))
    let style = "--style=page=page,of total_pages"
    #expect(await session.run(address, style, "--concurrency=4", transport: stub) == .complete)
    #expect(
      session.errorText.contains(
        "pagewalk: page 4, http://api.test/items?page=4: status 503; retrying now\n"),
      "\(session.errorText)")
  }

  @Test("A retry of a page to which a token leads names the page by its number")
  func tokenRetries() async {
    let session = Session()
    let stub = StubTransport()
    let attempts = Locked(0)
    stub.on(.get, "/items") { request in
      .json(#"{"items": [1], "next": "a"}"#)
    }
    stub.on(.get, "/items?c=a") { _ in
      attempts.withLock { $0 += 1 }
      return attempts.withLock { $0 } == 1
        ? .status(503, headers: ["Retry-After": "0"]) : .json(#"{"items": []}"#)
    }
    _ = await session.run(address, "--style=token=next,c", transport: stub)
    #expect(session.errorText.contains("page 2, http://api.test/items?c=a: status 503"))
  }

  @Test("No line shows a raw floating-point number of seconds")
  func seconds() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(
      .get, "/items?page=2",
      .status(429, headers: ["Retry-After": "0"]), .status(500), .status(500),
      .status(429, headers: ["Retry-After": "7200"]))
    _ = await session.run(address, "--retries=3", "--summary", transport: stub)
    let lines = session.errorLines.dropLast().joined(separator: "\n")
    #expect(!lines.contains("seconds") && !lines.contains(/[0-9]\.[0-9]{4}/), "\(lines)")
    #expect(lines.contains(/retrying in [0-9.]+ s\n/))
    #expect(lines.contains("7200 s"))
    #expect(session.summary?["seconds"]?.kind == .number)
  }

  @Test("A deadline is named in seconds, with the URL and what to do")
  func deadline() async {
    let session = Session()
    let stub = StubTransport()
    let gate = stub.hold(.get, "/items")
    let status = await session.run(address, "--timeout=0.25", transport: stub)
    #expect(status == .incomplete)
    #expect(
      session.errorText.contains(
        "page 1: \(address) did not respond completely within 0.25 s; raise --timeout "
          + "(a timeout is not retried)"), "\(session.errorText)")
    #expect(!session.errorText.contains("Configuration"))
    withExtendedLifetime(gate) {}
  }

  @Test("A response that is too large is named by its URL")
  func tooLarge() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(
      .get, "/items",
      .failure(
        TransportError(.tooLarge, "GET \(address): the response is too large. Raise a property.")))
    #expect(await session.run(address, transport: stub) == .incomplete)
    #expect(
      session.errorText.contains(
        "page 1: GET \(address): the response is too large; ask for smaller pages, or raise "
          + "--max-bytes"), "\(session.errorText)")
    #expect(!session.errorText.contains("property"))
  }

  @Test("A style that finds other items than the server counts gets a warning")
  func otherTotal() async {
    func session(_ pages: [String], _ options: String...) async -> Session {
      let session = Session()
      let status = await session.run(
        [address] + options, transport: StubTransport(pages: pages))
      #expect(status == .complete)
      return session
    }
    let part = #"{"total": 3, "next": "/items?page=2", "items": [{"id": 1}]}"#
    var text = await session([part], "--style=single").errorText
    #expect(text.contains("warning: the server counts 3 items, not 1: perhaps pages are missing"))
    let whole = part.replacing("3", with: "1")
    text = await session([whole], "--style=single").errorText
    #expect(!text.contains("warning"))
    text = await session([whole, whole], "--style=link").errorText
    #expect(text.contains("the server counts 1 item, not 2: perhaps some came twice (--id)"))
    text = await session([whole, whole], "--style=link", "--id=id").errorText
    #expect(!text.contains("warning"))
    for (total, isOther) in [(2, false), (3, true)] {
      let pages = [#"{"total":\#(total),"items":[1,2]}"#, #"{"total":2,"items":[]}"#]
      text = await session(pages, "--style=page=page").errorText
      #expect(text.contains("the list changed during the walk, from 3 items to 2") == isOther)
    }
    text = await session([#"{"items": [{"id": 1}], "next": null, "total": 3}"#]).errorText
    #expect(text.contains("warning: the server counts 3 items, not 1: perhaps pages are missing"))
    let more = part.replacing("[{", with: "[{}, {")
    text = await session([more], "--style=single", "--limit=1").errorText
    #expect(!text.contains("warning"))
  }

  @Test("The options of the style that was recognized are named")
  func recognizedStyle() async {
    func note(_ first: String, _ options: String...) async -> String? {
      let session = Session()
      let stub = StubTransport()
      stub.on(.get, "/items", .json(first))
      stub.on(.get, "/items?page=2", .json(#"{"next": null, "rows of it": [], "items": []}"#))
      _ = await session.run([address] + options, transport: stub)
      return session.errorLines.first { $0.contains("note: the pages") }
    }
    let page = #"{"next": "/items?page=2", "items": [{"id": 1}]}"#
    let expected = "pagewalk: note: the pages are those of --style url=next --items items"
    #expect(await note(page) == expected)
    #expect(
      await note(#"{"next": "/items?page=2", "rows of it": [{"id": 1}]}"#)
        == "pagewalk: note: the pages are those of --style url=next --items 'rows of it'")
    #expect(await note(page, "--style=url=next") == nil)
    #expect(await note(page, "--quiet") == nil)
    #expect(await note(#"[{"id": 1}]"#) == nil)
  }

  @Test("A bare array that names no next page is complete, with a warning")
  func warningOfBareArray() async {
    let session = Session()
    let status = await session.run(address, transport: StubTransport(pages: [" [1, 2]"]))
    #expect(status == .complete)
    #expect(session.errorText.contains("2 items of 1 page, complete"))
    let warning = session.errorLines.first { $0.contains("warning:") } ?? ""
    #expect(warning.contains("no sign of a next page") && warning.contains("--style"))
  }

  @Test(
    "So is an object that says nothing of pages",
    arguments: [#"{"items": [1, 2]}"#, #"{"status": "ok", "data": {"list": [{}, {}]}}"#])
  func warningOfObject(body: String) async {
    let session = Session()
    let status = await session.run(address, transport: StubTransport(pages: [body]))
    #expect(status == .complete)
    #expect(session.errorText.contains("2 items of 1 page, complete"))
    let warning = session.errorLines.first { $0.contains("warning:") } ?? ""
    #expect(warning.contains("no sign of a next page") && warning.contains("--style page=page"))
  }

  @Test(
    "A sign of more items suggests a style",
    arguments: [
      (#"{"items": [1], "next_cursor": "x"}"#, "perhaps --style token=next_cursor,cursor"),
      (#"{"items": [1], "nbHits": 9}"#, "perhaps --style page=page or --style offset=offset"),
    ])
  func suggestedStyles(body: String, advice: String) async {
    let session = Session()
    let status = await session.run(address, transport: StubTransport(pages: [body]))
    #expect(status == .incomplete)
    #expect(session.errorText.contains(advice))
  }

  @Test("Where the response or a person says how it ends there is none, and --quiet hides none")
  func noWarning() async {
    func warnings(_ response: StubTransport.Response, _ arguments: String...) async -> Int {
      let session = Session()
      let stub = StubTransport()
      stub.on(.get, "/items", response)
      #expect(await session.run([address] + arguments, transport: stub) == .complete)
      return session.errorLines.count { $0.contains("warning:") }
    }
    for option in ["--quiet", "-s"] {
      #expect(await warnings(.json("[1]"), option) == 1)
      #expect(await warnings(.json(#"{"items": [1]}"#), option) == 1)
      #expect(await warnings(.json(#"{"items": [1, 2], "count": 9, "next": null}"#), option) == 1)
      #expect(await warnings(.json(#"{"items": [1]}"#), option, "--style=url=paging.next") == 1)
    }
    #expect(await warnings(.json("[1]"), "--style=link") == 0)
    #expect(await warnings(.json("[1, 2]"), "--limit=1") == 0)
    #expect(await warnings(.json("[]")) == 0)
    #expect(await warnings(.json(#"{"items": [1], "next": null}"#)) == 0)
    #expect(await warnings(.json(#"{"items": [1], "total": 1}"#)) == 0)
    #expect(await warnings(.json(#"{"items": [1]}"#), "--style=single") == 0)
    #expect(await warnings(.json("[1]", headers: ["X-Total-Count": "1"])) == 0)
    #expect(await warnings(.json("[1]", headers: ["Link": "</items>; rel=first"])) == 0)
    #expect(await warnings(.json("[1]")) == 1)
  }

  @Test("The number of requests at once is 1 to 64", arguments: ["0", "65", "-1", "x", "1.5", ""])
  func concurrency(value: String) {
    let error = #expect(throws: UsageError.self) {
      try Command(parsing: ["--concurrency=" + value])
    }
    #expect(error?.description.contains("1 to 64") == true)
  }

  @Test("Numbers as large as they can be do not end the program")
  func largestNumbers() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(.get, "/items?page=2", .json("[2]"), .status(404))
    let largest = "9223372036854775807"
    let status = await session.run(
      address, "--refresh", largest, "--limit", largest, "--max-pages", largest, "--retries",
      largest, "--timeout=1000000000", transport: stub)
    #expect(status == .incomplete)
    #expect(session.lines == ["1", "2"])
  }

  @Test("Absurd numbers of a first page are usage errors")
  func firstPageNumbers() {
    for number in ["9223372036854775807", "9223372036854775806", "99999999999999999999"] {
      let error = #expect(throws: UsageError.self) {
        try Command(parsing: [address, "--style", "page=P,from \(number)"])
      }
      #expect(error?.description.contains("--style") == true)
    }
    #expect(throws: Never.self) { try Command(parsing: [address, "--style=page=P,from 1000000"]) }
  }

  @Test("The examples of the help text are commands")
  func examples() throws {
    let files = Files { Data($0.hasSuffix(".json") ? "{}".utf8 : "A: b".utf8) }
    let text = Help.text.replacing("\\\n", with: "")
    let commands = text.split(separator: "\n").filter { $0.hasPrefix("  pagewalk") }
    #expect(commands.count == 7)
    for command in commands {
      // Every second piece is in single quotes.
      let arguments = command.split(separator: "'", omittingEmptySubsequences: false).enumerated()
        .flatMap { $0.offset % 2 == 1 ? [$0.element] : $0.element.split(separator: " ") }
      #expect(throws: Never.self, "\(command)") {
        try Command(parsing: arguments.dropFirst().map(String.init), files: files)
      }
    }
  }

  @Test("Help has examples, and all options")
  func help() {
    let options = ["--concurrency", "-H", "-X", "-d", "-s", "-L", "@FILE"]
    for option in options { #expect(Help.text.contains(option), "\(option)") }
    let examples = [
      "Examples", "  pagewalk\n", "https://api.github.com/", "cursor=", "--header @", "--watch ",
    ]
    for example in examples { #expect(Help.text.contains(example), "\(example)") }
    #expect(Help.text.contains("A timeout is not retried\n"))
    #expect(Help.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
