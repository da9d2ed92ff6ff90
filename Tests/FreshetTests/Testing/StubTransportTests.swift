import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A stub transport", .standardTimeLimit)
struct StubTransportTests {
  let stub = StubTransport()

  func send(
    _ method: HTTPMethod = .get, _ address: String,
    progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
  ) async throws -> HTTPResponse {
    let url = try #require(URL(string: address))
    return try await stub.send(HTTPRequest(method: method, url: url), progress: progress)
  }

  func text(_ address: String) async throws -> String {
    String(decoding: try await send(.get, address).body, as: UTF8.self)
  }

  @Test("returns the scripted response, from the URL of the request")
  func fixed() async throws {
    stub.on(.get, "/a", .json("[1]", status: 201, headers: ["ETag": "\"x\""]))
    let response = try await send(.get, "https://api.test/a")
    #expect(response.status == 201)
    #expect(response.headers["etag"] == "\"x\"")
    #expect(response.headers["content-type"] == "application/json")
    #expect(response.body == Data("[1]".utf8))
    #expect(response.url.absoluteString == "https://api.test/a")
  }

  @Test(
    "matches path and query as they are sent, whatever the origin",
    arguments: [
      ("http://a.test", "/"), ("http://a.test?x=1", "/?x=1"), ("http://a.test/p#f", "/p"),
      ("https://b.test:8080/p/q?a=b&c=%20d", "/p/q?a=b&c=%20d"),
      ("http://a.test/p?u=c://d", "/p?u=c://d"),
    ])
  func targets(address: String, target: String) async throws {
    stub.on(.get, target, .status(204))
    #expect(try await send(.get, address).status == 204)
    #expect(stub.count(.get, target) == 1)
  }

  @Test("distinguishes methods, queries and origins")
  func apart() async throws {
    stub.on(.get, "/a", .json("get"))
    stub.on(.get, "/a?page=2", .json("page 2"))
    stub.on(.get, "https://other.test/a", .json("other"))
    stub.on(.post, "/a", .status(201))
    #expect(try await text("https://api.test/a") == "get")
    #expect(try await text("https://api.test/a?page=2") == "page 2")
    #expect(try await text("https://other.test/a") == "other")
    #expect(try await send(.post, "https://api.test/a").status == 201)
  }

  @Test("lets the latest stub that matches win, of whatever kind")
  func latest() async throws {
    stub.on(.get, "/a", .json("1"))
    stub.on(.get, "/a", .json("2"))
    #expect(try await text("http://x.test/a") == "2")
    stub.on(where: { $0.method == .get }, .json("3"))
    #expect(try await text("http://x.test/a") == "3")
    stub.on(.get, "http://x.test/a", .json("4"))
    #expect(try await text("http://x.test/a") == "4")
    stub.on(.get, "/a", .json("5"))
    #expect(try await text("http://x.test/a") == "5")
    #expect(try await text("http://x.test/b") == "3")
  }

  @Test("gives several responses one after the other, the last one for ever")
  func sequence() async throws {
    stub.on(.get, "/a", .json("1"), .failure(.timedOut), .json("3"))
    #expect(try await text("http://x.test/a") == "1")
    let error = await #expect(throws: TransportError.self) { try await text("http://x.test/a") }
    #expect(error?.kind == .timedOut)
    #expect(try await text("http://x.test/a") == "3")
    #expect(try await text("http://x.test/a") == "3")
  }

  @Test("responds with what a closure makes of the request")
  func closure() async throws {
    stub.on(.get, "/a") { request in .json(request.method.rawValue) }
    stub.on(where: { $0.url.path().hasPrefix("/n/") }) { .json($0.url.lastPathComponent) }
    #expect(try await text("http://x.test/a") == "GET")
    #expect(try await text("http://x.test/n/7") == "7")
  }

  @Test("can be a function, which stubs override")
  func function() async throws {
    let stub = StubTransport { request in
      guard request.method == .get else { throw TransportError(.unreachable, "GET only") }
      return HTTPResponse(status: 200, body: Data("function".utf8), url: request.url)
    }
    stub.on(.get, "/stubbed", .json("stub"))
    let url = try #require(URL(string: "http://x.test/stubbed"))
    #expect(try await stub.send(HTTPRequest(url: url)) { _ in }.body == Data("stub".utf8))
    let other = try #require(URL(string: "http://x.test/other"))
    #expect(try await stub.send(HTTPRequest(url: other)) { _ in }.body == Data("function".utf8))
    let error = await #expect(throws: TransportError.self) {
      try await stub.send(HTTPRequest(method: .put, url: other)) { _ in }
    }
    #expect(error?.kind == .unreachable)
  }

  @Test("keeps the URL of a response that came from elsewhere")
  func redirected() async throws {
    let url = try #require(URL(string: "https://b.test/moved"))
    stub.on(.get, "/a", .response(HTTPResponse(status: 200, url: url)))
    #expect(try await send(.get, "https://a.test/a").url == url)
  }

  @Test("reports the scripted progress, in order, before it responds")
  func progress() async throws {
    let steps = [
      TransferProgress(bytesSent: 1, bytesExpectedToSend: 1),
      TransferProgress(bytesReceived: 5, bytesExpectedToReceive: 9),
    ]
    stub.on(.get, "/a", .json("[]").reporting(steps[0]).reporting(steps[1]))
    let (reports, continuation) = AsyncStream.makeStream(of: TransferProgress.self)
    _ = try await send(.get, "http://x.test/a") { continuation.yield($0) }
    continuation.finish()
    #expect(await reports.reduce(into: []) { $0.append($1) } == steps)
  }

  @Test("refuses a request that no stub matches, with a dump that shows both")
  func unexpected() async throws {
    let (reports, continuation) = AsyncStream.makeStream(of: String.self)
    stub.onUnexpected { continuation.yield($0) }
    stub.on(.get, "/a", .json("[]"))
    stub.on(where: { _ in false }, .json("[]"))
    _ = try await send(.get, "http://x.test/a")
    let error = await #expect(throws: TransportError.self) {
      try await send(.delete, "http://x.test/b?c=d")
    }
    continuation.finish()

    #expect(error?.kind == .invalidRequest)
    #expect(stub.unexpected.map(\.url.absoluteString) == ["http://x.test/b?c=d"])
    let dump = try #require(error?.message)
    #expect(dump.contains("DELETE http://x.test/b?c=d"))
    #expect(dump.contains("GET /a – used 1 times"))
    #expect(dump.contains("StubTransportTests.swift:"))
    #expect(await reports.reduce(into: []) { $0.append($1) } == [dump])
  }

  @Test(
    "says in the dump where a stub differs in the order of the parameters alone",
    arguments: ["/b?c=1&d=2", "http://x.test/b?c=1&d=2"])
  func order(target: String) async throws {
    stub.onUnexpected { _ in }
    stub.on(.get, target, .json("[]"))
    stub.on(.get, "/b?c=1", .json("[]"))
    stub.on(.post, "/b?c=1&d=2", .json("[]"))
    let error = await #expect(throws: TransportError.self) {
      try await send(.get, "http://x.test/b?d=2&c=1")
    }
    let lines = try #require(error?.message).split(separator: "\n").suffix(3)
    #expect(
      lines == [
        "  GET \(target) – used 0 times, with its parameters in another order",
        "  GET /b?c=1 – used 0 times", "  POST /b?c=1&d=2 – used 0 times",
      ])
  }

  @Test("records every request, and forgets on demand")
  func records() async throws {
    stub.on(.get, "/a", .json("[]"))
    _ = try await send(.get, "http://x.test/a")
    _ = try await send(.get, "http://x.test/a")
    #expect(stub.requests.count == 2)
    #expect(stub.count(.get, "/a") == 2)
    #expect(stub.count(.get, "http://x.test/a") == 2)
    #expect(stub.count(.post, "/a") == 0)
    stub.forgetRequests()
    #expect(stub.requests.isEmpty)
  }

  @Test("sends nothing for a task that is already cancelled")
  func cancelledBefore() async {
    stub.on(.get, "/a", .json("[]"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await send(.get, "http://x.test/a")
    }
    let error = await #expect(throws: TransportError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
    #expect(stub.requests.isEmpty)
  }

  @Test("is cancelled while a closure responds, whatever the closure makes of it")
  func cancelledInClosure() async {
    let clock = ManualClock()
    stub.on(.get, "/a") { _ in
      try? await clock.sleep(for: .seconds(1))
      return .json("late")
    }
    let load = Task { try await send(.get, "http://x.test/a") }
    await clock.timers(atLeast: 1)
    load.cancel()
    let error = await #expect(throws: TransportError.self) { try await load.value }
    #expect(error?.kind == .cancelled)
  }

  @Test("a request that is cancelled while the stub's function responds to it fails")
  func cancelledInFunction() async throws {
    let clock = ManualClock()
    let stub = StubTransport { request in
      try? await clock.sleep(for: .seconds(1))
      return HTTPResponse(status: 200, to: request)
    }
    let url = try #require(URL(string: "http://x.test/a"))
    let load = Task { try await stub.send(HTTPRequest(url: url)) { _ in } }
    await clock.timers(atLeast: 1)
    load.cancel()
    let error = await #expect(throws: TransportError.self) { try await load.value }
    #expect(error?.kind == .cancelled)
  }

  @Test("serves many tasks at once")
  func crowd() async {
    for index in 0..<100 { stub.on(.get, "/\(index)", .json("\(index)")) }
    let right = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<1000 {
        group.addTask { (try? await text("http://x.test/\(index % 100)")) == "\(index % 100)" }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(right == 1000)
    #expect(stub.count(.get, "/7") == 10)
  }

  @Test("A value is sent as JSON that a service decodes")
  @MainActor func encodedValue() async throws {
    struct Event: Codable, Equatable {
      let name: String
      let date: Date
    }
    let event = Event(name: "opening", date: Date(timeIntervalSince1970: 1_000_000))
    let stub = StubTransport()
    stub.on(.get, "/events", .json(encoding: [event], headers: ["ETag": "\"1\""]))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let events = service.resource("events", of: [Event].self)
    #expect(try await events.freshContent() == [event])
    #expect(events.latestData?.contentType?.isJSON == true && events.latestData?.etag != nil)
  }

  @Test(
    "Pages of a list link to one another, whatever the query of the first",
    arguments: [
      ("/rows", ["/rows", "/rows?page=2", "/rows?page=3"]),
      ("/rows?tag=a", ["/rows?tag=a", "/rows?tag=a&page=2", "/rows?tag=a&page=3"]),
      ("/rows?page=0&tag=a", ["/rows?page=0&tag=a", "/rows?tag=a&page=1", "/rows?tag=a&page=2"]),
      ("/rows?page=x", ["/rows?page=x", "/rows?page=x&page=2", "/rows?page=x&page=3"]),
    ])
  @MainActor func pages(target: String, targets: [String]) async throws {
    let stub = StubTransport()
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let rows = service.pages(target, of: Int.self)
    stub.onPages(target, [[1, 2], [], [3]])
    rows.loadAll()
    await rows.settled()
    #expect(rows.items == [1, 2, 3] && rows.pageCount == 3 && rows.state == .ended)
    #expect(rows.pages.map(\.key.url) == targets.map { "https://api.test" + $0 })
    stub.on(.get, targets[1], .page(encoding: [7], next: targets[2]))
    await rows.refreshAndWait()
    #expect(rows.items == [1, 2, 7, 3] && rows.state == .ended)
    stub.onPages(target, [[4]])
    await rows.refreshAndWait()
    #expect(rows.items == [4] && rows.state == .ended)
    stub.onPages(target, [[Int]]())
    await rows.refreshAndWait()
    #expect(rows.items.isEmpty && rows.state == .ended)
    #expect(stub.unexpected.isEmpty)
  }
}
