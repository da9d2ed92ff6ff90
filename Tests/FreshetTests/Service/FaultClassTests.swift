import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A fault of the server or the network", .standardTimeLimit)
struct FaultClassTests {
  typealias Response = LoopbackServer.Response

  private let folder = TemporaryFolder()
  private let clock = ManualClock()
  private let response = Locked(Response.json("[1, 2]", headers: ["ETag": "\"1\""]))

  private func server() throws -> LoopbackServer {
    try LoopbackServer { [response] _ in response.withLock { $0 } }
  }

  /// As a new process: nothing but the folder is shared.
  private func launch(
    _ url: URL, by transport: any Transport = SystemTransport(),
    isolation: isolated any Actor = #isolation
  ) -> (Service, Resource<[Int]>) {
    let service = Service(
      baseURL: url.absoluteString, transport: transport, clock: clock,
      isolation: #isolation)
    let cache = DiskCache(directory: folder.url)
    service.configure {
      $0.cache = cache
      $0.freshnessLifetime = .seconds(600)
      $0.maximumResponseSize = 5_000
      $0.log = { if $0.category == .cacheFailure { Issue.record("\($0)") } }
    }
    return (service, service.resource("a?token=secret"))
  }

  private var files: [String: Data] {
    Dictionary(
      uniqueKeysWithValues: folder.names.map {
        ($0, (try? Data(contentsOf: folder.file($0))) ?? Data())
      })
  }

  /// Nil for a refused connection.
  private static let faults: [(String, Response?, ResourceError.Kind)] = [
    ("F01 no listener", nil, .unreachable),
    ("F03 reset before any byte", .reset, .connectionLost),
    ("F04 reset in the headers", .resetInHeaders, .connectionLost),
    ("F05 body cut short", .json("[1, 2, 3]").truncated(after: 6), .connectionLost),
    ("F05 reset in the body", .json("[1, 2, 3]").reset(after: 6), .connectionLost),
    (
      "F06 chunks cut short", .json("[1, 2, 3]").chunked(by: 4).truncated(after: 4), .connectionLost
    ),
    ("F07 a body without length cut short", .json("[1, 2").closeDelimited(), .decoding),
    ("F09 unknown coding", .json("[3]", headers: ["Content-Encoding": "zzz"]), .badResponse),
    (
      "F08 gzip cut short",
      .response(
        headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"],
        body: Data(StoredGzip.member(Array("[3]".utf8)).dropLast(8))), .connectionLost
    ),
    (
      "F10 gzip of more than may be",
      .response(
        headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"],
        body: Data(StoredGzip.member([UInt8](repeating: 0x20, count: 6_000)))), .tooLarge
    ),
    (
      "F16 huge header", .json("[3]", headers: ["X": String(repeating: "x", count: 400_000)]),
      .badResponse
    ),
    ("F11 too large", .json("[" + String(repeating: " ", count: 6_000) + "]"), .tooLarge),
    ("F14 garbage", .raw(Data("SSH-2.0-OpenSSH\r\n".utf8)), .badResponse),
    (
      "F15 lengths that differ",
      .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n[3] ".utf8)),
      .badResponse
    ),
    ("F23 redirect loop", .response(status: 302, headers: ["Location": "/a"]), .redirect),
    ("F26 other scheme", .response(status: 302, headers: ["Location": "file:///a"]), .redirect),
    (
      "F40 a part", .json("[3]", status: 206, headers: ["Content-Range": "bytes 0-2/9"]),
      .badResponse
    ),
    ("F44 server error", .json("[3]", status: 500), .http),
    ("F46 not found", .json("[3]", status: 404), .http),
    ("F46 gone", .json("[3]", status: 410), .http),
    (
      "F47 login page", .response(headers: ["Content-Type": "text/html"], body: Data("[3]".utf8)),
      .contentType
    ),
    ("F48 truncated JSON", .json("[1, 2"), .decoding),
    ("F48 deep JSON", .json(String(repeating: "[", count: 4_000)), .decoding),
  ]

  @Test(
    "leaves content, its age and the files as they were, with one event of the start and one of the end",
    arguments: faults)
  func kept(name: String, fault: Response?, kind: ResourceError.Kind) async throws {
    try await StoreActor.mainActor.run { actor in
      let server = try server()
      let (service, resource) = launch(server.url)
      _ = try await resource.load().value()
      await service.flushCache()
      let (stored, date) = (files, resource.timestamp)
      #expect(stored.count == 1 && resource.content == [1, 2])

      clock.advance(by: .seconds(60))
      if let fault { response.withLock { $0 = fault } } else { server.stop() }
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      recorder.drain()
      let error = try #require(await resource.load().failure())
      #expect(error.kind == kind, "\(error.message)")
      #expect(error.message.contains(server.url.absoluteString), "it names the request")
      #expect(!error.message.contains("secret"))
      #expect(recorder.events == [.requested, .error])
      #expect(resource.content == [1, 2] && resource.timestamp == date && !resource.isLoading)
      await service.flushCache()
      #expect(files == stored)

      let (_, restored) = launch(server.url)
      _ = try await restored.loadIfNeeded()?.value()
      #expect(restored.content == [1, 2] && restored.timestamp == date)
    }
  }

  @Test("F02: A host name that is not known any more leaves them too, and is retried after waits")
  func unknownHost() async throws {
    try await StoreActor.mainActor.run { actor in
      // No label of a name is longer than 63 bytes, so no name server is asked.
      let url = try #require(URL(string: "http://\(String(repeating: "a", count: 64)).invalid"))
      let stub = StubTransport()
      stub.on(.get, "/a?token=secret", .json("[1, 2]", headers: ["ETag": "\"1\""]))
      let (service, resource) = launch(url, by: stub)
      _ = try await resource.load().value()
      await service.flushCache()
      let (stored, date) = (files, resource.timestamp)

      clock.advance(by: .seconds(60))
      let (later, restored) = launch(url)
      later.configure {
        $0.retryPolicy = Service.RetryPolicy(maximumRetries: 2, baseDelay: .seconds(1))
        $0.random = { 1 }
      }
      let recorder = EventRecorder()
      restored.addObserver(recorder)
      recorder.drain()
      let request = restored.load()
      for delay in [1, 2] {
        await clock.timers(atLeast: 1) { $0.purpose != .deadline }
        #expect(restored.isLoading && request.wait?.reason == .backoff)
        clock.advance(by: .seconds(delay))
      }
      let error = try #require(await request.failure())
      #expect(error.kind == .unreachable && error.isTransient)
      #expect(error.message.contains(url.absoluteString) && !error.message.contains("secret"))
      #expect(recorder.events == [.requested, .newData(.cache), .error])
      #expect(restored.content == [1, 2] && restored.timestamp == date)
      await later.flushCache()
      #expect(files == stored)
    }
  }

  /// Whether the response drips, or never comes.
  @Test(
    "F12, F13: They stay at the deadline of a request, which no byte that arrives puts off",
    arguments: [true, false])
  func deadline(drips: Bool) async throws {
    try await StoreActor.mainActor.run { actor in
      let server = try server()
      let (service, resource) = launch(server.url)
      service.configure {
        $0.timeout = .seconds(20)
        $0.maximumResponseSize = 300_000
      }
      _ = try await resource.load().value()
      await service.flushCache()
      let (stored, date) = (files, resource.timestamp)

      // It would drip for longer than the tests may run: how soon this one continues is not known.
      let slow = Response.json("[3\(String(repeating: " ", count: 200_000))]")
      response.withLock { $0 = drips ? slow.dripped(1, every: .milliseconds(20)) : .stall }
      let (reports, reporter) = AsyncStream.makeStream(
        of: Double.self, bufferingPolicy: .bufferingNewest(1))
      let request = resource.load().onProgress { reporter.yield($0) }
      await server.requests(atLeast: 2)
      var received = reports.makeAsyncIterator()
      for seconds in [0, 15] {
        clock.advance(by: .seconds(seconds))
        // The second of them is from after that.
        if drips { for _ in 0..<2 { _ = await received.next() } }
        #expect(resource.isLoading)
      }
      clock.advance(by: .seconds(5))
      let error = try #require(await request.failure())
      #expect(error.kind == .timeout && error.isTransient)
      await server.openConnections(atMost: 0)
      #expect(resource.content == [1, 2] && resource.timestamp == date && !resource.isLoading)
      await service.flushCache()
      #expect(files == stored)
    }
  }
}
