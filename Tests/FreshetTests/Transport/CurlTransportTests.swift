#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet
  @testable import FreshetTesting

  @Suite("CurlTransport", .standardTimeLimit)
  struct CurlTransportTests {
    func library(curl: String = "libcurl.so.4", zlib: String = "libz.so.1") -> Result<
      CurlLibrary, any Error
    > {
      Result { try CurlLibrary(curl: curl, zlib: zlib) }
    }

    @Test(
      "without libcurl, every request fails with an error that says what to do",
      arguments: ["libcurl-that-is-missing.so.4", "libz.so.1"])
    func missing(name: String) async throws {
      let library = library(curl: name)
      let transport = CurlTransport(configuration: TransportConfiguration()) { library }
      let url = try #require(URL(string: "http://127.0.0.1/a?token=secret"))
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(url: url)) { _ in }
      }
      #expect(error?.kind == .unreachable)
      let message = try #require(error?.message)
      #expect(message.contains("libcurl.so.4 of version 7.68 or newer"))
      #expect(message.contains(name))
      #expect(message.contains("pass another Transport"))
      #expect(!message.contains("secret"))
    }

    @Test("needs version 7.68")
    func version() {
      #expect(!CurlLibrary.isNewEnough(0x07_43_00))
      #expect(CurlLibrary.isNewEnough(0x07_44_00))
      #expect(CurlLibrary.isNewEnough(0x08_00_00))
    }

    @Test("without zlib, asks for identity and refuses gzip")
    func withoutZlib() async throws {
      let library = library(zlib: "libz-that-is-missing.so")
      let transport = CurlTransport(configuration: TransportConfiguration()) { library }
      let server = try LoopbackServer { _ in
        .response(headers: ["Content-Encoding": "gzip"], body: Data(StoredGzip.member([1])))
      }
      for headers in [[:], ["Accept-Encoding": "gzip"]] as [HTTPHeaders] {
        let error = await #expect(throws: TransportError.self) {
          try await transport.send(HTTPRequest(url: server.url, headers: headers)) { _ in }
        }
        #expect(error?.kind == .badResponse)
      }
      #expect(server.requests.map { $0.headers["Accept-Encoding"] } == ["identity", "gzip"])
    }

    @Test("with zlib, asks for gzip")
    func acceptsGzip() async throws {
      let server = try LoopbackServer { _ in .response() }
      _ = try await CurlTransport().send(HTTPRequest(url: server.url)) { _ in }
      #expect(server.requests.first?.headers["Accept-Encoding"] == "gzip")
      #expect(server.requests.first?.headers["User-Agent"]?.contains(" libcurl/") == true)
    }

    @Test("releases the body of a request that is cancelled while it waits for a connection")
    func cancelledWhileWaiting() async throws {
      let count = 20
      let (arrived, ended) = (Watched(false), Watched(false))
      let server = try LoopbackServer { _ in
        arrived.withLock { $0 = true }
        await ended.until { $0 }
        return .response()
      }
      var configuration = TransportConfiguration()
      configuration.maximumConnectionsPerHost = 1
      let transport = CurlTransport(configuration: configuration)
      async let first = transport.send(HTTPRequest(url: server.url)) { _ in }
      await arrived.until { $0 }
      let released = Watched(0)
      await Self.cancelled(count, to: server.url, transport, released)
      await released.until { $0 == count }
      ended.withLock { $0 = true }
      #expect(try await first.status == 200)
      #expect(server.requests.count == 1)
    }

    /// Begins requests, and cancels them. All that this has made of them has ended when it returns.
    private static func cancelled(
      _ count: Int, to url: URL, _ transport: CurlTransport, _ released: Watched<Int>
    ) async {
      let tasks = (0..<count).map { _ in
        Task {
          let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 1)
          let body = Data(
            bytesNoCopy: bytes, count: 1_000,
            deallocator: .custom { bytes, _ in
              bytes.deallocate()
              released.withLock { $0 += 1 }
            })
          let request = HTTPRequest(method: .post, url: url, body: body)
          _ = try? await transport.send(request) { _ in }
        }
      }
      for _ in 0..<100 { await Task.yield() }
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
    }

    @Test("fails before the connection where a file with certificates is missing")
    func missingFile() async throws {
      let server = try LoopbackServer { _ in .response() }
      var configuration = TransportConfiguration()
      configuration.certificateAuthoritiesFile = "/nowhere/authorities.pem"
      let transport = CurlTransport(configuration: configuration)
      let url = try #require(
        URL(string: server.url.absoluteString.replacing("http:", with: "https:")))
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(url: url)) { _ in }
      }
      #expect(error?.kind == .insecureConnection)
    }

    @Test(
      "a body whose chunks are malformed is no connection that broke: it is not asked for again",
      arguments: ["zz\r\n[1]\r\n0\r\n\r\n", "-3\r\n[1]\r\n", "fffffffffffffffff\r\n[1]\r\n"])
    func malformedChunks(body: String) async throws {
      let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      let server = try LoopbackServer { _ in .raw(Data((head + body).utf8)) }
      let error = await #expect(throws: TransportError.self) {
        try await CurlTransport().send(HTTPRequest(url: server.url)) { _ in }
      }
      #expect(error?.kind == .badResponse)
      #expect(error?.message.contains("the chunks of the body are malformed") == true)
    }

    @Test(
      "nothing is sent where libcurl does not accept a part of the request or the configuration")
    func refusedOption() async throws {
      let server = try LoopbackServer { _ in .response() }
      // More than libcurl accepts.
      let long = String(repeating: "x", count: 8_000_001)
      var configuration = TransportConfiguration()
      configuration.certificateAuthoritiesFile = long
      for (transport, method) in [
        (CurlTransport(), HTTPMethod(rawValue: long)),
        (CurlTransport(configuration: configuration), .get),
      ] {
        let error = await #expect(throws: TransportError.self) {
          try await transport.send(HTTPRequest(method: method, url: server.url)) { _ in }
        }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.message.contains("libcurl does not accept the method") == true)
      }
      #expect(server.requests.isEmpty)
    }

    @Test("a request whose head is too large for libcurl is invalid, and is not to be retried")
    func largeRequestHead() async throws {
      let server = try LoopbackServer { _ in .response() }
      let request = HTTPRequest(
        url: server.url, headers: ["X-A": String(repeating: "x", count: 1_300_000)])
      let error = await #expect(throws: TransportError.self) {
        try await CurlTransport().send(request) { _ in }
      }
      #expect(error?.kind == .invalidRequest)
      #expect(error?.message.contains("a megabyte") == true)
      #expect(server.requests.isEmpty)
    }

    @Test("a header line that is too long for libcurl is named")
    func longLine() async throws {
      let server = try LoopbackServer { _ in
        .response(headers: ["X": String(repeating: "x", count: 1 << 20)])
      }
      let error = await #expect(throws: TransportError.self) {
        try await CurlTransport().send(HTTPRequest(url: server.url)) { _ in }
      }
      #expect(error?.kind == .badResponse)
      #expect(error?.message.contains("a line in the head of the response is too long") == true)
    }

    @Test("shows no password of a key")
    func password() {
      var configuration = TransportConfiguration()
      configuration.clientCertificate = .init(
        certificateFile: "/c.pem", keyFile: "/k.pem", keyPassword: "canary")
      var dumped = ""
      dump(configuration, to: &dumped)
      #expect(!dumped.contains("canary"))
      #expect(!"\(configuration)".contains("canary"))
      #expect(!String(reflecting: configuration).contains("canary"))
    }

    @Test("has one outcome, whichever of many threads is first", arguments: 0..<50)
    func outcome(_ round: Int) async throws {
      let mailbox = CurlMailbox()
      let url = try #require(URL(string: "http://a.test/"))
      async let first = mailbox.next()
      await withTaskGroup(of: Void.self) { group in
        for status in 200..<210 {
          group.addTask {
            mailbox.end(.success(HTTPResponse(status: status, url: url)))
          }
        }
      }
      guard case .ended(let outcome) = await first, case .ended(let again) = await mailbox.next()
      else {
        Issue.record("there was no outcome")
        return
      }
      #expect(try outcome.get() == again.get())
      #expect(mailbox.hasEnded)
    }

    @Test("leaves no thread and no descriptor after 200 exchanges")
    func leaks() async throws {
      // In a process of its own, where no other test has threads or sockets.
      await #expect(processExitsWith: .success) {
        func exchanges(_ count: Int) async throws {
          let server = try LoopbackServer { request in
            switch request.url.path() {
            case "/stall": .stall
            case "/reset": .reset
            default: .response(body: Data(count: 10_000))
            }
          }
          for path in ["a", "reset", "stall", "b"] {
            let transport = CurlTransport()
            await withTaskGroup(of: Void.self) { group in
              for _ in 0..<(count / 4) {
                group.addTask {
                  let exchange = Task {
                    try await transport.send(HTTPRequest(url: server.url.appending(path: path))) {
                      _ in
                    }
                  }
                  if path == "stall" {
                    await server.requests(atLeast: count / 2)
                    exchange.cancel()
                  }
                  _ = await exchange.result
                }
              }
            }
          }
        }
        func open() throws -> [Int] {
          try ["/proc/self/task", "/proc/self/fd"].map {
            try FileManager.default.contentsOfDirectory(atPath: $0).count
          }
        }
        func curlThreads() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))
              == "freshet.curl\n"
          }
        }
        // The pool of threads and the descriptors of the runtime come with the first exchanges.
        try await exchanges(40)
        await until { (try? curlThreads()) == 0 }
        let before = try open()
        try await exchanges(200)
        await until {
          guard let now = try? open(), (try? curlThreads()) == 0 else { return false }
          return zip(now, before).allSatisfy { $0 <= $1 + 2 }
        }
      }
    }
  }
#endif
