#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet
  @testable import FreshetTesting

  @Suite("Bytes on a connection that belong to no response", .standardTimeLimit, .prompt)
  struct UnrequestedBytesTests {
    let transport = CurlTransport()

    private static func bytes(_ head: String, _ body: String = "") -> [UInt8] {
      Array("HTTP/1.1 \(head)\r\n\r\n\(body)".utf8)
    }

    /// A server that responds to its first request so, and to later ones with their paths.
    private func server(_ steps: [LoopbackServer.Response.Step]) throws -> LoopbackServer {
      let count = Locked(0)
      return try LoopbackServer { request in
        count.next() == 1
          ? .script(steps) : .response(body: Data(request.url.path().utf8))
      }
    }

    private func send(
      _ path: String, by method: HTTPMethod = .get, to server: LoopbackServer
    ) async throws -> HTTPResponse {
      let body = method == .get ? nil : Data("{}".utf8)
      return try await transport.send(
        HTTPRequest(method: method, url: server.url.appending(path: path), body: body)
      ) { _ in }
    }

    @Test(
      "are not the response to the next request, which is sent once, on a new connection",
      arguments: [
        (bytes("200 OK\r\nContent-Length: 2", "[]"), bytes("200 OK\r\nContent-Length: 3", "666")),
        (bytes("304 Not Modified\r\nContent-Length: 2"), Array("[]".utf8)),
        (bytes("200 OK\r\nContent-Length: 2", "[]"), Array("\r\n".utf8)),
        (bytes("302 Found\r\nContent-Length: 0"), Array("<html>".utf8)),
        (bytes("204 No Content"), bytes("408 Request Timeout\r\nContent-Length: 0")),
      ], [HTTPMethod.get, .post])
    func early(sent: (response: [UInt8], rest: [UInt8]), method: HTTPMethod) async throws {
      let server = try server([
        .send(sent.response), .pause(.milliseconds(20)), .send(sent.rest), .finish,
      ])
      _ = try await send("a", to: server)
      // All of it has been sent when the server has closed the connection.
      await server.openConnections(atMost: 0)
      for path in ["b", "c"] {
        let response = try await send(path, by: method, to: server)
        #expect(response.status == 200 && response.body == Data("/\(path)".utf8))
      }
      #expect(server.requests.map(\.method) == [.get, method, method])
      // The new one is kept.
      #expect(server.connectionCount == 2)
    }

    /// A server that responds to its second request with what is not HTTP.
    private func lateServer() throws -> LoopbackServer {
      let count = Locked(0)
      return try LoopbackServer { _ in
        count.next() == 2 ? .script([.send(Array("[1]".utf8)), .stall]) : .response()
      }
    }

    @Test("that come after the next request and are not HTTP: a safe one is sent again")
    func late() async throws {
      let server = try lateServer()
      for path in ["a", "b"] {
        #expect(try await send(path, to: server).status == 200)
      }
      #expect(server.requests.map { $0.url.path() } == ["/a", "/b", "/b"])
      #expect(server.connectionCount == 2)
    }

    @Test("that come after the next request and are not HTTP: a POST is not sent again")
    func latePost() async throws {
      let server = try lateServer()
      _ = try await send("a", to: server)
      let error = await #expect(throws: TransportError.self) {
        try await send("b", by: .post, to: server)
      }
      #expect(error?.kind == .badResponse)
      #expect(server.requests.map(\.method) == [.get, .post])
    }

    @Test("A server that sends no HTTP on a new connection is asked once")
    func garbage() async throws {
      let server = try LoopbackServer { _ in .raw(Data("[1]".utf8)) }
      let error = await #expect(throws: TransportError.self) { try await send("a", to: server) }
      #expect(error?.kind == .badResponse)
      #expect(server.requests.count == 1)
    }

    @Test("A request that was sent is only sent again if it had a used connection and is safe")
    func decision() {
      let (aborted, notHTTP, broken) = (42, 1, 56) as (Int32, Int32, Int32)
      for method in [HTTPMethod.get, .head, .post, .delete] {
        for isUsed in [false, true] {
          func mayBeginAgain(_ code: Int32) -> Bool {
            CurlTransfer.mayBeginAgain(after: code, method, hasUsedConnection: isUsed)
          }
          #expect(mayBeginAgain(aborted))
          #expect(mayBeginAgain(notHTTP) == (method.isSafe && isUsed))
          #expect(!mayBeginAgain(broken) && !mayBeginAgain(0))
        }
      }
    }
  }
#endif
