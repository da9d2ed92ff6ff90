import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Feeding a resource from another request", .standardTimeLimit)
struct LoadUsingTests {
  /// A store whose server has this response to a PUT of the resource.
  private static func put(
    _ response: StubTransport.Response, isolation: isolated any Actor = #isolation,
    configure: @escaping (inout Service.Configuration) -> Void = { _ in }
  ) -> (fixture: ServiceFixture, resource: Resource<String>) {
    let fixture = ServiceFixture(configure: configure)
    fixture.stub.on(.put, "/a", response)
    return (fixture, fixture.text("a"))
  }

  @Test(
    "The resource loads until the request ends and takes its response",
    arguments: StoreActor.allCases
  )
  func runningRequest(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.put, "/a")
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let request = resource.load(using: resource.request(.put, body: .text("x")))
      #expect(resource.isLoading)
      #expect(resource.loadIfNeeded() === request)
      await gate.arrived()
      gate.release(with: .text("saved"))
      _ = try await request.value()
      #expect(resource.content == "saved")
      #expect(resource.isUpToDate)
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("A request that has already ended counts at once", arguments: StoreActor.allCases)
  func endedRequest(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (fixture, resource) = Self.put(.text("saved"))
      let request = resource.request(.put)
      _ = try await request.value()
      let recorder = fixture.record(resource)
      resource.load(using: request)
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(!resource.isLoading)
      #expect(resource.content == "saved")
    }
  }

  @Test("A failure becomes the error of the resource", arguments: StoreActor.allCases)
  func failingRequest(actor: StoreActor) async {
    await actor.run { actor in
      let (fixture, resource) = Self.put(.status(409))
      let recorder = fixture.record(resource)
      await resource.load(using: resource.request(.put)).completed()
      #expect(recorder.events == [.requested, .error])
      #expect(resource.latestError?.status == 409)
    }
  }

  @Test("A cancelled request is a cancelled load", arguments: StoreActor.allCases)
  func cancelledRequest(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      resource.load(using: resource.request(.put)).cancel()
      #expect(recorder.events == [.requested, .requestCancelled])
      #expect(!resource.isLoading)
      #expect(resource.latestError == nil)
    }
  }

  @Test("Cancelling the load leaves the request alone", arguments: StoreActor.allCases)
  func cancelLoadLeavesRequest(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (fixture, resource) = Self.put(.text("saved"))
      let request = resource.load(using: resource.request(.put))
      resource.cancelLoad()
      #expect(!request.isCompleted)
      let content = try await request.value()
      #expect(content == "saved")
      #expect(resource.content == nil)
      #expect(fixture.stub.requests.count == 1)
    }
  }

  @Test("One request may feed several resources", arguments: StoreActor.allCases)
  func severalResources(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.put, "/a", .text("saved"))
      let (one, two) = (fixture.text("a"), fixture.text("b"))
      let request = one.request(.put)
      one.load(using: request)
      two.load(using: request)
      _ = try await request.value()
      #expect(one.content == "saved")
      #expect(two.content == "saved")
    }
  }

  @Test(
    "The lifetime that the response states counts, less the time since it came",
    arguments: [0, 20], StoreActor.allCases)
  func statedLifetime(later: Int, actor: StoreActor) async throws {
    try await actor.run { actor in
      let (fixture, resource) = Self.put(
        .text("saved", headers: ["Cache-Control": "max-age=60"])
      ) { $0.responseFreshness = .init() }
      let request = resource.request(.put)
      if later == 0 { resource.load(using: request) }
      _ = try await request.value()
      fixture.clock.advance(by: .seconds(later))
      if later > 0 { resource.load(using: request) }
      fixture.clock.advance(by: .seconds(60 - later) - .nanoseconds(1))
      #expect(resource.isUpToDate)
      fixture.clock.advance(by: .nanoseconds(1))
      #expect(!resource.isUpToDate)
    }
  }

  @Test(
    "The configuration of the resource decides whether what the response states counts",
    arguments: [HTTPMethod.get, .put], ["max-age=3600", "no-cache"])
  @MainActor func configuration(method: HTTPMethod, statement: String) async throws {
    let fixture = ServiceFixture()
    fixture.service.configure(methods: [method]) { $0.responseFreshness = .init() }
    fixture.stub.on(.put, "/a", .text("saved", headers: ["Cache-Control": statement]))
    let resource = fixture.text("a")
    _ = try await resource.load(using: resource.request(.put)).value()
    #expect(resource.content == "saved")
    let stated = Duration.seconds(statement == "no-cache" ? 0 : 3600)
    #expect(resource.freshUntil == (method == .get ? stated : .seconds(30)))
  }

  @Test("So do its limits, also for the response to the last request of a chain")
  @MainActor func limits() async throws {
    let fixture = ServiceFixture { $0.responseFreshness = .init(maximum: .seconds(100)) }
    fixture.service.configure(methods: [.put]) {
      $0.responseFreshness = .init(maximum: .seconds(10))
    }
    fixture.stub.on(.put, "/a", .text("saved", headers: ["Cache-Control": "max-age=3600"]))
    let resource = fixture.text("a")
    _ = try await resource.load(using: resource.request(.put)).value()
    #expect(resource.freshUntil == .seconds(100))
    fixture.clock.advance(by: .seconds(1))
    let other = fixture.text("b")
    fixture.stub.on(.put, "/b", .text("saved", headers: ["Cache-Control": "max-age=3600"]))
    let chain = other.request(.put).then { _ in other.request(.put) }
    _ = try await resource.load(using: chain).value()
    #expect(resource.freshUntil == .seconds(101))
  }

  @Test(
    "What the target of a redirect states is limited, and what varies by a decoration is stale",
    arguments: [true, false])
  @MainActor func doubtfulStatement(isRedirected: Bool) async throws {
    let fixture = ServiceFixture()
    fixture.service.configure(methods: [.get]) { $0.responseFreshness = .init() }
    let headers: HTTPHeaders = [
      "Content-Type": "text/plain", "Cache-Control": "max-age=3600", "Vary": "X-Part",
    ]
    let url = try #require(URL(string: "https://api.test/\(isRedirected ? "b" : "a")"))
    fixture.stub.on(
      .put, "/a",
      .response(
        HTTPResponse(status: 200, headers: headers, body: Data("saved".utf8), url: url)))
    if !isRedirected {
      fixture.service.configure(methods: [.put]) {
        $0.decorate { request in
          var request = request
          request.headers["X-Part"] = "1"
          return request
        }
      }
    }
    let resource = fixture.text("a")
    _ = try await resource.load(using: resource.request(.put)).value()
    #expect(resource.content == "saved")
    #expect(resource.freshUntil == (isRedirected ? .seconds(30) : .zero))
  }

  @Test("What varies by a field that no decoration sets is fresh as it states, by its own status")
  @MainActor func otherField() async throws {
    let fixture = ServiceFixture()
    fixture.service.configure(methods: [.get]) { $0.responseFreshness = .init() }
    fixture.service.configure(methods: [.put]) {
      $0.decorate { request in
        var request = request
        request.headers["X-Part"] = "1"
        return request
      }
    }
    for (status, control, lifetime) in [
      (200, "max-age=3600", Duration.seconds(3600)),
      // Understood, or not to be stored.
      (200, "must-understand, no-store, max-age=60", .seconds(60)),
      (201, "must-understand, no-store, max-age=60", .zero),
    ] {
      let path = "\(status)\(control.count)"
      fixture.stub.on(
        .put, "/\(path)",
        .text(
          "saved", status: status, headers: ["Cache-Control": control, "Vary": "Accept-Encoding"]))
      let resource = fixture.text(path)
      _ = try await resource.load(using: resource.request(.put)).value()
      #expect(resource.freshUntil == lifetime)
    }
  }

  @Test("A response is as old as it is when it is adopted", arguments: StoreActor.allCases)
  func ageOfResponse(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (fixture, resource) = Self.put(.text("saved"))
      let request = resource.request(.put)
      _ = try await request.value()
      fixture.clock.advance(by: .seconds(20))
      resource.load(using: request)
      #expect(resource.isUpToDate)
      fixture.clock.advance(by: .seconds(10))
      #expect(!resource.isUpToDate)
    }
  }

  @Test(
    "The response replaces the entry of the persistent cache, where it may be stored",
    arguments: [false, true], StoreActor.allCases)
  func persistentEntry(mayBeStored: Bool, actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(.get, "/a", .text("old"))
      fixture.stub.on(
        .put, "/a",
        .text("saved", headers: mayBeStored ? [:] : ["Cache-Control": "no-store"]))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      _ = try await resource.load(using: resource.request(.put)).value()
      // Writes are made in order: with this one, those before have been made.
      fixture.text("b").wipe()
      await cache.written(fixture.text("b").key)
      #expect(await cache.text(of: resource.key) == (mayBeStored ? "saved" : nil))
    }
  }

  @Test(
    "So does the response to the last request of a chain", arguments: [false, true],
    StoreActor.allCases)
  func chainedEntry(recovers: Bool, actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(.get, "/a", .text("old"), .text("saved"))
      fixture.stub.on(.put, "/a", recovers ? .text("saved") : .text("done"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let put = resource.request(.put)
      let chain =
        recovers ? put.recovering { _ in nil } : put.then { _ in resource.request(.get) }
      _ = try await resource.load(using: chain).value()
      #expect(resource.content == "saved")
      fixture.text("b").wipe()
      await cache.written(fixture.text("b").key)
      #expect(await cache.text(of: resource.key) == "saved")
    }
  }

  @Test(
    "A response that another decoder has read removes the entry of the persistent cache",
    arguments: StoreActor.allCases)
  func otherDecoder(actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(.get, "/a", .text("old"))
      fixture.stub.on(.put, "/a", .text("<saved>"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let decoder = ContentDecoder<String>("unwrapping") { _ in "saved" }
      _ = try await resource.load(using: resource.request(.put, decoder: decoder)).value()
      #expect(resource.content == "saved")
      fixture.text("b").wipe()
      await cache.written(fixture.text("b").key)
      #expect(await cache.text(of: resource.key) == nil)
    }
  }

  @Test(
    "A response that its own configuration keeps out of the cache removes the entry",
    arguments: [false, true], StoreActor.allCases)
  func withoutCache(isOtherService: Bool, actor: StoreActor) async throws {
    try await actor.run { actor in
      let cache = HeldCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.service.configure(methods: [.put]) { $0.cache = nil }
      let other = Service(
        baseURL: "https://api.test", transport: fixture.stub, clock: fixture.clock,
        isolation: actor)
      fixture.stub.on(.put, "/a", .text("saved"))
      let resource = fixture.text("a")
      await cache.put(.text("kept", age: 60, fixture.clock), for: resource.key)
      let service = isOtherService ? other : fixture.service
      let put = service.resource("a", of: String.self).request(.put)
      _ = try await resource.load(using: put).value()
      await cache.written(resource.key)
      #expect(resource.content == "saved")
      #expect(await cache.text(of: resource.key) == nil)
    }
  }

  @Test("A load of the resource itself is one load", arguments: StoreActor.allCases)
  func ownLoad(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let load = resource.load()
      #expect(resource.load(using: load) === load)
      _ = try await load.value()
      #expect(recorder.events == [.requested, .newData(.network)])
      #expect(!resource.isLoading)
    }
  }
}
