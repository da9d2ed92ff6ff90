import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What is loaded again by itself", .standardTimeLimit)
struct ReloadQueueTests {
  /// A service whose responses are `[1]`, at once or when the test releases them.
  private struct Fixture {
    let requests: HeldRequests
    let isHeld: Locked<Bool>
    let stub: StubTransport
    let clock = ManualClock()
    var service: Service?

    init(
      isolation: isolated any Actor = #isolation,
      _ change: @escaping (inout Service.Configuration) -> Void = { _ in }
    ) {
      let response: @Sendable (HTTPRequest) -> HTTPResponse = {
        HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"], body: Data("[1]".utf8),
          url: $0.url)
      }
      let (requests, isHeld) = (HeldRequests(for: response), Locked(false))
      (self.requests, self.isHeld) = (requests, isHeld)
      stub = StubTransport { request in
        isHeld.withLock { $0 } ? try await requests.respond(to: request) : response(request)
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: isolation)
      service.configure { change(&$0) }
      self.service = service
    }

    func hold() { isHeld.withLock { $0 = true } }
  }

  @Test(
    "At most four at once, after an invalidation and by triggers", arguments: StoreActor.allCases)
  func limit(actor: StoreActor) async throws {
    try await actor.run { _ in
      let fixture = Fixture()
      let service = try #require(fixture.service)
      let resources = (1...12).map { service.resource("\($0)", of: [Int].self) }
      let lists = (1...4).map { service.pages("list/\($0)", of: Int.self) }
      let paginator = service.paginator("numbered?page=:currentPage", of: Int.self)
      for resource in resources { await resource.load().completed() }
      for list in lists {
        list.loadAll()
        await list.settled()
      }
      try paginator.loadPage(1)
      await paginator.settled()
      var tokens = resources.map { $0.observe { _, _ in } }
      tokens += lists.map { $0.observe { _, _ in } }
      tokens.append(paginator.observe { _, _ in })
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let (others, other) = AsyncStream<Void>.makeStream()
      tokens.append(service.loadIfNeeded(on: .elements(of: stream), .elements(of: others)))
      let count = fixture.stub.requests.count
      fixture.hold()
      service.invalidate()
      continuation.yield()
      other.yield()
      var random = SeededGenerator(seed: 1)
      for ended in 0..<17 {
        #expect(await fixture.requests.exactCount(from: service) <= 4)
        service.store.checkInvariants()
        #expect(await soon { fixture.requests.count == min(4, 17 - ended) })
        fixture.requests.release(&random)
      }
      #expect(await soon { service.loadingCount == 0 && resources.allSatisfy(\.isUpToDate) })
      #expect(fixture.stub.requests.count == count + 17, "each once")
      withExtendedLifetime(tokens) {}
    }
  }

  @Test(
    "A load that nothing observes any more is cancelled where that is wanted",
    arguments: StoreActor.allCases, [false, true])
  func unobserved(actor: StoreActor, byTrigger: Bool) async throws {
    try await actor.run { _ in
      let fixture = Fixture { $0.cancelsUnobservedLoads = true }
      let service = try #require(fixture.service)
      let resources = (1...5).map { service.resource("\($0)", of: [Int].self) }
      for resource in resources { await resource.load().completed() }
      var tokens = resources.map { $0.observe { _, _ in } }
      fixture.hold()
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = service.loadIfNeeded(on: .elements(of: stream))
      if byTrigger {
        fixture.clock.advance(by: .seconds(3600))
        continuation.yield()
      } else {
        service.invalidate()
      }
      #expect(await soon { fixture.requests.count == 4 })
      let waiting = try #require(resources.firstIndex { !$0.isLoading })
      let left = tokens.remove(at: waiting)
      for token in tokens { token.cancel() }
      #expect(await soon { fixture.requests.count == 1 })
      #expect(resources.map(\.isLoading) == (0...4).map { $0 == waiting }, "its turn has come")
      left.cancel()
      #expect(await soon { fixture.requests.count == 0 && service.loadingCount == 0 })
      withExtendedLifetime(token) {}
    }
  }

  @Test(
    "What is invalidated again and again takes one place, and is loaded once more",
    arguments: StoreActor.allCases, [false, true])
  func again(actor: StoreActor, isList: Bool) async throws {
    try await actor.run { _ in
      let fixture = Fixture()
      let service = try #require(fixture.service)
      let resource = service.resource("often", of: [Int].self)
      let list = service.pages("list", of: Int.self)
      let other = service.resource("other", of: [Int].self)
      for resource in [resource, other] { await resource.load().completed() }
      list.loadAll()
      await list.settled()
      let tokens = [
        resource.observe { _, _ in }, list.observe { _, _ in }, other.observe { _, _ in },
      ]
      fixture.hold()
      let count = fixture.stub.requests.count
      let pattern = isList ? "list" : "often"
      for _ in 1...6 { service.invalidate(matching: pattern) }
      #expect(await soon { fixture.requests.count == 1 })
      for _ in 1...6 { service.invalidate(matching: pattern) }
      service.invalidate(matching: "other")
      #expect(await soon { fixture.requests.count == 2 })
      var random = SeededGenerator(seed: 1)
      #expect(
        await soon {
          fixture.requests.release(&random)
          return service.loadingCount == 0 && resource.isUpToDate && other.isUpToDate
        })
      #expect(fixture.stub.requests.count == count + 3)
      withExtendedLifetime(tokens) {}
    }
  }

  /// What ends a load before its request.
  enum EarlyEnd: CaseIterable, Sendable {
    case newerLoad, cancelledAdoption
  }

  @Test(
    "A load leaves its place when it ends, though its request is under way for longer",
    arguments: StoreActor.allCases, EarlyEnd.allCases)
  func endedBeforeRequest(actor: StoreActor, end: EarlyEnd) async throws {
    try await actor.run { _ in
      let fixture = ServiceFixture()
      let resources = (0..<5).map { fixture.text("\($0)") }
      fixture.stub.on(where: { _ in true }) { .text($0.url.path) }
      for resource in resources { await resource.load().completed() }
      let first = try #require(resources.first)
      let method: HTTPMethod = end == .newerLoad ? .get : .put
      let gates = (0..<5).map {
        fixture.stub.hold($0 == 0 ? method : .get, "/\($0)", ignoringCancellation: true)
      }
      if end == .cancelledAdoption { first.load(using: first.request(.put)) }
      let tokens = resources.map { $0.observe { _, _ in } }
      for resource in resources { resource.invalidate() }
      for gate in gates[..<4] { await gate.arrived() }
      #expect(!resources[4].isLoading)
      switch end {
      case .newerLoad: await first.load().completed()
      case .cancelledAdoption: first.cancelLoad()
      }
      #expect(!first.isLoading && resources[4].isLoading)
      fixture.service.store.checkInvariants()
      for gate in gates { gate.release(with: .text("late")) }
      for resource in resources { await resource.settled() }
      #expect(first.content == "/0")
      withExtendedLifetime(tokens) {}
    }
  }

  @Test(
    "A load that is released without an end leaves its place, also to what waits for one",
    arguments: StoreActor.allCases, [false, true])
  func released(actor: StoreActor, isWaiting: Bool) async throws {
    try await actor.run { _ in
      var fixture = Fixture()
      let stub = fixture.stub
      var resources = try (1...5).map {
        try #require(fixture.service).resource("\($0)", of: [Int].self)
      }
      for resource in resources { await resource.load().completed() }
      fixture.hold()
      let last = resources.removeLast()
      let owner = Owner()
      for resource in resources + [last] { resource.addObserver(owner: owner) { _, _ in } }
      for resource in resources { resource.invalidate() }
      if isWaiting { last.invalidate() }
      #expect(await soon { fixture.requests.count == 4 })
      #expect(!last.isLoading)
      // What is held works without the service; nothing holds these loads any more.
      fixture.service = nil
      resources = []
      if !isWaiting {
        #expect(await soon { fixture.requests.count == 0 })
        last.invalidate()
      }
      #expect(await soon { last.isLoading && stub.requests.count == 10 })
      withExtendedLifetime(owner) {}
    }
  }
}
