import Foundation
import Testing

@testable import Freshet

/// The results of http-cache-semantics, a cache policy in JavaScript, as a private cache.
@Suite("Conformance: http-cache-semantics", .enabled(if: Conformance.isAvailable))
struct CacheSemanticsConformanceTests {
  private struct File: Decodable {
    let T0: String
    let tests: [Case]
  }

  private struct Case: Decodable {
    let file: String
    let name: String
    let ops: [Operation]
  }

  private struct Operation: Decodable {
    let op: String
    let policy: Int
    let t: Double
    let request: Message?
    let response: Message?
    let args: [Message?]?
    let result_private: Expected?
  }

  private struct Message: Decodable {
    let method: String?
    let url: String?
    let status: Int?
    let headers: [String: Value]?

    var httpHeaders: HTTPHeaders {
      HTTPHeaders(
        (headers ?? [:]).sorted { $0.key < $1.key }.map {
          .init(name: $0.key, value: $0.value.text)
        })
    }
  }

  private struct Value: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
    }
  }

  private enum Expected: Decodable {
    case flag(Bool)
    case number(Double)
    case update(Update)
    case headers([String: Value])

    struct Update: Decodable {
      let modified: Bool
      let policyHeaders: [String: Value]
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let update = try? container.decode(Update.self) {
        self = .update(update)
      } else {
        self = .headers(try container.decode([String: Value].self))
      }
    }
  }

  /// The tests whose decisions are not those of this library, and why; exactly these.
  private static let otherDecisions = [
    "Other > GitHub response with small clock skew": dateIsIgnored,
    "okhttp tests > max age in the past with date header but no last modified header":
      dateIsIgnored,
    "okhttp tests > default expiration date fully cached for less than24 hours": dateIsIgnored,
    "okhttp tests > default expiration date fully cached for more than24 hours": dateIsIgnored,
    "okhttp tests > request method delete is not cached": storeDecides,
    "okhttp tests > request method options is not cached": storeDecides,
    "okhttp tests > request method put is not cached": storeDecides,
    "okhttp tests > request method trace is not cached": storeDecides,
    "Response headers > uncacheable 412": storeDecides,
    "Response headers > uncacheable 503": storeDecides,
    "Response headers > weird syntax": "white space before an equals sign is taken",
    "Response headers > quoted syntax": "white space before an equals sign is taken",
    "Response headers > pre-check poison": "no-store is undone for an old default of PHP",
    "Response headers > cache immutable files": "immutable alone gives a lifetime",
    "Satisfies > not when URLs mismatch": keyDecides,
    "Satisfies > not when hosts mismatch": keyDecides,
    "Satisfies > not when methods mismatch": keyDecides,
    "Satisfies > not when methods mismatch HEAD": keyDecides,
    "Vary > Absence is meaningful": keyDecides,
    "Vary > All values must match": keyDecides,
    "Vary > Basic": keyDecides,
    "Vary > Irrelevant headers ignored": keyDecides,
    "Vary > Values are case-sensitive": keyDecides,
    "Vary > Whitespace is OK": keyDecides,
  ]

  /// The tests whose conditions or updates are not those of this library, and why; exactly these.
  private static let otherRevalidations = [
    "Can be revalidated? > merges validators": ownConditionStays,
    "Validation request > merges etags": ownConditionStays,
    "Can be revalidated? > not if host mismatch": keyDecides,
    "Can be revalidated? > not if url mismatch": keyDecides,
    "Can be revalidated? > not if method mismatch (other than HEAD)": keyDecides,
    "Can be revalidated? > skips weak validators on post": ownConditionStays,
    "Can be revalidated? > skips weak validators on post 2": ownConditionStays,
    "Validation request > should not send the Last-Modified value for POST": keyDecides,
    "Validation request > should not send the Last-Modified value for range requests":
      ownConditionStays,
    "Update revalidated > Ignored if validator is different":
      "a validator of another kind is refused",
    "Update revalidated > Ignored if validator is missing": "a 304 without validators is refused",
  ]

  private static let dateIsIgnored = "the age is calculated without Date, RFC 9111 section 4.2.3"
  private static let storeDecides = "what is kept depends on method and status, which a store knows"
  private static let keyDecides = "whether a request fits is the identity of the resource"
  private static let ownConditionStays = "a condition of the caller's own is added to"

  @Test("Lifetimes, ages and uses are the same")
  func decisions() throws {
    let file = try Conformance.load("http-cache/http-cache-semantics-trace.json", as: File.self)
    let start = try #require(HTTPDate.parse(file.T0, now: .now))
    var count = 0
    var differing: Set<String> = []
    for test in file.tests {
      var policies: [Int: (freshness: HTTPFreshness, date: Double)] = [:]
      for operation in test.ops {
        if operation.op == "store", let request = operation.request,
          let response = operation.response
        {
          let freshness = HTTPFreshness(
            status: response.status ?? 200, headers: response.httpHeaders,
            requestHeaders: request.httpHeaders,
            responseDate: start.addingTimeInterval(operation.t), responseDelay: .zero,
            usesHeuristics: true)
          policies[operation.policy] = (freshness, operation.t)
        } else if let policy = policies[operation.policy], let expected = operation.result_private {
          let resident = Duration.seconds(operation.t - policy.date)
          let request = operation.args?.first.flatMap { $0 }?.httpHeaders ?? [:]
          if let isEqual = isEqual(operation.op, policy.freshness, resident, request, expected) {
            count += 1
            if !isEqual { differing.insert(test.name) }
          }
        }
      }
    }
    #expect(count == 150)
    #expect(differing == Set(Self.otherDecisions.keys))
  }

  /// Whether the results agree; nil for questions that are not about freshness.
  private func isEqual(
    _ operation: String, _ freshness: HTTPFreshness, _ resident: Duration, _ request: HTTPHeaders,
    _ expected: Expected
  ) -> Bool? {
    let isUsable = !freshness.forbidsStoring && !freshness.requiresValidation
    let lifetime = freshness.lifetime(in: .zero...CacheControl.longest) ?? .zero
    switch (operation, expected) {
    case ("stale", .flag(let isStale)):
      return isStale == (resident >= lifetime)
    case ("satisfiesWithoutRevalidation", .flag(let isFresh)):
      // A resource has no directives of a request: `loadIfNeeded()` and `load()` say what is wanted.
      guard request["Cache-Control"] == nil, request["Pragma"] == nil else { return nil }
      return isFresh == (resident < lifetime)
    case ("useStaleWhileRevalidate", .flag(let isAllowed)):
      return isAllowed
        == (resident >= lifetime
          && freshness.mayBeUsed(
            staleFor: resident - lifetime, isConfirming: true, hasFailed: false))
    case ("age", .number(let seconds)):
      return freshness.initialAge + resident == .seconds(seconds)
    case ("maxAge", .number(let seconds)):
      let lifetime = isUsable ? freshness.lifetime ?? .zero : .zero
      return abs(lifetime / .seconds(1) - seconds) < 1
    case ("timeToLive", .number(let milliseconds)):
      // It counts the time in which a stale response may be used.
      return max(lifetime - resident, .zero) + freshness.staleIfError
        + freshness.staleWhileRevalidate
        == .milliseconds(milliseconds)
    default:
      return nil
    }
  }

  @Test("Conditions and updated fields are the same")
  func revalidation() throws {
    let file = try Conformance.load("http-cache/http-cache-semantics-trace.json", as: File.self)
    var count = 0
    var differing: Set<String> = []
    for test in file.tests {
      var stored: [Int: HTTPHeaders] = [:]
      for operation in test.ops {
        let arguments = (operation.args ?? []).compactMap { $0 }
        if operation.op == "store" { stored[operation.policy] = operation.response?.httpHeaders }
        guard let headers = stored[operation.policy], let request = arguments.first else {
          continue
        }
        let validators = HTTPValidators(headers)
        switch (operation.op, operation.result_private) {
        case ("revalidationHeaders", .headers(let expected)):
          count += 1
          let conditional = validators.conditioning(request.httpHeaders)
          let names = ["if-none-match", "if-modified-since"]
          if names.contains(where: { conditional[$0] != expected[$0]?.text }) {
            differing.insert(test.name)
          }
        case ("revalidatedPolicy", .update(let expected)):
          guard arguments.count == 2, arguments[1].status ?? 304 == 304 else { continue }
          count += 1
          let notModified = arguments[1].httpHeaders
          if validators.areConfirmed(by: notModified) == expected.modified {
            differing.insert(test.name)
          }
          guard !expected.modified else { continue }
          // It leaves out fields that only the 304 has, which RFC 9111 section 3.2 adds.
          let merged = headers.merging(notModified: notModified.withoutConnectionFields)
          for (name, value) in expected.policyHeaders where name != "age" && name != "date" {
            #expect(merged[name] == value.text, "\(test.name): \(name)")
          }
        default: continue
        }
      }
    }
    #expect(count > 40)
    #expect(differing == Set(Self.otherRevalidations.keys))
  }
}
