#if os(Linux)
  import Foundation
  import Testing

  @testable import Freshet
  @testable import FreshetTesting

  @Suite(
    "Requests that wait for a connection while the server asks for fewer", .standardTimeLimit)
  @MainActor struct HeldRequestTests {
    private nonisolated static let count = 30
    /// Fewer than half: one that comes to the transport later than the response may be sent.
    private static let few = 15

    /// A store of 30 requests, of which the transport sends six, and whose server responds to those once all
    /// others wait.
    @MainActor private final class Fixture {
      let clock = ManualClock()
      let server: LoopbackServer
      let service: Service
      private(set) var requests: [Request<String>] = []

      /// - Parameters:
      ///   - isStalled: whether the bodies of those responses do not arrive.
      ///   - isWrapped: whether another transport stands before it.
      init(
        _ status: Int, retryAfter: String, _ retries: Service.RetryPolicy, isStalled: Bool = false,
        isWrapped: Bool = false
      ) throws {
        let sent = Watched(0)
        let limits = Locked(6)
        server = try LoopbackServer { _ in
          let isLimited = limits.withLock { limits in
            limits -= 1
            return limits >= 0
          }
          await sent.until { $0 >= HeldRequestTests.count }
          let limit = LoopbackServer.Response.response(
            status: status, headers: ["Retry-After": retryAfter], body: Data(count: 9))
          return isLimited
            ? (isStalled ? limit.stalled(after: 3) : limit)
            : .response(headers: ["Content-Type": "text/plain"], body: Data("x".utf8))
        }
        var configuration = TransportConfiguration()
        configuration.errorBodyTimeout = .milliseconds(100)
        let transport = CurlTransport(configuration: configuration)
        service = Service(
          baseURL: server.url.absoluteString,
          transport: isWrapped ? WrappingTransport(transport: transport) : transport, clock: clock)
        service.configure {
          $0.retryPolicy = retries
          $0.log = { entry in
            if entry.category == .request { sent.withLock { $0 += 1 } }
          }
        }
        requests = (0..<HeldRequestTests.count).map {
          service.request($0 % 2 == 0 ? .get : .put, "\($0)", as: String.self)
        }
      }
    }

    @Test("are not sent before the time that it names", arguments: [429, 503])
    func held(status: Int) async throws {
      let fixture = try Fixture(status, retryAfter: "7", .standard)
      await until { fixture.requests.allSatisfy { $0.wait != nil || $0.isCompleted } }
      #expect(fixture.server.requests.count < Self.few)
      #expect(fixture.requests.count { $0.wait?.reason == .server } > Self.few)
      try await fixture.clock.run(until: { fixture.requests.allSatisfy(\.isCompleted) })
      for request in fixture.requests { #expect(await request.failure() == nil) }
      #expect(fixture.server.requests.count == Self.count + 6)
    }

    @Test("are not sent either where another transport wraps theirs")
    func wrapped() async throws {
      let fixture = try Fixture(429, retryAfter: "3600", .standard, isWrapped: true)
      var kinds: [ResourceError.Kind?] = []
      for request in fixture.requests { kinds.append(await request.failure()?.kind) }
      #expect(kinds.count { $0 == .rateLimited } > Self.few)
      #expect(fixture.server.requests.count < Self.few)
    }

    @Test("are not sent either where the body of that response does not arrive")
    func stalled() async throws {
      let fixture = try Fixture(429, retryAfter: "3600", .standard, isStalled: true)
      var failures = 0
      for request in fixture.requests where await request.failure() != nil { failures += 1 }
      #expect(failures > Self.few && fixture.server.requests.count < Self.few)
    }

    @Test("fail where that is too long to wait for")
    func tooLong() async throws {
      let fixture = try Fixture(429, retryAfter: "3600", .standard)
      var kinds: [ResourceError.Kind?] = []
      for request in fixture.requests { kinds.append(await request.failure()?.kind) }
      #expect(kinds.count { $0 == .rateLimited } > Self.few)
      #expect(fixture.server.requests.count < Self.few)
    }

    @Test(
      "are sent where nothing is retried, or paths have limits of their own",
      arguments: [
        Service.RetryPolicy.none, Service.RetryPolicy(maximumRetries: 1, pausesOrigin: false),
      ])
    func notHeld(retries: Service.RetryPolicy) async throws {
      let fixture = try Fixture(429, retryAfter: "3600", retries)
      var failures = 0
      for request in fixture.requests where await request.failure() != nil { failures += 1 }
      #expect(failures == 6 && fixture.server.requests.count == Self.count)
    }

    @Test("are sent where the server limits another path, whose rule says that this is of it alone")
    func limitedPath() async throws {
      let (limited, sent) = (Watched(0), Watched(0))
      let server = try LoopbackServer { request in
        guard request.url.path.hasPrefix("/search") else {
          return .response(headers: ["Content-Type": "text/plain"], body: Data("x".utf8))
        }
        limited.withLock { $0 += 1 }
        await sent.until { $0 >= HeldRequestTests.count }
        return .response(status: 429, headers: ["Retry-After": "3600"])
      }
      let service = Service(
        baseURL: server.url.absoluteString, transport: CurlTransport(), clock: ManualClock())
      service.configure {
        $0.retryPolicy = .standard
        $0.log = { entry in
          if entry.category == .request { sent.withLock { $0 += 1 } }
        }
      }
      service.configure("search/*") { $0.retryPolicy.pausesOrigin = false }
      let searches = (0..<6).map { service.request(.get, "search/\($0)", as: String.self) }
      await limited.until { $0 >= 6 }
      let others = (6..<Self.count).map { service.request(.get, "\($0)", as: String.self) }
      for request in others { #expect(await request.failure() == nil) }
      for request in searches { #expect(await request.failure()?.kind == .rateLimited) }
      #expect(server.requests.count == Self.count)
    }

    @Test("are sent after a 503 whose time cannot be read, which is no limit")
    func unreadableTime() async throws {
      let begun = Watched(0)
      let server = try LoopbackServer { _ in
        await begun.until { $0 >= HeldRequestTests.count }
        return .response(status: 503, headers: ["Retry-After": "soon"])
      }
      var request = HTTPRequest(url: server.url)
      request.holding = .all
      let (transport, held) = (CurlTransport(), request)
      let statuses = await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<Self.count {
          group.addTask {
            begun.withLock { $0 += 1 }
            return try? await transport.send(held) { _ in }.status
          }
        }
        var statuses: [Int?] = []
        for await status in group { statuses.append(status) }
        return statuses
      }
      #expect(statuses.allSatisfy { $0 == 503 }, "\(statuses)")
    }

    @Test("are sent in the end where no time is named")
    func noTime() async throws {
      let fixture = try Fixture(429, retryAfter: "0", .standard)
      try await fixture.clock.run(until: { fixture.requests.allSatisfy(\.isCompleted) })
      for request in fixture.requests { #expect(await request.failure() == nil) }
      #expect(fixture.server.requests.count == Self.count + 6)
    }
  }

  /// A transport as a program writes one: it adds a field to each request.
  private struct WrappingTransport: Transport {
    let transport: any Transport

    @concurrent
    func send(
      _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> HTTPResponse {
      var request = request
      request.headers["X-Wrapped"] = "yes"
      return try await transport.send(request, progress: progress)
    }
  }
#endif
