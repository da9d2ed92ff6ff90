import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A fetch that waits for a load which waits for the token", .standardTimeLimit)
@MainActor struct RecursiveFetchTests {
  /// How the fetch comes to wait.
  enum Route: String, CaseIterable, Sendable {
    case joinedValue, joinedEnd, handle, hook, chain, outerChain, newLoad, list, listSequence
    case paginator, query
  }

  /// A client whose fetch waits for a request that waits for the token.
  @MainActor private final class Client {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service: Service
    let route: Route
    let list: PagedCollection<JSONText>
    let paginator: Paginator<JSONText>
    private(set) var handle: Request<String>?
    private var chain: Request<String>?
    private(set) var hasFetched = false

    init(_ route: Route, token: String?) {
      self.route = route
      service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      list = service.pages("list", of: JSONText.self)
      paginator = service.paginator("numbers?page=:currentPage", of: JSONText.self)
      stub.on(where: { $0.headers["Authorization"] == "Bearer new" }, .json("[1]"))
      stub.on(where: { $0.headers["Authorization"] != "Bearer new" }, .status(401))
      let authorizer = TokenAuthorizer(token: token) { [unowned self] in try await fetch() }
      service.configure { $0.authorizer = authorizer }
    }

    /// Begins what the token is fetched for.
    func begin() throws {
      switch route {
      case .list, .listSequence: list.loadIfNeeded()
      case .paginator: try paginator.loadPage(1)
      case .query: list.firstPage.loadIfNeeded()
      default:
        handle = service.resource("a", of: String.self).load()
        chain = handle?.then { [service] _ in service.resource("b", of: String.self).load() }
      }
    }

    private func fetch() async throws -> String {
      let resource = service.resource("a", of: String.self)
      switch route {
      case .joinedValue: _ = try await resource.loadIfNeeded()?.value()
      case .joinedEnd: await resource.loadIfNeeded()?.ended()
      case .handle: _ = try await handle?.value()
      case .hook:
        try await withCheckedThrowingContinuation { continuation in
          _ = handle?.onCompletion { continuation.resume(with: $0.map { _ in }) }
        }
      case .chain:
        let next = service.resource("b", of: String.self)
        _ = try await handle?.then { _ in next.load() }.value()
      case .outerChain: _ = try await chain?.value()
      case .newLoad: _ = try await resource.load().value()
      case .list:
        list.loadAll()
        await list.settled()
        if case .failed(let error, _) = list.state { throw error }
      case .listSequence: for try await _ in list.itemSequence {}
      case .paginator:
        try paginator.loadPage(1)
        await paginator.settled()
        if let error = paginator.latestError { throw error }
      case .query:
        let query = PageQuery(firstPage: list.firstPage)
        try await withCheckedThrowingContinuation { continuation in
          query.pageCompleted = { continuation.resume(with: $0.map { _ in }) }
          query.start()
        }
      }
      hasFetched = true
      return "new"
    }

    /// Why the load failed.
    var failure: ResourceError? {
      switch route {
      case .list, .listSequence:
        guard case .failed(let error, _) = list.state else { return nil }
        return error
      case .paginator: return paginator.latestError
      case .query: return list.firstPage.latestError
      default: return service.resource("a", of: String.self).latestError
      }
    }
  }

  /// Whether an error is caused by a fetch that waits for itself.
  private func isRecursive(_ error: (any Error)?) -> Bool {
    if error as? TokenAuthorizer.Failure == .recursiveFetch { return true }
    return (error as? ResourceError).map { isRecursive($0.underlying) } ?? false
  }

  @Test(
    "Is an error that says so, on whatever way it waits", arguments: Route.allCases, ["old", nil])
  func ends(route: Route, token: String?) async throws {
    let client = Client(route, token: token)
    try client.begin()
    for _ in 0..<20_000 where client.failure == nil { await Task.yield() }
    let error = try #require(client.failure, "It waits for ever")
    #expect(error.kind == .authorization)
    #expect(isRecursive(error), "\(error)")
    #expect(client.clock.timers.count == 0)
  }
}

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
      try await service.resource("slow", of: String.self).loadIfNeeded()?.value().content ?? ""
    }
    service.resource("slow", of: String.self).load()
    await gate.arrived()
    let load = service.resource("a", of: String.self).load()
    for _ in 0..<500 { await Task.yield() }
    gate.release(with: .text("new"))
    #expect(try await load.value().content == "x")
  }

  @Test("Fails when that needs the token after all", arguments: [false, true])
  func refused(wrapped: Bool) async throws {
    let gate = stub.hold(.get, "/slow")
    authorize(wrapped: wrapped) { [self] in
      try await service.resource("slow", of: String.self).loadIfNeeded()?.value().content ?? ""
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

  @Test("Spares loads that wait for a later fetch")
  func later() async throws {
    let counter = Locked(0)
    let gate = stub.hold(.get, "/slow")
    authorize { [self] in
      let number = counter.withLock {
        $0 += 1; return $0
      }
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
    #expect(try await slow.value().content == "x")
  }

  @Test("What begins after the deadline of another load is no part of a fetch")
  func deadline() async throws {
    let (first, second) = (stub.hold(.get, "/token"), stub.hold(.get, "/token"))
    let slow = stub.hold(.get, "/slow")
    authorize { [self] in
      // The timer of all deadlines begins with this one.
      _ = try await service.resource("token", of: String.self).load().value()
      service.configure("token") { $0.timeout = .seconds(1_000) }
      return try await service.resource("token", of: String.self).load().value().content
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
    while later == nil { await Task.yield() }
    for _ in 0..<500 { await Task.yield() }
    second.release(with: .text("new"))
    #expect(try await load.value().content == "x")
    #expect(try await later?.value().content == "x")
  }
}
