import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("URLSessionTransport, where the server is at fault", .standardTimeLimit)
struct URLSessionTransportFaultTests {
  typealias Response = LoopbackServer.Response

  let transport = URLSessionTransport()
  static let body = Response.response(body: Data(repeating: 0x61, count: 1000))

  func load(
    _ response: Response, headers: HTTPHeaders = [:], limit: Int = 1 << 20
  ) async throws -> HTTPResponse {
    let server = try LoopbackServer { _ in response }
    let url = server.url.appending(path: "a").appending(queryItems: [
      URLQueryItem(name: "token", value: "secret")
    ])
    return try await transport.send(
      HTTPRequest(url: url, headers: headers, maximumResponseSize: limit)
    ) { _ in }
  }

  func failure(
    _ response: Response, headers: HTTPHeaders = [:], limit: Int = 1 << 20
  ) async throws -> TransportError.Kind {
    let error = try #require(
      await #expect(throws: TransportError.self) {
        try await load(response, headers: headers, limit: limit)
      })
    #expect(error.message.contains("http://127.0.0.1:"))
    #expect(!"\(error)".contains("secret"))
    return error.kind
  }

  @Test("F01: a refused connection is unreachable")
  func refused() async throws {
    let server = try LoopbackServer { _ in .response() }
    server.stop()
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(url: server.url)) { _ in }
    }
    #expect(error?.kind == .unreachable)
  }

  @Test(
    "F03–F06: a response that breaks off is a lost connection, never a part of a body",
    arguments: [
      Response.reset, .resetInHeaders, body.reset(after: 9), body.truncated(after: 9),
      body.truncated(after: 0), body.chunked(by: 9).truncated(after: 9), .raw(Data()),
    ])
  func brokenOff(response: Response) async throws {
    #expect(try await failure(response) == .connectionLost)
  }

  @Test("a lost POST is not said to be worth another try")
  func lostPost() async throws {
    let server = try LoopbackServer { _ in .reset }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method: .post, url: server.url)) { _ in }
    }
    #expect(error?.kind == .connectionLost)
    #expect(error?.message.contains("may have acted") == true)
  }

  @Test(
    "a POST on a connection that dies reaches the server once, with and without a body",
    arguments: [nil, Data(), Data("{}".utf8)])
  func postOnDyingConnection(body: Data?) async throws {
    let server = try LoopbackServer { $0.method == .post ? .reset : .response() }
    // Leaves a connection that could be used again.
    _ = try await transport.send(HTTPRequest(url: server.url)) { _ in }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method: .post, url: server.url, body: body)) { _ in }
    }
    #expect(error?.kind == .connectionLost)
    #expect(server.requests.map(\.method) == [.get, .post])
  }

  @Test("F07: the end of a body without a length looks like its truncation")
  func closeDelimited() async throws {
    #expect(try await load(Self.body.closeDelimited()).body.count == 1000)
  }

  @Test("F09: an unknown content coding is a bad response")
  func unknownCoding() async throws {
    let response = Response.response(headers: ["Content-Encoding": "zzz"], body: Data("x".utf8))
    #if canImport(FoundationNetworking)
      #expect(try await failure(response) == .badResponse)
    #endif
    #expect(try await failure(response, headers: ["Accept-Encoding": "zzz"]) == .badResponse)
  }

  #if canImport(FoundationNetworking)
    @Test("F08, F10: no content coding is accepted unless the request says so")
    func identity() async throws {
      let server = try LoopbackServer { _ in .response() }
      _ = try await transport.send(HTTPRequest(url: server.url)) { _ in }
      #expect(server.requests.first?.headers["Accept-Encoding"] == "identity")
      #expect(try await failure(Self.gzip(Self.hello)) == .badResponse)
    }
  #endif

  @Test("F10: a coded body is decoded if it was accepted, within the limit")
  func coded() async throws {
    let headers: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let response = try await load(Self.gzip(Self.hello), headers: headers)
    #expect(response.body == Data("hello".utf8))
    #expect(
      try await failure(Self.gzip(Self.zeros), headers: headers, limit: 50_000) == .tooLarge)
  }

  @Test("F11: a body that is announced as too large is refused at once")
  func announced() async throws {
    let endless = Self.body.stalled(after: 1)
    #expect(try await failure(endless, limit: 999) == .tooLarge)
  }

  @Test("F11: a body that grows too large is refused before its end, and the connection closed")
  func unannounced() async throws {
    let server = try LoopbackServer { _ in
      .response(body: Data(count: 100_000)).chunked(by: 1000).stalled(after: 50_000)
    }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(
        HTTPRequest(url: server.url, maximumResponseSize: 10_000)
      ) { _ in }
    }
    #expect(error?.kind == .tooLarge)
    await server.openConnections(atMost: 0)
  }

  @Test("F14: what is not HTTP is a bad response")
  func garbage() async throws {
    #expect(try await failure(.raw(Data([0, 1, 2, 0xFF, 10]))) == .badResponse)
  }

  @Test(
    "F15: a length that contradicts itself is a bad response",
    arguments: [
      ["Content-Length": "6", "Content-Length": "7"], ["Content-Length": "-5"],
    ] as [HTTPHeaders])
  func lengths(headers: HTTPHeaders) async throws {
    #expect(
      try await failure(.response(headers: headers, body: Data("1234567".utf8))) == .badResponse)
  }

  #if canImport(FoundationNetworking)
    @Test("F16, F17: headers that libcurl cannot take are a bad response")
    func headers() async throws {
      let huge = Response.response(headers: ["X-Huge": String(repeating: "a", count: 400_000)])
      #expect(try await failure(huge) == .badResponse)

      let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nLink: </".utf8)
      let latin = Response.raw(head + Data([0xE9]) + Data(">\r\n\r\n".utf8))
      #expect(try await failure(latin) == .badResponse)
    }
  #endif

  @Test(
    "F19: a 401 comes at once with its body, whatever it asks for",
    arguments: [
      "Basic realm=\"a\"", "Bearer", "Digest realm=\"a\", nonce=\"n\"", "Negotiate", "",
      "Basic realm=", ",,=",
    ])
  func unauthorized(challenge: String) async throws {
    let sent = Response.response(
      status: 401, headers: ["WWW-Authenticate": challenge], body: Data("denied".utf8))
    let response = try await load(sent)
    #expect(response.status == 401)
    #expect(response.body == Data("denied".utf8))
    #expect(response.headers["WWW-Authenticate"] == challenge)
  }

  @Test("F19: a 401 leaves the connection usable")
  func unauthorizedAgain() async throws {
    let server = try LoopbackServer { _ in
      .response(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"a\""])
    }
    for _ in 0..<5 {
      let response = try await transport.send(HTTPRequest(url: server.url)) { _ in }
      #expect(response.status == 401)
    }
    #expect(server.connectionCount == 1)
  }

  @Test("F22: the fields of an interim response are not those of the final one")
  func interim() async throws {
    let sent = Self.body.preceded(by: 103, headers: ["Link": "</s.css>; rel=preload"])
    let response = try await load(sent)
    #expect(response.status == 200)
    #expect(response.headers["Link"] == nil)
  }

  @Test("F49: a header that cannot be sent is refused, and nothing is sent")
  func injection() async throws {
    let server = try LoopbackServer { _ in .response() }
    let request = HTTPRequest(url: server.url, headers: ["Authorization": "Bearer secret\n"])
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(request) { _ in }
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("Authorization") == true)
    #expect(error?.message.contains("secret") == false)
    #expect(server.connectionCount == 0)
  }

  /// `hello`, by gzip.
  static let hello = "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="

  /// 100,000 zero bytes, by gzip.
  static let zeros =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"

  static func gzip(_ base64: String) -> Response {
    .response(
      headers: ["Content-Encoding": "gzip"], body: Data(base64Encoded: base64) ?? Data())
  }
}
