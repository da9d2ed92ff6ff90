import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A transport that authorizes requests itself, but for the paths that tokens come from.
private struct AuthorizingTransport: Transport {
  let stub = StubTransport()
  let tokens = Locked<TokenAuthorizer?>(nil)

  @concurrent
  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws -> HTTPResponse {
    var request = request
    if request.url.path() != "/session", let tokens = tokens.withLock({ $0 }) {
      request = try await tokens.authorize(request)
    }
    return try await stub.send(request, progress: progress)
  }
}

@Suite("A fetch of a token for a transport that authorizes requests", .standardTimeLimit)
@MainActor struct FetchByTransportTests {
  private let transport = AuthorizingTransport()
  private let service: Service

  init() {
    service = Service(
      baseURL: "https://api.test", transport: transport, clock: ManualClock(),
      isolation: MainActor.shared)
    for path in ["/a", "/session", "/profile"] { transport.stub.on(.get, path, .text("x")) }
  }

  private func authorize(fetch: @escaping @MainActor () async throws -> Void) {
    let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil) {
      try await fetch()
      return "new"
    }
    transport.tokens.withLock { $0 = tokens }
  }

  @Test("What an observer begins is no part of it, where its load is received")
  func observer() async throws {
    let session = service.resource("session", of: String.self)
    var begun: [Request<String>] = []
    let token = session.observe { [service] _, event in
      guard event == .newData(.network) else { return }
      begun.append(service.resource("profile", of: String.self).load())
    }
    defer { token.cancel() }
    authorize {
      try await session.load().value()
      for _ in 0..<500 { await Task.yield() }
    }
    #expect(try await service.resource("a", of: String.self).load().value() == "x")
    #expect(begun.count == 1)
    for request in begun { #expect(await request.failure() == nil) }
  }

  @Test("A load that it waits for is a part of it, also once the persistent cache was read")
  func cached() async throws {
    let cache = MemoryCache()
    service.configure("profile") { $0.cache = cache }
    let profile = service.resource("profile", of: String.self)
    authorize { try await profile.load().value() }
    let load = service.resource("a", of: String.self).load()
    #expect(await soon { load.isCompleted }, "It waits for ever")
    load.cancel()
    let cause = profile.latestError?.underlying
    #expect(cause as? TokenAuthorizer.Failure == .recursiveFetch)
  }

  @Test("So is one that has begun before, and that it waits for while the persistent cache is read")
  func begunBefore() async throws {
    let cache = HeldCache()
    await cache.hold(.entry)
    service.configure("profile") { $0.cache = cache }
    let profile = service.resource("profile", of: String.self)
    let begun = profile.load()
    await cache.begun(.entry)
    authorize { try await begun.value() }
    let load = service.resource("a", of: String.self).load()
    await until { !begun.fetches.isEmpty }
    await cache.release()
    #expect(await soon { load.isCompleted }, "It waits for ever")
    load.cancel()
    let cause = profile.latestError?.underlying
    #expect(cause as? TokenAuthorizer.Failure == .recursiveFetch)
  }
}
