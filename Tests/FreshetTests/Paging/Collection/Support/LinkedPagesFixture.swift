import Foundation
import Freshet
import FreshetTesting

/// A list of pages that link to each other by header, with entity tags, all of it loaded.
struct LinkedPagesFixture: HeldListFixture {
  let server: PagedServer
  let requests: HeldRequests
  let stub: StubTransport
  let clock = ManualClock()
  let service: Service
  let list: PagedCollection<Int>
  let mirror = ListMirror<Int>()

  init(
    pageCount: Int, isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) async {
    let server = PagedServer(pageCount: pageCount)
    let requests = HeldRequests { server.respond(to: $0) }
    self.server = server
    self.requests = requests
    stub = StubTransport { try await requests.respond(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    list = service.pages("items?page=1", of: Int.self, style: .linkHeader, options: .with(options))
    list.addObserver(mirror)
    list.loadAll()
    await respondToAll()
    server.forget()
    mirror.forget()
    stub.forgetRequests()
  }

  /// Lets the server respond for a page, counted from 1, and waits for the effects.
  nonisolated(nonsending) func respond(_ page: Int) async {
    await respond(to: "page=\(page)")
  }

  /// The pages that were requested since the last `forgetRequests`, by their numbers.
  var asked: [Int] {
    stub.requests.map { Int($0.url.query?.split(separator: "=").last ?? "") ?? 0 }
  }
}
