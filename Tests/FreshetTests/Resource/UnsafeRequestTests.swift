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
      $0.userIdentifier = "user"
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

  @Test(
    "A request that is repeated invalidates too, also where its resource was evicted",
    arguments: [false, true])
  func repeated(isEvicted: Bool) async throws {
    let cache = MemoryCache()
    let fixture = cached(cache)
    fixture.stub.on(.put, "/a", .status(503), .text("done"))
    var resource: Resource<String>? = fixture.text("a")
    let key = try #require(resource?.key)
    await resource?.load().completed()
    let put = try #require(resource?.request(.put))
    #expect(await put.failure()?.status == 503)
    #expect(resource?.isUpToDate == true)
    if isEvicted {
      weak let held = resource
      resource = nil
      fixture.service.evictUnused()
      #expect(held == nil)
    }
    #expect(try await put.sendAgain().value() == "done")
    #expect(resource?.isUpToDate != true)
    await fixture.service.flushCache()
    #expect(await cache.peek(key) == nil)
  }

  @Test(
    "What a resource takes over is its entry, where no other type of that URL is loading",
    arguments: [false, true])
  func adoptedEntry(isOtherLoading: Bool) async throws {
    let cache = MemoryCache()
    let fixture = cached(cache)
    fixture.stub.on(.put, "/a", .text("two", headers: Self.fresh))
    let (text, data) = (fixture.text("a"), fixture.service.resource("a", of: Data.self))
    await text.load().completed()
    await data.load().completed()
    let gate = fixture.stub.hold(.get, "/a")
    if isOtherLoading {
      data.load()
      await gate.arrived()
    }
    await text.load(using: text.request(.put)).completed()
    #expect(text.content == "two" && text.isUpToDate && !data.isUpToDate)
    gate.release(with: .text("one", headers: Self.fresh))
    await data.settled()
    #expect(text.isUpToDate && !data.isUpToDate)
    await fixture.service.flushCache()
    let entry = await cache.peek(text.key)
    let kept = entry.map { String(decoding: $0.response.body, as: UTF8.self) }
    #expect(kept == (isOtherLoading ? nil : "two"))
  }

  @Test("A resource that loads from the request is invalidated where that brings no content")
  func adoptedFailure() async throws {
    let cache = MemoryCache()
    let fixture = cached(cache)
    fixture.stub.on(.get, "/b", .json("[1]", headers: Self.fresh))
    fixture.stub.on(.put, "/b", .text("done"))
    let resource = fixture.service.resource("b", of: [Int].self)
    await resource.load().completed()
    #expect(resource.isUpToDate)
    let recorder = fixture.record(resource)
    await resource.load(using: resource.request(.put)).completed()
    #expect(recorder.events.prefix(3) == [.requested, .invalidated, .error])
    #expect(resource.content == [1] && !resource.isUpToDate)
    await fixture.service.flushCache()
    #expect(await cache.peek(resource.key) == nil)
  }

  /// A fixture with a persistent cache, and a fresh response to a GET.
  private func cached(_ cache: MemoryCache) -> ServiceFixture {
    let fixture = ServiceFixture {
      $0.responseFreshness = .init()
      $0.cache = cache
    }
    fixture.stub.on(.get, "/a", .text("one", headers: Self.fresh))
    return fixture
  }

  private func fixture() -> ServiceFixture {
    let fixture = ServiceFixture {
      $0.responseFreshness = .init()
      $0.retryPolicy = Service.RetryPolicy(maximumRetries: 1, baseDelay: .seconds(1))
      $0.random = { 1 }
      $0.timeout = .seconds(30)
    }
    fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": "max-age=10000"]))
    return fixture
  }
}
