import Foundation
import Freshet
@testable import FreshetTesting

/// A server of rows by number, whose pages are counted by the client or linked by number.
final class NumberServer: Sendable {
  enum Style: CaseIterable, Sendable { case pageNumber, countedPages, offset, link }

  struct Content: Sendable {
    var rows: [Int]
    var newest: Int
    /// The status of a page, counted from 0.
    var failing: [Int: Int] = [:]
    /// What was said of pages that do not exist.
    var missing: Set<Int> = []
    /// What was asked for and sent since it was read.
    var log: [String] = []
    var requestCount = 0
  }

  let style: Style
  let size: Int
  private let sendsTags: Bool
  private let sendsTotal: Bool
  private let statusOfMissing: Int
  private let state: Locked<Content>

  /// - Parameter endsAtNotFound: whether pages are numbered, and one that does not exist is a 404.
  init(_ random: inout SeededGenerator, endsAtNotFound: Bool = false) {
    style = random.pick(endsAtNotFound ? [.pageNumber] : Style.allCases)
    size = Int.random(in: 1...3, using: &random)
    sendsTags = random.chance(0.6)
    sendsTotal = random.chance(0.6)
    statusOfMissing = style == .offset ? 200 : random.pick(endsAtNotFound ? [404] : [200, 404])
    let count = Int.random(in: 1...14, using: &random)
    state = Locked(Content(rows: Array(1...count), newest: count))
  }

  var content: Content {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
  var rows: [Int] { content.rows }

  var pageStyle: PageStyle {
    switch style {
    case .pageNumber: .pageNumber("n").items(at: "items")
    case .countedPages: .pageNumber("n", totalPageCount: "pages").items(at: "items")
    case .offset: .offset("n").items(at: "items")
    case .link: .linkHeader.items(at: "items")
    }
  }

  func path(_ page: Int) -> String {
    guard page > 0 else { return "rows" }
    return "rows?n=\(style == .offset ? page * size : page + 1)"
  }

  func change(_ random: inout SeededGenerator) -> String {
    var now = content
    defer { content = now }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      let count = Int.random(in: 1...4, using: &random)
      for _ in 0..<count {
        now.newest += 1
        now.rows.insert(now.newest, at: 0)
      }
      return "\(count) rows at the front"
    case 2:
      now.newest += 1
      now.rows.append(now.newest)
      return "a row at the end"
    case 3 where now.rows.count > 1:
      return "without \(now.rows.remove(at: Int.random(in: now.rows.indices, using: &random)))"
    case 4 where now.rows.count > 3:
      let count = Int.random(in: 1..<now.rows.count, using: &random)
      now.rows.removeLast(count)
      return "\(count) rows less"
    case 5:
      let row = now.rows.remove(at: Int.random(in: now.rows.indices, using: &random))
      now.rows.insert(row, at: Int.random(in: 0...now.rows.count, using: &random))
      return "moved \(row)"
    case 6:
      let page = Int.random(in: 0...(now.rows.count / size), using: &random)
      now.failing = random.chance(0.6) ? [page: random.pick([500, 429, 503, 410])] : [:]
      return "failing \(now.failing)"
    default: return "nothing"
    }
  }

  func takeLog() -> [String] {
    state.withLock { state in
      defer { state.log = [] }
      return state.log
    }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let response = response(to: request)
    let body = String(decoding: response.body, as: UTF8.self)
    state.withLock {
      $0.log.append("  \(request.url.query ?? "first"): \(response.status) \(body)")
    }
    return response
  }

  private func response(to request: HTTPRequest) -> HTTPResponse {
    let number = request.url.query?.split(separator: "=").last.flatMap { Int($0) }
    let start = style == .offset ? number ?? 0 : ((number ?? 1) - 1) * size
    let page = start / size
    let now = state.withLock { state in
      state.requestCount += 1
      if page > 0, start >= state.rows.count { state.missing.insert(page) }
      return state
    }
    if let status = now.failing[page] {
      return HTTPResponse(
        status: status, headers: status == 429 ? ["Retry-After": "1"] : [:], url: request.url)
    }
    let items = Array(now.rows.dropFirst(start).prefix(size))
    if items.isEmpty, page > 0, statusOfMissing == 404 {
      return HTTPResponse(status: 404, url: request.url)
    }
    let pages = (now.rows.count + size - 1) / size
    var body = "\"items\":[\(items.map(String.init).joined(separator: ","))]"
    if style == .countedPages { body += ",\"pages\":\(pages)" }
    if sendsTotal { body += ",\"total\":\(now.rows.count)" }
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if style == .link {
      var links = ["</rows>; rel=\"first\""]
      if start + size < now.rows.count { links.append("</rows?n=\(page + 2)>; rel=\"next\"") }
      if page > 0 { links.append("<\(page == 1 ? "/rows" : "/rows?n=\(page)")>; rel=\"prev\"") }
      headers["Link"] = links.joined(separator: ", ")
    }
    if sendsTags {
      // Of the body alone, as most servers do.
      headers["ETag"] = "\"\(body.replacing("\"", with: ""))\""
      if request.headers["If-None-Match"] == headers["ETag"] {
        return HTTPResponse(status: 304, headers: headers, url: request.url)
      }
    }
    return HTTPResponse(
      status: 200, headers: headers, body: Data("{\(body)}".utf8), url: request.url)
  }
}
