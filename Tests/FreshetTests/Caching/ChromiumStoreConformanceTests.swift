import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Chromium's tables of response headers, run through a store.
@Suite(
  "Conformance: Chromium's response headers through a store", .enabled(if: Conformance.isAvailable),
  .standardTimeLimit)
@MainActor struct ChromiumStoreConformanceTests {
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
    struct Control: Decodable {
      let cache_control: String
      let max_age: Seconds?
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
    let max_age: [Control]
    let stale_while_revalidate: [Control]
    let age_value: [AgeValue]
    let update_304: [Update]
  }

  /// A number of seconds, or a text that says that a huge value must saturate.
  private struct Seconds: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
      let number = try? decoder.singleValueContainer().decode(Int.self)
      value = min(number ?? 1 << 31, 1 << 31)
    }
  }

  /// The rows that a store decides otherwise, and why; exactly these.
  private static let differing = [
    "301": "a redirect is followed by the transport, and not content",
    "308": "a redirect is followed by the transport, and not content",
    "302 cache-control: max-age=10000": "a redirect is followed by the transport, and not content",
    "410": "without a statement, an error is repeated: the heuristic is Chromium's own",
    "206 date: Wed, 28 Nov 2007 00:40:11 GMT; last-modified: Wed, 27 Nov 2007 08:00:00 GMT":
      "a part that was not asked for is an error",
    "max-age=\"5\"": "RFC 9111 section 5.2 asks recipients to take a quoted number",
    "X-Frame-Options": updated, "X-WebKit-CSP": updated, "X-XSS-Protection": updated,
    "X-Content-Type-Options": updated, "Content-Location": updated,
  ]

  private static let updated = "RFC 9111 section 3.2 updates it; Chromium's renderer has used it"

  private func headers(_ pairs: [[String]]) -> HTTPHeaders {
    HTTPHeaders(pairs.map { .init(name: $0[0], value: $0[1]) })
  }

  private func seconds(_ text: String) throws -> Int {
    Int(try #require(HTTPDate.parse(text, now: .now)).timeIntervalSince1970)
  }

  /// A store whose server responds after a delay.
  private func store(
    _ response: StubTransport.Response, at start: Int = 1_767_225_600, after delay: Int = 0,
    usesHeuristics: Bool = false
  ) async -> (resource: Resource<Data>, clock: ManualClock) {
    let clock = ManualClock(date: Date(timeIntervalSince1970: Double(start)))
    let stub = StubTransport()
    stub.on(.get, "/a") { _ in
      clock.advance(by: .seconds(delay))
      return response
    }
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure {
      $0.responseFreshness = .init(usesHeuristics: usesHeuristics)
      $0.freshnessLifetime = .zero
      $0.failureCooldown = .zero
    }
    let resource = service.resource("a", of: Data.self)
    services.append(service)
    await resource.load().completed()
    return (resource, clock)
  }

  private let services = Services()

  private final class Services {
    private var all: [Service] = []
    func append(_ service: Service) { all.append(service) }
  }

  private func isFresh(_ resource: Resource<Data>) -> Bool {
    guard let request = resource.loadIfNeeded() else { return true }
    request.cancel()
    return false
  }

  /// Whether content is fresh for exactly so many seconds.
  private func isFresh(
    _ store: (resource: Resource<Data>, clock: ManualClock), for seconds: Int
  ) -> Bool {
    if seconds > 0 {
      store.clock.advance(by: .seconds(seconds) - .nanoseconds(1))
      guard isFresh(store.resource) else { return false }
      store.clock.advance(by: .nanoseconds(1))
    }
    return !isFresh(store.resource)
  }

  @Test("A store decides all rows as listed but those with a reason")
  func tables() async throws {
    let file = try Conformance.load("http-cache/chromium-response-headers.json", as: File.self)
    var (count, differing): (Int, Set<String>) = (0, [])
    func check(_ name: String, _ isAsListed: Bool) {
      count += 1
      if !isAsListed { differing.insert(name) }
    }

    let (request, response) = (
      try seconds(file.clock.request_time), try seconds(file.clock.response_time)
    )
    for test in file.requires_validation {
      let store = await store(
        .response(status: test.status, headers: headers(test.headers)), at: request,
        after: response - request, usesHeuristics: true)
      store.clock.advance(by: .seconds(try seconds(file.clock.now) - response))
      let load = store.resource.loadIfNeeded()
      let use =
        load == nil
        ? "fresh" : store.resource.mayUseStaleData ? "stale_while_revalidate" : "must_validate"
      load?.cancel()
      let name =
        (["\(test.status)"] + [
          test.headers.map { $0.joined(separator: ": ") }
            .joined(separator: "; ")
        ]).filter { !$0.isEmpty }.joined(separator: " ")
      check(name, use == test.expected)
    }
    for test in file.current_age {
      let (request, response) = (try seconds(test.request_time), try seconds(test.response_time))
      let resident = try seconds(test.now) - response
      let store = await store(
        .response(headers: headers(test.headers + [["Cache-Control", "max-age=100"]])),
        at: request, after: response - request)
      store.clock.advance(by: .seconds(resident))
      check("\(test.headers)", isFresh(store, for: 100 - test.expected_current_age))
    }
    for test in file.max_age {
      let store = await store(.response(headers: ["Cache-Control": test.cache_control]))
      check(test.cache_control, isFresh(store, for: test.max_age?.value ?? 0))
    }
    for test in file.age_value {
      let store = await store(
        .response(headers: ["Cache-Control": "max-age=100", "Age": test.age]))
      check("Age \(test.age)", isFresh(store, for: max(100 - (test.value?.value ?? 0), 0)))
    }
    for test in file.stale_while_revalidate {
      let control = test.cache_control
      let store = await store(.response(headers: ["Cache-Control": control]))
      let lifetime = CacheControl([control]).duration("max-age") ?? .zero
      let window = test.stale_while_revalidate?.value ?? 0
      store.clock.advance(by: lifetime + .seconds(window) - .nanoseconds(window == 0 ? 0 : 1))
      let load = store.resource.loadIfNeeded()
      let isUsed = store.resource.mayUseStaleData
      store.clock.advance(by: .nanoseconds(1))
      check(control, load != nil && isUsed == (window > 0) && !store.resource.mayUseStaleData)
      load?.cancel()
    }
    for test in file.update_304 {
      let clock = ManualClock()
      let stub = StubTransport()
      stub.on(
        .get, "/a", .response(headers: headers([["ETag", "\"1\""]] + test.stored)),
        .status(304, headers: headers(test.not_modified)))
      let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
      let resource = service.resource("a", of: Data.self)
      await resource.load().completed()
      await resource.load().completed()
      let merged = Set(resource.latestData?.headers.fields ?? [])
      let expected = Set(headers(test.merged_expected + [["ETag", "\"1\""]]).fields)
      check((test.stored + test.not_modified).map { $0[0] }.last ?? "", merged == expected)
    }
    #expect(count == 81)
    #expect(differing == Set(Self.differing.keys))
  }
}
