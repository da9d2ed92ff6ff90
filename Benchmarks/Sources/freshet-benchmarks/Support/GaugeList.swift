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

/// The same list as JSON bodies and links.
struct GaugeList: Sendable {
  let bodies: [Data]

  init(pageCount: Int, size: Int = 50) throws {
    let encoder = JSONEncoder()
    bodies = try (0..<pageCount).map { page in
      try encoder.encode((page * size..<(page + 1) * size).map(Gauge.init))
    }
  }

  /// The response to a request for `/items?page=N`.
  func response(to request: HTTPRequest) -> HTTPResponse {
    let page = pageNumber(in: request.url.absoluteString)
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if page + 1 < bodies.count {
      headers["Link"] = "</items?page=\(page + 1)>; rel=\"next\""
    }
    return HTTPResponse(status: 200, headers: headers, body: bodies[page], url: request.url)
  }
}
