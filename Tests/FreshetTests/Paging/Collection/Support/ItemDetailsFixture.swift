import Foundation
import FreshetTesting

@testable import Freshet

/// A row of a list that has a resource of its own.
struct Row: Codable, Identifiable, Equatable, Sendable {
  var id: Int
  var value: Int
}

/// The details of a row, with a text that the row does not have.
struct Article: Codable, Equatable {
  var id: Int
  var value: Int
  var text: String?
}

extension PagedCollection<Row> {
  /// The details of the rows as articles.
  func articles(in service: Service) -> ItemDetails<Row, Article> {
    details {
      service.resource("rows/\($0)", of: Article.self)
    } item: {
      Row(id: $0.id, value: $0.value)
    } detail: {
      Article(id: $0.id, value: $0.value, text: $1?.text)
    }
  }
}

/// The rows of a server, three a page at `/rows?page=N` with `Link` headers, in reverse at
/// `/newest?page=N`, and each at `/rows/ID`.
final class RowsServer: Sendable {
  private let state: Locked<[Row]>
  init(_ count: Int) { state = Locked((1...count).map { Row(id: $0, value: $0 * 10) }) }

  var rows: [Row] {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    let rows = rows
    func response(_ value: some Encodable) -> HTTPResponse {
      guard let body = try? JSONEncoder().encode(value) else {
        return HTTPResponse(status: 500, url: request.url)
      }
      headers["ETag"] = "\"\(CRC32.of(body))\""
      let isSame = request.headers["If-None-Match"] == headers["ETag"]
      return HTTPResponse(
        status: isSame ? 304 : 200, headers: headers, body: isSame ? Data() : body,
        url: request.url)
    }
    guard let page = request.url.query?.split(separator: "=").last.flatMap({ Int($0) }) else {
      guard let row = rows.first(where: { "\($0.id)" == request.url.lastPathComponent }) else {
        return HTTPResponse(status: 404, url: request.url)
      }
      return response(row)
    }
    let path = request.url.path
    if rows.count > page * 3 { headers["Link"] = "<\(path)?page=\(page + 1)>; rel=\"next\"" }
    let ordered = path == "/rows" ? rows : rows.reversed()
    return response(Array(ordered.dropFirst((page - 1) * 3).prefix(3)))
  }
}

extension CRC32 {
  fileprivate static func of(_ data: Data) -> UInt32 {
    var crc = CRC32()
    data.withUnsafeBytes { crc.update($0) }
    return crc.value
  }
}

/// A list of rows and the resources of its rows, whose responses come in the order that a test chooses.
struct ItemDetailsFixture {
  let server: RowsServer
  let requests: HeldRequests
  let service: Service
  let list: PagedCollection<Row>
  let details: ItemDetails<Row, Row>

  init(_ count: Int = 5, isolation: isolated any Actor = #isolation) {
    let server = RowsServer(count)
    let requests = HeldRequests { server.respond(to: $0) }
    let stub = StubTransport { try await requests.respond(to: $0) }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
    self.server = server
    self.requests = requests
    self.service = service
    list = service.pages("rows?page=1", of: Row.self, style: .linkHeader)
    details = list.details { id in service.resource("rows/\(id)", of: Row.self) }
  }

  /// Lets the server respond to the request of this address, and waits for the effects.
  nonisolated(nonsending) func respond(to address: String) async {
    _ = await requests.exactCount(from: service)
    requests.release(address)
    _ = await requests.exactCount(from: service)
  }

  /// Loads all pages.
  nonisolated(nonsending) func loadAll() async {
    list.loadAll()
    for page in 1...((server.rows.count + 2) / 3) { await respond(to: "page=\(page)") }
  }

  /// Loads the first page, and the resource of a row that it does not show: number 4.
  nonisolated(nonsending) func loadedRowBeyondPages() async -> Resource<Row> {
    list.loadIfNeeded()
    await respond(to: "page=1")
    let row = details[4]
    row.load()
    await respond(to: "rows/4")
    return row
  }

  /// Another list of all rows, with articles as details.
  nonisolated(nonsending) func loadedArticles() async -> (
    list: PagedCollection<Row>, details: ItemDetails<Row, Article>
  ) {
    let list = service.pages("rows?page=1", of: Row.self, style: .linkHeader)
    let details = list.articles(in: service)
    list.loadAll()
    for page in 1...2 { await respond(to: "page=\(page)") }
    return (list, details)
  }

  func value(_ id: Int) -> Int? { list.items.first { $0.id == id }?.value }
}
