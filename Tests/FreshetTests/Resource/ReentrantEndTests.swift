import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What is released may come back to the store that released it", .standardTimeLimit)
struct ReentrantEndTests {
  /// Begins a load of the resource from a request of another service that nothing else holds.
  ///
  /// - Parameter atEnd: called when a hook of that request is released.
  private static func load(
    _ resource: Resource<String>, clock: ManualClock, isolation: isolated any Actor = #isolation,
    atEnd: @escaping () -> Void
  ) async {
    let probe = DeinitProbe(onDeinit: atEnd)
    let stub = StubTransport()
    let gate = stub.hold(.get, "/x")
    let other = Service(
      baseURL: "https://other.test", transport: stub, clock: clock, isolation: #isolation)
    let request = other.resource("x", of: String.self).request(.get)
    request.onCompletion { _ in _ = probe }
    resource.load(using: request)
    await gate.arrived()
  }

  /// Something that a layer above keeps at a resource.
  private final class Attachment: ResourceAttachment {
    private let probe: DeinitProbe

    init(atEnd: @escaping () -> Void) { probe = DeinitProbe(onDeinit: atEnd) }
  }

  @Test("What is attached to a resource, when another one replaces it")
  func attachment() async {
    await #expect(processExitsWith: .success) {
      await StoreActor.plainActor.run { _ in
        let resource = ServiceFixture().text("a")
        var last: Attachment? = Attachment {}
        resource.attach(
          Attachment { [unowned resource] in
            if let attached = last.take() { resource.attach(attached) }
          })
        resource.attach(Attachment {})
        precondition(last == nil && resource.attachment != nil)
      }
    }
  }

  @Test("A state that is read or changed while it is being changed stops the program")
  func stateIsChanging() async {
    await #expect(processExitsWith: .failure) {
      await StoreActor.plainActor.run { _ in
        let resource = ServiceFixture().text("a")
        resource.decide { _ in _ = resource.isLoading }
      }
    }
    await #expect(processExitsWith: .failure) {
      await StoreActor.plainActor.run { _ in
        let resource = ServiceFixture().text("a")
        resource.decide { _ in resource.invalidate() }
      }
    }
    await #expect(processExitsWith: .failure) {
      await StoreActor.plainActor.run { _ in
        let resource = ServiceFixture().text("a")
        resource.decide { _ in _ = resource.acceptedContent }
      }
    }
  }

  @Test(
    "The request of another service, when its load is superseded", arguments: StoreActor.allCases)
  func adoptedRequest(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      var ended = 0
      await Self.load(resource, clock: fixture.clock) { [unowned resource] in
        ended += 1
        _ = fixture.stub.hold(.get, "/a")
        resource.load()
      }
      #expect(ended == 0)
      _ = try await resource.load().value()
      #expect(ended == 1)
      #expect(resource.isLoading, "That of the hook that was released")
      resource.cancelLoad()
    }
  }

  @Test(
    "The request of another service, when the load is cancelled", arguments: StoreActor.allCases)
  func cancelledLoad(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let resource = fixture.text("a")
      var ended = 0
      await Self.load(resource, clock: fixture.clock) { [unowned resource] in
        ended += 1
        resource.load()
      }
      resource.cancelLoad()
      #expect(ended == 1)
      resource.cancelLoad()
    }
  }

  @Test(
    "The error of a page that a paginator has, once that page is wiped",
    arguments: StoreActor.allCases)
  func paginatorError(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      fixture.service.configure { $0.decodeErrors { _ in ProbedContent(DeinitProbe {}) } }
      fixture.server.change { server in
        server.failing = [2]
        server.failure = .text("no", status: 500)
      }
      // Not that of the fixture, whose state is read: what is tracked has the error too.
      let articles = fixture.service.paginator(
        "articles?per_page=:perPage&page=:currentPage", of: Int.self,
        mapping: PaginatorFixture.mapping)
      try articles.loadPage(2)
      await articles.settled()
      var looks = 0
      do {
        let body = articles.table.failure?.error.decodedBody as? ProbedContent
        try #require(body).probe.onDeinit = { [unowned articles] in
          looks += 1
          _ = articles.latestError
        }
      }
      articles.page(2).wipe()
      #expect(looks == 1)
    }
  }

  /// A value in a configuration that reads the configuration again when it is deallocated.
  private final class Ending: @unchecked Sendable {
    weak var resource: Resource<String>?
    private(set) var count = 0

    /// A service whose configuration holds it, and a resource of that.
    func service(
      isolation: isolated any Actor = #isolation
    ) -> (service: Service, resource: Resource<String>) {
      let service = Service(
        baseURL: "https://api.test", transport: StubTransport(), clock: ManualClock(),
        isolation: #isolation)
      service.configure { [unowned self] in $0.log = logger() }
      return (service, service.resource("a", of: String.self))
    }

    private func logger() -> @Sendable (Service.LogEntry) -> Void {
      let content = ProbedContent(
        DeinitProbe { [unowned self] in
          count += 1
          _ = resource?.configuration
        })
      return { _ in _ = content }
    }
  }

  @Test(
    "A configuration that a resource has, when it asks for the newer one",
    arguments: StoreActor.allCases)
  func knownConfiguration(actor: StoreActor) async {
    await actor.run { actor in
      let ending = Ending()
      let (service, resource) = ending.service()
      _ = resource.configuration
      ending.resource = resource
      service.reapplyConfiguration()
      _ = resource.configuration
      #expect(ending.count >= 2)
      ending.resource = nil
    }
  }

  @Test(
    "A configuration that only the service has, when the rules change",
    arguments: StoreActor.allCases)
  func unusedConfiguration(actor: StoreActor) async {
    await actor.run { actor in
      let ending = Ending()
      let (service, resource) = ending.service()
      _ = service.store.configuration(.post, "https://api.test/a")
      ending.resource = resource
      let before = ending.count
      service.reapplyConfiguration()
      #expect(ending.count > before)
      ending.resource = nil
    }
  }

  /// A service with content that calls back when it is released.
  private static func fixture(
    _ isolation: isolated any Actor = #isolation
  ) -> (service: Service, stub: StubTransport) {
    let stub = StubTransport()
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(),
      limits: Service.RetentionLimits(resourceCount: 0), isolation: #isolation)
    service.configure {
      $0.responseFreshness = .init()
      $0.decodeErrors { _ in ProbedContent(DeinitProbe {}) }
    }
    return (service, stub)
  }

  @Test("The content of a mutation, when another change begins", arguments: StoreActor.allCases)
  func mutation(actor: StoreActor) async {
    await actor.run { actor in
      let (service, stub) = Self.fixture()
      stub.on(.put, "/a", .text("one"), .text("two"))
      let change = Mutation<ProbedContent>()
      var looks = 0
      func begin() -> Request<ProbedContent> {
        let resource: Resource<String> = service.resource("a")
        return change.begin(resource.request(.put, decoder: ProbedContent.decoder))
      }
      await begin().completed()
      change.content?.probe.onDeinit = { [unowned change] in
        looks += 1
        _ = change.latestError
      }
      await begin().completed()
      #expect(looks == 1)
    }
  }

  @Test(
    "An error that a wipe within a delivery replaces, after the event of that",
    arguments: StoreActor.allCases)
  func replacedError(actor: StoreActor) async {
    await actor.run { actor in
      let (service, stub) = Self.fixture()
      stub.on(.get, "/a", .json("{}", status: 500))
      let resource: Resource<String> = service.resource("a")
      let other: Resource<String> = service.resource("b")
      await resource.load().completed()
      (resource.state.error?.decodedBody as? ProbedContent)?.probe.onDeinit = {
        [unowned resource] in resource.load()
      }
      _ = stub.hold(.get, "/a")
      let recorder = EventRecorder()
      resource.addObserver(recorder)
      recorder.drain()
      let token = other.observe { _, event in if event == .invalidated { resource.wipe() } }
      other.invalidate()
      #expect(recorder.events == [.newData(.wipe), .requested])
      #expect(recorder.entries.map(\.isLoading) == [false, true])
      token.cancel()
    }
  }

  @Test(
    "An error that a view has read, when the next load succeeds", arguments: StoreActor.allCases)
  func trackedError(actor: StoreActor) async {
    await actor.run { actor in
      let (service, stub) = Self.fixture()
      stub.on(.get, "/a", .json("{}", status: 500), .text("one"))
      let resource: Resource<String> = service.resource("a")
      await resource.load().completed()
      var looks = 0
      // Not read as a view does, which tracks it.
      (resource.state.error?.decodedBody as? ProbedContent)?.probe.onDeinit = {
        [unowned resource] in
        looks += 1
        _ = resource.isLoading
      }
      _ = resource.isLoading
      await resource.load().completed()
      _ = resource.isLoading
      #expect(looks == 1 && resource.content == "one")
    }
  }

  @Test(
    "A resource that only its request holds, when that succeeds", arguments: StoreActor.allCases)
  func invalidatedResource(actor: StoreActor) async {
    await actor.run { actor in
      let (service, stub) = Self.fixture()
      let gate = stub.hold(.put, "/a")
      var (ended, request): (Bool, Request<NoContent>?) = (false, nil)
      do {
        let resource = service.resource("a", decoder: ProbedContent.decoder)
        resource.overrideLocalContent(
          ProbedContent(
            DeinitProbe {
              ended = true
              request?.cancel()
            }))
        request = resource.request(.put, as: NoContent.self)
        let other: Resource<String> = service.resource("b")
        _ = other
      }
      #expect(!ended)
      gate.release(with: .status(200))
      #expect(await (try? request?.value()) != nil)
      #expect(ended)
      request = nil
    }
  }

  @Test(
    "A resource that only its request holds, when that is cancelled: hooks keep their order",
    arguments: StoreActor.allCases)
  func resourceOfCancelledRequest(actor: StoreActor) async {
    await actor.run { actor in
      let (service, stub) = Self.fixture()
      _ = stub.hold(.put, "/a")
      var (log, request): ([String], Request<NoContent>?) = ([], nil)
      do {
        let resource = service.resource("a", decoder: ProbedContent.decoder)
        resource.overrideLocalContent(
          ProbedContent(
            DeinitProbe {
              log.append("end")
              request?.onCompletion { _ in log.append("second") }
            }))
        request = resource.request(.put, as: NoContent.self)
        let other: Resource<String> = service.resource("b")
        _ = other
      }
      request?.onCompletion { _ in log.append("first") }
      request?.cancel()
      #expect(log == ["end", "first", "second"])
      request = nil
    }
  }
}
