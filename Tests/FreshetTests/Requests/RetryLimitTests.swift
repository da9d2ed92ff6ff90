import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Retries of many requests", .standardTimeLimit)
@MainActor struct RetryLimitTests {
  private let clock = ManualClock()

  private func store(
    _ policy: Service.RetryPolicy,
    respond: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) -> (StubTransport, Service) {
    let stub = StubTransport { try respond($0) }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock,
      limits: .init(resourceCount: 5_000, byteCount: .max))
    service.configure { $0.retryPolicy = policy }
    return (stub, service)
  }

  private nonisolated static func response(
    _ status: Int, to request: HTTPRequest, headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Data("x".utf8), url: request.url)
  }

  @Test("A server that always fails gets at most a tenth more requests, and a burst")
  func sickServer() async throws {
    let (stub, service) = store(.standard) { Self.response(503, to: $0) }
    let resources = (0..<1_000).map { service.resource("\($0)", of: String.self) }
    for batch in stride(from: 0, to: 1_000, by: 50) {
      let requests = resources[batch..<(batch + 50)].map { $0.load() }
      try await clock.run(until: { requests.allSatisfy(\.isCompleted) })
    }
    #expect(stub.requests.count <= 1_110)
    #expect(stub.requests.count > 1_050)
    #expect(resources.allSatisfy { $0.latestError?.status == 503 })
  }

  @Test("What fails at once is retried in a burst at most")
  func atOnce() async throws {
    let (stub, service) = store(.standard) { _ in
      throw TransportError(.unreachable, "offline")
    }
    let requests = (0..<500).map { service.resource("\($0)", of: String.self).load() }
    try await clock.run(until: { requests.allSatisfy(\.isCompleted) })
    #expect(stub.requests.count == 510)
  }

  @Test(
    "A quota is waited for as often as the server asks, an overload is not", arguments: [429, 503])
  func quota(status: Int) async throws {
    let failed = Locked<Set<URL>>([])
    let (stub, service) = store(.standard) { request in
      let isFirst = failed.withLock { $0.insert(request.url).inserted }
      return isFirst
        ? Self.response(status, to: request, headers: ["Retry-After": "1"])
        : Self.response(200, to: request)
    }
    for number in 0..<100 {
      let request = service.resource("\(number)", of: String.self).load()
      try await clock.run(until: { request.isCompleted })
    }
    // Others wait too: a second for each request, whether that is retried or not.
    #expect(clock.now == (status == 429 ? .seconds(100) : .seconds(99)))
    let retryCount = stub.requests.count - 100
    #expect(status == 429 ? retryCount == 100 : retryCount > 10 && retryCount <= 20)
  }

  @Test("A server that recovers has its budget again with the next requests")
  func recovers() async throws {
    let isDown = Locked(true)
    let (stub, service) = store(.standard) {
      Self.response(isDown.withLock { $0 } ? 503 : 200, to: $0)
    }
    let failed = (0..<100).map { service.resource("\($0)", of: String.self).load() }
    try await clock.run(until: { failed.allSatisfy(\.isCompleted) })
    isDown.withLock { $0 = false }
    for number in 0..<10 {
      _ = try await service.resource("ok\(number)", of: String.self).load().value()
    }
    isDown.withLock { $0 = true }
    stub.forgetRequests()
    let one = service.resource("one", of: String.self).load()
    try await clock.run(until: { one.isCompleted })
    #expect(stub.requests.count == 2)
  }

  @Test("Other origins are not held back")
  func otherOrigin() async throws {
    let (stub, service) = store(.standard) { Self.response(503, to: $0) }
    let failed = (0..<100).map { service.resource("\($0)", of: String.self).load() }
    try await clock.run(until: { failed.allSatisfy(\.isCompleted) })
    stub.forgetRequests()
    let other = service.resource(absoluteURL: "https://other.test/x", of: String.self).load()
    try await clock.run(until: { other.isCompleted })
    #expect(stub.requests.count == 3)
  }

  @Test("Waits of many requests are spread, and those that are due at once are a burst at most")
  func backOnline() async throws {
    let isDown = Locked(true)
    let policy = Service.RetryPolicy(
      maximumRetries: 1, baseDelay: .seconds(10), maximumDelay: .seconds(10), retryBurst: 500)
    let (stub, service) = store(policy) {
      if isDown.withLock({ $0 }) { throw TransportError(.unreachable, "offline") }
      return Self.response(200, to: $0)
    }
    var random = SeededGenerator(seed: 7)
    let numbers = (0..<2_000).map { _ in Double.random(in: 0..<1, using: &random) }
    let drawn = Locked(0)
    service.configure {
      $0.random = {
        drawn.withLock { drawn in
          drawn += 1
          return numbers[drawn % numbers.count]
        }
      }
    }
    let requests = (0..<500).map { service.resource("\($0)", of: String.self).load() }
    try await clock.run(until: { requests.allSatisfy { $0.wait != nil } })
    var tenths = Array(repeating: 0, count: 10)
    for request in requests {
      let wait = try #require(request.wait).nextAttemptDate.timeIntervalSince(ManualClock.startDate)
      tenths[min(max(Int(wait), 0), 9)] += 1
    }
    #expect(tenths.allSatisfy { (25...80).contains($0) }, "\(tenths)")

    // A device that slept: all waits are over at the same time.
    isDown.withLock { $0 = false }
    clock.advance(by: .seconds(3_600))
    try await clock.run(until: { requests.allSatisfy(\.isCompleted) })
    #expect(stub.requests.count == 1_000)
    #expect(requests.allSatisfy { if case .success = $0.result { true } else { false } })
  }
}
