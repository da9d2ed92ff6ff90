import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Walking", .standardTimeLimit)
@MainActor
struct WalkTests {
  @Test("Items are printed as they were sent, one a line")
  func items() async {
    let session = Session()
    let stub = StubTransport(pages: [
      #" [ 12345678901234567890, 1e400 , 0.1,1.0, -0 ] "#,
      #"[{"b" : 1, "a":[ 1,2 ], "s" : " a  \u00e9 é \n"}, null, "x y"]"#,
    ])
    #expect(await session.run(address, transport: stub) == .complete)
    #expect(
      session.outputText == """
        12345678901234567890
        1e400
        0.1
        1.0
        -0
        {"b":1,"a":[1,2],"s":" a  \\u00e9 é \\n"}
        null
        "x y"

        """)
  }

  @Test("Items are printed before the next page has come")
  func order() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    let gate = stub.hold(.get, "/items?page=2")
    // Without the output of the first page there would never be a second one.
    session.onOutput = { gate.release() }
    #expect(await session.run(address, transport: stub) == .complete)
    #expect(session.lines == ["1", "2"])
  }

  @Test("The summary counts what happened")
  func summary() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[]", "[2, 3]"])
    _ = await session.run(address, "--summary", transport: stub)
    #expect(session.summary?["status"]?.string == "complete")
    #expect(session.summary?["reason"]?.kind == .null)
    #expect(session.summary?["pages"]?.int == 3)
    #expect(session.summary?["items"]?.int == 3)
    #expect(session.summary?["requests"]?.int == 3)
  }

  @Test("No page is requested beyond the limit", arguments: [(1, 1), (2, 1), (3, 2), (4, 2)])
  func limit(items: Int, pages: Int) async {
    let session = Session()
    let stub = StubTransport(pages: ["[1, 2]", "[3, 4]", "[5]"])
    let status = await session.run(address, "--limit", "\(items)", "--summary", transport: stub)
    #expect(status == .complete)
    #expect(session.lines == (1...items).map(String.init))
    #expect(stub.requests.count == pages)
    #expect(session.summary?["status"]?.string == "limit")
    #expect(session.summary?["items"]?.int == items)
  }

  @Test("A limit at the end of the list is no limit")
  func limitAtEnd() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1, 2]", "[3]"])
    _ = await session.run(address, "--limit=3", "--summary", transport: stub)
    #expect(session.summary?["status"]?.string == "complete")
  }

  @Test("More pages than allowed are incomplete")
  func maximumPages() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]", "[3]"])
    let status = await session.run(address, "--max-pages=2", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.lines == ["1", "2"])
    #expect(session.summary?["reason"]?.string == "maxPages")
    #expect(session.errorText.contains("--max-pages"))
  }

  @Test("Page numbers end at the page that is not there, which is no page")
  func pageNumbers() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1]"))
    stub.on(.get, "/items?page=2", .json("[2]"))
    stub.on(.get, "/items?page=3", .status(404), .json("[3]"))
    stub.on(.get, "/items?page=4", .status(404))
    let arguments = ["--style=page=page", "--summary"]
    #expect(
      await session.run(address, arguments[0], arguments[1], transport: stub) == .complete)
    #expect(session.lines == ["1", "2"])
    #expect(session.summary?["pages"]?.int == 2)
    #expect(session.summary?["requests"]?.int == 3)
  }

  @Test("A page that exists after all is found by a refresh")
  func pageNumbersGrow() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1]"))
    stub.on(.get, "/items?page=2", .status(404), .json("[2]"))
    stub.on(.get, "/items?page=3", .status(404))
    let status = await session.run(
      address, "--style=page=page", "--refresh=1", "--quiet", transport: stub)
    #expect(status == .complete)
    #expect(session.lines == ["1", "2"])
    #expect(session.errorLines == ["+ 2"])
  }

  @Test("404 for the first page is an error")
  func missing() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .status(404))
    #expect(await session.run(address, "--style=page=page", transport: stub) == .incomplete)
    #expect(session.errorText.contains("page 1: "))
    #expect(session.errorText.contains("404"))
  }

  @Test("A page that fails is named, and the items before it are printed")
  func failure() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]", "[3]"])
    stub.on(.get, "/items?page=2", .text("<html>", headers: ["Content-Type": "text/html"]))
    let status = await session.run(address, "--quiet", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.lines == ["1"])
    #expect(session.errorLines.count == 2)
    #expect(session.errorLines.first?.contains("page 2: ") == true)
    #expect(session.summary?["reason"]?.string == "decoding")
  }

  @Test("Failures that may pass are retried as often as is allowed")
  func retries() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    let busy = StubTransport.Response.status(503, headers: ["Retry-After": "0"])
    stub.on(.get, "/items?page=2", busy, busy, .json("[2]"))
    #expect(await session.run(address, "--summary", transport: stub) == .complete)
    #expect(session.lines == ["1", "2"])
    #expect(session.summary?["requests"]?.int == 4)
    #expect(session.summary?["retries"]?.int == 2)
  }

  @Test("Only GET and HEAD are retried", arguments: ["PUT", "DELETE", "OPTIONS", "POST"])
  func unsafeRequests(method: String) async {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }, .status(503, headers: ["Retry-After": "0"]), .json("[1]"))
    let status = await session.run(
      address, "--method", method, "-H", "Idempotency-Key: a", transport: stub)
    #expect(status == .incomplete)
    #expect(stub.requests.count == 1)
    #expect(!session.errorText.contains("--retries"), "\(session.errorText)")
  }

  @Test("A wait that is longer than the deadline ends the walk at once")
  func rateLimit() async {
    let session = Session()
    let stub = StubTransport(pages: ["[1]", "[2]"])
    stub.on(.get, "/items?page=2", .status(429, headers: ["Retry-After": "60"]))
    let status = await session.run(address, "--timeout=30", "--summary", transport: stub)
    #expect(status == .incomplete)
    #expect(session.summary?["reason"]?.string == "rateLimited")
    #expect(session.summary?["retries"]?.int == 0)
  }

  @Test("The first request has the method, the body and the header fields that were given")
  func firstRequest() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.post, "/items", .json("[1]"))
    let status = await session.run(
      address, "--body", #"{"q": 1.0}"#, "--header", "X-Key: a", "--header=Accept: text/x",
      transport: stub)
    #expect(status == .complete)
    let request = stub.requests.first
    #expect(request?.body.map { String(decoding: $0, as: UTF8.self) } == #"{"q": 1.0}"#)
    #expect(request?.headers["X-Key"] == "a")
    #expect(request?.headers["Accept"] == "text/x")
    #expect(request?.headers["Content-Type"] == "application/json")
  }

  @Test("A cursor goes into the body of the next request")
  func cursors() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.post, "/items") { request in
      let isFirst = request.body?.count == 2
      return .json(isFirst ? #"{"items": [1], "next": {"k": 1.0}}"# : #"{"items": [2]}"#)
    }
    let status = await session.run(address, "--style=cursor=next,after.key", transport: stub)
    #expect(status == .complete)
    #expect(session.lines == ["1", "2"])
    let body = stub.requests.last?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body == #"{"after":{"key":{"k": 1.0}}}"#)
  }
}
