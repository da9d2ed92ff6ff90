import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Chains of requests", .standardTimeLimit)
struct RequestChainingTests {
  @Test("A success continues with the next request", arguments: StoreActor.allCases)
  func then(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.post, "/login", .text("token"))
      fixture.stub.on(.get, "/a", .text("one"))
      let (login, resource) = (fixture.text("login"), fixture.text("a"))
      var log: [String] = []
      let chain = login.request(.post).then { entity in
        log.append(entity.content)
        return resource.load()
      }
      chain.onProgress { log.append($0 == 1 ? "all" : "half") }
      chain.onCompletion { _ in log.append("completion") }
      let content = try await chain.value()
      #expect(content == "one")
      #expect(log == ["token", "half", "all", "completion"])
    }
  }

  @Test("A failure passes by, and the next request is never made", arguments: StoreActor.allCases)
  func failurePasses(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.post, "/login", .status(403))
      let resource = fixture.text("a")
      let chain = fixture.text("login").request(.post).then { _ in resource.load() }
      #expect(await chain.failure()?.kind == .http)
      #expect(!resource.isLoading)
    }
  }

  @Test(
    "A failure may be recovered, a success and a cancellation pass by",
    arguments: StoreActor.allCases)
  func recovering(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .status(500), .text("fine"), .status(500))
      fixture.stub.on(.get, "/b", .text("fallback"))
      let (a, b) = (fixture.text("a"), fixture.text("b"))
      var calls = 0
      let make = {
        a.request(.get).recovering { error in
          calls += 1
          return error.status == 500 && calls < 2 ? b.request(.get) : nil
        }
      }
      let recovered = try await make().value()
      #expect(recovered == "fallback")
      let fine = try await make().value()
      #expect(fine == "fine")
      #expect(calls == 1)
      #expect(await make().failure()?.kind == .http, "Nil keeps the failure")
      let cancelled = make()
      cancelled.cancel()
      #expect(await cancelled.failure()?.kind == .cancelled)
      #expect(calls == 2)
    }
  }

  @Test("Cancelling a chain cancels whatever is under way", arguments: StoreActor.allCases)
  func cancelReaches(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      let first = fixture.text("a").request(.get)
      first.then { _ in fixture.text("b").request(.get) }.cancel()
      #expect(first.isCompleted)

      fixture.stub.on(.get, "/a", .text("one"))
      let gate = fixture.stub.hold(.get, "/b")
      var second: Request<String>?
      let chain = fixture.text("a").request(.get).then { _ in
        let request = fixture.text("b").request(.get)
        second = request
        return request
      }
      await gate.arrived()
      chain.cancel()
      #expect(second?.isCompleted == true)
      await gate.cancelled()
    }
  }

  @Test("A request that continues with itself 50,000 times can be cancelled")
  func longChain() async {
    await #expect(processExitsWith: .success) {
      await StoreActor.mainActor.run { _ in
        let fixture = ServiceFixture()
        let chain = Self.longChain(in: fixture)
        chain.request.cancel()
        precondition(chain.last.isCompleted && chain.request.isCompleted)
        fixture.service.store.scope.checkInvariants()
      }
    }
  }

  @Test("A token fetch can wait for a request that continues with itself 50,000 times")
  func longAwaitedChain() async {
    await #expect(processExitsWith: .success) {
      await StoreActor.mainActor.run { _ in
        let chain = Self.longChain(in: ServiceFixture())
        let fetch = TokenFetch()
        TokenFetch.$current.withValue([fetch]) { _ = chain.request.onFailure { _ in } }
        precondition(chain.last.fetches.contains { $0 === fetch })
        chain.request.cancel()
      }
    }
  }

  /// A request that continues with itself 50,000 times, and the last of these, which is under way.
  private static func longChain(
    in fixture: ServiceFixture, isolation: isolated any Actor = #isolation
  ) -> (request: Request<String>, last: Request<String>) {
    let scope = fixture.service.store.scope
    let failure = ResourceError(.http, "It is not ready.", timestamp: .now)
    let last = fixture.text("a").request(.get)
    var count = 0
    func poll() -> Request<String> {
      count += 1
      guard count < 50_000 else { return last }
      return Request.failed(failure, scope: scope).recovering { _ in poll() }
    }
    let request = poll()
    precondition(!last.isCompleted && !request.isCompleted)
    return (request, last)
  }

  @Test(
    "A chain that is cancelled while it is being made stops there", arguments: StoreActor.allCases)
  func cancelledWithin(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      var (chain, next): (Request<String>?, Request<String>?)
      chain = fixture.text("a").request(.get).then { _ in
        chain?.cancel()
        let request = fixture.text("b").request(.get)
        next = request
        return request
      }
      #expect(await chain?.failure()?.kind == .cancelled)
      #expect(next?.isCompleted == true)
    }
  }

  @Test(
    "A chain ends also when the service of what it waits for is deallocated",
    arguments: StoreActor.allCases)
  func otherServiceIsDeallocated(actor: StoreActor) async throws {
    try await actor.run { actor in
      for isFirst in [true, false] {
        let (fixture, stub) = (ServiceFixture(), StubTransport())
        fixture.stub.on(.get, "/a", .text("one"))
        let gate = stub.hold(.get, "/b")
        var other: Service? = Service(
          baseURL: "https://other.test", transport: stub, clock: ManualClock(),
          isolation: #isolation)
        let watched = Weak(other)
        let chain: Request<String>
        if isFirst {
          chain = try #require(other).resource("b", of: String.self).request(.get)
            .then { _ in fixture.text("a").request(.get) }
        } else {
          chain = fixture.text("a").request(.get)
            .then { [watched] _ in
              // Asked while it exists.
              guard let other = watched.object else { return fixture.text("gone").request(.get) }
              return other.resource("b", of: String.self).request(.get)
            }
        }
        await gate.arrived()
        other = nil
        #expect(watched.object == nil)
        try #require(!gate.isCancelled, "the request went with its service")
        gate.release(with: .text("two"))
        let content = try await chain.value()
        #expect(content == (isFirst ? "one" : "two"))
      }
    }
  }

  @Test("A chain may be repeated from the start", arguments: StoreActor.allCases)
  func repeated(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("1"), .text("2"))
      fixture.stub.on(.get, "/b", .text("b"))
      let chain = fixture.text("a").request(.get).then { _ in fixture.text("b").request(.get) }
      _ = try await chain.value()
      _ = try await chain.sendAgain().value()
      #expect(fixture.stub.requests.map(\.url.path) == ["/a", "/b", "/a", "/b"])
    }
  }
}
