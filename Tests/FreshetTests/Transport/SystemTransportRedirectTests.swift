import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("SystemTransport, redirected", .standardTimeLimit)
struct SystemTransportRedirectTests {
  let transport = SystemTransport()

  func redirect(_ status: Int = 302, to location: String) -> LoopbackServer.Response {
    .response(status: status, headers: ["Location": location], body: Data("moved".utf8))
  }

  func send(
    _ path: String, by method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: Data? = nil,
    to server: LoopbackServer
  ) async throws -> HTTPResponse {
    let url = server.url.appending(path: path)
    return try await transport.send(
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
