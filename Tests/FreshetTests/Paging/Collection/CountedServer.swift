import Foundation
import Freshet
@testable import FreshetTesting

/// A server of consecutive numbers from 0, two a page, that sends the number of pages and items.
final class CountedServer: Sendable {
  private struct State: Sendable {
    var itemCount: Int
    var failing: [Int: Int] = [:]
  }

  private let state: Locked<State>

  init(itemCount: Int) {
    state = Locked(State(itemCount: itemCount))
  }

  var itemCount: Int {
    get { state.withLock { $0.itemCount } }
    set { state.withLock { $0.itemCount = newValue } }
  }

  /// Fails requests for a page, counted from 1, with that status; nil for none.
  func fail(_ page: Int, with status: Int?) {
    state.withLock { $0.failing[page] = status }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let value = request.url.query?.split(separator: "=").last.flatMap { Int($0) }
    let isOffset = request.url.query?.hasPrefix("offset") == true
    let start = isOffset ? value ?? 0 : ((value ?? 1) - 1) * 2
    let page = start / 2 + 1
    let (count, status) = state.withLock { ($0.itemCount, $0.failing[page]) }
    if let status {
      return HTTPResponse(
        status: status, headers: status == 429 ? ["Retry-After": "1"] : [:], url: request.url)
    }
    let items = Array(0..<count).dropFirst(start).prefix(2)
    let body = """
      {"items":[\(items.map(String.init).joined(separator: ","))],\
      "pages":\((count + 1) / 2),"total":\(count)}
      """
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: Data(body.utf8),
      url: request.url)
  }
}

/// A list of a counted server's items, whose responses come in the order that a test chooses.
struct CountedListFixture {
  /// How the list is paged.
  enum Style: CaseIterable, Sendable {
    case pageNumber, offset
  }

  let requests: HeldRequests
  let stub: StubTransport
  let clock = ManualClock()
  let service: Service
  let list: PagedCollection<Int>
  let mirror = ListMirror<Int>()
  private let style: Style

  init(
    _ server: CountedServer, _ style: Style, isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) {
    let requests = HeldRequests { server.respond(to: $0) }
    self.requests = requests
    self.style = style
    stub = StubTransport { try await requests.respond(to: $0) }
    service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    var chosen = PagedCollection<Int>.Options()
    options(&chosen)
    let pageStyle =
      switch style {
      case .pageNumber: PageStyle.pageNumber("page", pageCount: "pages").items(at: "items")
      case .offset: PageStyle.offset("offset").items(at: "items")
      }
    list = service.pages("rows", of: Int.self, style: pageStyle, options: chosen)
    list.addObserver(mirror)
  }

  /// How many requests are under way, once all have arrived.
  nonisolated(nonsending) func inFlight() async -> Int {
    await requests.exactCount(from: service)
  }

  /// Lets the server respond for a page, counted from 1, and waits for what comes of it.
  nonisolated(nonsending) func respond(_ page: Int) async {
    _ = await inFlight()
    switch (style, page) {
    case (_, 1): requests.release("/rows")
    case (.pageNumber, _): requests.release("page=\(page)")
    case (.offset, _): requests.release("offset=\((page - 1) * 2)")
    }
    _ = await inFlight()
  }

  /// Lets the server respond to all requests, one at a time and in an order that the seed fixes.
  ///
  /// - Returns: the most requests that were under way at once.
  @discardableResult
  nonisolated(nonsending) func settle(seed: UInt64 = 1) async -> Int {
    var random = SeededGenerator(seed: seed)
    var most = 0
    for _ in 0..<500 where list.isLoading {
      most = max(most, await inFlight())
      requests.release(&random)
      most = max(most, await inFlight())
    }
    return most
  }

  /// The pages that were asked for since the last `forgetRequests`, counted from 1.
  var asked: [Int] {
    stub.requests.map { request in
      guard let value = request.url.query?.split(separator: "=").last.flatMap({ Int($0) }) else {
        return 1
      }
      return style == .offset ? (value + 1) / 2 + 1 : value
    }
  }
}
