import FreshetTesting
import Testing

@testable import Freshet

/// Rules run whenever a configuration is asked for, also in the middle of a call to a resource.
@Suite("Rules and predicates that change resources and rules", .standardTimeLimit)
struct ActingRuleTests {
  /// What a rule does the next time that it runs.
  private final class Act {
    var next: (() -> Void)?

    func run() { next.take()?() }
  }

  /// A store with a rule that acts, and a loaded resource whose configuration has to be made again.
  private func fixture(
    _ act: Act, isolation: isolated any Actor = #isolation
  ) async throws -> (ServiceFixture, Resource<String>) {
    let fixture = ServiceFixture()
    fixture.service.configure { _ in act.run() }
    fixture.stub.on(.get, "/a", .text("one"), .text("two"))
    let resource = fixture.text("a")
    _ = try await resource.load().value()
    fixture.service.reapplyConfiguration()
    return (fixture, resource)
  }

  @Test(
    "A load begins after what a rule has done to its resource", arguments: StoreActor.allCases,
    [true, false])
  func load(actor: StoreActor, wipes: Bool) async throws {
    try await actor.run { actor in
      let act = Act()
      let (fixture, resource) = try await fixture(act)
      let recorder = fixture.record(resource)
      act.next = { wipes ? fixture.service.wipe() : resource.cancelLoad() }
      let request = resource.load()
      #expect(act.next == nil && resource.isLoading && !request.isCompleted)
      await request.completed()
      let changes: [ResourceEvent] = wipes ? [.newData(.wipe)] : []
      #expect(recorder.events == changes + [.requested, .newData(.network)])
      #expect(resource.content == "two")
      try #require(resource.inFlight.newestRequest == nil)
      await resource.settled()
    }
  }

  @Test(
    "A load that is needed, or adopted, begins after that too", arguments: StoreActor.allCases)
  func otherLoads(actor: StoreActor) async throws {
    try await actor.run { actor in
      let act = Act()
      let (fixture, resource) = try await fixture(act)
      resource.invalidate()
      fixture.service.reapplyConfiguration()
      act.next = { resource.cancelLoad() }
      await resource.loadIfNeeded()?.completed()
      #expect(
        act.next == nil && resource.content == "two" && resource.inFlight.newestRequest == nil)
      fixture.stub.on(.put, "/a", .text("three"))
      let request = resource.request(.put)
      fixture.service.reapplyConfiguration()
      act.next = { resource.cancelLoad() }
      await resource.load(using: request).completed()
      #expect(act.next == nil && resource.content == "three")
      #expect(resource.inFlight.newestRequest == nil)
    }
  }

  @Test("A wipe cancels a load that a rule begins during it", arguments: StoreActor.allCases)
  func wipe(actor: StoreActor) async throws {
    try await actor.run { actor in
      let act = Act()
      let (fixture, resource) = try await fixture(act)
      let recorder = fixture.record(resource)
      act.next = { resource.load() }
      resource.wipe()
      #expect(act.next == nil && !resource.isLoading && resource.content == nil)
      #expect(recorder.events == [.requested, .requestCancelled, .newData(.wipe)])
    }
  }

  @Test(
    "A query that a rule cancels while its page is looked at reports nothing, and loads nothing",
    arguments: StoreActor.allCases, [true, false])
  func query(actor: StoreActor, isFresh: Bool) async throws {
    try await actor.run { actor in
      let act = Act()
      let (fixture, _) = try await fixture(act)
      fixture.stub.on(.get, "/rows", .json("[1, 2]"), .json("[1, 2]"))
      let page: Resource<Page<Int>> = fixture.service.resource(
        "rows", decoder: .page(.linkHeader))
      await page.load().completed()
      if !isFresh { page.invalidate() }
      fixture.service.reapplyConfiguration()
      let log = QueryLog(page)
      act.next = { log.query.cancelLoad() }
      log.query.start()
      await log.query.settled()
      #expect(act.next == nil && log.lines == ["load cancelled"])
      #expect(!page.isLoading && !log.query.isLoading)
    }
  }

  /// What a log does with its next entry.
  @MainActor private final class ActingLog {
    var next: (() -> Void)?
    var freshnessLifetime = Duration.seconds(1)
    private(set) var count = 0

    nonisolated func write(_ entry: Service.LogEntry) {
      MainActor.assumeIsolated {
        count += 1
        next.take()?()
      }
    }
  }

  @Test(
    "A log may ask for the configuration that it logs an entry of, and change it",
    arguments: [true, false])
  @MainActor func log(isConditional: Bool) {
    let (log, cache) = (ActingLog(), MemoryCache())
    let fixture = ServiceFixture {
      $0.freshnessLifetime = log.freshnessLifetime
      $0.cache = cache
      $0.authorizer = TokenAuthorizer(token: "t", fetchTimeout: nil) { "t" }
      $0.log = { log.write($0) }
    }
    if isConditional { fixture.service.configure("b") { _ in } }
    let resource = fixture.text("a")
    log.next = {
      #expect(resource.configuration.freshnessLifetime == .seconds(1))
      log.freshnessLifetime = .seconds(2)
      fixture.service.reapplyConfiguration()
    }
    _ = resource.configuration
    #expect(log.count == 1)
    #expect(resource.configuration.freshnessLifetime == .seconds(2))
    #expect(log.count == 2)
  }

  @Test("A predicate and a rule may remove rules")
  func removal() async {
    await #expect(processExitsWith: .success) { @MainActor in
      for inPredicate in [true, false] {
        let fixture = ServiceFixture()
        var rules = [fixture.service.configure { $0.headers["X-Removed"] = "1" }]
        fixture.service.configure(where: { _, _ in
          if inPredicate { rules.popLast()?.remove() }
          return true
        }) { _ in
          if !inPredicate { rules.popLast()?.remove() }
        }
        fixture.service.configure { $0.headers["X-Kept"] = "1" }
        fixture.stub.on(.get, "/a", .text("one"))
        let resource = fixture.text("a")
        _ = resource.configuration
        _ = try? await resource.load().value()
        let sent = fixture.stub.requests.first?.headers
        precondition(sent?["X-Removed"] == nil && sent?["X-Kept"] == "1")
      }
    }
  }
}
