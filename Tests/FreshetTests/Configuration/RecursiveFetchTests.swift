import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("A fetch that waits for a load which waits for the token", .standardTimeLimit)
@MainActor struct RecursiveFetchTests {
  /// How the fetch comes to wait.
  enum Route: String, CaseIterable, Sendable {
    case joinedValue, joinedEnd, handle, hook, chain, outerChain, newLoad, list, listSequence
    case paginator, query, settledQuery
  }

  /// A client whose fetch waits for a request that waits for the token.
  @MainActor private final class Client {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service: Service
    let route: Route
    let list: PagedCollection<JSONText>
    let paginator: Paginator<JSONText>
    let query: PageQuery<JSONText>
    private(set) var handle: Request<String>?
    private var chain: Request<String>?
    private(set) var hasFetched = false

    init(_ route: Route, token: String?, decorates: Bool = false) {
      self.route = route
      service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      list = service.pages("list", of: JSONText.self)
      paginator = service.paginator("numbers?page=:currentPage", of: JSONText.self)
      query = PageQuery(firstPage: list.firstPage)
      stub.on(where: { $0.headers["Authorization"] == "Bearer new" }, .json("[1]"))
      stub.on(where: { $0.headers["Authorization"] != "Bearer new" }, .status(401))
      let authorizer = TokenAuthorizer(token: token, fetchTimeout: nil) { [unowned self] in
        try await fetch()
      }
      service.configure {
        if decorates {
          $0.decorate { try await authorizer.authorize($0) }
        } else {
          $0.authorizer = authorizer
        }
      }
    }

    /// Begins what the token is fetched for.
    func begin() throws {
      switch route {
      case .list, .listSequence: list.loadIfNeeded()
      case .paginator: try paginator.loadPage(1)
      case .query: list.firstPage.loadIfNeeded()
      case .settledQuery: query.start()
      default:
        handle = service.resource("a", of: String.self).load()
        chain = handle?.then { [service] _ in service.resource("b", of: String.self).load() }
      }
    }

    private func fetch() async throws -> String {
      let resource = service.resource("a", of: String.self)
      switch route {
      case .joinedValue: _ = try await resource.loadIfNeeded()?.value()
      case .joinedEnd: await resource.loadIfNeeded()?.completed()
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
      case .settledQuery:
        await query.settled()
        if let error = query.latestError { throw error }
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
      case .query, .settledQuery: return list.firstPage.latestError
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

  @Test("So it is where a decoration waits for the token", arguments: Route.allCases)
  func decorated(route: Route) async throws {
    let client = Client(route, token: nil, decorates: true)
    try client.begin()
    for _ in 0..<20_000 where client.failure == nil { await Task.yield() }
    let error = try #require(client.failure, "It waits for ever")
    #expect(error.kind == .invalidRequest)
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
    #expect(try await slow.value().content == "x")
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
    for load in [first] + loads { #expect(try await load.value().content == "x") }
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

@Suite("Fetches of several authorizers that wait for one another", .standardTimeLimit)
@MainActor struct CrossedFetchTests {
  private let stub = StubTransport()
  private let clock = ManualClock()

  private func service(_ name: String) -> Service {
    Service(
      baseURL: "https://\(name).test", transport: stub, clock: clock, isolation: MainActor.shared)
  }

  /// Whether an error is caused by fetches that wait for each other.
  private func isRecursive(_ error: (any Error)?) -> Bool {
    if error as? TokenAuthorizer.Failure == .recursiveFetch { return true }
    return (error as? ResourceError).map { isRecursive($0.underlying) } ?? false
  }

  /// Services in a circle: the token of each is fetched with the next one.
  ///
  /// - Parameter joins: whether a fetch waits for a load that is under way.
  private func circle(_ count: Int, joins: Bool = false) -> (
    services: [Service], scripts: [FetchScript]
  ) {
    let services = (0..<count).map { service("s\($0)") }
    let scripts = services.map { _ in FetchScript() }
    for index in 0..<count {
      let (next, script) = (services[(index + 1) % count], scripts[index])
      let resource = next.resource("token", of: String.self)
      let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) {
        @MainActor in
        _ = try await script.fetch()
        let load = joins ? resource.loadIfNeeded() : resource.load()
        return try await load?.value().content ?? ""
      }
      services[index].configure { $0.authorizer = tokens }
    }
    return (services, scripts)
  }

  @Test("All end at once with the error of a fetch that waits for itself", arguments: [2, 3, 5])
  func circle(count: Int) async {
    let (services, scripts) = circle(count)
    let loads = services.map { $0.resource("x", of: String.self).load() }
    for script in scripts { await script.begins() }
    for script in scripts { await script.end(1, with: .success("")) }
    for _ in 0..<20_000 where !loads.allSatisfy({ $0.isCompleted }) { await Task.yield() }
    #expect(loads.allSatisfy { $0.isCompleted }, "Each waits for the next")
    for load in loads {
      load.cancel()
      #expect(isRecursive(await load.failure()))
    }
    #expect(stub.requests.isEmpty)
  }

  @Test("They end however late the circle closes", arguments: [2, 3])
  func joined(count: Int) async {
    let (services, scripts) = circle(count, joins: true)
    // The last fetch waits for a request that it did not begin.
    let loads = services.map { $0.resource("x", of: String.self).load() }
    let token = services[0].resource("token", of: String.self).load()
    for script in scripts { await script.begins() }
    for script in scripts.reversed() {
      await script.end(1, with: .success(""))
      for _ in 0..<500 { await Task.yield() }
    }
    for _ in 0..<20_000 where !loads.allSatisfy({ $0.isCompleted }) { await Task.yield() }
    #expect(loads.allSatisfy { $0.isCompleted }, "Each waits for the next")
    for load in loads { #expect(isRecursive(await load.failure())) }
    token.cancel()
  }

  @Test("A fetch that waits for another one, which waits for nothing, continues")
  func chain() async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (one, two, three) = (service("one"), service("two"), service("three"))
    let script = FetchScript()
    let last = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) {
      try await script.fetch()
    }
    let (first, second) = (
      three.resource("a", of: String.self), three.resource("b", of: String.self)
    )
    for (service, token) in [(one, first), (two, second)] {
      let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) { @MainActor in
        try await token.load().value().content
      }
      service.configure { $0.authorizer = tokens }
    }
    three.configure { $0.authorizer = last }
    let loads = [one, two].map { $0.resource("x", of: String.self).load() }
    await script.begins()
    await script.end(1, with: .success("t"))
    for load in loads {
      let content = try await load.value().content
      #expect(content == "x")
    }
  }

  @Test("What waited in vain does not count: the next fetch continues")
  func later() async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (services, scripts) = circle(2)
    let failed = services.map { $0.resource("x", of: String.self).load() }
    for script in scripts { await script.begins() }
    for script in scripts { await script.end(1, with: .success("")) }
    for _ in 0..<20_000 where !failed.allSatisfy({ $0.isCompleted }) { await Task.yield() }
    for load in failed { load.cancel() }
    // The second service needs no token any more, so nothing is left of the circle.
    services[1].configure { $0.authorizer = nil }
    let load = services[0].resource("y", of: String.self).load()
    await scripts[0].begins()
    await scripts[0].end(2, with: .success(""))
    #expect(try await load.value().content == "x")
  }

  @Test(
    "A request that a fetch joins is decorated once, whenever that is", arguments: [false, true])
  func decoratedOnce(whileDecorating: Bool) async throws {
    stub.on(where: { _ in true }, .text("x"))
    let (one, two) = (service("one"), service("two"))
    let (count, decoration, slow) = (Locked(0), FetchScript(), FetchScript())
    let tokens = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) {
      try await slow.fetch()
    }
    two.configure {
      $0.authorizer = tokens
      $0.decorate { request in
        count.withLock { $0 += 1 }
        if whileDecorating { _ = try await decoration.fetch() }
        return request
      }
    }
    let held = two.resource("y", of: String.self)
    let joining = TokenAuthorizer(token: nil, fetchTimeout: nil, clock: clock) { @MainActor in
      try await held.loadIfNeeded()?.value().content ?? ""
    }
    one.configure { $0.authorizer = joining }
    let shared = held.load()
    if whileDecorating { await decoration.begins() } else { await slow.begins() }
    let load = one.resource("x", of: String.self).load()
    for _ in 0..<500 { await Task.yield() }
    if whileDecorating {
      await decoration.end(1, with: .success(""))
      // A second decoration would wait for its own end.
      for _ in 0..<500 where count.withLock({ $0 }) > 1 {
        await decoration.end(2, with: .success(""))
      }
      await slow.begins()
    }
    await slow.end(1, with: .success("b"))
    _ = try await shared.value()
    _ = try await load.value()
    #expect(count.withLock { $0 } == 1)
  }
}
