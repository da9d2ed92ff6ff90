import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What an unsafe request invalidates, and what counts as redirected", .standardTimeLimit)
@MainActor struct UnsafeRequestTests {
  private nonisolated static let fresh: HTTPHeaders = ["Cache-Control": "max-age=100"]

  @Test("A URL that a decoration has rewritten is no redirect", arguments: [422, 500])
  func decorated(status: Int) async throws {
    let cache = MemoryCache()
    let fixture = ServiceFixture {
      $0.responseFreshness = .init()
      $0.cache = cache
      $0.account = "user"
      $0.decorate { request in
        var request = request
        request.url = request.url.deletingLastPathComponent().appending(path: "v2/a")
        return request
      }
    }
    fixture.stub.on(.get, "/v2/a", .text("one", headers: Self.fresh))
    fixture.stub.on(.post, "/v2/a", .status(status))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    #expect(await resource.request(.post).failure()?.status == status)
    fixture.clock.advance(by: .seconds(99))
    #expect(resource.isUpToDate)
    await fixture.service.flushCache()
    #expect(await cache.peek(resource.key) != nil)
  }

  @Test("The same URL over https is no redirect")
  func upgraded() async throws {
    let url = try #require(URL(string: "https://api.test/a"))
    let stub = StubTransport { request in
      request.method == .get
        ? HTTPResponse(status: 200, headers: Self.fresh, body: Data("one".utf8), url: url)
        : HTTPResponse(status: 422, url: url)
    }
    let clock = ManualClock()
    let service = Service(baseURL: "http://api.test", transport: stub, clock: clock)
    service.configure { $0.responseFreshness = .init() }
    let resource = service.resource("a", of: String.self)
    _ = try await resource.load().value()
    #expect(await resource.request(.post).failure()?.status == 422)
    clock.advance(by: .seconds(99))
    #expect(resource.isUpToDate)
  }

  @Test("A redirect counts though its target fails, the request is retried, and that finds nothing")
  func retried() async throws {
    let fixture = fixture()
    let elsewhere = HTTPResponse(
      status: 503, url: try #require(URL(string: "https://api.test/list")))
    fixture.stub.on(.delete, "/a", .response(elsewhere), .status(404))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    let request = resource.request(.delete, as: NoContent.self)
    try await fixture.clock.run(until: { request.isCompleted })
    #expect(await request.failure()?.status == 404)
    #expect(fixture.stub.requests.count == 3 && !resource.isUpToDate)
  }

  @Test("So does one before a retry that is cancelled, but no failure without a redirect")
  func cancelled() async throws {
    for isRedirected in [true, false] {
      let fixture = fixture()
      let elsewhere = HTTPResponse(
        status: 503, url: try #require(URL(string: "https://api.test/list")))
      fixture.stub.on(.delete, "/a", isRedirected ? .response(elsewhere) : .status(503))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let request = resource.request(.delete, as: NoContent.self)
      try await fixture.clock.run(until: { request.wait != nil })
      #expect(resource.isUpToDate)
      request.cancel()
      #expect(resource.isUpToDate == !isRedirected)
    }
  }

  @Test("A request that times out may have been carried out")
  func timedOut() async throws {
    let fixture = fixture()
    let gate = fixture.stub.hold(.post, "/a")
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    let request = resource.request(.post, as: NoContent.self)
    await gate.arrived()
    await fixture.clock.advanceToNextDeadline()
    #expect(await request.failure()?.kind == .timeout)
    #expect(!resource.isUpToDate)
  }

  private func fixture() -> ServiceFixture {
    let fixture = ServiceFixture {
      $0.responseFreshness = .init()
      $0.retries = Service.RetryPolicy(maximumRetries: 1, baseDelay: .seconds(1))
      $0.random = { 1 }
      $0.timeout = .seconds(30)
    }
    fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": "max-age=10000"]))
    return fixture
  }
}
