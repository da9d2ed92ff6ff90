import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A loopback server, seen from a bare socket", .standardTimeLimit)
struct LoopbackServerTests {
  /// A server that sends back what it received.
  func echo() throws -> LoopbackServer {
    try LoopbackServer { request in
      let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
      return .response(body: Data("\(request.method) \(request.url.path())\(body)".utf8))
    }
  }

  func server(_ response: LoopbackServer.Response) throws -> LoopbackServer {
    try LoopbackServer { _ in response }
  }

  let get = "GET /a HTTP/1.1\nHost: x.test\n\n"

  @Test("sends header and body in one write")
  func oneWrite() async throws {
    let body = String(repeating: "x", count: 10_000)
    let server = try server(.json(body))
    let client = try RawClient(server.url)
    for _ in 0..<20 {
      client.send(get)
      let text = await client.receive()
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(text.hasSuffix("\r\n\r\n" + body))
    }
    #expect(server.connectionCount == 1)
  }

  @Test("serves requests on one connection in order, pipelined ones too")
  func pipelined() async throws {
    let server = try echo()
    let client = try RawClient(server.url)
    client.send("GET /1 HTTP/1.1\nHost: x\n\nGET /2 HTTP/1.1\nHost: x\nConnection: close\n\n")
    let (text, ending) = await client.receiveAll()
    let first = try #require(text.range(of: "GET /1"))
    let second = try #require(text.range(of: "GET /2"))
    #expect(first.upperBound < second.lowerBound)
    #expect(ending == .closed)
    #expect(server.requests.map { $0.url.absoluteString } == ["http://x/1", "http://x/2"])
  }

  @Test("sends 100 to a client that waits for it, then reads the body")
  func expectContinue() async throws {
    let server = try echo()
    let client = try RawClient(server.url)
    client.send("POST /a HTTP/1.1\nHost: x\nContent-Length: 2\nExpect: 100-continue\n\n")
    #expect(await client.receive() == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("hi")
    #expect(await client.receive().hasSuffix("POST /a hi"))
    #expect(server.requests.first?.body == Data("hi".utf8))
  }

  @Test("responds to invalid HTTP with 400, closes, and continues to serve others")
  func badRequest() async throws {
    let server = try echo()
    let client = try RawClient(server.url)
    client.send("\u{16}\u{3}\u{1} this is not HTTP\n\n")
    let (text, ending) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(ending == .closed)
    #expect(server.requests.isEmpty)

    let other = try RawClient(server.url)
    other.send(get)
    #expect(await other.receive().hasSuffix("GET /a"))
  }

  @Test("lets its refusal reach a client that is still sending")
  func refusalWhileSending() async throws {
    let server = try echo()
    let client = try RawClient(server.url)
    client.send("GET / HTTP/1.1\nA: " + String(repeating: "x", count: 200_000))
    let (text, ending) = await client.receiveAll()
    #expect(text.hasPrefix("HTTP/1.1 431 "))
    #expect(ending == .closed)
  }

  @Test("breaks off as scripted", arguments: [0, 2])
  func brokenOff(count: Int) async throws {
    let body = LoopbackServer.Response.response(body: Data("hello".utf8))
    let cases: [(LoopbackServer.Response, RawClient.Ending)] = [
      (body.truncated(after: count), .closed), (body.reset(after: count), .reset),
      (body.closeDelimited().truncated(after: count), .closed),
    ]
    for (response, expected) in cases {
      let server = try server(response)
      let client = try RawClient(server.url)
      client.send(get)
      let (text, ending) = await client.receiveAll()
      #expect(text.hasSuffix("\r\n\r\n" + "hello".prefix(count)))
      #expect(ending == expected)
    }
  }

  @Test("resets before any byte, and in the headers")
  func resets() async throws {
    let before = try server(.reset)
    let client = try RawClient(before.url)
    client.send(get)
    #expect(await client.receiveAll() == ("", .reset))

    let within = try server(.resetInHeaders)
    let other = try RawClient(within.url)
    other.send(get)
    #expect(await other.receiveAll() == ("HTTP/1.1 200 OK\r\n", .reset))
  }

  @Test("drips all of the body")
  func drip() async throws {
    let body = LoopbackServer.Response.response(body: Data("abc".utf8)).closeDelimited()
    let server = try server(body.dripped(1, every: .milliseconds(5)))
    let client = try RawClient(server.url)
    client.send(get)
    let (text, ending) = await client.receiveAll()
    #expect(text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc")
    #expect(ending == .closed)
  }

  @Test("stalls until it is stopped")
  func stall() async throws {
    let server = try server(.stall)
    let client = try RawClient(server.url)
    client.send(get)
    await server.requests(atLeast: 1)
    server.stop()
    #expect(await client.receiveAll() == ("", .closed))
    await server.openConnections(atMost: 0)
  }

  @Test("notices that a client leaves, whatever it is doing")
  func clientLeaves() async throws {
    let body = LoopbackServer.Response.response(body: Data("hello".utf8))
    let responses = [
      (.stall, true), (body.stalled(after: 1), false), (body, false),
      (body.dripped(1, every: .seconds(60)), false), (body.dripped(1, every: .seconds(60)), true),
    ]
    for (response, isSilent) in responses {
      let server = try server(response)
      var client: RawClient? = try RawClient(server.url)
      client?.send(get)
      await server.requests(atLeast: 1)
      if !isSilent { #expect(await client?.receive().hasPrefix("HTTP/1.1 200 OK") == true) }
      client = nil
      await server.openConnections(atMost: 0)
    }
  }

  @Test("survives clients that leave while it writes")
  func brokenPipe() async throws {
    let server = try server(.response(body: Data(count: 4 << 20)))
    for _ in 0..<10 {
      let client = try RawClient(server.url)
      client.send(get)
    }
    await server.openConnections(atMost: 0)
    let client = try RawClient(server.url)
    client.send("HEAD / HTTP/1.1\nHost: x\n\n")
    #expect(await client.receive().hasPrefix("HTTP/1.1 200 OK"))
  }
}
