import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The dates of `Expires` and the values of `Retry-After`, run through a store.
@Suite(
  "Conformance: dates through a store", .enabled(if: Conformance.isAvailable), .standardTimeLimit)
@MainActor struct DateStoreConformanceTests {
  private struct Dates: Decodable {
    struct Case: Decodable {
      let value: String
      let epoch_seconds: Int?
      let kind: String
      let now: String?
    }
    let cases: [Case]
  }

  private struct Delays: Decodable {
    enum Expected: Decodable, Equatable {
      case seconds(Int)
      case cap

      init(from decoder: any Decoder) throws {
        let number = try? decoder.singleValueContainer().decode(Int.self)
        self = number.map(Expected.seconds) ?? .cap
      }
    }
    struct Case: Decodable {
      let value: String
      let now: String
      let delay_seconds: Expected?
      let also: [Expected?]?
    }
    let cases: [Case]
  }

  private func load(
    _ response: StubTransport.Response, at date: Date
  ) async -> (service: Service, resource: Resource<Data>, clock: ManualClock) {
    let (stub, clock) = (StubTransport(), ManualClock(date: date))
    stub.on(.get, "/a", response)
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure {
      $0.responseFreshness = .init()
      $0.freshnessLifetime = .zero
      $0.failureCooldown = .zero
    }
    let resource = service.resource("a", of: Data.self)
    await resource.load().completed()
    return (service, resource, clock)
  }

  @Test("Content is fresh until the date of its Expires, and never where that is refused")
  func expires() async throws {
    let cases = try Conformance.load("http-date/http-date.json", as: Dates.self).cases
    #expect(cases.count == 77)
    for test in cases {
      let isAccepted = ["must_accept", "clock_dependent"].contains(test.kind)
      // Before every date that might be taken, or right before this one.
      var now = Date(timeIntervalSince1970: 0)
      if isAccepted, let second = test.epoch_seconds {
        now = Date(timeIntervalSince1970: Double(second) - 10)
      }
      if let stated = test.now { now = try #require(HTTPDate.parse(stated, now: .now)) }
      let expiry = test.epoch_seconds.map { Double($0) - now.timeIntervalSince1970 } ?? 0
      let store = await load(.response(headers: ["Expires": test.value]), at: now)
      switch test.kind {
      case "must_accept", "clock_dependent":
        #expect(store.resource.isUpToDate == (expiry > 0), "\(test.value)")
        store.clock.advance(by: .seconds(max(expiry, 0)) - .nanoseconds(expiry > 0 ? 1 : 0))
        #expect(store.resource.isUpToDate == (expiry > 0), "\(test.value)")
        store.clock.advance(by: .nanoseconds(1))
        #expect(!store.resource.isUpToDate, "\(test.value)")
      case "must_reject", "must_reject_as_expires":
        #expect(!store.resource.isUpToDate && store.resource.loadIfNeeded() != nil, "\(test.value)")
      default:
        #expect(store.resource.content != nil, "\(test.value.prefix(60))")
      }
    }
  }

  @Test("A resource is not asked for again before the time of its Retry-After")
  func retryAfter() async throws {
    let cases = try Conformance.load("http-date/retry-after.json", as: Delays.self).cases
    #expect(cases.count == 43)
    for test in cases {
      let now = try #require(HTTPDate.parse(test.now, now: .now))
      let store = await load(.status(503, headers: ["Retry-After": test.value]), at: now)
      let delay = store.resource.latestError?.retryAfter
      let isListed = ([test.delay_seconds] + (test.also ?? [])).contains { listed in
        switch listed {
        case .seconds(let seconds): delay == .seconds(seconds)
        case .cap: delay == RetryAfter.maximum
        case nil: delay == nil
        }
      }
      #expect(isListed, "\(test.value): \(String(describing: delay))")
      if let delay, delay > .zero {
        store.clock.advance(by: delay - .nanoseconds(1))
        #expect(store.resource.loadIfNeeded() == nil, "\(test.value)")
        store.clock.advance(by: .nanoseconds(1))
      }
      #expect(store.resource.loadIfNeeded() != nil, "\(test.value)")
    }
  }
}
