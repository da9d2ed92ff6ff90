import Foundation
import Freshet

extension StubTransport {
  /// A transport to a server of one list, whose pages are numbered in the query parameter `page`: 1 without
  /// it.
  package convenience init(numbered respond: @escaping @Sendable (Int) -> Response) {
    self.init()
    on(where: { _ in true }) { request in
      let query = URIQuery(url: request.url.absoluteString)
      return respond(query.value(of: "page").flatMap { Int($0) } ?? 1)
    }
  }
}
