import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// The core tests of the public cache test suite, run through a store: with the content in memory, and
/// with a new store for each request that has only the persistent cache of the one before.
///
/// The parts of a test that are about interim responses are left to the tests of transports.
@Suite(
  "Conformance: cache tests through a store", .enabled(if: Conformance.isAvailable),
  .standardTimeLimit)
@MainActor struct CacheTestsStoreConformanceTests {
  /// The tests that a store in memory does not pass, and why; exactly these.
  private static let differing = [
    "cc-resp-immutable-fresh": "load() asks the server in any case, as its name says",
    "other-age-update-expires": fieldsStay,
    "other-age-update-max-age": fieldsStay,
    "status-500-fresh": passes,
    "status-502-fresh": passes,
    "status-503-fresh": passes,
    "status-504-fresh": passes,
    "vary-invalidate": "a resource has one content: that for other values replaces it",
  ]

  /// The tests that a store after a launch does not pass, and why, beside those above; exactly these.
  private static let differingAfterLaunch = [
    "heuristic-404-cached": errorsAreNotStored,
    "heuristic-405-cached": errorsAreNotStored,
    "heuristic-410-cached": errorsAreNotStored,
    "heuristic-414-cached": errorsAreNotStored,
    "heuristic-501-cached": errorsAreNotStored,
    "heuristic-599-cached": errorsAreNotStored,
    "status-400-fresh": errorsAreNotStored,
    "status-404-fresh": errorsAreNotStored,
    "status-410-fresh": errorsAreNotStored,
    "status-499-fresh": errorsAreNotStored,
    "status-599-fresh": errorsAreNotStored,
  ]

  private static let fieldsStay =
    "the fields stay as they were received; the age is that of `timestamp`"
  private static let passes = "a failure that may pass is asked for again, after its Retry-After"
  private static let errorsAreNotStored = "a persistent cache keeps content, and no errors"

  @Test("A store that has the content passes all tests but those listed")
  func inMemory() async throws {
    let failures = try await failures(launching: false)
    #expect(failures.differing == Set(Self.differing.keys))
    #expect(failures.ofBrowsers.isEmpty)
  }

  @Test("A store that has only a persistent cache passes all tests but those listed")
  func afterLaunch() async throws {
    let failures = try await failures(launching: true)
    let expected = Self.differing.merging(Self.differingAfterLaunch) { first, _ in first }
    #expect(failures.differing == Set(expected.keys))
    #expect(failures.ofBrowsers == ["heuristic-410-cached", "status-410-fresh"])
  }

  /// The tests that fail, and those of them that Chrome, Firefox and Safari all pass.
  private func failures(
    launching: Bool
  ) async throws -> (differing: Set<String>, ofBrowsers: Set<String>) {
    let file = try Conformance.load(
      "http-cache/cache-tests-private-client.json", as: CacheTestFile.self)
    let core = file.tests.filter { $0.applies == "core" }
    #expect(core.count == 190)
    #expect(core.count(where: \.isPassedByAllBrowsers) == 142)
    var (differing, ofBrowsers): (Set<String>, Set<String>) = ([], [])
    for test in core {
      guard let fault = await Run(test, launching: launching).fault() else { continue }
      if Self.differing[test.id] == nil, !launching || Self.differingAfterLaunch[test.id] == nil {
        print("\(test.id): \(fault)")
      }
      differing.insert(test.id)
      if test.isPassedByAllBrowsers { ofBrowsers.insert(test.id) }
    }
    return (differing, ofBrowsers)
  }
}

/// One test on its way through a store.
@MainActor private final class Run {
  private let test: CacheTest
  private let clock = ManualClock()
  private let origin: CacheTestOrigin
  private let cache = MemoryCache()
  private var service: Service
  private var requestHeaders: HTTPHeaders = [:]
  private let launching: Bool
  /// Whether stale content was shown that its server allows to be used.
  private var usedStale = false

  init(_ test: CacheTest, launching: Bool) {
    self.test = test
    self.launching = launching
    origin = CacheTestOrigin(test, clock)
    service = Service(baseURL: "https://api.test", transport: StubTransport(), clock: clock)
    launch()
  }

  private func launch() {
    let stub = StubTransport { [origin] in try origin.respond(to: $0) }
    service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    service.configure { [unowned self] in
      $0.headers = requestHeaders
      $0.cache = cache
      $0.freshnessLifetime = .zero
      $0.failureCooldown = .zero
      $0.responseFreshness = .init(usesHeuristics: true)
    }
  }

  /// What differs from what the test expects; nil where nothing does.
  func fault() async -> String? {
    var fault: String?
    for (number, step) in test.requests.enumerated() where fault == nil {
      origin.begin(number)
      if launching { launch() }
      requestHeaders = step.requestHeaders
      service.reapplyConfiguration()
      let resource = service.resource(
        step.query_arg.map { "test?\($0)" } ?? "test", of: Data.self)
      let before = origin.requests.count
      let result = await perform(step, resource)
      let sent = Array(origin.requests[before...])
      fault = self.fault(of: step, number, resource, result, sent).map { "step \(number): \($0)" }
      if step.pause_after == true { clock.advance(by: .seconds(3)) }
    }
    return fault
  }

  private func perform(
    _ step: CacheTest.Step, _ resource: Resource<Data>
  ) async -> Result<ResourceEntity<Data>, ResourceError>? {
    if let method = step.request_method {
      let request = resource.request(HTTPMethod(rawValue: method), body: .text("abc"))
      await request.completed()
      await written(by: resource)
      return request.result
    }
    usedStale = false
    let token = resource.observe { [unowned self] resource, event in
      if event == .newData(.cache) { usedStale = usedStale || resource.mayUseStaleData }
    }
    let request = step.cache == "no-cache" ? resource.load() : resource.loadIfNeeded()
    usedStale = usedStale || resource.mayUseStaleData
    await request?.completed()
    token.cancel()
    await written(by: resource)
    return request?.result
  }

  /// Waits until the persistent cache has what was written.
  private func written(by resource: AnyResource) async {
    for (cache, _) in resource.store.caches { await CacheQueue.shared.flush(cache) }
  }

  private func fault(
    of step: CacheTest.Step, _ number: Int, _ resource: Resource<Data>,
    _ result: Result<ResourceEntity<Data>, ResourceError>?, _ sent: [HTTPRequest]
  ) -> String? {
    let headers = resource.latestData?.headers ?? [:]
    switch step.expected_type {
    case "cached": if !sent.isEmpty, !usedStale { return "a request was sent" }
    case "not_cached": if sent.isEmpty { return "no request was sent" }
    case "etag_validated", "lm_validated":
      let name = step.expected_type == "etag_validated" ? "If-None-Match" : "If-Modified-Since"
      guard sent.count == 1, sent[0].headers[name] != nil else { return "no \(name) was sent" }
      guard case .success = result else { return "not confirmed: \(String(describing: result))" }
    default: break
    }
    if step.disconnect == true {
      guard case .failure = result, !resource.mayUseStaleData else {
        return "stale content was used"
      }
      return nil
    }
    for pair in step.expected_request_headers ?? []
    where sent.last?.headers[pair[0].text] != pair[1].text {
      return "the request had no \(pair[0].text): \(pair[1].text)"
    }
    for header in step.expected_response_headers ?? [] {
      if header.parts[0] == "client-request-count" {
        if "\(origin.requests.count)" != header.parts[1] {
          return "\(origin.requests.count) requests"
        }
      } else if !header.isMet(by: headers) {
        return "the content has no \(header.parts)"
      }
    }
    for header in step.expected_response_headers_missing ?? [] where header.isMet(by: headers) {
      return "the content has \(header.parts)"
    }
    guard step.request_method == nil else { return nil }
    // What is shown is what the server sent last, or that error.
    if let error = resource.latestError { return error.status == nil ? "\(error)" : nil }
    guard let content = resource.content else { return "no content" }
    return String(decoding: content, as: UTF8.self) == origin.lastBody ? nil : "other content"
  }
}
