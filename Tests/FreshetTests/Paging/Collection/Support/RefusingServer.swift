import Foundation
import Freshet
@testable import FreshetTesting

/// A server of rows that refuses each page after the last row: with 416 and a total where rows are skipped by an
/// offset, with 404 and no total where pages are numbered.
final class RefusingServer: ListServer {
  enum Style: CaseIterable, Sendable { case offset, pageNumber }

  struct Content: Sendable {
    var rows: [Int]
    /// How many rows a page has.
    var size = 2
    /// The offset or number whose requests fail.
    var failing: Int?
    /// The offsets or numbers of pages that did not exist when they were requested.
    var refused: Set<Int> = []
  }

  let style: Style
  private let state: Locked<Content>

  init(_ style: Style, rows: [Int]) {
    self.style = style
    state = Locked(Content(rows: rows))
  }

  var content: Content {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  var rows: [Int] {
    get { content.rows }
    set { state.withLock { $0.rows = newValue } }
  }

  var pageStyle: PageStyle {
    switch style {
    case .offset: .offset("n").items(at: "items")
    case .pageNumber: .pageNumber("n").items(at: "items")
    }
  }

  /// The offset or number of a page; nil for the first one.
  func number(_ url: URL?) -> Int? {
    url?.query?.split(separator: "=").last.flatMap { Int($0) }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let number = number(request.url)
    return state.withLock { state in
      if let number, number == state.failing { return HTTPResponse(status: 500, url: request.url) }
      let start = style == .offset ? number ?? 0 : ((number ?? 1) - 1) * state.size
      let items = state.rows.dropFirst(start).prefix(state.size)
      if items.isEmpty, let number {
        state.refused.insert(number)
        return HTTPResponse(status: style == .offset ? 416 : 404, url: request.url)
      }
      let total = style == .offset ? ",\"total\":\(state.rows.count)" : ""
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: Data("{\"items\":[\(items.map(String.init).joined(separator: ","))]\(total)}".utf8),
        url: request.url)
    }
  }

  func list(in service: Service, options: PagedCollection<Int>.Options) -> PagedCollection<Int> {
    service.pages("rows", of: Int.self, style: pageStyle, options: options)
  }
}

typealias RefusingListFixture = ServedListFixture<RefusingServer>

extension ServedListFixture<RefusingServer> {
  /// The items of one iteration of the whole list.
  nonisolated(nonsending) func iterated() async throws -> [Int] {
    var items: [Int] = []
    for try await item in list.itemSequence { items.append(item) }
    return items
  }
}
