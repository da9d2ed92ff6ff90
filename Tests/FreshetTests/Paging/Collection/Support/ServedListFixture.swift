import Freshet
import FreshetTesting

/// A server of one list of numbers.
protocol ListServer: Sendable {
  func respond(to request: HTTPRequest) -> HTTPResponse
  /// The list of what this server has.
  func list(in service: Service, options: PagedCollection<Int>.Options) -> PagedCollection<Int>
}

/// A list of what a server has, and a mirror of it.
struct ServedListFixture<Server: ListServer>: ListFixture {
  let server: Server
  let stub: StubTransport
  let clock = ManualClock()
  let service: Service
  let list: PagedCollection<Int>
  let mirror = ListMirror<Int>()

  init(
    _ server: Server, isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) {
    self.server = server
    stub = StubTransport { server.respond(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    list = server.list(in: service, options: .with(options))
    list.addObserver(mirror)
  }

  /// Loads everything.
  nonisolated(nonsending) func loadAll() async {
    list.loadAll()
    await list.settled()
  }
}
