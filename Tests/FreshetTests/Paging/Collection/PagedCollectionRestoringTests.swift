import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A list of three pages that an earlier launch of the program has loaded.
private struct RestoringFixture {
  let launches = RelaunchFixture()
  let service: Service
  let list: PagedCollection<Int>
  var stub: StubTransport { launches.stub }

  /// - Parameters:
  ///   - age: of the entries in the persistent cache.
  ///   - forget: what happens to the earlier launch's pages at last.
  init(
    age: Duration = .seconds(31), isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in },
    forget: ([PagedCollection<Int>.PageResource]) -> Void = { _ in }
  ) async {
    launches.stub.onUnexpected { Issue.record("\($0)") }
    for number in 1...3 {
      var headers: HTTPHeaders = ["ETag": "\"\(number)\""]
      if number < 3 { headers["Link"] = "</items?page=\(number + 1)>; rel=\"next\"" }
      launches.stub.on(.get, "/items?page=\(number)", .json("[\(number)]", headers: headers))
    }
    let earlier = launches.launch()
    let loaded = Self.list(in: earlier) { _ in }
    loaded.loadAll()
    await loaded.settled()
    forget(loaded.pages)
    await earlier.flushCache()
    launches.clock.advance(by: age)
    launches.stub.forgetRequests()
    for number in 1...3 { launches.stub.on(.get, "/items?page=\(number)", .status(304)) }
    service = launches.launch()
    list = Self.list(in: service, options: options)
  }

  static func list(
    in service: Service, options: (inout PagedCollection<Int>.Options) -> Void
  ) -> PagedCollection<Int> {
    service.pages("items?page=1", of: Int.self, style: .linkHeader, options: .with(options))
  }

  /// The numbers of the pages that were requested.
  var asked: [Int] {
    stub.requests.compactMap { $0.url.query?.split(separator: "=").last.flatMap { Int($0) } }
  }
}

@Suite(
  "A list shows what the persistent cache has before anything is requested", .standardTimeLimit)
struct PagedCollectionRestoringTests {
  @Test(
    "All stale pages that are wanted, and then asks for each", arguments: StoreActor.allCases,
    [1, 4])
  func stale(actor: StoreActor, concurrentLoads: Int) async {
    await actor.run { actor in
      let fixture = await RestoringFixture { $0.concurrentLoads = concurrentLoads }
      let gate = fixture.stub.hold(.get, "/items?page=1")
      let recorders = [1, 3].map { number in
        let recorder = EventRecorder()
        let page: Resource<Page<Int>> = fixture.service.resource(
          "items?page=\(number)", decoder: .page(.linkHeader))
        page.addObserver(recorder)
        recorder.drain()
        return recorder
      }
      fixture.list.loadAll()
      #expect(fixture.list.state == .loading)
      await gate.arrived()
      #expect(fixture.list.items == [1, 2, 3] && fixture.list.pageCount == 3)
      #expect(fixture.list.state == .loading)
      #expect(recorders.map(\.events)[0] == [.newData(.cache), .requested])
      gate.release(with: .status(304))
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3] && fixture.list.state == .ended)
      #expect(fixture.asked.sorted() == [1, 2, 3])
      #expect(fixture.stub.requests.allSatisfy { $0.headers["If-None-Match"] != nil })
      for recorder in recorders {
        #expect(recorder.events == [.newData(.cache), .requested, .notModified])
      }
    }
  }

  @Test("Fresh pages are not requested, and visited once")
  func fresh() async {
    await StoreActor.plainActor.run { actor in
      let fixture = await RestoringFixture(age: .seconds(5))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3] && fixture.list.state == .ended)
      #expect(fixture.asked.isEmpty && fixture.list.visitCount == 3)
    }
  }

  @Test("Without a network all of them stay, beside the error")
  func offline() async {
    await StoreActor.plainActor.run { actor in
      let fixture = await RestoringFixture()
      fixture.stub.on(.get, "/items?page=1", .failure(.unreachable))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.list.state.description == "failed(page 0, unreachable)")
      #expect(fixture.asked == [1])
    }
  }

  @Test("As many as are wanted, and may be in memory")
  func wanted() async {
    await StoreActor.plainActor.run { actor in
      let fixture = await RestoringFixture()
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      #expect(fixture.list.pageCount == 1 && fixture.asked == [1])

      let narrow = await RestoringFixture { $0.retainedPageLimit = 2 }
      let gate = narrow.stub.hold(.get, "/items?page=1")
      narrow.list.loadAll()
      await gate.arrived()
      #expect(narrow.list.items == [1, 2])
      gate.release(with: .status(304))
      await narrow.list.settled()
      #expect(narrow.list.items == [2, 3] && narrow.list.state == .ended)
    }
  }

  @Test("As far as it has them; what it lacks is requested after those before it")
  func missing() async {
    await StoreActor.plainActor.run { actor in
      let fixture = await RestoringFixture { _ in
      } forget: {
        $0[1].wipe()
      }
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.loadAll()
      await gate.arrived()
      #expect(fixture.list.items == [1])
      fixture.stub.on(
        .get, "/items?page=2",
        .json("[2]", headers: ["Link": "</items?page=3>; rel=\"next\""]))
      gate.release(with: .status(304))
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3] && fixture.list.state == .ended)
      #expect(fixture.asked == [1, 2, 3])
    }
  }

  @Test(
    "An observer of the request for what it lacks may cancel it, or reset the list",
    arguments: [false, true])
  func observerOfRequest(resets: Bool) async {
    await StoreActor.plainActor.run { actor in
      let fixture = await RestoringFixture { _ in
      } forget: {
        $0[0].wipe()
      }
      fixture.stub.on(.get, "/items?page=1", .json("[1]"))
      var requestCount = 0
      fixture.list.addPageObserver(owner: fixture.service) { list, _, event in
        guard event == .requested else { return }
        requestCount += 1
        if resets { list.reset() } else { list.cancelLoad() }
      }
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      #expect(requestCount == 1)
      #expect(fixture.list.state == .idle && fixture.list.items.isEmpty)
      fixture.list.checkInvariants()
    }
  }

  @Test("What has changed since replaces what was shown")
  func changed() async {
    await StoreActor.plainActor.run { actor in
      let fixture = await RestoringFixture()
      fixture.stub.on(
        .get, "/items?page=1", .json("[0]", headers: ["Link": "</items?page=3>; rel=\"next\""]))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [0, 3] && fixture.list.state == .ended)
    }
  }

  @Test("No more than may be requested, and none where no items are displayed")
  func limited() async {
    await StoreActor.plainActor.run { actor in
      let fixture = await RestoringFixture { $0.requestBudget = 2 }
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.itemsShown(in: 0..<10)
      await gate.arrived()
      #expect(fixture.list.items == [1, 2])
      gate.release(with: .status(304))
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3] && fixture.asked == [1, 2, 3])

      let empty = await RestoringFixture { $0.displayedCount = 0 }
      empty.list.loadIfNeeded()
      await empty.list.settled()
      #expect(empty.list.items.isEmpty && empty.asked.isEmpty && empty.list.state == .idle)
    }
  }

  @Test("Nothing that was wiped or is not wanted any more while it is read", arguments: 0...3)
  func unwanted(way: Int) async {
    await StoreActor.plainActor.run { actor in
      let (service, list, cache, stub) = await held()
      switch way {
      case 0: service.wipe()
      case 1: list.firstPage.wipe()
      case 2: list.cancelLoad()
      default: list.reset()
      }
      #expect(list.state == .idle)
      await cache.release()
      await service.flushCache()
      for _ in 0..<100 { await Task.yield() }
      #expect(list.items.isEmpty && list.firstPage.content == nil && list.state == .idle)
      #expect(stub.requests.isEmpty)
      list.checkInvariants()
    }
  }

  @Test("A cache that does not respond is waited for once, for the time of a request")
  func hanging() async {
    await StoreActor.plainActor.run { actor in
      let clock = ManualClock()
      let cache = HeldCache()
      let stub = StubTransport()
      stub.on(.get, "/items", .json("[1]"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
      service.configure {
        $0.cache = cache
        $0.timeout = .seconds(10)
      }
      await cache.hold(.entry)
      let list = service.pages("items", of: Int.self, style: .linkHeader)
      list.loadAll()
      await cache.begun(.entry)
      await clock.advanceToNextDeadline()
      await list.settled()
      #expect(list.items == [1] && list.state == .ended && clock.now == .seconds(10))
      await cache.release()
    }
  }

  /// A list whose only page is in a cache that holds its reads, while one is held.
  private func held(
    isolation: isolated any Actor = #isolation
  ) async -> (service: Service, list: PagedCollection<Int>, cache: HeldCache, stub: StubTransport) {
    let (cache, stub, clock) = (HeldCache(), StubTransport(), ManualClock())
    stub.on(.get, "/items", .failure(.unreachable))
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: clock, isolation: #isolation)
    service.configure { $0.cache = cache }
    let list = service.pages("items", of: Int.self, style: .linkHeader)
    var entry = CachedEntry.text("[1]", age: 60, clock)
    entry.response.headers["Content-Type"] = "application/json"
    await cache.put(entry, for: list.firstPage.key)
    await cache.hold(.entry)
    list.loadAll()
    await cache.begun(.entry)
    return (service, list, cache, stub)
  }

  @Test("Also where the service is released meanwhile", arguments: StoreActor.allCases)
  func releasedService(actor: StoreActor) async {
    await actor.run { actor in
      var held: (service: Service?, list: PagedCollection<Int>, cache: HeldCache)
      do {
        let (service, list, cache, _) = await self.held()
        held = (service, list, cache)
      }
      held.service = nil
      await held.cache.release()
      await held.list.settled()
      #expect(held.list.items == [1])
      #expect(held.list.state.description == "failed(page 0, unreachable)")
    }
  }

  @Test("The entry is read again where the configuration has changed", arguments: [true, false])
  func reconfigured(isSameUser: Bool) async {
    await StoreActor.plainActor.run { actor in
      let (service, list, cache, stub) = await held()
      service.configure {
        $0.timeout = .seconds(20)
        if !isSameUser { $0.userIdentifier = "another" }
      }
      await cache.release()
      await list.settled()
      #expect(list.items == (isSameUser ? [1] : []))
      #expect(list.state.description == "failed(page 0, unreachable)")
      #expect(stub.requests.count == 1)
    }
  }

  @Test("A load of the page that others cancel meanwhile is none of the list's")
  func othersLoad() async {
    await StoreActor.plainActor.run { actor in
      let (_, list, cache, _) = await held()
      let load = list.firstPage.load()
      list.firstPage.cancelLoad()
      await load.completed()
      await cache.release()
      await list.settled()
      #expect(list.items == [1])
      #expect(list.state.description == "failed(page 0, unreachable)")
    }
  }
}
