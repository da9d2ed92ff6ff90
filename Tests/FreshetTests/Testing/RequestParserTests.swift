import Foundation
import Freshet
import Testing

@testable import FreshetTesting

@Suite("The request parser of the loopback server")
struct RequestParserTests {
  typealias Parser = LoopbackServer.RequestParser

  /// The events that the bytes make when they come in pieces of that size.
  func events(
    _ text: String, pieces size: Int = .max, isolatedBy newline: String = "\r\n"
  ) throws -> [Parser.Event] {
    var parser = Parser(authority: "127.0.0.1:80")
    var rest = Array(text.replacing("\n", with: newline).utf8)[...]
    var events: [Parser.Event] = []
    while !rest.isEmpty {
      parser.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let event = try parser.next() { events.append(event) }
    }
    return events
  }

  func request(
    _ method: HTTPMethod, _ url: String, _ headers: HTTPHeaders, body: String? = nil
  ) throws -> HTTPRequest {
    HTTPRequest(
      method: method, url: try #require(URL(string: url)), headers: headers,
      body: body.map { Data($0.utf8) })
  }

  @Test("reads pipelined requests of every framing, wherever the bytes are cut", arguments: 1...40)
  func pipelined(size: Int) throws {
    let text = """
      GET /a?b=c HTTP/1.1
      Host: x.test
      Accept:  a,\tb \t
      accept: c

      POST /b HTTP/1.1
      Host: x.test:8080
      Content-Length: 5

      12
      3
      PUT http://y.test/c HTTP/1.1
      Host: x.test
      Transfer-Encoding: chunked

      3;name=value
      abc
      A
      0123456789
      0
      Trailer: x

      GET / HTTP/1.0

      """
    let found = try events(text + "\n", pieces: size)
    #expect(
      found == [
        .request(
          try request(
            .get, "http://x.test/a?b=c", ["Host": "x.test", "Accept": "a,\tb", "accept": "c"]),
          keepsAlive: true),
        .request(
          try request(
            .post, "http://x.test:8080/b", ["Host": "x.test:8080", "Content-Length": "5"],
            body: "12\r\n3"),
          keepsAlive: true),
        .request(
          try request(
            .put, "http://y.test/c", ["Host": "x.test", "Transfer-Encoding": "chunked"],
            body: "abc0123456789"),
          keepsAlive: true),
        .request(try request(.get, "http://127.0.0.1:80/", [:]), keepsAlive: false),
      ])
  }

  @Test("sends 100 only to a client that waits for it")
  func expectContinue() throws {
    let head = "POST / HTTP/1.1\nHost: a\nContent-Length: 2\nExpect: 100-continue\n\n"
    #expect(try events(head) == [.expectsContinue])
    #expect(try events(head + "hi").count == 1)
    #expect(try events(head + "hi", pieces: head.utf8.count + 5).count == 2)
  }

  @Test("detects which side wants the connection closed")
  func close() throws {
    let found = try events("GET / HTTP/1.1\nHost: a\nConnection: Foo, Close\n\n")
    #expect(
      found == [
        .request(
          try request(.get, "http://a/", ["Host": "a", "Connection": "Foo, Close"]),
          keepsAlive: false)
      ])
  }

  @Test(
    "refuses what is malformed or could be read in two ways",
    arguments: [
      ("GET /\n", 400), ("GET  / HTTP/1.1\n", 400), ("G(T / HTTP/1.1\n", 400),
      ("GET / HTTP/1.1 \n", 400), ("GET / FTP/1.1\n", 400), ("GET / HTTP/2.0\n", 505),
      ("GET /é HTTP/1.1\n", 400), ("GET x HTTP/1.1\nHost: a\n\n", 400),
      ("GET file:///etc/passwd HTTP/1.1\nHost: a\n\n", 400),
      ("GET /%zz HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\n\n", 400),
      ("GET / HTTP/1.1\nHost: a\nHost: b\n\n", 400), ("GET / HTTP/1.1\nHost: a b\n\n", 400),
      ("GET / HTTP/1.1\nHost\n", 400), ("GET / HTTP/1.1\nHost : a\n", 400),
      ("GET / HTTP/1.1\n: a\n", 400), ("GET / HTTP/1.1\nA: b\n c\n", 400),
      ("GET / HTTP/1.1\nA: b\u{0}c\n", 400),
      ("GET / HTTP/1.1\nHost: a\nContent-Length: -1\n\n", 400),
      ("GET / HTTP/1.1\nHost: a\nContent-Length: 1, 1\n\n", 400),
      ("GET / HTTP/1.1\nHost: a\nContent-Length: 1\nContent-Length: 1\n\n", 400),
      ("GET / HTTP/1.1\nHost: a\nContent-Length:\n\n", 400),
      ("GET / HTTP/1.1\nHost: a\nContent-Length: 99999999999999999999\n\n", 400),
      ("GET / HTTP/1.1\nHost: a\nContent-Length: 99999999999\n\n", 413),
      ("GET / HTTP/1.1\nHost: a\nContent-Length: 1\nTransfer-Encoding: chunked\n\n", 400),
      ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip\n\n", 501),
      ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nx\n", 400),
      ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n-1\n", 400),
      ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n123456789\n", 400),
      ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nFFFFFFF\n", 413),
      ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n1\nab\n", 400),
    ])
  func malformed(text: String, status: Int) {
    let rejection = #expect(throws: Parser.Rejection.self) { try events(text) }
    #expect(rejection?.status == status)
  }

  @Test("refuses a line that ends without a carriage return")
  func bareLineFeed() {
    #expect(throws: Parser.Rejection.self) { try events("GET / HTTP/1.1\n", isolatedBy: "\n") }
  }

  @Test("refuses a header section that grows without end", arguments: [1 << 10, 1 << 17])
  func endless(fieldSize: Int) {
    let field = "A: " + String(repeating: "x", count: fieldSize) + "\n"
    let text = "GET / HTTP/1.1\n" + String(repeating: field, count: 70)
    let rejection = #expect(throws: Parser.Rejection.self) { try events(text, pieces: 16 << 10) }
    #expect(rejection?.status == 431)
  }

  @Test("never crashes on noise, and reads none of it as a request", arguments: UInt64(0)..<200)
  func noise(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let alphabet = Array("GET / HTTP/1.1\r\n\r\n:;0aF\u{0}é".utf8)
    let bytes = (0..<300).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return alphabet[Int(state >> 33) % alphabet.count]
    }
    var parser = Parser(authority: "a")
    parser.append(bytes[...])
    let found = try? parser.next()
    #expect((found ?? nil) == nil, "seed \(seed)")
  }
}
