import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a response may state within limits", .standardTimeLimit)
@MainActor struct ResponseFreshnessTests {
  private func fixture(
    _ limits: Service.ResponseFreshness = .init(), cache: MemoryCache? = nil
  ) -> ServiceFixture {
    ServiceFixture {
      $0.responseFreshness = limits
      $0.cache = cache
    }
  }

  @Test(
    "A lifetime is raised to the minimum and cut to the maximum, but for what is not to be reused",
    arguments: [
      (["Cache-Control": "max-age=5"], 20), (["Cache-Control": "max-age=0"], 20),
      (["Cache-Control": "max-age=45"], 45), (["Cache-Control": "max-age=45", "Age": "15"], 30),
      (["Cache-Control": "max-age=5000"], 60), (["Expires": "0"], 20), ([:], 30),
      (["Cache-Control": "no-cache"], 0), (["Cache-Control": "max-age=45, no-store"], 0),
      (["Cache-Control": "max-age=45", "Vary": "*"], 0), (["Pragma": "no-cache"], 0),
      (["Last-Modified": "Wed, 31 Dec 2025 23:53:20 GMT"], 30),
    ] as [(HTTPHeaders, Int)])
  func limits(headers: HTTPHeaders, seconds: Int) async throws {
    let fixture = fixture(.init(minimum: .seconds(20), maximum: .seconds(60)))
    fixture.stub.on(.get, "/a", .text("one", headers: headers))
    try await expect(fixture.text("a"), freshFor: seconds, fixture)
  }

  @Test(
    "What the target of a redirect states holds no longer than the configuration says",
    arguments: [
      ("http://api.test/v1", "max-age=31536000", 30), ("http://api.test/v1", "max-age=5", 5),
      ("http://api.test/v1", "no-cache", 0), ("https://api.test/v1", "max-age=100", 30),
      ("https://other.test/latest", "max-age=100", 30),
      ("https://api.test/latest", "max-age=100", 100),
    ])
  func redirected(target: String, control: String, seconds: Int) async throws {
    let (cache, clock) = (MemoryCache(), ManualClock())
    let url = try #require(URL(string: target))
    let stub = StubTransport { _ in
      HTTPResponse(
        status: 200, headers: ["Cache-Control": control], body: Data("one".utf8), url: url)
    }
    func store() -> Service {
      let service = Service(baseURL: "http://api.test", transport: stub, clock: clock)
      service.configure {
        $0.cache = cache
        $0.responseFreshness = .init()
      }
      return service
    }
    let service = store()
    let latest = service.resource("latest", of: String.self)
    await latest.load().completed()
    await service.flushCache()
    let launched = store()
    let restored = launched.resource("latest", of: String.self)
    if seconds > 0 {
      clock.advance(by: .seconds(seconds - 1))
      #expect(latest.isUpToDate && latest.loadIfNeeded() == nil)
      await restored.loadIfNeeded()?.completed()
      #expect(restored.isUpToDate && restored.content == "one" && stub.requests.count == 1)
      clock.advance(by: .seconds(1))
    }
    #expect(!latest.isUpToDate && !restored.isUpToDate)
  }

  @Test("Limits stay in order: neither is changed alone, and a wrong order stops the program")
  func order() async {
    let (minimum, maximum) = (
      \Service.ResponseFreshness.minimum as PartialKeyPath,
      \Service.ResponseFreshness.maximum as PartialKeyPath
    )
    #expect(!(minimum is WritableKeyPath<Service.ResponseFreshness, Duration>))
    #expect(!(maximum is WritableKeyPath<Service.ResponseFreshness, Duration>))
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Service.ResponseFreshness(minimum: .seconds(2), maximum: .seconds(1))
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains(
        "Freshet: Service.ResponseFreshness: the minimum 2.0 seconds is longer than the maximum"))
  }

  @Test("With heuristics, a tenth of the time since the last change counts")
  func heuristics() async throws {
    let fixture = fixture(.init(usesHeuristics: true))
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["Last-Modified": "Wed, 31 Dec 2025 23:53:20 GMT"]))
    try await expect(fixture.text("a"), freshFor: 40, fixture)
  }

  private func expect(
    _ resource: Resource<String>, freshFor seconds: Int, _ fixture: ServiceFixture
  ) async throws {
    _ = try await resource.load().value()
    if seconds > 0 {
      fixture.clock.advance(by: .seconds(seconds) - .nanoseconds(1))
      #expect(resource.isUpToDate && resource.loadIfNeeded() == nil)
      fixture.clock.advance(by: .nanoseconds(1))
    }
    #expect(!resource.isUpToDate && resource.loadIfNeeded() != nil)
  }

  @Test("Rules choose for each path")
  func rules() async throws {
    let fixture = ServiceFixture()
    fixture.service.configure("feed/**") { $0.responseFreshness = .init() }
    for path in ["feed/a", "user"] {
      fixture.stub.on(.get, "/\(path)", .text("x", headers: ["Cache-Control": "max-age=90"]))
      await fixture.text(path).load().completed()
    }
    fixture.clock.advance(by: .seconds(60))
    #expect(fixture.text("feed/a").isUpToDate && !fixture.text("user").isUpToDate)
  }

  @Test("Stale data may be used while it is confirmed, as long as the response allows")
  func whileRevalidating() async throws {
    let fixture = fixture()
    let headers: HTTPHeaders = ["Cache-Control": "max-age=10, stale-while-revalidate=5"]
    fixture.stub.on(.get, "/a", .text("one", headers: headers))
    let resource = fixture.text("a")
    await resource.load().completed()
    #expect(resource.isUpToDate && !resource.mayUseStaleData)
    fixture.clock.advance(by: .seconds(12))
    #expect(!resource.isUpToDate && !resource.mayUseStaleData)
    let gate = fixture.stub.hold(.get, "/a")
    let request = resource.loadIfNeeded()
    #expect(request != nil && resource.mayUseStaleData && !resource.isUpToDate)
    #expect(resource.content == "one")
    await gate.arrived()
    fixture.clock.advance(by: .seconds(3))
    #expect(!resource.mayUseStaleData)
    gate.release(with: .text("two", headers: headers))
    await request?.completed()
    #expect(resource.isUpToDate && resource.content == "two")
  }

  @Test("The time for which data was stale before it arrived counts", arguments: [13, 15])
  func staleOnArrival(age: Int) async {
    let fixture = fixture()
    let headers: HTTPHeaders = [
      "Cache-Control": "max-age=10, stale-while-revalidate=5", "Age": "\(age)",
    ]
    fixture.stub.on(.get, "/a", .text("one", headers: headers))
    let resource = fixture.text("a")
    await resource.load().completed()
    let request = resource.loadIfNeeded()
    #expect(resource.mayUseStaleData == (age == 13))
    fixture.clock.advance(by: .seconds(2))
    #expect(!resource.mayUseStaleData)
    request?.cancel()
  }

  @Test(
    "Stale data may be used after a failure of the server, as long as the response allows",
    arguments: [
      (.status(503), true), (.status(500), true), (.failure(.unreachable), true),
      (.failure(.timedOut), true), (.status(404), false), (.status(501), false),
      (.failure(.badResponse), false),
    ] as [(StubTransport.Response, Bool)])
  func afterError(failure: StubTransport.Response, isAllowed: Bool) async throws {
    let fixture = fixture()
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["Cache-Control": "max-age=10, stale-if-error=5"]), failure)
    let resource = fixture.text("a")
    await resource.load().completed()
    fixture.clock.advance(by: .seconds(12))
    await resource.loadIfNeeded()?.completed()
    #expect(resource.content == "one" && resource.latestError != nil && !resource.isUpToDate)
    #expect(resource.mayUseStaleData == isAllowed)
    fixture.clock.advance(by: .seconds(3))
    #expect(!resource.mayUseStaleData)
  }

  @Test("What must be confirmed may not be used stale, nor what was invalidated")
  func mustRevalidate() async throws {
    for directive in ["must-revalidate", "no-cache", "no-store"] {
      let fixture = fixture()
      let control = "max-age=10, stale-while-revalidate=50, stale-if-error=50, \(directive)"
      fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": control]), .status(503))
      let resource = fixture.text("a")
      await resource.load().completed()
      fixture.clock.advance(by: .seconds(12))
      let request = resource.loadIfNeeded()
      #expect(!resource.mayUseStaleData)
      await request?.completed()
      #expect(!resource.mayUseStaleData && resource.content == "one")
    }
    let fixture = fixture()
    fixture.stub.on(
      .get, "/a", .text("one", headers: ["Cache-Control": "stale-if-error=50"]), .status(503))
    await fixture.text("a").load().completed()
    fixture.text("a").invalidate()
    await fixture.text("a").loadIfNeeded()?.completed()
    #expect(!fixture.text("a").mayUseStaleData)
  }

  @Test("An error that does not pass is not asked for again while its response is fresh")
  func errors() async throws {
    for (status, isKept) in [(404, true), (410, true), (401, false), (503, false), (429, false)] {
      let fixture = fixture()
      fixture.stub.on(.get, "/a", .status(status, headers: ["Cache-Control": "max-age=100"]))
      let resource = fixture.text("a")
      await resource.load().completed()
      fixture.clock.advance(by: .seconds(99))
      #expect((resource.loadIfNeeded() == nil) == isKept, "\(status)")
      guard isKept else { continue }
      await resource.load().completed()
      #expect(fixture.stub.requests.count == 2)
      fixture.clock.advance(by: .seconds(99))
      resource.invalidate()
      #expect(resource.loadIfNeeded() != nil, "\(status)")
    }
  }

  @Test("Only loads that ask for what the server has now keep caches on the way from responding")
  func reloads() async throws {
    let fixture = fixture()
    fixture.stub.on(.get, "/a", .text("one"))
    await fixture.text("a").loadIfNeeded()?.completed()
    await fixture.text("a").load().completed()
    fixture.text("a").invalidate()
    await fixture.text("a").loadIfNeeded()?.completed()
    fixture.service.configure { $0.headers["Cache-Control"] = "max-stale" }
    await fixture.text("a").load().completed()
    #expect(
      fixture.stub.requests.map { $0.headers["Cache-Control"] } == [
        nil, "max-age=0", "max-age=0", "max-stale",
      ])
  }

  @Test("An unsafe request that succeeds invalidates what is stored of its URL")
  func unsafe() async throws {
    let cache = MemoryCache()
    let fixture = fixture(cache: cache)
    // Such a load might end before what follows is looked at.
    fixture.service.configure { $0.reloadsWhenInvalidated = false }
    fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": "max-age=100"]))
    fixture.stub.on(.get, "/b", .text("one", headers: ["Cache-Control": "max-age=100"]))
    fixture.stub.on(.post, "/a", .status(500), .text("done"))
    let (resource, data) = (fixture.text("a"), fixture.service.resource("a", of: Data.self))
    for each in [resource, data, fixture.text("b")] as [AnyResource] {
      await each.load().completed()
    }
    await resource.request(.get).completed()
    await resource.request(.post).completed()
    #expect(resource.isUpToDate && data.isUpToDate)
    let recorder = fixture.record(resource)
    await resource.request(.post).completed()
    #expect(recorder.drain().first == .invalidated)
    #expect(!resource.isUpToDate && !data.isUpToDate && fixture.text("b").isUpToDate)
  }

  @Test(
    "An unsafe request that succeeds invalidates its URL also where its response cannot be read",
    arguments: [
      (.text("no JSON"), false), (.status(303), false), (.status(404), true),
      (.failure(.connectionLost), true), (.failure(.tooManyRedirects), false),
      (.failure(.redirectRefused), false), (elsewhere(404), false), (elsewhere(503), false),
    ] as [(StubTransport.Response, Bool)])
  func unreadable(response: StubTransport.Response, isUpToDate: Bool) async throws {
    let fixture = fixture()
    fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": "max-age=100"]))
    fixture.stub.on(.post, "/a", response)
    let resource = fixture.text("a")
    await resource.load().completed()
    let request = resource.request(.post, as: Int.self)
    #expect(await request.failure() != nil)
    #expect(resource.isUpToDate == isUpToDate)
  }

  /// A response from where a redirect led.
  private nonisolated static func elsewhere(_ status: Int) -> StubTransport.Response {
    .response(HTTPResponse(status: status, url: URL(filePath: "/b")))
  }

  @Test("A resource that loads from the unsafe request is not invalidated by it")
  func adopted() async throws {
    let fixture = fixture()
    fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": "max-age=100"]))
    fixture.stub.on(.put, "/a", .text("two", headers: ["Cache-Control": "max-age=100"]))
    let resource = fixture.text("a")
    await resource.load().completed()
    await resource.load(using: resource.request(.put)).completed()
    #expect(resource.content == "two" && resource.isUpToDate)
  }

  @Test("Fields about a connection are not stored")
  func connection() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(
      .get, "/a",
      .text(
        "one",
        headers: ["Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "5", "X-End": "2"]
      ))
    await fixture.text("a").load().completed()
    let names = fixture.text("a").latestData?.headers.fields.map(\.name)
    #expect(names == ["X-End", "Content-Type"])
  }

  @Test("An unsafe request invalidates its resource also after the service was deallocated")
  func withoutService() async throws {
    let stub = StubTransport()
    stub.on(.get, "/a", .text("one", headers: ["Cache-Control": "max-age=100"]))
    stub.on(.post, "/a", .status(204))
    var service: Service? = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock())
    service?.configure { $0.responseFreshness = .init() }
    let resource = try #require(service?.resource("a", of: String.self))
    await resource.load().completed()
    #expect(resource.isUpToDate)
    service = nil
    await resource.request(.post, as: NoContent.self).completed()
    #expect(!resource.isUpToDate)
  }

  @Test("An unsafe request does not hold its resource after the service was deallocated")
  func notHeld() async throws {
    let stub = StubTransport()
    let gate = stub.hold(.post, "/a")
    var service: Service? = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock())
    service?.configure { $0.responseFreshness = .init() }
    var resource = service?.resource("a", of: String.self)
    service = nil
    resource?.request(.post, as: NoContent.self)
    await gate.arrived()
    weak let held = resource
    resource = nil
    #expect(held == nil)
    gate.release(with: .status(204))
  }
}
