import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A fetch that waits for a load which has its token", .standardTimeLimit)
@MainActor final class UnrelatedFetchTests {
  private let (stub, clock) = (StubTransport(), ManualClock())
  private lazy var service = Service(
    baseURL: "https://api.test", transport: stub, clock: clock, isolation: MainActor.shared)

  private func authorize(
    wrapped: Bool = false, fetch: @escaping @MainActor () async throws -> String
  ) {
    stub.on(where: { $0.headers["Authorization"] == "Bearer new" }, .text("x"))
    stub.on(where: { $0.headers["Authorization"] != "Bearer new" }, .status(401))
    let tokens = TokenAuthorizer(token: "old", clock: ManualClock()) {
      try await fetch()
    }
    service.configure { $0.authorizer = wrapped ? Wrapper(tokens: tokens) : tokens }
  }

  /// An authorizer of the program's own.
  private struct Wrapper: RequestAuthorizer {
    let tokens: TokenAuthorizer

    @concurrent
    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
      try await tokens.authorize(request)
    }

    @concurrent
    func renew(after request: HTTPRequest) async throws -> Bool {
      try await tokens.renew(after: request)
    }
  }

  @Test("Continues after the response to that")
  func sent() async throws {
    let gate = stub.hold(.get, "/slow")
    authorize { [self] in
      try await service.resource("slow", of: String.self).loadIfNeeded()?.value() ?? ""
    }
    service.resource("slow", of: String.self).load()
    await gate.arrived()
    let load = service.resource("a", of: String.self).load()
    for _ in 0..<500 { await Task.yield() }
    gate.release(with: .text("new"))
    #expect(try await load.value() == "x")
  }

  @Test("Fails when that needs the token after all", arguments: [false, true])
  func refused(wrapped: Bool) async throws {
    let gate = stub.hold(.get, "/slow")
    authorize(wrapped: wrapped) { [self] in
      try await service.resource("slow", of: String.self).loadIfNeeded()?.value() ?? ""
    }
    let slow = service.resource("slow", of: String.self).load()
    await gate.arrived()
    let load = service.resource("a", of: String.self).load()
    for _ in 0..<500 { await Task.yield() }
    gate.release(with: .status(401))
    let error = await slow.failure()
    #expect(error?.underlying as? TokenAuthorizer.Failure == .recursiveFetch)
    #expect(await load.failure()?.kind == .authorization)
  }

  @Test("Fails when a later page of the list that it waits for needs the token")
  func laterPage() async throws {
    let gate = stub.hold(.get, "/list")
    let list = service.pages("list", of: JSONText.self)
    authorize {
      list.loadAll()
      await list.settled()
      guard case .failed(let error, _) = list.state else { return "new" }
      throw error
    }
    list.loadAll()
    await gate.arrived()
    let load = service.resource("a", of: String.self).load()
    for _ in 0..<500 { await Task.yield() }
    gate.release(with: .json("[1]", headers: ["Link": "</list?page=2>; rel=\"next\""]))
    #expect(await load.failure()?.kind == .authorization)
    guard case .failed(let error, _) = list.state else {
      Issue.record("\(list.state)")
      return
    }
    #expect(error.underlying as? TokenAuthorizer.Failure == .recursiveFetch)
    #expect(list.pageCount == 1)
  }

  @Test("Leaves alone loads that wait for a later fetch")
  func later() async throws {
    let counter = Locked(0)
    let gate = stub.hold(.get, "/slow")
    authorize { [self] in
      let number = counter.next()
      guard number == 1 else { return "new" }
      let slow = service.resource("slow", of: String.self)
      // Waits, until it does not want to wait any more.
      let wait = Task { try await slow.loadIfNeeded()?.value() }
      for _ in 0..<200 { await Task.yield() }
      wait.cancel()
      _ = try? await wait.value
      throw CancellationError()
    }
    let slow = service.resource("slow", of: String.self).load()
    await gate.arrived()
    _ = await service.resource("a", of: String.self).load().failure()
    gate.release(with: .status(401))
    #expect(try await slow.value() == "x")
  }

  /// An authorizer that counts its calls, and lets them wait.
  private struct CountingAuthorizer: RequestAuthorizer {
    let count: Locked<Int>
    let script: FetchScript

    @concurrent
    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
      count.withLock { $0 += 1 }
      _ = try await script.fetch()
      return request
    }

    @concurrent
    func renew(after request: HTTPRequest) async throws -> Bool { false }
  }

  @Test("A request that decorations wait for is authorized once")
  func awaitedByDecorations() async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (count, script) = (Locked(0), FetchScript())
    let settings = service.resource("settings", of: String.self)
    service.configure("settings") {
      $0.authorizer = CountingAuthorizer(count: count, script: script)
    }
    service.configure("a*") {
      $0.decorate { @MainActor request in
        _ = try await settings.loadIfNeeded()?.value()
        return request
      }
    }
    let first = settings.load()
    await script.begins()
    let loads = (0..<3).map { service.resource("a\($0)", of: String.self).load() }
    for _ in 0..<500 { await Task.yield() }
    await script.end(1, with: .success(""))
    for load in [first] + loads { #expect(try await load.value() == "x") }
    #expect(count.withLock { $0 } == 1)
  }

  @Test("What begins after the deadline of another load is no part of a fetch")
  func deadline() async throws {
    let (first, second) = (stub.hold(.get, "/token"), stub.hold(.get, "/token"))
    let slow = stub.hold(.get, "/slow")
    authorize { [self] in
      // The timer of all deadlines begins with this one.
      _ = try await service.resource("token", of: String.self).load().value()
      service.configure("token") { $0.timeout = .seconds(1_000) }
      return try await service.resource("token", of: String.self).load().value()
    }
    service.configure { $0.timeout = .seconds(10) }
    service.configure("token") { $0.authorizer = nil }
    service.configure("slow") { $0.authorizer = nil }
    let load = service.resource("a", of: String.self).load()
    await first.arrived()
    await clock.timers(atLeast: 1) { $0.purpose == .deadline }
    var later: Request<String>?
    service.resource("slow", of: String.self).load().onFailure { [self] _ in
      later = service.resource("b", of: String.self).load()
    }
    await slow.arrived()
    first.release(with: .text("old"))
    await second.arrived()
    clock.advance(by: .seconds(10))
    await until { later != nil }
    for _ in 0..<500 { await Task.yield() }
    second.release(with: .text("new"))
    #expect(try await load.value() == "x")
    #expect(try await later?.value() == "x")
  }
}
