import Foundation
import Freshet
import FreshetTesting

/// The public cache test suite, as its file has it.
struct CacheTestFile: Decodable {
  let tests: [CacheTest]
}

/// One test: requests to one URL, in order, and what a private cache is to do with each.
struct CacheTest: Decodable, Sendable {
  let id: String
  let applies: String
  let browsers: [String: String]
  let requests: [Step]

  var isPassedByAllBrowsers: Bool { browsers.values.allSatisfy { $0 == "pass" } }

  struct Step: Decodable, Sendable {
    let request_headers: [[CacheTestValue]]?
    let request_method: String?
    let response_status: [CacheTestValue]?
    let response_headers: [[CacheTestValue]]?
    let response_body: String?
    let pause_after: Bool?
    let expected_type: String?
    let cache: String?
    let query_arg: String?
    let disconnect: Bool?
    let expected_request_headers: [[CacheTestValue]]?
    let expected_response_headers: [CacheTestHeader]?
    let expected_response_headers_missing: [CacheTestHeader]?

    /// The header fields of the request; a number is sent as it is.
    var requestHeaders: HTTPHeaders {
      HTTPHeaders((request_headers ?? []).map { .init(name: $0[0].text, value: $0[1].text) })
    }

    /// The header fields of the response; a number is so many seconds from a date, where the field is a
    /// date.
    func responseHeaders(at now: Date) -> HTTPHeaders {
      let dates = ["date", "expires", "last-modified"]
      return HTTPHeaders(
        (response_headers ?? []).map { pair in
          guard case .number(let offset) = pair[1], dates.contains(pair[0].text.lowercased())
          else { return .init(name: pair[0].text, value: pair[1].text) }
          return .init(
            name: pair[0].text,
            value: HTTPDate.string(from: now.addingTimeInterval(Double(offset))) ?? "")
        })
    }

    var status: Int {
      if case .number(let status)? = response_status?.first { status } else { 200 }
    }
  }
}

enum CacheTestValue: Decodable, Sendable {
  case number(Int)
  case text(String)
  case flag(Bool)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  var text: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): text
    case .flag(let flag): "\(flag)"
    }
  }
}

/// A header that is expected: its name alone, with a value, or with a comparison.
struct CacheTestHeader: Decodable, Sendable {
  let parts: [String]

  init(from decoder: any Decoder) throws {
    if let parts = try? decoder.singleValueContainer().decode([CacheTestValue].self) {
      self.parts = parts.map(\.text)
    } else {
      parts = [try decoder.singleValueContainer().decode(String.self)]
    }
  }

  /// Whether such a header exists.
  func isMet(by headers: HTTPHeaders) -> Bool {
    guard let value = headers[parts[0]] else { return false }
    switch parts.count {
    case 1: return true
    case 2: return value == parts[1]
    default:
      guard parts[1] == ">", let number = Double(value), let limit = Double(parts[2]) else {
        return parts[1] == "=" && value == headers[parts[2]]
      }
      return number > limit
    }
  }
}

/// The origin server of a test: it responds to a step as the test says, and knows what reached it.
final class CacheTestOrigin: Sendable {
  struct Seen: Sendable {
    var requests: [HTTPRequest] = []
    var bodies: [String] = []
    var step = 0
  }

  private let test: CacheTest
  private let clock: ManualClock
  private let seen = Locked(Seen())

  init(_ test: CacheTest, _ clock: ManualClock) {
    self.test = test
    self.clock = clock
  }

  var requests: [HTTPRequest] { seen.withLock { $0.requests } }
  var lastBody: String? { seen.withLock { $0.bodies.last } }

  func begin(_ step: Int) { seen.withLock { $0.step = step } }

  func respond(to request: HTTPRequest) throws -> HTTPResponse {
    let number = seen.withLock { seen in
      seen.requests.append(request)
      return seen.step
    }
    let step = test.requests[number]
    if step.disconnect == true { throw TransportError(.connectionLost, "disconnected") }
    let headers = step.responseHeaders(at: clock.date)
    var status = step.status
    if let expected = step.expected_type, expected.hasSuffix("validated"), number > 0 {
      // A validator that is not the one of the response before is no match.
      let stored = test.requests[number - 1].responseHeaders(at: clock.date - 3)
      let now = test.requests[number - 1].responseHeaders(at: clock.date)
      let matches =
        expected == "etag_validated"
        ? request.headers["If-None-Match"] == stored["ETag"]
        : [stored, now].contains { request.headers["If-Modified-Since"] == $0["Last-Modified"] }
      status = matches ? 304 : 999
    }
    let body = status == 304 ? "" : step.response_body ?? "\(test.id) \(number)"
    if status != 304, request.method == .get { seen.withLock { $0.bodies.append(body) } }
    return HTTPResponse(status: status, headers: headers, body: Data(body.utf8), url: request.url)
  }
}
