import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Running a manual clock until a condition holds", .standardTimeLimit)
struct ManualClockRunTests {
  private static func fixture(
    isolation: isolated any Actor = #isolation
  ) -> ServiceFixture {
    ServiceFixture {
      $0.retryPolicy = Service.RetryPolicy(
        maximumRetries: 9, maximumRetryAfter: .seconds(100), retryBurst: 1_000, pausesOrigin: false)
      $0.timeout = .seconds(100)
    }
  }

  private static func busy(_ seconds: Int) -> StubTransport.Response {
    .status(503, headers: ["Retry-After": "\(seconds)"])
  }

  @Test("Each wait ends at its own time, however many there are", arguments: StoreActor.allCases)
  func chain(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = Self.fixture()
      fixture.stub.on(.get, "/a", Self.busy(0), Self.busy(2), Self.busy(7), .text("one"))
      let resource = fixture.text("a")
      let load = resource.load()
      try await fixture.clock.run(until: { load.isCompleted })
      #expect(resource.content == "one" && fixture.clock.now == .seconds(9))
    }
  }

  @Test("A whole list is walked through all its waits", arguments: StoreActor.allCases)
  func list(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      fixture.service.configure { $0.retryPolicy = .standard }
      for (number, next) in [(2, "/items?page=3"), (3, nil)] as [(Int, String?)] {
        fixture.stub.on(
          .get, "/items?page=\(number)", Self.busy(number),
          PageListFixture.response([number], next: next))
      }
      fixture.list.loadAll()
      try await fixture.clock.run(until: { fixture.list.state == .ended })
      #expect(fixture.list.items == [1, 2, 3] && fixture.clock.now == .seconds(5))
    }
  }

  @Test(
    "Random schedules of many requests end when a sorted list says",
    arguments: StoreActor.allCases, 1...10 as ClosedRange<UInt64>)
  func random(actor: StoreActor, seed: UInt64) async throws {
    try await actor.run { actor in
      var random = SeededGenerator(seed: seed)
      let fixture = Self.fixture()
      var expected: [Duration] = []
      var ends: [Duration] = []
      var requests: [AnyRequest] = []
      for number in 0..<30 {
        let waits = (0..<random.pick([0, 1, 2, 5])).map { _ in
          Int.random(in: 1...40, using: &random)
        }
        let end = Duration.seconds(waits.reduce(0, +))
        expected.append(end)
        let responses = waits.map(Self.busy)
        fixture.stub.on(where: { $0.url.path == "/\(number)" }) { [served = Locked(0)] _ in
          let number = served.next()
          return number <= responses.count ? responses[number - 1] : .text("there")
        }
        requests.append(
          fixture.text("\(number)").load().onCompletion { _ in
            ends.append(fixture.clock.now)
            #expect(fixture.clock.now == end, "seed \(seed) request \(number)")
          })
      }
      try await fixture.clock.run(until: { requests.allSatisfy(\.isCompleted) })
      #expect(ends == expected.sorted(), "seed \(seed)")
      #expect(fixture.clock.now == expected.max(), "seed \(seed)")
      #expect(fixture.clock.timers.isEmpty, "seed \(seed)")
    }
  }

  @Test("Nothing moves where the condition holds already")
  func alreadyHolds() async throws {
    let clock = ManualClock()
    let sleep = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.timers(atLeast: 1)
    try await clock.run(until: { true })
    #expect(clock.now == .zero && clock.timers.count == 1)
    sleep.cancel()
  }

  @Test(
    "Where nothing is left it throws, and says so", arguments: StoreActor.allCases)
  func stalled(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Self.fixture()
      fixture.stub.on(.get, "/a", Self.busy(3), .text("one"))
      fixture.text("a").load()
      let error = await #expect(throws: ManualClock.Stalled.self) {
        try await fixture.clock.run(until: { fixture.text("a").content == "two" })
      }
      #expect(error?.now == .seconds(3) && error?.timers == [])
      #expect(
        error?.description == """
          ManualClock.run(until:): the condition does not hold at 3.0 seconds, no work of a store \
          is under way, and nothing sleeps on the clock
          """)
      #expect(fixture.text("a").content == "one")
    }
  }

  @Test("It goes no further than its limit, and says what is later", arguments: StoreActor.allCases)
  func limit(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = Self.fixture()
      fixture.stub.on(.get, "/a", Self.busy(3), Self.busy(8), .text("one"))
      let load = fixture.text("a").load()
      let retry = TimerPurpose.retry(of: "GET https://api.test/a")
      let error = await #expect(throws: ManualClock.Stalled.self) {
        try await fixture.clock.run(until: { load.isCompleted }, within: .seconds(10))
      }
      #expect(error?.timers == [.init(end: .seconds(11), purpose: retry)])
      #expect(
        error?.description.hasSuffix("retry of GET https://api.test/a at 11.0 seconds") == true)
      #expect(fixture.clock.now == .seconds(3))
      try await fixture.clock.run(until: { load.isCompleted }, within: .seconds(8))
      #expect(fixture.clock.now == .seconds(11))
    }
  }

  @Test("Endless timers end at the limit too")
  func endless() async {
    let clock = ManualClock()
    let ticks = Task { while (try? await clock.sleep(for: .seconds(3_600))) != nil {} }
    await clock.timers(atLeast: 1)
    while clock.now < .seconds(86_400) {
      await clock.timers(atLeast: 1)
      _ = try? await clock.run(until: { false })
    }
    #expect(clock.now <= .seconds(2 * 86_400))
    ticks.cancel()
  }

  @Test("A request that is held is waited for, not ended", arguments: StoreActor.allCases)
  func held(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = Self.fixture()
      let gate = fixture.stub.hold(.get, "/a")
      let load = fixture.text("a").load()
      let release = Task {
        await gate.arrived()
        gate.release(with: .text("late"))
      }
      try await fixture.clock.run(until: { load.isCompleted })
      #expect(fixture.text("a").content == "late" && fixture.clock.now == .zero)
      await release.value
    }
  }

  @Test("Reports of progress are no work that it waits for", arguments: StoreActor.allCases)
  func progress(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = Self.fixture()
      fixture.stub.on(.get, "/a", Self.busy(3), .text("one"))
      let load = fixture.text("a").load().onProgress { _ in }
      try await fixture.clock.run(until: { load.isCompleted })
      #expect(fixture.clock.now == .seconds(3))
    }
  }

  @Test("Writes to a persistent cache are work that it waits for", arguments: StoreActor.allCases)
  func cacheWrites(actor: StoreActor) async {
    await actor.run { actor in
      let cache = MemoryCache()
      let fixture = ServiceFixture { $0.cache = cache }
      fixture.stub.on(.get, "/a", .text("one"))
      let resource = fixture.text("a")
      resource.load()
      await #expect(throws: ManualClock.Stalled.self) {
        try await fixture.clock.run(until: { false })
      }
      #expect(await cache.peek(resource.key) != nil)
    }
  }

  @Test("It ends when its task is cancelled", arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Self.fixture()
      let gate = fixture.stub.hold(.get, "/a")
      let load = fixture.text("a").load()
      await gate.arrived()
      let clock = fixture.clock
      let run = Task { try await clock.run(until: { false }) }
      run.cancel()
      await #expect(throws: CancellationError.self) { try await run.value }
      load.cancel()
    }
  }

  /// A view model that keeps its resources to itself, and loads one after the other.
  @MainActor
  private final class Model {
    private let first: Resource<String>
    private let second: Resource<String>
    private(set) var isLoading = false
    private(set) var text = ""

    init(_ fixture: ServiceFixture) {
      first = fixture.text("a")
      second = fixture.text("b")
    }

    func load() async {
      isLoading = true
      text = (try? await first.freshContent()) ?? "-"
      text += (try? await second.freshContent()) ?? "-"
      isLoading = false
    }
  }

  @Test("It settles when a task that has yet to begin has loaded all it needs")
  @MainActor
  func settled() async {
    let fixture = Self.fixture()
    fixture.stub.on(.get, "/a", .text("one"))
    fixture.stub.on(.get, "/b", .text("two"))
    let model = Model(fixture)
    Task { await model.load() }
    #expect(!model.isLoading)
    await fixture.clock.settled()
    #expect(!model.isLoading && model.text == "onetwo")
    await fixture.clock.settled()
  }

  @Test("It is settled while a request sleeps on the clock", arguments: StoreActor.allCases)
  func settledInWait(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = Self.fixture()
      fixture.stub.on(.get, "/a", Self.busy(3), .text("one"))
      let resource = fixture.text("a")
      resource.load()
      await fixture.clock.settled()
      #expect(resource.isLoading && fixture.clock.now == .zero)
      #expect(fixture.clock.timers.contains { $0.end == .seconds(3) })
      fixture.clock.advance(by: .seconds(3))
      await fixture.clock.settled()
      #expect(resource.content == "one")
    }
  }

  private struct Refusal: Error {}

  @Test("What the condition throws ends it")
  func throwing() async {
    let clock = ManualClock()
    await #expect(throws: Refusal.self) { try await clock.run(until: { throw Refusal() }) }
  }

  @Test("It waits for the fetch of a token, and does not advance to its timeout")
  func tokenFetch() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = Self.fixture()
      let tokens = TokenAuthorizer(clock: fixture.clock) {
        for _ in 0..<5_000 { await Task.yield() }
        return "token"
      }
      fixture.service.configure { $0.authorizer = tokens }
      fixture.stub.on(.get, "/a", .text("one"))
      let load = fixture.text("a").load()
      try await fixture.clock.run(until: { load.isCompleted })
      #expect(try await load.value() == "one")
      #expect(fixture.clock.now == .zero)
    }
  }
}
