import Foundation
import Freshet

/// A parsed request to the demo; the response is a pure function of it and the data.
struct DemoQuery {
  /// The valid values of `per_page`.
  static let sizes = 1...1000

  private let request: HTTPRequest
  private let perPage: Int
  /// As they are sent: the names and values that are used here need no percent-encoding.
  private let parameters: [Substring: Substring]
  private let path: [Substring]

  init(_ request: HTTPRequest, perPage: Int) {
    self.request = request
    self.perPage = perPage
    let query = request.url.query() ?? ""
    let pairs = query.split(separator: "&").map { (pair: Substring) in
      let name = pair.prefix { $0 != "=" }
      return (name, pair[name.endIndex...].dropFirst())
    }
    parameters = Dictionary(pairs) { first, _ in first }
    path = request.url.path().split(separator: "/")
  }

  func response(from gauges: DemoGauges) -> HTTPResponse {
    guard request.method == .get || request.method == .head else {
      return failure(405, "Only GET and HEAD are served.", headers: ["Allow": "GET, HEAD"])
    }
    // A base URL may have a path of its own, so only the last components are compared.
    if path.last == "items" { return list(gauges) }
    if path.dropLast().last == "items", let id = path.last.flatMap({ Int($0) }) {
      return item(id, gauges)
    }
    return failure(404, "There are /items and /items/ID.")
  }

  private func item(_ id: Int, _ gauges: DemoGauges) -> HTTPResponse {
    guard let index = gauges.index(of: id) else { return failure(404, "There is no item \(id).") }
    return content([:], etag: gauges.items[index].digest) { gauges.items[index].json }
  }

  private func list(_ gauges: DemoGauges) -> HTTPResponse {
    guard let size = number("per_page", or: perPage), Self.sizes.contains(size) else {
      return failure(400, "per_page is a number, 1…1000.")
    }
    if let cursor = parameters["after"] { return list(gauges, after: cursor, size: size) }
    guard let page = number("page", or: 1), page >= 1 else {
      return failure(400, "page is a number, from 1.")
    }
    let last = max(1, (gauges.items.count + size - 1) / size)
    var links: [(String, String)] = []
    if page < last { links.append(("next", "page=\(page + 1)")) }
    if page > 1 { links.append(("prev", "page=\(min(page - 1, last))")) }
    links += [("first", "page=1"), ("last", "page=\(last)")]
    let items = page > last ? [] : gauges.items.dropFirst((page - 1) * size).prefix(size)
    return self.page(items, links: links, size: size, of: gauges)
  }

  private func list(_ gauges: DemoGauges, after cursor: Substring, size: Int) -> HTTPResponse {
    let start = cursor.isEmpty ? 0 : Int(cursor).flatMap(gauges.index(after:))
    guard let start else { return failure(400, "after is the id of an item, or empty.") }
    let items = gauges.items[start...].prefix(size)
    var links: [(String, String)] = []
    if items.endIndex < gauges.items.endIndex, let last = items.last {
      links.append(("next", "after=\(last.id)"))
    }
    links.append(("first", "after="))
    return page(items, links: links, size: size, of: gauges)
  }

  private func page(
    _ items: ArraySlice<DemoGauges.Item>, links: [(relation: String, query: String)],
    size: Int, of gauges: DemoGauges
  ) -> HTTPResponse {
    let address = request.url.absoluteString.prefix { $0 != "?" && $0 != "#" }
    let link = links.map { "<\(address)?\($0.query)&per_page=\(size)>; rel=\"\($0.relation)\"" }
    let etag = items.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1.digest) &* 0x100_0000_01B3 }
    return content(
      ["Link": link.joined(separator: ", "), "X-Total-Count": "\(gauges.items.count)"], etag: etag
    ) {
      var text = ""
      for item in items { text += (text.isEmpty ? "[" : ",") + item.json }
      return text.isEmpty ? "[]" : text + "]"
    }
  }

  /// 200 with the body, or 304 if the client has it; the body is made only if it is sent.
  private func content(
    _ fields: HTTPHeaders, etag digest: UInt64, body: () -> String
  ) -> HTTPResponse {
    let hex = String(digest, radix: 16)
    let etag = "\"" + String(repeating: "0", count: 16 - hex.count) + hex + "\""
    var headers: HTTPHeaders = ["ETag": etag, "Cache-Control": "no-cache"]
    for field in fields.fields { headers.append(field.value, for: field.name) }
    if has(etag) { return HTTPResponse(status: 304, headers: headers, url: request.url) }
    return json(body(), status: 200, headers: headers)
  }

  /// Whether `If-None-Match` contains the validator; compared weakly, RFC 9110 section 13.1.2.
  private func has(_ etag: String) -> Bool {
    guard let candidates = request.headers["If-None-Match"] else { return false }
    return candidates.split(separator: ",").contains { candidate in
      let candidate = candidate.trimmingCharacters(in: .whitespaces)
      return candidate == "*" || candidate == etag || candidate == "W/" + etag
    }
  }

  private func failure(
    _ status: Int, _ message: String, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    json("{\"message\":\"\(message)\"}", status: status, headers: headers)
  }

  /// A response with a body, which is left out for `HEAD`.
  private func json(_ text: String, status: Int, headers: HTTPHeaders) -> HTTPResponse {
    var headers = headers
    headers.append("application/json", for: "Content-Type")
    var body = Data(text.utf8)
    if request.method == .head {
      headers.append("\(body.count)", for: "Content-Length")
      body = Data()
    }
    return HTTPResponse(status: status, headers: headers, body: body, url: request.url)
  }

  /// The parameter as a number; the default if it is absent, nil if it is not a number.
  private func number(_ name: Substring, or absent: Int) -> Int? {
    parameters[name].map { Int($0) } ?? absent
  }
}
