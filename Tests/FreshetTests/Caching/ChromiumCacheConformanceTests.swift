import Foundation
import Testing

@testable import Freshet

@Suite("Conformance: Chromium's response headers", .enabled(if: Conformance.isAvailable))
struct ChromiumCacheConformanceTests {
  private struct File: Decodable {
    struct Clock: Decodable {
      let request_time: String
      let response_time: String
      let now: String
    }
    struct Validation: Decodable {
      let status: Int
      let headers: [[String]]
      let expected: String
    }
    struct Age: Decodable {
      let headers: [[String]]
      let request_time: String
      let response_time: String
      let now: String
      let expected_current_age: Int
    }
    struct MaxAge: Decodable {
      let cache_control: String
      let max_age: Seconds?
    }
    struct Stale: Decodable {
      let cache_control: String
      let stale_while_revalidate: Seconds?
    }
    struct AgeValue: Decodable {
      let age: String
      let value: Seconds?
    }
    struct Update: Decodable {
      let stored: [[String]]
      let not_modified: [[String]]
      let merged_expected: [[String]]
    }
    let clock: Clock
    let requires_validation: [Validation]
    let current_age: [Age]
    let max_age: [MaxAge]
    let stale_while_revalidate: [Stale]
    let age_value: [AgeValue]
    let update_304: [Update]
  }

  /// A number of seconds, or a text that says that a huge value must saturate.
  private struct Seconds: Decodable {
    let duration: Duration

    init(from decoder: any Decoder) throws {
      let number = try? decoder.singleValueContainer().decode(Int.self)
      duration = min(number.map { .seconds($0) } ?? CacheControl.longest, CacheControl.longest)
    }
  }

  private func load() throws -> File {
    try Conformance.load("http-cache/chromium-response-headers.json", as: File.self)
  }

  private func headers(_ pairs: [[String]]) -> HTTPHeaders {
    HTTPHeaders(pairs.map { .init(name: $0[0], value: $0[1]) })
  }

  private func date(_ text: String) throws -> Date {
    try #require(HTTPDate.parse(text, now: .now))
  }

  /// Chromium keeps permanent redirects and 410 for ever; here they have no lifetime without a date of
  /// modification.
  @Test("Responses are fresh, stale or in between as listed")
  func validation() throws {
    let file = try load()
    let (request, response) = (
      try date(file.clock.request_time), try date(file.clock.response_time)
    )
    let resident = try date(file.clock.now).timeIntervalSince(response)
    let names: [HTTPFreshness.Use: String] = [
      .fresh: "fresh", .staleWhileRevalidating: "stale_while_revalidate",
      .askFirst: "must_validate",
    ]
    for test in file.requires_validation where !test.headers.isEmpty || test.expected != "fresh" {
      let freshness = HTTPFreshness(
        status: test.status, headers: headers(test.headers), responseDate: response,
        responseDelay: .seconds(response.timeIntervalSince(request)), usesHeuristics: true)
      #expect(names[freshness.use(after: .seconds(resident))] == test.expected, "\(test.headers)")
    }
  }

  @Test("Ages are calculated as listed")
  func ages() throws {
    let file = try load()
    for test in file.current_age {
      let (request, response) = (try date(test.request_time), try date(test.response_time))
      let freshness = HTTPFreshness(
        status: 200, headers: headers(test.headers), responseDate: response,
        responseDelay: .seconds(response.timeIntervalSince(request)))
      let resident = try date(test.now).timeIntervalSince(response)
      #expect(
        freshness.age(after: .seconds(resident)) == .seconds(test.expected_current_age),
        "\(test.headers)")
    }
    for test in file.age_value {
      let freshness = HTTPFreshness(
        status: 200, headers: ["Age": test.age], responseDate: .now, responseDelay: .zero)
      #expect(freshness.initialAge == test.value?.duration ?? .zero, "\(test.age)")
    }
  }

  /// Chromium refuses a quoted number; RFC 9111 section 5.2 asks recipients to take it.
  @Test("Directives give the times listed")
  func directives() throws {
    let file = try load()
    for test in file.max_age where test.cache_control != "max-age=\"5\"" {
      #expect(
        CacheControl([test.cache_control]).duration("max-age") == test.max_age?.duration,
        "\(test.cache_control)")
    }
    for test in file.stale_while_revalidate {
      let duration = CacheControl([test.cache_control]).duration("stale-while-revalidate")
      #expect(duration == test.stale_while_revalidate?.duration, "\(test.cache_control)")
    }
  }

  /// Chromium also freezes what its renderer has acted upon (`X-Frame-Options` and the like) and
  /// `Content-Location`; RFC 9111 section 3.2 has those updated, and a resource has no renderer.
  @Test("A 304 updates stored fields as listed")
  func updates() throws {
    for test in try load().update_304 {
      let names = Set((test.stored + test.not_modified).map { $0[0].lowercased() })
      guard !names.contains(where: { $0.hasPrefix("x-") || $0 == "content-location" }) else {
        continue
      }
      let merged = headers(test.stored).merging(notModified: headers(test.not_modified))
      #expect(Set(merged.fields) == Set(headers(test.merged_expected).fields), "\(names)")
    }
  }
}
