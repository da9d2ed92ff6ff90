import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(
  "Conformance: raw responses", .enabled(if: Conformance.isAvailable), .standardTimeLimit)
struct WireConformanceTests {
  struct Cases: Decodable {
    let cases: [Case]
  }

  struct Case: Decodable {
    enum Expected: String, Decodable {
      case ok, error, either
    }

    struct Step: Decodable {
      var bytes: Data?
      var pause: Double?
      var reset: Bool?
    }

    let name: String
    let method: String
    let steps: [Step]
    let keepAlive: Bool
    let expected: Expected
    var status: Int?
    var body: String?
    var bodySHA256: String?
    var follows: [String]?
    var acceptEncoding: String?

    /// Whether it takes longer than a test should: by pauses, or because an address of IPv6 that the
    /// redirect leads to does not respond.
    var isEndless: Bool { steps.reduce(0) { $0 + ($1.pause ?? 0) } > 4 || name == "rd-v6zone" }

    /// Whether a request with that method is sent on, by a redirect that keeps it.
    private func isSentOn(_ method: HTTPMethod) -> Bool {
      guard let start = steps.first?.bytes, expected == .ok else { return false }
      return method == .post
        && ["HTTP/1.1 307", "HTTP/1.1 308"].contains { start.starts(with: $0.utf8) }
    }

    func response(to method: HTTPMethod) -> LoopbackServer.Response {
      var steps: [LoopbackServer.Response.Step] = steps.compactMap { step in
        if let bytes = step.bytes { return .send(Array(bytes)) }
        if let pause = step.pause { return .pause(.seconds(pause)) }
        return step.reset == true ? .reset : nil
      }
      // A close that is not announced may meet the request that follows the redirect, on the same
      // connection: a POST is then not repeated, but lost, as documented.
      if !keepAlive, steps.last != .reset, !isSentOn(method) { steps.append(.finish) }
      return .script(steps)
    }
  }

  @Test(
    "Each is delivered or refused as listed, sent once, and the next exchange works",
    arguments: [HTTPMethod.get, .post])
  func responses(method: HTTPMethod) async throws {
    let cases = try Conformance.load("wire/responses.json", as: Cases.self).cases
    let transport = SystemTransport()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, test) in cases.enumerated() {
        if index >= 8 { try await group.next() }
        group.addTask { try await run(test, by: method, over: transport) }
      }
      try await group.waitForAll()
    }
    #expect(cases.count >= 161)
  }

  func run(_ test: Case, by method: HTTPMethod, over transport: SystemTransport) async throws {
    let server = try LoopbackServer { request in
      request.url.path() == "/\(test.name)" && request.url.query() == nil
        ? test.response(to: request.method) : .response(body: Data("ok".utf8))
    }
    let method = test.method == "HEAD" ? .head : method
    var request = HTTPRequest(
      method: method, url: server.url.appending(path: test.name),
      body: method == .post ? Data("{}".utf8) : nil, maximumResponseSize: 8 << 20)
    request.headers["Accept-Encoding"] = test.acceptEncoding
    let exchange = Task { [request] in try await transport.send(request) { _ in } }
    if test.isEndless {
      // The deadline of such a request.
      await server.requests(atLeast: 1)
      exchange.cancel()
    }
    let comment = Comment(rawValue: "\(method) \(test.name)")
    switch await exchange.result {
    case .success(let response):
      #expect(test.expected != .error, comment)
      let isRedirect = (300..<400).contains(response.status) && test.expected == .either
      if !isRedirect {
        #expect(response.status == test.status, comment)
        check(response.body, test, comment)
        if let follows = test.follows {
          let origin = server.url.absoluteString
          let target = server.requests.last.map {
            String($0.url.absoluteString.dropFirst(origin.count))
          }
          #expect(follows.contains(target ?? ""), comment)
        }
      }
    case .failure(let error):
      #expect(test.expected != .ok, "\(method) \(test.name): \(error)")
      #expect(error is TransportError, comment)
    }
    let same = server.requests.filter { $0.url.path() == "/\(test.name)" && $0.method == .post }
    #expect(same.count <= 1, comment)
    let next = try await transport.send(HTTPRequest(url: server.url.appending(path: "next"))) { _ in
    }
    #expect(next.body == Data("ok".utf8), comment)
  }

  func check(_ body: Data, _ test: Case, _ comment: Comment) {
    if let expected = test.body { #expect(body == Data(expected.utf8), comment) }
    if let expected = test.bodySHA256 {
      var hash = SHA256()
      body.withUnsafeBytes { hash.update($0) }
      #expect(hash.hexadecimal == expected, comment)
    }
  }
}
