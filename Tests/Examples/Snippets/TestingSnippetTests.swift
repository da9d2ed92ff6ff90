import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about testing", .standardTimeLimit)
@MainActor
struct TestingSnippetTests {
  struct Profile: Codable, Sendable { let name: String }
  struct Gauge: Decodable, Identifiable, Equatable, Sendable { let id: Int }

  // snippet
  @Test("A profile is loaded once, however often it is asked for")
  @MainActor
  func profile() async throws {
    let stub = StubTransport()
    stub.on(.get, "/profile", .json(#"{"name": "Ada"}"#))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    let profile = service.resource("profile", of: Profile.self)

    #expect(try await profile.freshContent().name == "Ada")
    #expect(try await profile.freshContent().name == "Ada")
    #expect(stub.count(.get, "/profile") == 1)
    #expect(stub.unexpected.isEmpty)
  }
  // end

  @Test("A gate holds a request, and a recorder has its events")
  func gateAndRecorder() async throws {
    let stub = StubTransport()
    stub.on(.get, "/profile", .json(#"{"name": "Ada"}"#))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    do {
      let profile = service.resource("profile", of: Profile.self)
      // snippet
      let recorder = EventRecorder()
      profile.addObserver(recorder)
      try await profile.reload()
      #expect(recorder.events == [.observerAdded, .requested, .newData(.network)])
      // end
    }
    let profile = service.resource("profile", of: Profile.self)
    // snippet
    let gate = stub.hold(.get, "/profile")
    profile.load()
    await gate.arrived()
    #expect(profile.isLoading)
    gate.release(with: .json(#"{"name": "Grace"}"#))
    // end
    #expect(try await profile.freshContent().name == "Grace")
  }

  @Test("Content is encoded, and so are the pages of a list")
  func encoded() async throws {
    let stub = StubTransport()
    // snippet
    stub.on(.get, "/profile", .json(encoding: Profile(name: "Ada")))
    stub.onPages("/profiles", [[Profile(name: "Ada")], [Profile(name: "Grace")]])
    // end
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    #expect(try await service.resource("profile", of: Profile.self).freshContent().name == "Ada")
    let profiles = service.pages("profiles", of: Profile.self)
    profiles.loadAll()
    await profiles.settled()
    #expect(profiles.items.map(\.name) == ["Ada", "Grace"])
    #expect(profiles.state == .ended)
  }

  @Test("A list shows what a cache has where there is no network")
  func cached() async {
    // snippet
    let (stub, cache) = (StubTransport(), MemoryCache())
    stub.onPages("/profiles", [[Profile(name: "Ada")], [Profile(name: "Grace")]])
    let earlier = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    earlier.configure { $0.cache = cache }
    let loaded = earlier.pages("profiles", of: Profile.self)
    loaded.loadAll()
    await loaded.settled()
    await earlier.flushCache()

    let later = ManualClock(date: ManualClock.startDate + 3_600)
    let offline = StubTransport { _ in throw TransportError(.unreachable, "No network.") }
    let service = Service(baseURL: "https://api.test", transport: offline, clock: later)
    service.configure { $0.cache = cache }
    let profiles = service.pages("profiles", of: Profile.self)
    profiles.loadAll()
    await profiles.settled()
    #expect(profiles.items.map(\.name) == ["Ada", "Grace"])
    // end
    guard case .failed(let error, _) = profiles.state else {
      Issue.record("\(profiles.state)")
      return
    }
    #expect(error.kind == .unreachable)
    cache.isBroken = true
    await #expect(throws: (any Error).self) { try await cache.removeAll() }
  }

  @Test("The demo API serves a list, and edits of it")
  func demo() async {
    // snippet
    let demo = DemoAPI(itemCount: 90, perPage: 20)
    let service = Service(
      baseURL: "https://api.test", transport: StubTransport { demo.respond(to: $0) },
      clock: ManualClock())
    let gauges = service.pages("items", of: Gauge.self)
    gauges.loadAll()
    await gauges.settled()
    demo.insert(at: 0)
    await gauges.refreshAndWait()
    #expect(gauges.items.map(\.id) == demo.ids)
    // end
  }

  @MainActor
  private final class Model {
    private let profile: Resource<Profile>
    private(set) var name: String?

    init(_ service: Service) { profile = service.resource("profile", of: Profile.self) }

    func appear() { Task { name = try? await profile.freshContent().name } }
  }

  @Test("A view model has loaded once its clock is settled")
  func settled() async {
    let (stub, clock) = (StubTransport(), ManualClock())
    stub.on(.get, "/profile", .json(#"{"name": "Ada"}"#))
    let model = Model(Service(baseURL: "https://api.test", transport: stub, clock: clock))
    // snippet
    model.appear()  // begins a task that loads
    await clock.settled()
    #expect(model.name == "Ada")
    // end
  }

  // MARK: Time

  @Test("Content becomes stale, and a server asks to wait")
  func waits() async throws {
    // snippet
    let (stub, clock) = (StubTransport(), ManualClock())
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    // end
    do {
      // snippet
      stub.on(.get, "/news", .text("one"), .text("two"))
      let news = service.resource("news", of: String.self)
      #expect(try await news.freshContent() == "one")
      clock.advance(by: .seconds(29))
      #expect(try await news.freshContent() == "one")
      clock.advance(by: .seconds(1))
      #expect(try await news.freshContent() == "two")
      // end
    }
  }

  @Test("A request waits for a Retry-After")
  func retryAfter() async throws {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    // snippet
    service.configure { $0.retryPolicy = .standard }
    stub.on(.get, "/busy", .status(503, headers: ["Retry-After": "7"]), .text("done"))
    let load = service.resource("busy", of: String.self).load()
    await clock.advanceToNextTimer()
    #expect(clock.now == .seconds(7))
    #expect(try await load.value() == "done")
    // end
  }

  @Test("A request makes three attempts")
  func attempts() async throws {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    // snippet
    service.configure { $0.retryPolicy = .standard }
    stub.on(.get, "/down", .status(503))
    let load = service.resource("down", of: String.self).load()
    try await clock.run(until: { load.isCompleted })
    #expect(stub.count(.get, "/down") == 3)
    // end
  }

  @Test("A request that gets no response runs into its timeout")
  func timeout() async {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    // snippet
    let gate = stub.hold(.get, "/slow")
    let slow = service.resource("slow", of: String.self)
    let load = slow.load()
    await gate.arrived()
    await clock.advanceToNextDeadline()
    await load.completed()
    #expect(slow.latestError?.kind == .timeout)
    #expect(clock.now == .seconds(30))
    // end
  }

  @Test("A connection that breaks is retried")
  func connectionLost() async throws {
    let (stub, clock) = (StubTransport(), ManualClock())
    let service = Service(baseURL: "https://api.test", transport: stub, clock: clock)
    // snippet
    service.configure { $0.retryPolicy = .standard }
    stub.on(.get, "/flaky", .failure(.connectionLost), .text("done"))
    let load = service.resource("flaky", of: String.self).load()
    try await clock.run(until: { load.isCompleted })
    #expect(try await load.value() == "done")
    // end
  }
}
