#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet
  @testable import FreshetTesting

  // Each in a process of its own: the environment names the proxy.
  @Suite("A proxy that the environment names", .standardTimeLimit)
  struct ProxyTests {
    /// Makes a server the proxy of this process, with credentials.
    fileprivate static func setProxy(_ server: LoopbackServer) {
      let url = server.url.absoluteString.replacing("http://", with: "http://reader:canary@")
      for name in ["http_proxy", "https_proxy"] { setenv(name, url, 1) }
      unsetenv("no_proxy")
      unsetenv("NO_PROXY")
    }

    fileprivate static func request(_ url: String, method: HTTPMethod = .get) throws -> HTTPRequest
    {
      HTTPRequest(
        method: method, url: try #require(URL(string: url)),
        headers: ["Authorization": "Bearer token"],
        body: method == .post ? Data("{}".utf8) : nil)
    }

    @Test("receives the request, and alone its credentials")
    func plain() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { request in
          request.url.path() == "/a"
            ? .response(status: 302, headers: ["Location": "http://b.test/b"]) : .json("[1]")
        }
        ProxyTests.setProxy(server)
        let response = try await CurlTransport().send(ProxyTests.request("http://a.test/a")) { _ in
        }
        #expect(response.urlString == "http://b.test/b")
        #expect(!"\(response)".contains("canary"))
        let requests = server.requests
        #expect(requests.map(\.urlString) == ["http://a.test/a", "http://b.test/b"])
        let credentials = "Basic " + Data("reader:canary".utf8).base64EncodedString()
        #expect(requests.allSatisfy { $0.headers["Proxy-Authorization"] == credentials })
        // To the other origin, none of the first one.
        #expect(requests.map { $0.headers["Authorization"] } == ["Bearer token", nil])
      }
    }

    @Test("is not used for what no_proxy names")
    func exception() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer { _ in .json("[1]") }
        let proxy = try LoopbackServer { _ in .reset }
        ProxyTests.setProxy(proxy)
        setenv("no_proxy", "127.0.0.1", 1)
        let request = try ProxyTests.request(server.url.absoluteString)
        #expect(try await CurlTransport().send(request) { _ in }.status == 200)
        #expect(server.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
        #expect(proxy.requests.isEmpty)
      }
    }

    /// What a proxy does to a request for a tunnel.
    enum Refusal: String, Codable, CaseIterable {
      case closed, reset, interim, cutShort, notHTTP

      var response: LoopbackServer.Response {
        switch self {
        case .closed: .raw(Data())
        case .reset: .reset
        case .interim: .raw(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        case .cutShort: .raw(Data("HTTP/1.1 200 O".utf8))
        case .notHTTP: .raw(Data("SSH-2.0-canary\r\n".utf8))
        }
      }
    }

    @Test(
      "that makes no tunnel has received nothing of the request, which it therefore cannot have acted on",
      arguments: Refusal.allCases)
    func noTunnel(refusal: Refusal) async {
      await #expect(processExitsWith: .success) { [refusal] in
        let server = try LoopbackServer { _ in refusal.response }
        ProxyTests.setProxy(server)
        let error = await #expect(throws: TransportError.self) {
          let request = try ProxyTests.request("https://a.test/a", method: .post)
          return try await CurlTransport().send(request) { _ in }
        }
        let message = try #require(error?.message)
        #expect(error?.kind == .unreachable)
        #expect(message.contains("the connection ended before the request was sent"))
        #expect(message.contains("proxy"))
        #expect(!message.contains("canary") && !message.contains("acted on"))
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
      }
    }

    @Test("that refuses a tunnel is named with its status", arguments: [403, 407, 502])
    func refused(status: Int) async {
      await #expect(processExitsWith: .success) { [status] in
        let server = try LoopbackServer { _ in
          .response(status: status, headers: ["Proxy-Authenticate": "Basic realm=\"a\""])
        }
        ProxyTests.setProxy(server)
        let error = await #expect(throws: TransportError.self) {
          try await CurlTransport().send(ProxyTests.request("https://a.test/a")) { _ in }
        }
        #expect(error?.kind == (status == 407 ? .invalidRequest : .unreachable))
        #expect(error?.message.contains("\(status)") == true)
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
      }
    }
  }
#endif
