import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Requests that a resource adopts, and what else a load may meet", .standardTimeLimit)
@MainActor struct AdoptedRequestTests {
  @Test("What a load took from the persistent cache is as old for whoever adopts that load")
  func restoredAge() async throws {
    let cache = HeldCache()
    let fixture = ServiceFixture { $0.cache = cache }
    let (one, two) = (fixture.text("a"), fixture.text("b"))
    await cache.put(.text("kept", age: 25, fixture.clock), for: one.key)
    await cache.hold(.entry)
    let request = try #require(one.loadIfNeeded())
    await cache.begun(.entry)
    two.load(using: request)
    await cache.release()
    _ = try await request.value()
    #expect(one.content == "kept" && two.content == "kept")
    #expect(one.freshUntil == .seconds(5))
    #expect(two.freshUntil == .seconds(5))
    fixture.clock.advance(by: .seconds(6))
    #expect(!one.isUpToDate)
    #expect(!two.isUpToDate)
  }

  @Test("What only the pipeline of the other service can read is not kept")
  func otherPipeline() async throws {
    let cache = HeldCache()
    let fixture = ServiceFixture { $0.cache = cache }
    fixture.service.configure(methods: [.put]) {
      $0.pipeline.add(at: .parsing) { response in
        var response = response
        response.body = Data(response.body.reversed())
        return response
      }
    }
    fixture.stub.on(.put, "/a", .text("devas"))
    let resource = fixture.text("a")
    _ = try await resource.load(using: resource.request(.put)).value()
    #expect(resource.content == "saved")
    await cache.written(resource.key)
    // As after the next start of the program.
    let next = Service(
      baseURL: "https://api.test", transport: fixture.stub, clock: fixture.clock,
      isolation: MainActor.shared)
    next.configure { $0.cache = cache }
    fixture.stub.on(.get, "/a", .text("saved"))
    let again = next.resource("a", of: String.self)
    _ = try await #require(again.loadIfNeeded()).value()
    #expect(again.content == "saved")
  }

  @Test("An entry of the persistent cache that is only shown does not lift a Retry-After")
  func restoredKeepsRetryAfter() async throws {
    let cache = HeldCache()
    let fixture = ServiceFixture {
      $0.cache = cache
      $0.timeout = .seconds(5)
    }
    let resource = fixture.text("a")
    await cache.put(.text("kept", age: 100, fixture.clock), for: resource.key)
    await cache.hold(.entry)
    fixture.stub.on(.get, "/a", .status(429, headers: ["Retry-After": "600"]))
    let first = try #require(resource.loadIfNeeded())
    await cache.begun(.entry)
    await fixture.clock.advanceToNextDeadline()
    #expect(await first.failure()?.kind == .rateLimited)
    #expect(resource.loadIfNeeded() == nil)
    await cache.release()
    // A forced load that is cancelled as soon as it has received the old content.
    let recorder = fixture.record(resource)
    let gate = fixture.stub.hold(.get, "/a")
    resource.load()
    await gate.arrived()
    resource.cancelLoad()
    #expect(resource.content == "kept")
    #expect(recorder.events == [.requested, .newData(.cache), .requestCancelled])
    #expect(resource.latestError?.kind == .rateLimited, "no load has ended in success since")
    #expect(resource.loadIfNeeded() == nil)
  }

  @Test("A failure is as old as it is when it is adopted")
  func adoptedFailure() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.put, "/a", .status(503, headers: ["Retry-After": "60"]))
    fixture.stub.on(.get, "/a", .text("x"))
    let resource = fixture.text("a")
    let put = resource.request(.put)
    await put.completed()
    fixture.clock.advance(by: .seconds(59))
    resource.load(using: put)
    fixture.clock.advance(by: .seconds(2))
    #expect(resource.loadIfNeeded() != nil, "The server asked for 60 s, 61 s ago")
  }

  @Test("A closure that observed is released after the events that wait", arguments: [false, true])
  func tokenReleases(owned: Bool) async {
    let fixture = ServiceFixture()
    let (one, two) = (fixture.text("a"), fixture.text("b"))
    var log: [String] = []
    let owner = Owner()
    var token: ObservationToken?
    let first = one.observe { _, event in
      guard case .newData = event else { return }
      two.overrideLocalContent("x")
      token?.cancel()
      token = nil
      log.append("cancelled")
    }
    let second = two.observe { _, event in
      if case .newData = event { log.append("event") }
    }
    do {
      let probe = DeinitProbe { log.append("released") }
      let body: (AnyResource, ResourceEvent) -> Void = { _, _ in withExtendedLifetime(probe) {} }
      token = owned ? one.addObserver(owner: owner, body) : one.observe(body)
    }
    one.overrideLocalContent("y")
    #expect(log == ["cancelled", "event", "released"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("An edit that cancels the request that it is replayed for stops the program")
  func editCancelsRequest() async throws {
    await #expect(processExitsWith: .failure) {
      await StoreActor.mainActor.run { actor in
        let fixture = ServiceFixture()
        let resource = fixture.text("a")
        resource.overrideLocalContent("one")
        let gate = fixture.stub.hold(.get, "/a")
        let request = resource.load()
        await gate.arrived()
        var calls = 0
        let update = resource.updateContent {
          calls += 1
          $0 += "!"
          if calls == 2 { request.cancel() }
        }
        gate.release(with: .text("two"))
        _ = await request.failure()
        withExtendedLifetime(update) {}
      }
    }
  }

  @Test("A date that is set back during the load makes nothing that was adopted old")
  func dateSetBack() async throws {
    let fixture = ServiceFixture()
    fixture.service.configure { [clock = fixture.clock] in
      $0.pipeline.add(String.self, at: .cleanup) { content, _ in
        clock.jump(dateBy: .seconds(-60))
        return content
      }
    }
    fixture.stub.on(.put, "/a", .text("saved"))
    let resource = fixture.text("a")
    _ = try await resource.load(using: resource.request(.put)).value()
    #expect(resource.content == "saved" && resource.isUpToDate)
  }

  @Test("A failure that a transport dates by another clock holds the next load back all the same")
  func foreignDate() async throws {
    let fixture = ServiceFixture()
    let past = Date(timeIntervalSince1970: 0)
    fixture.service.configure(methods: [.put]) {
      $0.decorate { _ in throw ResourceError(.connectionLost, "It broke.", timestamp: past) }
    }
    let resource = fixture.text("a")
    let failure = await resource.load(using: resource.request(.put)).failure()
    #expect(failure?.kind == .connectionLost && failure?.timestamp == past)
    #expect(resource.loadIfNeeded() == nil)
  }
}
