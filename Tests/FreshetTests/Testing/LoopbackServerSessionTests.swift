import Foundation
import Freshet
import FreshetTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A loopback server, seen from URLSession", .standardTimeLimit, .prompt)
struct LoopbackServerSessionTests {
  typealias Response = LoopbackServer.Response

  let session = URLSession(configuration: .ephemeral)

  func load(_ response: Response, _ method: String = "GET") async throws -> (
    String, HTTPURLResponse
  ) {
    let server = try LoopbackServer { _ in response }
    var request = URLRequest(url: server.url.appending(path: "a"))
    request.httpMethod = method
    let (data, response) = try await session.data(for: request)
    return (String(decoding: data, as: UTF8.self), try #require(response as? HTTPURLResponse))
  }

  static let body = Response.response(headers: ["X-Test": "yes"], body: Data("hello, world".utf8))

  @Test(
    "is understood however the body is framed and paced",
    arguments: [
      body, body.chunked(by: 5), body.chunked(by: 100), body.closeDelimited(),
      body.dripped(5, every: .milliseconds(5)), body.chunked(by: 2).dripped(5, every: .zero),
      body.preceded(by: 103, headers: ["X-Test": "interim"]),
    ])
  func framings(response: Response) async throws {
    let (text, response) = try await load(response)
    #expect(text == "hello, world")
    #expect(response.value(forHTTPHeaderField: "X-Test") == "yes")
  }

  @Test("responds to HEAD with the length and without the body")
  func head() async throws {
    let (text, response) = try await load(Self.body, "HEAD")
    #expect(text.isEmpty)
    #expect(response.value(forHTTPHeaderField: "Content-Length") == "12")
  }

  @Test("sends 304 and 204 without a body", arguments: [204, 304])
  func empty(status: Int) async throws {
    let (text, response) = try await load(.response(status: status, headers: ["ETag": "\"x\""]))
    #expect(text.isEmpty)
    #expect(response.statusCode == status)
  }

  @Test(
    "makes the load fail where the response breaks off or is not HTTP",
    arguments: [
      .reset, .resetInHeaders, body.reset(after: 3), body.truncated(after: 3),
      body.chunked(by: 3).truncated(after: 3), .raw(Data()), .raw(Data([0, 1, 2, 0xFF])),
    ])
  func faults(response: Response) async throws {
    await #expect(throws: URLError.self) { try await load(response) }
  }

  @Test("receives bodies, with a length or streamed")
  func bodies() async throws {
    let server = try LoopbackServer { .response(status: 201, body: $0.body ?? Data()) }
    let sent = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    for body in [Data("short".utf8), sent] {
      var request = URLRequest(url: server.url)
      request.httpMethod = "POST"
      request.httpBody = body
      let (data, _) = try await session.data(for: request)
      #expect(data == body)
    }
    #expect(server.requests.map(\.body) == [Data("short".utf8), sent])
  }

  @Test("keeps the connection for the next request")
  func keepAlive() async throws {
    let server = try LoopbackServer { .json("\($0.url.path().count)") }
    for index in 0..<50 {
      _ = try await session.data(from: server.url.appending(path: "\(index)"))
    }
    #expect(server.connectionCount == 1)
    #expect(server.requests.count == 50)
    #expect(server.requests.last?.url == server.url.appending(path: "49"))
  }

  @Test(
    "sees a cancelled load as a client that left",
    arguments: [Response.stall, body.stalled(after: 3)])
  func cancelled(response: Response) async throws {
    let server = try LoopbackServer { _ in response }
    let load = Task { try await session.data(from: server.url) }
    await server.requests(atLeast: 1)
    load.cancel()
    await #expect(throws: (any Error).self) { try await load.value }
    await server.openConnections(atMost: 0)
  }
}
