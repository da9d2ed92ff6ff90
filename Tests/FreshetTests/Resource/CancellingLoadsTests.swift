import Foundation
import Freshet
import Testing

@testable import FreshetTesting

@Suite("Cancelling loads, and invalidating", .standardTimeLimit)
struct CancellingLoadsTests {
  @Test(
    "Cancelling leaves the data and ends loading at once, with one event",
    arguments: StoreActor.allCases)
  func cancelLeavesData(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let gates = [fixture.stub.hold(.get, "/a"), fixture.stub.hold(.get, "/a")]
      let recorder = fixture.record(resource)
      let requests = [resource.load(), resource.load()]
      for gate in gates { await gate.arrived() }
      resource.cancelLoad()
      #expect(!resource.isLoading)
      #expect(recorder.events == [.requested, .requested, .requestCancelled])
      #expect(requests.allSatisfy { $0.isCompleted })
      #expect(await requests[0].failure()?.kind == .cancelled)
      for gate in gates { await gate.cancelled() }
      #expect(resource.content == "one")
      #expect(resource.latestError == nil)
      resource.cancelLoad()
      #expect(recorder.events.count == 3)
    }
  }

  @Test("A new load may begin in the turn of the cancellation", arguments: StoreActor.allCases)
  func newLoadInSameTurn(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a", ignoringCancellation: true)
      fixture.stub.on(.get, "/a", .text("new"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      resource.load()
      await gate.arrived()
      resource.cancelLoad()
      let request = try #require(resource.loadIfNeeded())
      #expect(resource.isLoading)
      _ = try await request.value()
      gate.release(with: .text("late"))
      #expect(resource.content == "new")
      #expect(
        recorder.events == [.requested, .requestCancelled, .requested, .newData(.network)])
    }
  }

  @Test("Cancelling the request of a load cancels that load only", arguments: StoreActor.allCases)
  func cancelOneRequest(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      let (first, second) = (resource.load(), resource.load())
      first.cancel()
      #expect(resource.isLoading)
      #expect(recorder.events == [.requested, .requested])
      second.cancel()
      #expect(!resource.isLoading)
      #expect(recorder.events == [.requested, .requested, .requestCancelled])
      first.cancel()
      second.cancel()
      #expect(recorder.events.count == 3)
    }
  }

  @Test(
    "A transport that ends in cancellation by itself is a cancelled load",
    arguments: StoreActor.allCases)
  func transportCancels(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .failure(.cancelled))
      let resource = fixture.text("a")
      let recorder = fixture.record(resource)
      #expect(await resource.load().failure()?.kind == .cancelled)
      #expect(recorder.events == [.requested, .requestCancelled])
      #expect(resource.latestError == nil)
    }
  }

  @Test("Invalidating keeps data and time, and notifies", arguments: StoreActor.allCases)
  func invalidateKeepsData(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture { $0.reloadsWhenInvalidated = false }
      fixture.stub.on(.get, "/a", .text("one"), .text("two"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      let recorder = fixture.record(resource)
      let time = resource.timestamp
      resource.invalidate()
      #expect(recorder.events == [.invalidated])
      #expect(resource.content == "one")
      #expect(resource.timestamp == time)
      #expect(!resource.isUpToDate)
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.isUpToDate)
    }
  }

  @Test("An invalidation survives a cancelled load", arguments: StoreActor.allCases)
  func invalidationSurvivesCancel(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      _ = try await resource.load().value()
      resource.invalidate()
      resource.load()
      resource.cancelLoad()
      #expect(!resource.isUpToDate)
      #expect(resource.loadIfNeeded() != nil)
    }
  }

  @Test(
    "An invalidation survives the load in flight and ends with the next",
    arguments: StoreActor.allCases)
  func invalidationSurvivesLoadInFlight(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let gate = fixture.stub.hold(.get, "/a")
      fixture.stub.on(.get, "/a", .text("new"))
      let resource = fixture.text("a")
      let request = resource.load()
      await gate.arrived()
      resource.invalidate()
      #expect(resource.loadIfNeeded() === request, "It may still be joined")
      gate.release(with: .text("old"))
      _ = try await request.value()
      #expect(resource.content == "old")
      #expect(!resource.isUpToDate)
      _ = try await #require(resource.loadIfNeeded()).value()
      #expect(resource.isUpToDate)
    }
  }

  @Test(
    "What is cancelled in the turn that has requested it is not sent",
    arguments: StoreActor.allCases)
  func cancelledBeforeItIsSent(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.post, "/a", .status(204))
      for _ in 0..<50 {
        let request = fixture.service.request(.post, "a")
        request.cancel()
        #expect(await request.failure()?.kind == .cancelled)
      }
      await fixture.clock.state.until { $0.work == 0 }
      #expect(fixture.stub.requests.isEmpty)
    }
  }

  /// How a load ends while its transport is sending.
  enum End: CaseIterable, Sendable {
    case cancellation, deadline
  }

  /// What the cancellation handler of a transport finds.
  @MainActor
  private final class Finding {
    var resource: Resource<String>?
    var isLoading: Bool?
    /// A load that the handler begins, where it does not join the one that ends.
    var request: Request<String>?

    nonisolated func look() {
      MainActor.assumeIsolated {
        guard isLoading == nil else { return }
        isLoading = resource?.isLoading
        request = resource?.loadIfNeeded()
      }
    }
  }

  @Test(
    "The handler of a transport that is cancelled finds the load ended, and may begin another",
    arguments: End.allCases)
  @MainActor
  func handlerOfTransport(end: End) async throws {
    let finding = Finding()
    let clock = ManualClock()
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let transport = StubTransport { request in
      await withTaskCancellationHandler {
        arrival.yield()
        for await _ in ends { return }
      } onCancel: {
        finding.look()
      }
      return HTTPResponse(status: 200, body: Data("new".utf8), to: request)
    }
    let service = Service(baseURL: "https://api.test", transport: transport, clock: clock)
    service.configure {
      $0.timeout = .seconds(5)
      $0.failureCooldown = .zero
    }
    let resource = service.resource("a", of: String.self)
    finding.resource = resource
    let request = resource.load()
    var iterator = arrivals.makeAsyncIterator()
    await iterator.next()
    switch end {
    case .cancellation: request.cancel()
    case .deadline: await clock.advanceToNextDeadline()
    }
    #expect(await request.failure()?.kind == (end == .deadline ? .timeout : .cancelled))
    #expect(finding.isLoading == false)
    let next = try #require(finding.request)
    #expect(next !== request)
    ended.finish()
    #expect(try await next.value() == "new")
  }

  /// Waits at its first call until it is cancelled, which cancels the request too.
  private struct CancellingAuthorizer: RequestAuthorizer {
    let finding: Finding
    let begins: AsyncStream<Void>.Continuation
    let hang: AsyncStream<Void>

    func authorize(_ request: HTTPRequest) async throws -> HTTPRequest {
      await withTaskCancellationHandler {
        begins.yield()
        for await _ in hang {}
      } onCancel: {
        MainActor.assumeIsolated { finding.request?.cancel() }
      }
      return request
    }

    func renew(after request: HTTPRequest) async throws -> Bool { false }
  }

  @Test(
    "A request that is cancelled where its authorization begins again is not sent, and what waits for it continues",
    arguments: [false, true])
  @MainActor
  func cancelledByAuthorizer(waitsByHook: Bool) async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/a", .text("one"))
    let finding = Finding()
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let (hang, end) = AsyncStream.makeStream(of: Void.self)
    fixture.service.configure {
      $0.authorizer = CancellingAuthorizer(finding: finding, begins: begin, hang: hang)
    }
    let request = fixture.text("a").load()
    finding.request = request
    var iterator = begins.makeAsyncIterator()
    await iterator.next()
    // As a part of the fetch that waits for it, the request is authorized again.
    let tokens = TokenAuthorizer(fetchTimeout: nil) { @MainActor in
      if waitsByHook {
        request.onCompletion { _ in finding.isLoading = false }
      } else {
        await request.completed()
      }
      return "token"
    }
    _ = try await tokens.authorize(HTTPRequest(url: try #require(URL(string: "https://b.test"))))
    #expect(await request.failure()?.kind == .cancelled)
    await fixture.clock.state.until { $0.work == 0 }
    #expect(fixture.stub.requests.isEmpty)
    #expect(finding.isLoading == (waitsByHook ? false : nil))
    end.finish()
  }

  @Test("A request that the log of its retry cancels waits for nothing")
  @MainActor
  func cancelledByLog() async throws {
    let finding = Finding()
    let fixture = ServiceFixture {
      $0.retryPolicy = .standard
      $0.log = { entry in
        guard entry.category == .retry else { return }
        MainActor.assumeIsolated { finding.request?.cancel() }
      }
    }
    fixture.stub.on(.get, "/a", .status(503))
    let request = fixture.text("a").load()
    finding.request = request
    #expect(await request.failure()?.kind == .cancelled)
    #expect(request.wait == nil)
    #expect(fixture.stub.requests.count == 1)
  }
}
