import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Dropping things in the middle of anything", .standardTimeLimit)
struct ResourceLifetimeTests {
  /// Weak references to all that a load involves.
  private struct WeakReferences {
    weak var service: Service?
    weak var resource: Resource<String>?
    weak var request: Request<String>?
    weak var recorder: EventRecorder?

    var names: [String] {
      [
        service.map { _ in "service" }, resource.map { _ in "resource" },
        request.map { _ in "request" }, recorder.map { _ in "recorder" },
      ].compactMap(\.self)
    }
  }

  @Test(
    "Dropping the service with a held load leaves nothing and cancels it",
    arguments: StoreActor.allCases)
  func dropDuringLoad(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.get, "/a")
      var references = WeakReferences()
      do {
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        let resource = service.resource("a", of: String.self)
        let recorder = EventRecorder()
        // Weakly: what it recorded holds the resource.
        resource.addObserver(recorder)
        resource.addObserver(owner: service) { _, _ in }
        let request = resource.load().onCompletion { _ in Issue.record("It must not end") }
        request.onProgress { _ in }
        await gate.arrived()
        references = WeakReferences(
          service: service, resource: resource, request: request, recorder: recorder)
      }
      #expect(references.names == [])
      await gate.cancelled()
    }
  }

  @Test("The same with a transport that does not listen", arguments: StoreActor.allCases)
  func dropDuringDeafLoad(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.get, "/a", ignoringCancellation: true)
      var references = WeakReferences()
      do {
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        let resource = service.resource("a", of: String.self)
        references = WeakReferences(service: service, resource: resource, request: resource.load())
        await gate.arrived()
      }
      #expect(references.names == [])
      gate.release(with: .text("late"))
    }
  }

  @Test("A plain request and a chain go with the service", arguments: StoreActor.allCases)
  func dropDuringChain(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.post, "/a")
      var references = WeakReferences()
      weak var chain: Request<String>?
      do {
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        let resource = service.resource("a", of: String.self)
        let request = resource.request(.post)
        chain = request.then { _ in resource.load() }.recovering { _ in nil }
        resource.load(using: request)
        await gate.arrived()
        references = WeakReferences(service: service, resource: resource, request: request)
        // `then` holds what the program gave it: here the resource, which holds the store.
        request.cancel()
      }
      #expect(references.names == [])
      #expect(chain == nil)
    }
  }

  @Test("A resource that is held works on without its service", arguments: StoreActor.allCases)
  func resourceOutlivesService(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.get, "/a")
      var service: Service? = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let resource = try #require(service?.resource("a", of: String.self))
      let request = resource.load()
      await gate.arrived()
      service = nil
      gate.release(with: .text("one"))
      _ = try await request.value()
      #expect(resource.content == "one")
      #expect(service == nil)
    }
  }

  @Test("A request that is held ends without its store", arguments: StoreActor.allCases)
  func requestOutlivesStore(actor: StoreActor) async throws {
    try await actor.run { actor in
      let stub = StubTransport()
      let gate = stub.hold(.get, "/a")
      weak var resource: Resource<String>?
      let request: Request<String>
      do {
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
        let loaded = service.resource("a", of: String.self)
        resource = loaded
        request = loaded.load()
        await gate.arrived()
      }
      #expect(resource == nil)
      gate.release(with: .text("one"))
      let content = try await request.value()
      #expect(content == "one")
    }
  }

  @Test(
    "A request that is held keeps its deadline without its store", arguments: StoreActor.allCases)
  func deadlineOutlivesStore(actor: StoreActor) async {
    await actor.run { actor in
      let (stub, clock) = (StubTransport(), ManualClock())
      let gate = stub.hold(.get, "/a")
      let request: Request<String>
      do {
        let service = Service(
          baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
        service.configure { $0.timeout = .seconds(5) }
        request = service.resource("a", of: String.self).load()
        await gate.arrived()
        await clock.timers(atLeast: 1) { $0.purpose == .deadline }
      }
      #expect(clock.timers == [.init(end: .seconds(5), purpose: .deadline)])
      if clock.timers.isEmpty { gate.release(with: .text("nothing would ever end it")) }
      clock.advance(by: .seconds(5))
      #expect(await request.failure()?.kind == .timeout)
    }
  }

  @Test(
    "Dropping the service ends requests without an owner, although one of its resources is held",
    arguments: StoreActor.allCases)
  func dropWithHeldResource(actor: StoreActor) async throws {
    try await actor.run { actor in
      let (stub, clock) = (StubTransport(), ManualClock())
      let (gate, plain, held) = (
        stub.hold(.get, "/b"), stub.hold(.post, "/a"), stub.hold(.get, "/a")
      )
      var service: Service? = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      let resource = try #require(service?.resource("a", of: String.self))
      service?.resource("b", of: String.self).load()
      resource.request(.post)
      resource.load()
      for gate in [gate, plain, held] { await gate.arrived() }
      service = nil
      #expect(gate.isCancelled)
      #expect(plain.isCancelled)
      #expect(!held.isCancelled)
      held.release(with: .text("one"))
      _ = await resource.loadIfNeeded()?.completed()
      #expect(resource.content == "one")
    }
  }

  @Test(
    "A resource without its service sends requests without an owner", arguments: StoreActor.allCases
  )
  func sendingWithoutService(actor: StoreActor) async {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.post, "/a", .text("one"))
      let resource = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation
      ).resource("a", of: String.self)
      let (ends, end) = AsyncStream<Bool>.makeStream()
      for _ in 0..<2 {
        resource.request(.post).onCompletion { result in
          end.yield((try? result.get()) != nil)
        }
        var succeeded: Bool?
        for await each in ends {
          succeeded = each
          break
        }
        #expect(succeeded == true)
      }
    }
  }

  private actor Feed {
    private let stub: StubTransport
    private lazy var service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: self)

    init(_ stub: StubTransport) { self.stub = stub }

    func begin() { service.resource("a", of: String.self).load() }
  }

  @Test(
    "An actor that owns a service is not kept by its requests",
    arguments: [false, true])
  func owningActor(isDeaf: Bool) async {
    let stub = StubTransport()
    let gate = stub.hold(.get, "/a", ignoringCancellation: isDeaf)
    weak var feed: Feed?
    do {
      let made = Feed(stub)
      feed = made
      await made.begin()
      await gate.arrived()
    }
    await gate.cancelled()
    #expect(feed == nil)
    gate.release(with: .text("late"))
  }

  @Test("Everything may be dropped from within an event", arguments: StoreActor.allCases)
  func dropWithinEvent(actor: StoreActor) async {
    await actor.run { actor in
      final class App {
        var service: Service?
        var resource: Resource<String>?
        var recorder: EventRecorder?
      }
      let (stub, app) = (StubTransport(), App())
      stub.on(.get, "/a", .text("one"))
      app.service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      app.resource = app.service?.resource("a", of: String.self)
      app.recorder = EventRecorder()
      var received: [ResourceEvent] = []
      app.recorder?.onEvent = { [unowned app] _, event in
        received.append(event)
        guard event == .newData(.network) else { return }
        (app.service, app.resource, app.recorder) = (nil, nil, nil)
      }
      if let recorder = app.recorder { app.resource?.addObserver(recorder) }
      let request = app.resource?.load()
      let references = WeakReferences(
        service: app.service, resource: app.resource, recorder: app.recorder)
      await request?.completed()
      #expect(received == [.observerAdded, .requested, .newData(.network)])
      #expect(references.names == [])
    }
  }

  @Test("A finished load leaves only what is still held", arguments: StoreActor.allCases)
  func nothingStays(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      weak var request: Request<String>?
      weak var owner: Owner?
      do {
        let (load, captured) = (resource.load(), Owner())
        (request, owner) = (load, captured)
        _ = try await load.onSuccess { _ in _ = captured }.value()
      }
      #expect(request == nil)
      #expect(owner == nil)
    }
  }
}
