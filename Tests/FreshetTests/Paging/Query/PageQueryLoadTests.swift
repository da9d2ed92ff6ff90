import Freshet
import FreshetTesting
import Testing

@Suite("A query reports what its load has brought, and nothing else", .standardTimeLimit)
struct PageQueryLoadTests {
  /// A query of a list of one page, which is loaded and stale, and the gate of its load.
  private func begin(
    isolation: isolated any Actor = #isolation,
    configure: @escaping (inout Service.Configuration) -> Void = { _ in }
  ) async -> (fixture: PageListFixture, log: QueryLog, gate: StubTransport.Gate) {
    let fixture = PageListFixture([[1, 2]])
    fixture.service.configure { configure(&$0) }
    await fixture.page(1).load().completed()
    fixture.clock.advance(by: .seconds(31))
    fixture.stub.forgetRequests()
    let gate = fixture.stub.hold(.get, "/items?page=1")
    let log = QueryLog(fixture.page(1))
    log.query.start()
    await gate.arrived()
    return (fixture, log, gate)
  }

  @Test(
    "Where a newer load has failed, the query fails with its error", arguments: StoreActor.allCases)
  func superseded(actor: StoreActor) async {
    await actor.run { actor in
      let (fixture, log, gate) = await begin()
      fixture.fail(1)
      await fixture.page(1).load().completed()
      gate.release(with: PageListFixture.response([1, 2, 3], next: nil))
      await log.query.settled()
      #expect(log.lines == ["load http"])
      #expect(fixture.asked == [1, 1])
    }
  }

  @Test("A page that is invalidated during the load is loaded again", arguments: [200, 500])
  func invalidated(status: Int) async {
    await StoreActor.plainActor.run { actor in
      let (fixture, log, gate) = await begin()
      fixture.page(1).invalidate()
      status == 200 ? fixture.serve([[7]]) : fixture.fail(1)
      gate.release(with: PageListFixture.response([1, 2], next: nil))
      await log.query.settled()
      #expect(log.lines == (status == 200 ? ["7", "end"] : ["load http"]))
      #expect(fixture.asked == [1, 1])
    }
  }

  @Test("It fails where that page may not be loaded again yet")
  func invalidatedDuringPause() async {
    await StoreActor.plainActor.run { actor in
      let (fixture, log, gate) = await begin { $0.retryPolicy = .standard }
      // The server asks all requests to wait for longer than one does.
      fixture.stub.on(.get, "/b", .status(429, headers: ["Retry-After": "120"]))
      await fixture.service.resource("b", of: String.self).load().completed()
      fixture.page(1).invalidate()
      gate.release(with: PageListFixture.response([1, 2], next: nil))
      await log.query.settled()
      #expect(log.lines == ["load rateLimited"])
      #expect(fixture.stub.requests.count == 2)
    }
  }

  @Test("What a closure captures may cancel the load when the closure is replaced")
  func replacedClosures() async {
    await StoreActor.plainActor.run { actor in
      let (_, log, gate) = await begin()
      let query = log.query
      var lines: [String] = []
      query.itemReceived = { [probe = DeinitProbe { query.itemReceived?(7) }] _ in _ = probe }
      query.itemReceived = { lines.append("\($0)") }
      #expect(lines == ["7"])
      query.pageCompleted = { [probe = DeinitProbe { query.cancelLoad() }] _ in _ = probe }
      query.pageCompleted = { _ in lines.append("completed") }
      #expect(lines == ["7", "completed"] && !query.isLoading)
      query.start()
      query.pageCompleted = { [probe = DeinitProbe { query.cancelLoad() }] _ in _ = probe }
      query.pageCompleted = nil
      #expect(lines == ["7", "completed"] && !query.isLoading)
      gate.release(with: PageListFixture.response([1, 2], next: nil))
    }
  }
}
