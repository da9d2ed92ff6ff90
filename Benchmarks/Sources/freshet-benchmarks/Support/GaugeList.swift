import Foundation
import Freshet

/// An item as servers send them: 50 of these are a page.
struct Gauge: Codable, Sendable, Equatable {
  var id: Int
  var name: String
  var river: String
  var level: Double
  var isActive: Bool

  init(id: Int) {
    self.id = id
    name = "Gauge number \(id)"
    river = "River \(id % 97)"
    level = Double(id % 1_000) / 8
    isActive = id % 3 != 0
  }
}

/// A body whose items are in a member, beside the link to the next page.
struct GaugePage: Codable, Sendable {
  var items: [Gauge]
  var next: String?
}

/// The same list as JSON bodies and links.
struct GaugeList: Sendable {
  let bodies: [Data]
  /// Whether the items are in a member, and the link beside them; otherwise the body is the array, and the
  /// link is in a header field.
  let isWrapped: Bool

  init(pageCount: Int, size: Int = 50, isWrapped: Bool = false) throws {
    self.isWrapped = isWrapped
    let encoder = JSONEncoder()
    bodies = try (0..<pageCount).map { page in
      let items = (page * size..<(page + 1) * size).map(Gauge.init)
      guard isWrapped else { return try encoder.encode(items) }
      let next = page + 1 < pageCount ? "/items?page=\(page + 1)" : nil
      return try encoder.encode(GaugePage(items: items, next: next))
    }
  }

  /// The style of its pages.
  var style: PageStyle { isWrapped ? .nextURL(at: "next").items(at: "items") : .linkHeader }

  /// The response to a request for `/items?page=N`.
  func response(to request: HTTPRequest) -> HTTPResponse {
    let page = pageNumber(in: request.urlString)
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if !isWrapped, page + 1 < bodies.count {
      headers["Link"] = "</items?page=\(page + 1)>; rel=\"next\""
    }
    return HTTPResponse(status: 200, headers: headers, body: bodies[page], to: request)
  }
}
