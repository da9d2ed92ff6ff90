#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet
  @testable import FreshetTesting

  @Suite("A CurlTransport, in the process that it is part of", .standardTimeLimit)
  struct CurlIsolationTests {
    @Test("handles no signal on its thread")
    func signals() async throws {
      let (arrived, ended) = (Watched(false), Watched(false))
      let server = try LoopbackServer { _ in
        arrived.withLock { $0 = true }
        await ended.until { $0 }
        return .response()
      }
      async let response = CurlTransport().send(HTTPRequest(url: server.url)) { _ in }
      await arrived.until { $0 }
      let masks = try Self.blockedSignals(ofThreads: "freshet.curl")
      ended.withLock { $0 = true }
      #expect(try await response.status == 200)
      #expect(!masks.isEmpty)
      // These two cannot be blocked.
      for signal in 1...31 where signal != SIGKILL && signal != SIGSTOP {
        #expect(masks.allSatisfy { $0 >> (signal - 1) & 1 == 1 }, "\(signal)")
      }
    }

    /// The masks of all threads with a name, also of other tests; the lowest bit is of signal 1.
    private static func blockedSignals(ofThreads name: String) throws -> [UInt64] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { thread in
        // One that has ended meanwhile has no status.
        let path = "/proc/self/task/\(thread)/status"
        guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let lines = status.split(separator: "\n")
        guard lines.contains("Name:\t\(name)"),
          let mask = lines.first(where: { $0.hasPrefix("SigBlk:\t") })
        else { return nil }
        return UInt64(mask.dropFirst("SigBlk:\t".count), radix: 16)
      }
    }

    @Test("sends no credentials of a file .netrc")
    func netrc() async {
      // In a process of its own, which has another home.
      await #expect(processExitsWith: .success) {
        let home = TemporaryFolder()
        try FileManager.default.createDirectory(at: home.url, withIntermediateDirectories: true)
        let text = "machine 127.0.0.1 login canary password canary\n"
        try Data(text.utf8).write(to: home.file(".netrc"))
        setenv("HOME", home.path, 1)
        let server = try LoopbackServer { _ in .response() }
        _ = try await CurlTransport().send(HTTPRequest(url: server.url)) { _ in }
        let request = try #require(server.requests.first)
        #expect(request.headers["Authorization"] == nil)
      }
    }

    @Test("has a connection again once the process can open files again", arguments: [false, true])
    func descriptors(isLibraryOpen: Bool) async {
      // In a process of its own, for whose files there is a limit for a while.
      await #expect(processExitsWith: .success) { [isLibraryOpen] in
        if isLibraryOpen { _ = try CurlLibrary.system.get() }
        let server = try LoopbackServer { _ in .response() }
        let (transport, request) = (CurlTransport(), HTTPRequest(url: server.url))
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        setrlimit(resource, &none)
        let response = try? await transport.send(request) { _ in }
        setrlimit(resource, &limit)
        guard response == nil, try await transport.send(request, progress: { _ in }).status == 200
        else { exit(2) }
      }
    }

    @Test("says where the process has no descriptor left for a connection")
    func noDescriptor() async {
      // In a process of its own, for whose files there is a limit.
      await #expect(processExitsWith: .success) {
        let servers = try (0..<2).map { _ in try LoopbackServer { _ in .response() } }
        let transport = CurlTransport()
        _ = try await transport.send(HTTPRequest(url: servers[0].url)) { _ in }
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        setrlimit(resource, &none)
        let error = await #expect(throws: TransportError.self) {
          try await transport.send(HTTPRequest(url: servers[1].url)) { _ in }
        }
        setrlimit(resource, &limit)
        #expect(error?.kind == .unreachable)
        #expect(error?.message.contains("raise the limit of open files") == true)
        #expect(servers[1].requests.isEmpty)
      }
    }

    @Test("leaves a few descriptors to others, because Dispatch stops a process without any")
    func lastDescriptors() async throws {
      let server = try LoopbackServer { $0.url.path() == "/first" ? .response() : .stall }
      // In a process of its own, for whose files there is a limit.
      await #expect(processExitsWith: .success) { [base = server.url.absoluteString as String] in
        let url = try #require(URL(string: base))
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = 40
        let transport = CurlTransport(configuration: configuration)
        let first = HTTPRequest(url: url.appending(path: "first"))
        _ = try await transport.send(first) { _ in }
        try ProcessResources.limitDescriptors(to: 20)
        await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<40 {
            group.addTask { _ = try await transport.send(HTTPRequest(url: url)) { _ in } }
          }
          // The others wait for the server.
          let result = await group.nextResult()
          guard case .failure(let error as TransportError) = result else { exit(2) }
          #expect(error.message.contains("raise the limit of open files"))
          // The runtime may have a few open at the moment.
          #expect((0..<4).allSatisfy { _ in dup(STDERR_FILENO) >= 0 })
          group.cancelAll()
        }
      }
    }

    /// The function that initializes OpenSSL; nil where libcurl has another library for TLS.
    fileprivate static var openSSL: (@convention(c) (UInt64, UnsafeRawPointer?) -> Int32)? {
      dlsym(dlopen("libcurl.so.4", RTLD_NOW), "OPENSSL_init_crypto").map {
        unsafeBitCast($0, to: (@convention(c) (UInt64, UnsafeRawPointer?) -> Int32).self)
      }
    }

    @Test("can use OpenSSL until the process has ended", .enabled(if: openSSL != nil))
    func openSSLAtExit() async {
      await #expect(processExitsWith: .success) {
        // Called after what is registered later: OpenSSL would free its tables. It says so from then on.
        atexit { _exit(CurlIsolationTests.openSSL?(0, nil) == 1 ? 0 : 2) }
        _ = try CurlLibrary.system.get()
        exit(3)
      }
    }
  }
#endif
