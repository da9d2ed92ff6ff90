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
