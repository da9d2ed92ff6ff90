import Foundation
import Freshet
@testable import FreshetTesting

/// A server's list of numbers in pages with `Link` headers and entity tags, for stub transports.
///
/// `/items?page=1` is the first page.
final class PagedServer: Sendable {
  private struct State {
    var pages: [[Int]]
    var failing: Set<Int> = []
    var fetched: [Int] = []
    var confirmed: [Int] = []
  }

  private let state: Locked<State>

  init(pages: [[Int]]) {
    state = Locked(State(pages: pages))
  }

  /// Pages of `size` consecutive numbers from 0.
  convenience init(pageCount: Int, size: Int = 2) {
    self.init(pages: (0..<pageCount).map { page in Array(page * size..<(page + 1) * size) })
  }

  var transport: StubTransport { StubTransport { self.respond(to: $0) } }

  /// A store of this server.
  func service(
    clock: ManualClock = ManualClock(), isolation: isolated any Actor = #isolation
  ) -> Service {
    Service(baseURL: "https://api.test", transport: transport, clock: clock, isolation: #isolation)
  }

  /// The list, of a service that the caller holds.
  func list(in service: Service) -> PagedCollection<Int> {
    service.pages("items?page=1", of: Int.self, style: .linkHeader)
  }

  /// All items of the list.
  var items: [Int] { state.withLock { $0.pages.flatMap { $0 } } }
  /// The pages sent in full since the last `forget`, counted from 0.
  var fetched: [Int] { state.withLock { $0.fetched } }
  /// The pages confirmed with 304 since the last `forget`.
  var confirmed: [Int] { state.withLock { $0.confirmed } }

  func change(_ edit: @Sendable (inout [[Int]]) -> Void) {
    state.withLock { edit(&$0.pages) }
  }

  /// Lets requests for these pages fail with 500.
  func fail(_ pages: Int...) {
    state.withLock { $0.failing = Set(pages) }
  }

  func forget() {
    state.withLock {
      $0.fetched = []
      $0.confirmed = []
    }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let query = request.url.query ?? ""
    let page = query.split(separator: "=").last.flatMap { Int($0) }.map { $0 - 1 } ?? 0
    return state.withLock { state in
      guard state.pages.indices.contains(page) else {
        return HTTPResponse(status: 404, url: request.url)
      }
      guard !state.failing.contains(page) else {
        return HTTPResponse(status: 500, url: request.url)
      }
      var headers: HTTPHeaders = ["Content-Type": "application/json"]
      if page + 1 < state.pages.count {
        headers["Link"] = "</items?page=\(page + 2)>; rel=\"next\""
      }
      let body = "[\(state.pages[page].map(String.init).joined(separator: ","))]"
      headers["ETag"] = "\"\(body)|\(headers["Link"] ?? "")\""
      if request.headers["If-None-Match"] == headers["ETag"] {
        state.confirmed.append(page)
        return HTTPResponse(status: 304, headers: headers, url: request.url)
      }
      state.fetched.append(page)
      return HTTPResponse(
        status: 200, headers: headers, body: Data(body.utf8), url: request.url)
    }
  }
}
