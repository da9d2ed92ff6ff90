import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("SystemTransport, redirected", .standardTimeLimit, .prompt)
struct SystemTransportRedirectTests {
  let transport = SystemTransport()

  func redirect(_ status: Int = 302, to location: String) -> LoopbackServer.Response {
    .response(status: status, headers: ["Location": location], body: Data("moved".utf8))
  }

  func send(
    _ path: String, by method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: Data? = nil,
    to server: LoopbackServer, using transport: SystemTransport? = nil
  ) async throws -> HTTPResponse {
    let url = server.url.appending(path: path)
    return try await (transport ?? self.transport).send(
      HTTPRequest(method: method, url: url, headers: headers, body: body)
    ) { _ in }
  }

  @Test("F23: a loop ends after twenty redirects")
  func loop() async throws {
    let server = try LoopbackServer { [self] _ in redirect(to: "/loop") }
    let error = await #expect(throws: TransportError.self) { try await send("loop", to: server) }
    #expect(error?.kind == .tooManyRedirects)
    #expect(server.requests.count == 21)
  }

  @Test("F24: no credential reaches another origin")
  func credentials() async throws {
    let other = try LoopbackServer { _ in .response(body: Data("other".utf8)) }
    let target = other.url.appending(path: "b")
    let server = try LoopbackServer { [self] _ in redirect(to: target.absoluteString) }
    let response = try await send(
      "a",
      headers: [
        "Authorization": "s", "Cookie": "s=s", "X-Api-Key": "s", "Accept": "text/plain",
      ], to: server)
    #expect(response.url == target)
    #expect(response.body == Data("other".utf8))
    let request = try #require(other.requests.first)
    #expect(request.headers["Accept"] == "text/plain")
    #expect(!request.headers.fields.contains { $0.value.contains("s=s") || $0.value == "s" })
  }

  @Test("F24: no body reaches another origin")
  func body() async throws {
    let other = try LoopbackServer { _ in .response() }
    let server = try LoopbackServer { [self] _ in redirect(307, to: other.url.absoluteString) }
    let error = await #expect(throws: TransportError.self) {
      try await send("a", by: .post, body: Data("b".utf8), to: server)
    }
    #expect(error?.kind == .redirectRefused)
    #expect(other.requests.isEmpty)
  }

  @Test("F26: a location with another scheme is refused, and not requested")
  func scheme() async throws {
    let server = try LoopbackServer { [self] _ in redirect(to: "file:///etc/passwd") }
    let error = await #expect(throws: TransportError.self) { try await send("a", to: server) }
    #expect(error?.kind == .redirectRefused)
    #expect(server.requests.count == 1)
  }

  @Test(
    "follows a redirect whose body does not end, is too large or cannot be read",
    arguments: [
      .response(status: 302, headers: location, body: Data(count: 9)).stalled(after: 0),
      .response(status: 302, headers: location, body: Data(count: 9)).stalled(after: 3),
      .response(status: 302, headers: location, body: Data(count: 9)).truncated(after: 3),
      .response(status: 302, headers: location, body: Data(count: 900))
        .dripped(1, every: .milliseconds(50)),
      .response(status: 302, headers: location.and("Content-Length", "1000000000"))
        .stalled(after: 0),
      .response(status: 302, headers: location.and("Content-Encoding", "br"), body: Data(count: 9)),
      .response(
        status: 302, headers: location.and("Content-Encoding", "gzip"), body: Data(count: 9)),
    ] as [LoopbackServer.Response])
  func unneededBody(response: LoopbackServer.Response) async throws {
    let server = try LoopbackServer { request in
      request.url.path() == "/a" ? response : .response(body: Data("b".utf8))
    }
    let impatient = SystemTransportFaultTests.impatient
    #expect(try await send("a", to: server, using: impatient).body == Data("b".utf8))
    #expect(server.requests.map { $0.url.path() } == ["/a", "/b"])
  }

  private static let location: HTTPHeaders = ["Location": "/b"]

  @Test("keeps the connection of a redirect whose body ends")
  func keptConnection() async throws {
    let server = try LoopbackServer { [self] request in
      request.url.path() == "/a" ? redirect(to: "/b") : .response()
    }
    for _ in 0..<3 { _ = try await send("a", to: server) }
    #expect(server.requests.count == 6 && server.connectionCount == 1)
  }

  #if os(Linux)
    @Test("discards a redirect where nothing shows the end of its body")
    func doubtful() async throws {
      for headers in [
        Self.location.and("Content-Length", "5, 6"),
        Self.location.and("Transfer-Encoding", "gzip, chunked"),
      ] {
        let server = try LoopbackServer { _ in
          .response(status: 302, headers: headers, body: Data("0\r\n\r\n".utf8))
        }
        let error = await #expect(throws: TransportError.self) { try await send("a", to: server) }
        #expect(error?.kind == .badResponse && server.requests.count == 1)
      }
    }
  #endif

  @Test(
    "F27: relative locations follow RFC 3986",
    arguments: [
      ("sibling", "/dir/sibling"), ("?page=2", "/dir/x?page=2"), ("../y", "/y"),
    ])
  func relative(location: String, target: String) async throws {
    let server = try LoopbackServer { [self] request in
      request.url.path() == "/dir/x" && request.url.query() == nil
        ? redirect(to: location) : .response()
    }
    let response = try await send("dir/x", to: server)
    #expect(response.status == 200)
    #expect(response.url.absoluteString == server.url.absoluteString + target)
  }

  @Test(
    "sends a body again within the origin, and none with 303",
    arguments: [
      (307, HTTPMethod.post, Data("b".utf8)), (303, .get, Data()), (302, .get, Data()),
    ])
  func method(status: Int, method: HTTPMethod, body: Data) async throws {
    let server = try LoopbackServer { [self] request in
      request.url.path() == "/a" ? redirect(status, to: "/b") : .response()
    }
    _ = try await send("a", by: .post, body: Data("b".utf8), to: server)
    let second = try #require(server.requests.last)
    #expect(second.method == method)
    #expect((second.body ?? Data()) == body)
  }

  @Test("invalidates what a request has changed where the connection is lost after its redirect")
  @MainActor func lostAfterRedirect() async throws {
    let server = try LoopbackServer { [self] request in
      switch (request.method, request.url.path()) {
      case (.post, _): redirect(303, to: "/b")
      case (_, "/b"): .reset
      default: .response(headers: ["Cache-Control": "max-age=100"], body: Data("a".utf8))
      }
    }
    let service = Service(
      baseURL: server.url.absoluteString, transport: transport, clock: ManualClock())
    service.configure { $0.responseFreshness = .init() }
    let resource = service.resource("a", of: String.self)
    _ = try await resource.load().value()
    #expect(resource.isUpToDate)
    #expect(await resource.request(.post).failure() != nil)
    #expect(server.requests.last?.url.path() == "/b" && !resource.isUpToDate)
  }

  @Test(
    "delivers a redirect status without a usable location",
    arguments: [
      (302, nil), (302, ""), (302, "http://[::1"), (302, "http:///x"), (300, "/b"), (305, "/b"),
    ] as [(Int, String?)])
  func delivered(status: Int, location: String?) async throws {
    var headers: HTTPHeaders = [:]
    headers["Location"] = location
    let sent = LoopbackServer.Response.response(
      status: status, headers: headers, body: Data("moved".utf8))
    let server = try LoopbackServer { _ in sent }
    let response = try await send("a", to: server)
    #expect(response.status == status)
    #expect(server.requests.count == 1)
  }
}

extension HTTPHeaders {
  /// The same fields and another one.
  fileprivate func and(_ name: String, _ value: String) -> HTTPHeaders {
    HTTPHeaders(fields + [Field(name: name, value: value)])
  }
}
