import Foundation
import Freshet
@testable import FreshetTesting

/// A server of a list of rows, a few to a page, whose next links name the last row of their page.
///
/// `/rows` is the first page. The rows of a page are those after the row that the cursor names, so
/// links change whenever rows are inserted, deleted or moved.
final class RowServer: ListServer {
  /// Where the cursor is in responses, and where it is set in requests.
  enum Style: CaseIterable, Sendable {
    /// `Link: </rows?after=2>; rel="next"`, and the body is an array.
    case linkHeader
    /// `{"items": [1, 2], "next": "/rows?after=2"}`
    case nextURL
    /// `{"items": [1, 2], "next": "2"}`, and the next request has `?token=2`.
    case token
    /// The same, and the next request is a POST whose body has the cursor.
    case bodyCursor
  }

  private struct Row {
    let id: Int
    /// Its place is kept for cursors that name it.
    var isDeleted = false
  }

  /// A cursor: the row before a page, and when it was sent. The first ones are the number of the row.
  private struct Cursor: CustomStringConvertible {
    var row: Int
    var epoch: Int

    init(row: Int, epoch: Int) { (self.row, self.epoch) = (row, epoch) }

    init?(_ text: Substring) {
      let numbers = text.split(separator: ".").compactMap { Int($0) }
      guard let row = numbers.first else { return nil }
      self.init(row: row, epoch: numbers.count > 1 ? numbers[1] : 0)
    }

    var description: String { epoch == 0 ? "\(row)" : "\(row).\(epoch)" }
  }

  private struct State {
    var rows: [Row]
    var newest: Int
    /// How often the cursors have expired.
    var epoch = 0
    /// The number of the first row whose cursors have expired.
    var firstExpired = Int.min

    func epoch(of row: Int) -> Int { row < firstExpired ? 0 : epoch }
    var requestCount = 0
  }

  let style: Style
  private let size: Int
  private let sendsTags: Bool
  /// Whether the tags are those of the rows alone, also of the last one where that is hidden: a page is confirmed
  /// though its link is another one by now, and what confirms it has no link.
  private let confirmsExpiredLinks: Bool
  private let sendsTotal: Bool
  /// Whether rows are hidden after the list was divided into pages: pages may be empty, and have a next one.
  let isFiltering: Bool
  /// The status for a cursor that has expired, or whose row was deleted; nil where such a cursor still works.
  private let statusOfExpired: Int?
  private let state: Locked<State>

  init(
    _ rows: [Int], size: Int = 2, style: Style = .linkHeader, sendsTags: Bool = false,
    confirmsExpiredLinks: Bool = false, sendsTotal: Bool = false, isFiltering: Bool = false,
    statusOfExpired: Int? = nil
  ) {
    self.style = style
    self.size = size
    self.sendsTags = sendsTags
    self.confirmsExpiredLinks = confirmsExpiredLinks
    self.sendsTotal = sendsTotal
    self.isFiltering = isFiltering
    self.statusOfExpired = statusOfExpired
    state = Locked(State(rows: rows.map { Row(id: $0) }, newest: rows.max() ?? 0))
  }

  /// The rows of the list. Those that are left out when it is set keep a place for their cursors.
  var rows: [Int] {
    get { state.withLock { $0.rows.filter { !$0.isDeleted }.map(\.id) } }
    set {
      state.withLock { state in
        let deleted = state.rows.filter { $0.isDeleted || !newValue.contains($0.id) }
        state.rows = newValue.map { Row(id: $0) }
        state.rows += deleted.filter { !newValue.contains($0.id) }.map {
          Row(id: $0.id, isDeleted: true)
        }
        state.newest = max(state.newest, newValue.max() ?? 0)
      }
    }
  }

  /// The rows that it sends.
  var sentRows: [Int] { rows.filter(isSent) }

  private func isSent(_ id: Int) -> Bool { !isFiltering || id % 2 == 1 }

  /// How many requests were received.
  var requestCount: Int { state.withLock { $0.requestCount } }

  func delete(_ id: Int) {
    state.withLock { state in
      for index in state.rows.indices where state.rows[index].id == id {
        state.rows[index].isDeleted = true
      }
    }
  }

  /// Lets the cursors expire that were sent until now.
  ///
  /// - Parameter row: the number of the first row whose cursors expire.
  func expireCursors(from row: Int = .min) {
    state.withLock { state in
      state.epoch += 1
      state.firstExpired = row
    }
  }

  /// Inserts, deletes or moves a row, or lets the cursors expire.
  ///
  /// - Returns: what it did.
  func change(_ random: inout SeededGenerator) -> String {
    if confirmsExpiredLinks, random.chance(0.3) {
      expireCursors()
      return "expire"
    }
    let kind = Int.random(in: 0..<4, using: &random)
    let (first, second) = (random.next(), random.next())
    return state.withLock { state in
      let living = state.rows.indices.filter { !state.rows[$0].isDeleted }
      guard kind > 0, living.count > 2 else {
        state.newest += 1
        let place = Int(first % UInt64(state.rows.count + 1))
        state.rows.insert(Row(id: state.newest), at: place)
        return "insert \(state.newest) at \(place)"
      }
      let index = living[Int(first % UInt64(living.count))]
      let id = state.rows[index].id
      guard kind > 1 else {
        state.rows[index].isDeleted = true
        return "delete \(id)"
      }
      state.rows.remove(at: index)
      let place = Int(second % UInt64(state.rows.count + 1))
      state.rows.insert(Row(id: id), at: place)
      return "move \(id) to \(place)"
    }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let cursor = cursor(of: request)
    let found: (page: [Int], next: Cursor?, total: Int)? = state.withLock { state in
      state.requestCount += 1
      var start = 0
      if let cursor {
        guard let place = state.rows.firstIndex(where: { $0.id == cursor.row }),
          statusOfExpired == nil
            || !state.rows[place].isDeleted && cursor.epoch == state.epoch(of: cursor.row)
        else { return nil }
        start = place + 1
      }
      let rest = state.rows[start...].filter { !$0.isDeleted }.map(\.id)
      let total = state.rows.count { !$0.isDeleted && isSent($0.id) }
      let page = Array(rest.prefix(size))
      let last = rest.count > size ? page.last : nil
      return (page.filter(isSent), last.map { Cursor(row: $0, epoch: state.epoch(of: $0)) }, total)
    }
    guard let (page, next, total) = found else {
      return HTTPResponse(status: statusOfExpired ?? 404, url: request.url)
    }
    return response(page, next: next, total: total, to: request)
  }

  private func response(
    _ items: [Int], next: Cursor?, total: Int, to request: HTTPRequest
  ) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    let array = "[\(items.map(String.init).joined(separator: ","))]"
    var body = array
    switch style {
    case .linkHeader:
      if let next { headers["Link"] = "</rows?after=\(next)>; rel=\"next\"" }
    case .nextURL:
      body = "{\"items\":\(array),\"next\":\(next.map { "\"/rows?after=\($0)\"" } ?? "null")}"
    case .token, .bodyCursor:
      body = "{\"items\":\(array),\"next\":\(next.map { "\"\($0)\"" } ?? "null")}"
    }
    if sendsTotal { headers["X-Total-Count"] = String(total) }
    if sendsTags {
      let link = next.map { confirmsExpiredLinks ? "\($0.row)" : $0.description } ?? "end"
      headers["ETag"] = "\"\(array)>\(link)\(sendsTotal ? " of \(total)" : "")\""
      if request.headers["If-None-Match"] == headers["ETag"] {
        if confirmsExpiredLinks { headers["Link"] = nil }
        return HTTPResponse(status: 304, headers: headers, url: request.url)
      }
    }
    return HTTPResponse(status: 200, headers: headers, body: Data(body.utf8), url: request.url)
  }

  private func cursor(of request: HTTPRequest) -> Cursor? {
    if let query = request.url.query {
      return query.split(separator: "=").last.flatMap(Cursor.init)
    }
    guard let body = request.body, let text = try? JSONText(parsing: body) else { return nil }
    return text["after"]?.string.flatMap { Cursor($0[...]) }
  }

  /// A list of this server's rows.
  func list(
    in service: Service, options: PagedCollection<Int>.Options = .init()
  ) -> PagedCollection<Int> {
    switch style {
    case .linkHeader:
      return service.pages("rows", of: Int.self, style: .linkHeader, options: options)
    case .nextURL:
      let style = PageStyle.nextURL(at: "next").items(at: "items")
      return service.pages("rows", of: Int.self, style: style, options: options)
    case .token:
      let style = PageStyle.token(at: "next", query: "token").items(at: "items")
      return service.pages("rows", of: Int.self, style: style, options: options)
    case .bodyCursor:
      let style = PageStyle.cursor(at: "next", bodyKey: "after").items(at: "items")
      let first = service.resource(
        .post, absoluteURL: "https://api.test/rows", body: try? JSONText(parsing: Data("{}".utf8)),
        decoder: ContentDecoder<Page<Int>>.page(style))
      return PagedCollection(firstPage: first, options: options)
    }
  }
}

extension [Int] {
  /// Whether these items are consecutive rows, with none left out between them.
  func isRun(of rows: [Int]) -> Bool {
    guard let first else { return true }
    guard let start = rows.firstIndex(of: first) else { return false }
    return Array(rows[start...].prefix(count)) == self
  }

  /// Whether these items are rows up to the last one.
  func isEnd(of rows: [Int]) -> Bool { isRun(of: rows) && (isEmpty || last == rows.last) }

  /// Whether these items are rows from the first one on.
  func isStart(of rows: [Int]) -> Bool { rows.starts(with: self) }
}

typealias RowListFixture = ServedListFixture<RowServer>

extension ServedListFixture<RowServer> {
  /// Returns to the start of the list.
  nonisolated(nonsending) func loadBack() async {
    for _ in 0..<40 where list.hasPreviousPage { await loadPreviousPage() }
  }

  /// The pages that were requested since the last `forgetRequests`, by their cursors; 0 is the
  /// first.
  var asked: [Int] {
    stub.requests.map { $0.url.query?.split(separator: "=").last.flatMap { Int($0) } ?? 0 }
  }
}
