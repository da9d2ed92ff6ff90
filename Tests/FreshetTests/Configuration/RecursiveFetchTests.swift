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
    private(set) var isFetching = false
    private(set) var hasFetched = false

    init(
      _ route: Route, token: String?, decorates: Bool = false, cache: (any EntityCache)? = nil
    ) {
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
        $0.cache = cache
        $0.userIdentifier = "user"
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
      isFetching = true
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

  @Test(
    "Is an error that says so, on whatever way it waits", arguments: Route.allCases, ["old", nil])
  func ends(route: Route, token: String?) async throws {
    let client = Client(route, token: token)
    try client.begin()
    #expect(await soon { client.failure != nil }, "It waits for ever")
    let error = try #require(client.failure)
    #expect(error.kind == .authorization)
    #expect(error.isOfRecursiveFetch, "\(error)")
    #expect(client.clock.timers.count == 0)
  }

  @Test("So it is where the persistent cache is read first", arguments: Route.allCases)
  func cached(route: Route) async throws {
    let client = Client(route, token: nil, cache: MemoryCache())
    try client.begin()
    #expect(await soon { client.failure != nil }, "It waits for ever")
    let error = try #require(client.failure)
    #expect(error.kind == .authorization)
    #expect(error.isOfRecursiveFetch, "\(error)")
  }

  @Test("So it is where a list reads it when the fetch begins to wait")
  func readingList() async throws {
    let cache = HeldCache()
    await cache.hold(.entry)
    let client = Client(.list, token: nil, cache: cache)
    client.service.configure("a") { $0.cache = nil }
    try client.begin()
    await cache.begun(.entry)
    let load = client.service.resource("a", of: String.self).load()
    await until { client.isFetching }
    await cache.release()
    #expect(await soon { load.isCompleted }, "It waits for ever")
    #expect(client.failure?.isOfRecursiveFetch == true)
    load.cancel()
  }

  @Test("So it is where a decoration waits for the token", arguments: Route.allCases)
  func decorated(route: Route) async throws {
    let client = Client(route, token: nil, decorates: true)
    try client.begin()
    #expect(await soon { client.failure != nil }, "It waits for ever")
    let error = try #require(client.failure)
    #expect(error.kind == .invalidRequest)
    #expect(error.isOfRecursiveFetch, "\(error)")
    #expect(client.clock.timers.count == 0)
  }
}
