import Foundation
import Testing

@testable import Freshet

@Suite("Conformance: HTTP dates", .enabled(if: Conformance.isAvailable))
struct HTTPDateConformanceTests {
  private struct Dates: Decodable {
    struct Case: Decodable {
      let value: String
      let epoch_seconds: Int?
      let kind: String
      let now: String?
    }
    struct Smithy: Decodable {
      struct Case: Decodable {
        let value: String?
        let epoch_seconds: Int?
        let nanos: Int?
        let error: Bool
      }
      let cases: [Case]
    }
    let cases: [Case]
    let smithy_rs_parse_http_date: Smithy
    let smithy_rs_format_http_date: Smithy
  }

  private struct Delays: Decodable {
    struct Case: Decodable {
      enum Expected: Decodable {
        case seconds(Int)
        case cap

        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          self = (try? container.decode(Int.self)).map(Expected.seconds) ?? .cap
        }
      }
      let value: String
      let now: String
      let delay_seconds: Expected?
      let also: [Expected?]?
    }
    let cases: [Case]
  }

  private let now = Date(timeIntervalSince1970: 1_767_225_600)

  @Test("Dates are accepted and refused as listed")
  func dates() throws {
    for test in try Conformance.load("http-date/http-date.json", as: Dates.self).cases {
      let current = test.now.flatMap { HTTPDate.parse($0, now: now) } ?? now
      let second = HTTPDate.parse(test.value, now: current).map { Int($0.timeIntervalSince1970) }
      switch test.kind {
      case "must_accept", "clock_dependent": #expect(second == test.epoch_seconds, "\(test.value)")
      case "must_reject", "must_reject_as_expires": #expect(second == nil, "\(test.value)")
      case "either":
        #expect(
          second == nil || test.epoch_seconds == nil || second == test.epoch_seconds,
          "\(test.value)")
      case "must_not_crash":
        #expect(second == nil || test.value.contains("Nov 1994"), "\(test.value.prefix(60))")
      default: Issue.record("a kind this test does not know: \(test.kind)")
      }
    }
  }

  /// Fractions of a second are an extension that this library does not read.
  @Test("Whole seconds of Smithy's suite read and print as listed")
  func smithy() throws {
    let suite = try Conformance.load("http-date/http-date.json", as: Dates.self)
    for test in suite.smithy_rs_parse_http_date.cases where test.nanos ?? 0 == 0 {
      let second = test.value.flatMap { HTTPDate.parse($0, now: now) }.map {
        Int($0.timeIntervalSince1970)
      }
      #expect(second == (test.error ? nil : test.epoch_seconds), "\(test.value ?? "")")
    }
    for test in suite.smithy_rs_format_http_date.cases where test.nanos ?? 0 == 0 {
      let second = try #require(test.epoch_seconds)
      let text = HTTPDate.string(from: Date(timeIntervalSince1970: Double(second)))
      #expect(text == (test.error ? nil : test.value), "\(second)")
    }
  }

  @Test("Retry-After has the delays listed")
  func retryAfter() throws {
    for test in try Conformance.load("http-date/retry-after.json", as: Delays.self).cases {
      let current = try #require(HTTPDate.parse(test.now, now: now))
      let delay = RetryAfter.delay(test.value, now: current)
      let accepted = [test.delay_seconds] + (test.also ?? [])
      let isAccepted = accepted.contains { delayed in
        switch delayed {
        case .seconds(let seconds): delay == .seconds(seconds)
        case .cap: delay == RetryAfter.maximum
        case nil: delay == nil
        }
      }
      #expect(isAccepted, "\(test.value): \(String(describing: delay))")
    }
  }
}
