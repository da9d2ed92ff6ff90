import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("SystemTransport", .standardTimeLimit, .prompt)
struct SystemTransportTests {
  let transport = SystemTransport()

  func send(
    _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: Data? = nil,
    to server: LoopbackServer
  ) async throws -> HTTPResponse {
    let request = HTTPRequest(
      method: method, url: server.url.appending(path: "a"), headers: headers, body: body)
    return try await transport.send(request) { _ in }
  }

  @Test("returns status, headers, body and URL")
  func response() async throws {
    let server = try LoopbackServer { _ in
      .response(status: 404, headers: ["X-Test": "é"], body: Data("none".utf8))
    }
    let response = try await send(to: server)
    #expect(response.status == 404)
    #expect(response.headers["x-test"] == "é")
    #expect(response.body == Data("none".utf8))
    #expect(response.url == server.url.appending(path: "a"))
  }

  @Test("keeps repeated fields of a response, in whatever case they are written")
  func repeatedFields() async throws {
    let server = try LoopbackServer { _ in
      .response(headers: ["Link": "</b>; rel=next", "link": "</a>; rel=prev"])
    }
    let headers = try await send(to: server).headers
    #expect(headers["Link"] == "</b>; rel=next, </a>; rel=prev")
    #expect(LinkHeader(headers.values(for: "Link")).links.count == 2)
  }

  @Test("sends method, headers and body as they are", arguments: [HTTPMethod.post, .put, .patch])
  func request(method: HTTPMethod) async throws {
    let server = try LoopbackServer { _ in .response() }
    let body = Data(repeating: 7, count: 100_000)
    _ = try await send(
      method, headers: ["X-A": "é", "X-B": "1", "x-b": "2", "X-Empty": ""], body: body, to: server)
    let request = try #require(server.requests.first)
    #expect(request.method == method)
    #expect(request.body == body)
    #expect(request.headers["X-A"] == "é")
    #expect(request.headers["X-B"] == "1, 2")
    #expect(request.headers["X-Empty"]?.isEmpty == true)
    #expect(request.headers["Content-Type"] == "application/octet-stream")
  }

  @Test("sends the user agent that was chosen, unless the request has one")
  func userAgent() async throws {
    let server = try LoopbackServer { _ in .response() }
    var configuration = TransportConfiguration()
    configuration.userAgent = "chosen"
    let transport = SystemTransport(configuration: configuration)
    _ = try await transport.send(HTTPRequest(url: server.url)) { _ in }
    _ = try await transport.send(
      HTTPRequest(url: server.url, headers: ["User-Agent": "own"])
    ) { _ in }
    #expect(server.requests.map { $0.headers["User-Agent"] } == ["chosen", "own"])
  }

  @Test("reads responses to HEAD and with 204 and 304 without a body")
  func bodiless() async throws {
    let server = try LoopbackServer { request in
      let status = Int(request.headers["X-Status"] ?? "") ?? 200
      return .response(status: status, headers: ["ETag": "\"e\""], body: Data("body".utf8))
    }
    let head = try await send(.head, to: server)
    #expect(head.status == 200)
    #expect(head.headers["Content-Length"] == "4")
    #expect(head.body.isEmpty)
    for status in [204, 304] {
      let response = try await send(headers: ["X-Status": "\(status)"], to: server)
      #expect(response.status == status)
      #expect(response.headers["ETag"] == "\"e\"")
      #expect(response.body.isEmpty)
    }
  }

  @Test("sends an empty body as none", arguments: [HTTPMethod.get, .post, .delete])
  func emptyBody(method: HTTPMethod) async throws {
    let server = try LoopbackServer { _ in .response() }
    #expect(try await send(method, body: Data(), to: server).status == 200)
    #expect(server.requests.first?.body?.isEmpty ?? true)
    #expect(server.requests.first?.headers["Content-Type"] == nil)
  }

  @Test("keeps no cookies")
  func cookies() async throws {
    let server = try LoopbackServer { _ in .response(headers: ["Set-Cookie": "a=b; Path=/"]) }
    _ = try await send(to: server)
    _ = try await send(to: server)
    #expect(server.requests.allSatisfy { $0.headers["Cookie"] == nil })
  }

  @Test("keeps no responses, whatever they allow")
  func cache() async throws {
    let server = try LoopbackServer { _ in
      .response(headers: ["Cache-Control": "max-age=60"], body: Data("x".utf8))
    }
    _ = try await send(to: server)
    _ = try await send(to: server)
    #expect(server.requests.count == 2)
  }

  @Test("reports progress in order, the whole at the end")
  func progress() async throws {
    let (reports, reporter) = AsyncStream.makeStream(of: TransferProgress.self)
    let (hasArrived, arrival) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { _ in
      // Responds after the client has reported that it sent everything.
      for await _ in hasArrived { break }
      return .response(body: Data(repeating: 1, count: 300_000))
    }
    let body = Data(repeating: 2, count: 200_000)
    let request = HTTPRequest(method: .post, url: server.url, body: body)
    _ = try await transport.send(request) { report in
      reporter.yield(report)
      if report.bytesSent == 200_000 { arrival.finish() }
    }
    reporter.finish()

    var seen: [TransferProgress] = []
    for await report in reports { seen.append(report) }
    #expect(
      seen.last
        == TransferProgress(
          bytesSent: 200_000, bytesExpectedToSend: 200_000, bytesReceived: 300_000,
          bytesExpectedToReceive: 300_000))
    #expect(seen.contains { $0.bytesSent == 200_000 && $0.bytesReceived == 0 })
    for (earlier, later) in zip(seen, seen.dropFirst()) {
      #expect(earlier.bytesSent <= later.bytesSent)
      #expect(earlier.bytesReceived <= later.bytesReceived)
    }
  }

  @Test("carries a hundred exchanges at once")
  func parallel() async throws {
    let server = try LoopbackServer { .response(body: Data($0.url.path().utf8)) }
    let bodies = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<100 {
        group.addTask {
          let request = HTTPRequest(url: server.url.appending(path: "\(index)"))
          let response = try await transport.send(request) { _ in }
          return String(decoding: response.body, as: UTF8.self)
        }
      }
      var bodies: Set<String> = []
      for try await body in group { bodies.insert(body) }
      return bodies
    }
    #expect(bodies == Set((0..<100).map { "/\($0)" }))
  }

  @Test("uses a connection again, except for what could be sent twice unnoticed (F18)")
  func connections() async throws {
    let server = try LoopbackServer { _ in .response() }
    for _ in 0..<3 { _ = try await send(to: server) }
    for _ in 0..<3 { _ = try await send(.post, body: Data("b".utf8), to: server) }
    #expect(server.connectionCount == 1)
    #if os(Linux)
      for _ in 0..<3 { _ = try await send(.post, to: server) }
      #expect(server.connectionCount == 4)
      // Each had one of its own, which is not kept beside the one that is.
      await server.openConnections(atMost: 1)
      _ = try await send(to: server)
      #expect(server.connectionCount == 4 && server.openConnectionCount == 1)
    #endif
  }

  @Test("takes scheme and host in any case")
  func upperCase() async throws {
    let server = try LoopbackServer { _ in .response(body: Data("x".utf8)) }
    let text = server.url.absoluteString.replacing("http://127.0.0.1", with: "HTTP://LOCALHOST")
    let url = try #require(URL(string: text + "/A?B"))
    #expect(try await transport.send(HTTPRequest(url: url)) { _ in }.body == Data("x".utf8))
    #expect(server.requests.first?.url.path() == "/A")
  }

  private static var hasIPv6: Bool { (try? LoopbackServer(host: .ipv6) { _ in .stall }) != nil }

  @Test("takes an IPv6 address as the host", .enabled(if: hasIPv6))
  func addressInBrackets() async throws {
    let server = try LoopbackServer(host: .ipv6) { .response(body: Data($0.url.path().utf8)) }
    #expect(server.url.absoluteString.hasPrefix("http://[::1]:"))
    let request = HTTPRequest(url: server.url.appending(path: "a"))
    #expect(try await transport.send(request) { _ in }.body == Data("/a".utf8))
    #expect(server.requests.first?.url == request.url)
  }

  @Test(
    "sends path and query to the letter",
    arguments: ["/a/../b", "/./a", "//a", "/a%2fb%2F", "/?", "/a?b?c/../d", "/a?b=%20+"])
  func target(target: String) async throws {
    let server = try LoopbackServer { _ in .response() }
    let url = try #require(URL(string: server.url.absoluteString + target))
    _ = try await transport.send(HTTPRequest(url: url)) { _ in }
    #expect(server.requests.first?.url.absoluteString == url.absoluteString)
  }

  @Test("lives as long as an exchange, and closes its connections after it")
  func lifetime() async throws {
    let server = try LoopbackServer { _ in
      .response(body: Data("hello".utf8)).dripped(1, every: .milliseconds(1))
    }
    var transport: SystemTransport? = SystemTransport()
    let released = Weak(transport)
    let request = HTTPRequest(url: server.url)
    let exchange = Task { [transport] in try await transport?.send(request) { _ in } }
    transport = nil
    await server.requests(atLeast: 1)
    #expect(try await exchange.value?.body == Data("hello".utf8))
    await server.openConnections(atMost: 0)
    #expect(released.object == nil)
  }
}
