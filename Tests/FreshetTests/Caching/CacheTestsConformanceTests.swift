import Foundation
import Testing

@testable import Freshet

/// The steps of the public cache test suite that are decisions about one stored response.
///
/// Left to tests of a store, because they need one: vary (which stored response fits), invalidation,
/// HEAD and partial content (what else changes a stored response), conditional requests of the caller's
/// own, interim responses, fetch modes, and every test of more than two requests.
@Suite("Conformance: cache tests", .enabled(if: Conformance.isAvailable))
struct CacheTestsConformanceTests {
  private struct File: Decodable {
    let tests: [Case]
  }

  private struct Case: Decodable {
    let id: String
    let suite: String
    let applies: String
    let requests: [Step]
  }

  private struct Step: Decodable {
    let request_headers: [[Scalar]]?
    let request_method: String?
    let response_status: [Scalar]?
    let response_headers: [[Scalar]]?
    let rfc850date: [String]?
    let pause_after: Bool?
    let expected_type: String?
    let cache: String?
    let query_arg: String?
    let disconnect: Bool?
    let filename: String?
  }

  private enum Scalar: Decodable {
    case number(Int)
    case text(String)
    case flag

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = (try? container.decode(String.self)).map(Scalar.text) ?? .flag
      }
    }
  }

  private static let suites: Set<String> = [
    "cc-freshness", "cc-parse", "age-parse", "expires", "expires-parse", "cc-response",
    "cc-request", "pragma",
    "heuristic", "status", "stale", "other",
  ]

  private let now = Date(timeIntervalSince1970: 1_767_225_600)

  @Test("Stored responses are used, confirmed or dropped as a private cache should")
  func decisions() throws {
    let file = try Conformance.load("http-cache/cache-tests-private-client.json", as: File.self)
    var count = 0
    for test in file.tests where Self.suites.contains(test.suite) && test.applies == "core" {
      guard test.requests.count == 2, let expected = test.requests[1].expected_type,
        test.requests.allSatisfy(isPlain)
      else { continue }
      count += 1
      #expect(outcome(of: test).contains(expected), "\(test.id)")
    }
    #expect(count > 100)
  }

  private func isPlain(_ step: Step) -> Bool {
    step.request_method == nil && step.cache == nil && step.query_arg == nil
      && step.disconnect == nil
      && step.filename == nil
  }

  /// The names of the expectations that the decision for the second request meets.
  private func outcome(of test: Case) -> Set<String> {
    let stored = test.requests[0]
    let headers = headers(stored.response_headers, rfc850: stored.rfc850date ?? [])
    var status = 200
    if case .number(let number) = stored.response_status?.first { status = number }
    let freshness = HTTPFreshness(
      status: status, headers: headers, requestHeaders: self.headers(stored.request_headers),
      responseDate: now,
      responseDelay: .zero, usesHeuristics: test.suite == "heuristic")
    guard !freshness.noStore else { return ["not_cached"] }
    let use = freshness.use(
      after: .seconds(stored.pause_after == true ? 3 : 0),
      requestHeaders: self.headers(test.requests[1].request_headers))
    guard use == .askFirst else { return ["cached"] }
    let validators = HTTPValidators(headers)
    return Set(
      [
        "not_cached", validators.etag.map { _ in "etag_validated" },
        validators.lastModified.map { _ in "lm_validated" },
      ]
      .compactMap { $0 })
  }

  private func headers(_ pairs: [[Scalar]]?, rfc850: [String] = []) -> HTTPHeaders {
    let dates: Set<String> = ["date", "expires", "last-modified", "if-modified-since"]
    return HTTPHeaders(
      (pairs ?? []).compactMap { pair in
        guard case .text(let name) = pair[0] else { return nil }
        switch pair[1] {
        case .text(let value): return .init(name: name, value: value)
        case .number(let offset) where dates.contains(name.lowercased()):
          let date = HTTPDate.string(from: now.addingTimeInterval(Double(offset)))
          return date.map { .init(name: name, value: $0) }
        case .number(let number): return .init(name: name, value: String(number))
        case .flag: return nil
        }
      })
  }
}
