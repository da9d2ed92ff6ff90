import Dispatch
import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("SystemTransport, cancelled", .standardTimeLimit, .prompt)
struct SystemTransportCancellationTests {
  let transport = SystemTransport()

  func expectCancelled(_ exchange: Task<HTTPResponse, any Error>) async {
    let error = await #expect(throws: TransportError.self) { try await exchange.value }
    #expect(error?.kind == .cancelled)
  }

  @Test("F13: while the server says nothing, it ends at once and the connection closes")
  func stalled() async throws {
    let server = try LoopbackServer { _ in .stall }
    let exchange = Task { try await transport.send(HTTPRequest(url: server.url)) { _ in } }
    await server.requests(atLeast: 1)
    exchange.cancel()
    await expectCancelled(exchange)
    await server.openConnections(atMost: 0)
  }

  @Test("F12: while the body drips, it ends at once and the connection closes")
  func dripping() async throws {
    let server = try LoopbackServer { _ in
      .response(body: Data(count: 100_000)).dripped(1, every: .milliseconds(50))
    }
    let (reports, reporter) = AsyncStream.makeStream(of: TransferProgress.self)
    let exchange = Task {
      try await transport.send(HTTPRequest(url: server.url)) { reporter.yield($0) }
    }
    for await report in reports where report.bytesReceived > 0 { break }
    exchange.cancel()
    await expectCancelled(exchange)
    await server.openConnections(atMost: 0)
  }

  @Test("before it begins, it sends nothing")
  func early() async throws {
    let server = try LoopbackServer { _ in .response() }
    let exchange = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(HTTPRequest(url: server.url)) { _ in }
    }
    await expectCancelled(exchange)
    #expect(server.connectionCount == 0)
  }

  @Test("while the body is sent, it ends at once and the connection closes")
  func sending() async throws {
    let server = try LoopbackServer { _ in .stall }
    let (reports, reporter) = AsyncStream.makeStream(of: TransferProgress.self)
    let request = HTTPRequest(method: .put, url: server.url, body: Data(count: 20 << 20))
    let exchange = Task { try await transport.send(request) { reporter.yield($0) } }
    for await report in reports where report.bytesSent > 0 { break }
    exchange.cancel()
    await expectCancelled(exchange)
    await server.openConnections(atMost: 0)
  }

  @Test("a progress closure that blocks holds up no other exchange")
  func slowProgress() async throws {
    let server = try LoopbackServer { request in
      request.url.path() == "/slow"
        ? .response(body: Data(count: 100)).dripped(1, every: .milliseconds(1)) : .json("[]")
    }
    let blocked = DispatchSemaphore(value: 0)
    let (reports, reporter) = AsyncStream.makeStream(of: Void.self)
    let slow = Task {
      try await transport.send(HTTPRequest(url: server.url.appending(path: "slow"))) { _ in
        reporter.finish()
        blocked.wait()
        blocked.signal()
      }
    }
    defer { blocked.signal() }
    for await _ in reports {}
    for _ in 0..<20 {
      #expect(try await transport.send(HTTPRequest(url: server.url)) { _ in }.status == 200)
    }
    blocked.signal()
    #expect(try await slow.value.body.count == 100)
  }

  @Test("one of two leaves the other alone")
  func other() async throws {
    let server = try LoopbackServer { $0.url.path() == "/stall" ? .stall : .json("[]") }
    let stalled = Task {
      try await transport.send(HTTPRequest(url: server.url.appending(path: "stall"))) { _ in }
    }
    await server.requests(atLeast: 1)
    async let other = transport.send(HTTPRequest(url: server.url)) { _ in }
    stalled.cancel()
    await expectCancelled(stalled)
    #expect(try await other.status == 200)
  }

  @Test("at any moment, redirects and challenges included, it ends in a response or an error")
  func anywhere() async throws {
    let server = try LoopbackServer { request in
      switch request.url.path() {
      case "/302": .response(status: 302, headers: ["Location": "/401"])
      case "/401": .response(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"a\""])
      default: .response(body: Data(count: 100_000)).chunked(by: 1000)
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let path = ["302", "401", "body"][index % 3]
          let exchange = Task {
            try await transport.send(HTTPRequest(url: server.url.appending(path: path))) { _ in }
          }
          for _ in 0..<(index % 40) { await Task.yield() }
          exchange.cancel()
          switch await exchange.result {
          case .success(let response): #expect([200, 401].contains(response.status))
          case .failure(let error): #expect((error as? TransportError)?.kind == .cancelled)
          }
        }
      }
    }
    let last = try await transport.send(HTTPRequest(url: server.url)) { _ in }
    #expect(last.body.count == 100_000)
  }
}
