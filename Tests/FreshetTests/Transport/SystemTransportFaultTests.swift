import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("SystemTransport, where the server is at fault", .standardTimeLimit, .prompt)
struct SystemTransportFaultTests {
  typealias Response = LoopbackServer.Response

  let transport = SystemTransport()
  /// One that does not wait long for bodies that are not needed.
  static let impatient: SystemTransport = {
    var configuration = TransportConfiguration()
    configuration.redirectBodyTimeout = .milliseconds(100)
    configuration.errorBodyTimeout = .milliseconds(100)
    return SystemTransport(configuration: configuration)
  }()
  static let body = Response.response(body: Data(repeating: 0x61, count: 1000))

  func load(
    _ response: Response, headers: HTTPHeaders = [:], limit: Int = 1 << 20,
    by transport: SystemTransport? = nil
  ) async throws -> HTTPResponse {
    let server = try LoopbackServer { _ in response }
    let url = server.url.appending(path: "a").appending(queryItems: [
      URLQueryItem(name: "token", value: "secret")
    ])
    return try await (transport ?? self.transport).send(
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

  @Test("F02: a host name that is not known is unreachable")
  func unknownHost() async throws {
    // No label of a name is longer than 63 bytes, so no name server is asked.
    let url = try #require(URL(string: "http://\(String(repeating: "a", count: 64)).test/"))
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(url: url)) { _ in }
    }
    #expect(error?.kind == .unreachable)
  }

  @Test("F21: a server without TLS is sent nothing over https, and that is not retried")
  func withoutTLS() async throws {
    let server = try LoopbackServer { _ in .response(body: Data("x".utf8)) }
    let text = server.url.absoluteString.replacing("http:", with: "https:")
    try await StoreActor.mainActor.run { actor in
      let service = Service(
        baseURL: text, transport: transport, clock: ManualClock(), isolation: #isolation)
      service.configure { $0.retryPolicy = Service.RetryPolicy(maximumRetries: 3) }
      let error = try #require(await service.resource("a", of: String.self).load().failure())
      #expect(error.kind == .insecureConnection && !error.isTransient)
    }
    #expect(server.requests.isEmpty)
  }

  @Test(
    "F03–F06: a response that breaks off is a lost connection, never a part of a body",
    arguments: [
      Response.reset, .resetInHeaders, body.reset(after: 9), body.truncated(after: 9),
      body.truncated(after: 0), body.chunked(by: 9).truncated(after: 9), .raw(Data()),
      .raw(Data("HTTP/1.1 200 OK\r\n".utf8)), .raw(Data("HTTP/1.1 200 OK\r\nETag: \"a\"\r\n".utf8)),
      .raw(Data("HTTP/1.1 200 OK\r\nContent-Le".utf8)),
    ])
  func brokenOff(response: Response) async throws {
    #expect(try await failure(response) == .connectionLost)
  }

  @Test(
    "F19, F43, F46: a status of an error is received though its body is not",
    arguments: [401, 404, 429, 503])
  func errorStatus(status: Int) async throws {
    let whole = Response.response(
      status: status, headers: ["Retry-After": "7"], body: Data(count: 1_000))
    let parts = [
      whole.reset(after: 9), whole.truncated(after: 9), whole.chunked(by: 9).truncated(after: 9),
    ]
    for part in parts {
      let response = try await load(part)
      #expect(response.status == status && response.headers["Retry-After"] == "7")
    }
  }

  @Test("F08–F11: so it is where the body is too large or not decodable")
  func errorBody() async throws {
    let zeros = Response.response(
      status: 429, headers: ["Content-Encoding": "gzip"], body: Self.zeros)
    #expect(try await load(zeros, limit: 50_000).status == 429)
    let announced = Response.response(status: 404, body: Data(count: 60_000))
    #expect(try await load(announced, limit: 50_000).status == 404)
    #if os(Linux)
      for coding in ["zzz", "gzip"] {
        let response = Response.response(
          status: 503, headers: ["Content-Encoding": coding], body: Data("x".utf8))
        #expect(try await load(response).status == 503)
      }
    #endif
  }

  #if os(Linux)
    @Test(
      "F15: so it is where nothing shows the end of the body",
      arguments: [
        ["Content-Length": "5, 6"], ["Content-Length": "5", "Content-Length": "6"],
        ["Content-Length": "-5"], ["Content-Length": "99999999999999999999"],
        ["Transfer-Encoding": "gzip, chunked"], ["Transfer-Encoding": "zzz"],
        ["X-Huge": String(repeating: "a", count: 400_000)],
      ] as [HTTPHeaders])
    func unframed(headers: HTTPHeaders) async throws {
      for status in [404, 429, 503] {
        let fields = HTTPHeaders([.init(name: "Retry-After", value: "7")] + headers.fields)
        let response = try await load(
          .response(status: status, headers: fields, body: Data("0\r\n\r\n".utf8)))
        #expect(response.status == status && response.headers["Retry-After"] == "7")
        #expect(response.body.isEmpty)
      }
    }
  #endif

  @Test("and comes although its body does not", arguments: [0, 3])
  func stalledError(count: Int) async throws {
    let response = try await load(
      .response(status: 429, headers: ["Retry-After": "7"], body: Data(count: 9)).stalled(
        after: count), by: Self.impatient)
    #expect(response.status == 429 && response.headers["Retry-After"] == "7")
    #expect(response.body.count == count)
  }

  @Test("a lost POST is not said to be worth another attempt")
  func lostPost() async throws {
    let server = try LoopbackServer { _ in .reset }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method: .post, url: server.url)) { _ in }
    }
    #expect(error?.kind == .connectionLost)
    #expect(error?.message.contains("may have acted") == true)
  }

  @Test(
    "F18: what changes the server reaches it once on a connection that dies, whatever its body",
    arguments: [HTTPMethod.post, .put, .patch],
    [nil, Data(), Data("{}".utf8), Data(count: 100_000)])
  func uploadOnDyingConnection(method: HTTPMethod, body: Data?) async throws {
    let server = try LoopbackServer { $0.method == .get ? .response() : .reset }
    // Leaves a connection that could be used again.
    _ = try await transport.send(HTTPRequest(url: server.url)) { _ in }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method: method, url: server.url, body: body)) { _ in }
    }
    #expect(error?.kind == .connectionLost)
    #expect(server.requests.map(\.method) == [.get, method])
  }

  @Test("a GET on a connection that dies is sent again on another")
  func getOnDyingConnection() async throws {
    let count = Locked(0)
    let server = try LoopbackServer { _ in
      count.next() == 2 ? .reset : .response(body: Data("a".utf8))
    }
    for _ in 0..<2 {
      #expect(try await transport.send(HTTPRequest(url: server.url)) { _ in }.status == 200)
    }
    #expect(server.requests.count == 3)
    #expect(server.connectionCount == 2)
  }

  @Test("F07: the end of a body without a length looks like its truncation")
  func closeDelimited() async throws {
    #expect(try await load(Self.body.closeDelimited()).body.count == 1000)
  }

  @Test("F09: an unknown content coding is a bad response")
  func unknownCoding() async throws {
    let response = Response.response(headers: ["Content-Encoding": "zzz"], body: Data("x".utf8))
    #if os(Linux)
      #expect(try await failure(response) == .badResponse)
    #endif
    #expect(try await failure(response, headers: ["Accept-Encoding": "zzz"]) == .badResponse)
  }

  @Test("F08, F10: no content coding is accepted where the configuration says so")
  func identity() async throws {
    var configuration = TransportConfiguration()
    configuration.acceptsCompression = false
    let transport = SystemTransport(configuration: configuration)
    let server = try LoopbackServer { _ in Self.gzip(Self.hello) }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(url: server.url)) { _ in }
    }
    #expect(error?.kind == .badResponse)
    #expect(server.requests.first?.headers["Accept-Encoding"] == "identity")
  }

  @Test("F10: a coded body is decoded, within the limit")
  func coded() async throws {
    let response = try await load(Self.gzip(Self.hello))
    #expect(response.body == Data("hello".utf8))
    #expect(response.headers["Content-Encoding"] == nil)
    #expect(response.headers["Content-Length"] == nil)
    #expect(try await failure(Self.gzip(Self.zeros), limit: 50_000) == .tooLarge)
    #expect(try await failure(Self.gzip(Self.zeros), limit: 99_999) == .tooLarge)
    // What is announced is longer than that.
    #expect(Self.zeros.count > 100_000)
    #expect(try await load(Self.gzip(Self.zeros), limit: 100_000).body == Data(count: 100_000))
  }

  #if os(Linux)
    @Test("F10: a coded body without end is too large, though nothing of it is decoded")
    func emptyMembers() async throws {
      let members = Data([[UInt8]](repeating: StoredGzip.member([]), count: 4_000).joined())
      #expect(try await failure(Self.gzip(members).chunked(by: 9_000), limit: 100) == .tooLarge)
    }

    @Test("F10: a bomb is refused at the default limit, and costs little more memory than that")
    func bomb() async {
      await #expect(processExitsWith: .success) {
        // Members of 100,000 zeros each.
        let text =
          "H4sIAAAAAAAC/+3BMQEAAADCoPVPbQ0Po" + String(repeating: "A", count: 128)
          + "IBXA32VEdSghgEA"
        let member = try #require(Data(base64Encoded: text))
        let bomb = Data([Data](repeating: member, count: 2_000).joined())
        let server = try LoopbackServer { _ in SystemTransportFaultTests.gzip(bomb) }
        let before = try ProcessResources.peak()
        let error = await #expect(throws: TransportError.self) {
          try await SystemTransport().send(HTTPRequest(url: server.url)) { _ in }
        }
        #expect(error?.kind == .tooLarge && bomb.count < 300_000)
        // Not the 200 MB of it all.
        #expect(try ProcessResources.peak() - before < 120_000_000)
      }
    }

    @Test("F08: a coded body that is cut short anywhere is an error", arguments: 1..<25)
    func cutShort(length: Int) async throws {
      let response = Self.gzip(Self.hello.prefix(length))
      #expect(try await failure(response) == .connectionLost)
      #expect(try await failure(response.closeDelimited()) == .connectionLost)
    }
  #endif

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

  @Test("F16: a header that is too large is a bad response")
  func hugeHeader() async throws {
    let huge = Response.response(headers: ["X-Huge": String(repeating: "a", count: 400_000)])
    #expect(try await failure(huge) == .badResponse)
  }

  #if os(Linux)
    @Test("F16: too many header fields are a bad response")
    func manyFields() async throws {
      let fields = (0..<20_000).map { HTTPHeaders.Field(name: "X-\($0)", value: "1") }
      #expect(try await failure(.response(headers: HTTPHeaders(fields))) == .badResponse)
    }

    @Test("A malformed head or body says what to do")
    func advice() async throws {
      let fields = (0..<20_000).map { HTTPHeaders.Field(name: "X-\($0)", value: "1") }
      let corrupt = Response.response(
        headers: ["Content-Encoding": "gzip"], body: Data("no gzip".utf8))
      for (response, advice) in [
        (.response(headers: HTTPHeaders(fields)), "report it to the server's owner"),
        (corrupt, "Accept-Encoding: identity"),
        (.response(headers: ["Content-Encoding": "zzz"], body: Data("x".utf8)), "Report it to"),
        (.response(headers: ["Content-Length": "-5"]), "not one number. Report it to"),
        (.response(headers: ["Content-Length": ""]), "not one number. Report it to"),
        (.response(headers: ["Content-Length": "+5"]), "not one number. Report it to"),
        (.response(headers: ["X": String(repeating: "x", count: 200_000)]), "Report it to"),
        (.raw(Data("[1]\n".utf8)), "not readable as HTTP. Check the URL, or report it to"),
      ] as [(Response, String)] {
        let error = await #expect(throws: TransportError.self) { try await load(response) }
        #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
      }
    }

    @Test("F17: a header that is not UTF-8 is Latin-1")
    func latin() async throws {
      let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nLink: </".utf8)
      let latin = Response.raw(head + Data([0xE9]) + Data(">; rel=next\r\n\r\n".utf8))
      #expect(try await load(latin).headers["Link"] == "</é>; rel=next")
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

  /// `hello`, compressed by gzip.
  static let hello = Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==") ?? Data()

  /// 100,000 zero bytes as gzip.
  static let zeros = Data(
    StoredGzip.member([UInt8](repeating: 0, count: 100_000), blockSize: 60_000))

  static func gzip(_ body: Data) -> Response {
    .response(headers: ["Content-Encoding": "gzip"], body: body)
  }
}
