import Foundation
import Freshet
import FreshetTesting
import Testing

/// A paginator over a scripted list of numbers, and what its observers receive.
///
/// Pages are at `/articles?per_page=2&page=1`, and have the totals of a mapping to `meta`.
struct PaginatorFixture {
  let stub = StubTransport()
  let clock = ManualClock()
  let server: ArticleServer
  let service: Service
  let articles: Paginator<Int>
  let recorder = PaginatorRecorder<Int>()

  static let mapping = PaginatorMapping(
    perPage: "meta.per_page", totalPageCount: "meta.pages", totalCount: "meta.total",
    currentPage: "meta.page")

  init(
    _ items: [Int], pattern: PaginatorPattern = "articles?per_page=:perPage&page=:currentPage",
    mapping: PaginatorMapping = PaginatorFixture.mapping,
    isolation: isolated any Actor = #isolation,
    options: (inout Paginator<Int>.Options) -> Void = { _ in },
    server change: @Sendable (inout ArticleServer.State) -> Void = { _ in }
  ) {
    stub.onUnexpected { Issue.record("\($0)") }
    let server = ArticleServer(items: items)
    server.change(change)
    self.server = server
    stub.on(where: { $0.url.path == "/articles" }) { server.response(to: $0) }
    service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    var chosen = Paginator<Int>.Options()
    chosen.perPage = 2
    options(&chosen)
    articles = service.paginator(pattern, of: Int.self, mapping: mapping, options: chosen)
    articles.addObserver(recorder)
    recorder.drain()
  }

  /// Loads a page and waits for it.
  nonisolated(nonsending) func load(_ page: Int) async throws {
    try articles.loadPage(page)
    await articles.settled()
  }

  /// The slots as text: items, and `?` with the page for placeholders.
  var slots: [String] {
    articles.slots.map { slot in
      switch slot {
      case .item(let item): "\(item)"
      case .placeholder(let page): "?\(page)"
      }
    }
  }

  /// The queries that were sent, in order.
  var asked: [String] { stub.requests.map { $0.url.query ?? "" } }
}

/// A server's list of numbers in numbered pages, which can be set to misbehave.
final class ArticleServer: Sendable {
  struct State {
    var items: [Int]
    var failing: Set<Int> = []
    /// The most items on a page.
    var cap = Int.max
    var sends: Set<String> = ["per_page", "pages", "total"]
    var first = 1
    var failure = StubTransport.Response.status(500)
  }

  private let state: Locked<State>

  init(items: [Int]) {
    state = Locked(State(items: items))
  }

  func change(_ edit: @Sendable (inout State) -> Void) {
    state.withLock { edit(&$0) }
  }

  func response(to request: HTTPRequest) -> StubTransport.Response {
    let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func number(_ name: String) -> Int? {
      query.first { $0.name == name }?.value.flatMap { Int($0) }
    }
    return state.withLock { state in
      let size = min(number("per_page") ?? 25, state.cap)
      let offset = number("offset") ?? ((number("page") ?? state.first) - state.first) * size
      let page = offset / size + state.first
      guard !state.failing.contains(page) else { return state.failure }
      let items = state.items.dropFirst(offset).prefix(size)
      let total = state.items.count
      let meta: [(String, Int)] = [
        ("per_page", size), ("pages", (total + size - 1) / size), ("total", total), ("page", page),
      ]
      let sent = meta.filter { state.sends.contains($0.0) }.map { "\"\($0.0)\":\($0.1)" }
      let list = items.map(String.init).joined(separator: ",")
      let body = "{\"articles\":[\(list)],\"meta\":{\(sent.joined(separator: ","))}}"
      let tag = "\"\(body)\""
      if request.headers["If-None-Match"] == tag { return .status(304, headers: ["ETag": tag]) }
      return .json(body, headers: ["ETag": tag])
    }
  }
}
