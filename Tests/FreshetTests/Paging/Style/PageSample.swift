import Foundation
import Testing

@testable import Freshet

/// One exchange as it goes over the wire, for the tests of page styles.
struct PageSample {
  var request = ResourceKey(url: "https://api.example.com/items")
  var response: HTTPResponse

  /// A response to a GET request, or to a POST request if that has a body.
  init(
    _ url: String = "https://api.example.com/items", body requestBody: String? = nil,
    status: Int = 200, headers: HTTPHeaders = [:], response text: String
  ) {
    request = ResourceKey(
      method: requestBody == nil ? .get : .post, url: url,
      body: requestBody.map { Data($0.utf8) })
    var headers = headers
    if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    response = HTTPResponse(
      status: status, headers: headers, body: Data(text.utf8),
      url: URL(string: url) ?? URL(filePath: "/"))
  }

  /// The page, its items as text.
  ///
  /// - Parameter doubt: receives why the page may have other items than it should.
  func page(_ style: PageStyle, doubt: ((String) -> Void)? = nil) throws -> Page<JSONText> {
    try style.page(
      of: JSONText.self, from: response, to: request, decoder: JSONDecoder(), doubt: doubt)
  }

  /// The request that the next link leads to.
  func next(_ style: PageStyle) throws -> ResourceKey? {
    try page(style).next?.applied(to: request, responseURL: response.url.absoluteString)
  }

  /// The body of the request that the next link leads to.
  func nextBody(_ style: PageStyle) throws -> String? {
    try next(style)?.body.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Page {
  /// The links to up to that many of the pages after the next one.
  func links(ahead count: Int) -> [PageLink] {
    (0..<max(count, 0)).compactMap { link(ahead: $0 + 1) }
  }
}

extension Page<JSONText> {
  /// The items as they were sent.
  var texts: [String] { items.map(\.description) }
}

extension PageError {
  /// The sign of more items, if that is the error.
  var continuation: Continuation? {
    if case .unknownContinuation(let sign) = self { sign } else { nil }
  }
}

/// Expects the error of a sign of more items at a location.
func expectContinuation(
  at location: String, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Page<JSONText>
) {
  let error = #expect(
    throws: PageError.self, comment(), sourceLocation: sourceLocation, performing: { try body() })
  #expect(
    error?.continuation?.description == location, comment(), sourceLocation: sourceLocation)
}
