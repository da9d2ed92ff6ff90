import FreshetTesting
import Testing

@testable import Freshet

@Suite("Pages that did not exist after the last one", .standardTimeLimit)
struct PagedCollectionAbsenceTests {
  @Test(
    "An iteration asks again for the page that ended the list, once that is stale",
    arguments: RefusingServer.Style.allCases)
  func iteration(style: RefusingServer.Style) async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = RefusingListFixture(RefusingServer(style, rows: [1, 2, 3, 4]))
      var items = try await fixture.iterated()
      #expect(items == [1, 2, 3, 4])
      fixture.stub.forgetRequests()
      items = try await fixture.iterated()
      #expect(items == [1, 2, 3, 4])
      #expect(fixture.stub.requests.isEmpty, "what the server said is fresh")
      fixture.clock.advance(by: .seconds(3600))
      fixture.server.rows.append(5)
      items = try await fixture.iterated()
      #expect(items == [1, 2, 3, 4, 5])
      #expect(fixture.list.items == [1, 2, 3, 4, 5] && fixture.list.state == .ended)
      #expect(fixture.stub.requests.count == 4)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("An iteration of a list that still ends there, and whose pages expire at once, ends too")
  func expiringIteration() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = RefusingListFixture(RefusingServer(.pageNumber, rows: [1, 2, 3, 4]))
      fixture.service.configure { $0.freshnessLifetime = .zero }
      await fixture.loadAll()
      fixture.stub.forgetRequests()
      fixture.clock.advance(by: .seconds(2))
      let items = try await fixture.iterated()
      #expect(items == [1, 2, 3, 4])
      // The last page once more, which may have grown, and the one that does not exist.
      #expect(fixture.stub.requests.count == 4)
    }
  }

  @Test("A list is not at its end where a page that a window loads back leads elsewhere")
  func relinkedWindow() async throws {
    await StoreActor.mainActor.run { actor in
      let server = RefusingServer(.offset, rows: Array(0..<8))
      let fixture = RefusingListFixture(server) { $0.retainedPageLimit = 2 }
      await fixture.loadAll()
      #expect(fixture.list.items == [4, 5, 6, 7] && fixture.list.state == .ended)
      fixture.clock.advance(by: .seconds(31))
      server.content.size = 3
      await fixture.loadPreviousPage()
      #expect(fixture.list.items == [2, 3, 4] && fixture.list.state == .idle)
      await fixture.loadAll()
      #expect(fixture.list.items == [2, 3, 4, 5, 6, 7] && fixture.list.state == .ended)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A list is not at its end where its last page counts more items by now")
  func greaterTotal() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RefusingListFixture(RefusingServer(.offset, rows: [1, 2, 3, 4]))
      await fixture.loadAll()
      #expect(fixture.list.state == .ended)
      // After the time for which a failed load is not repeated.
      fixture.clock.advance(by: .seconds(2))
      await fixture.list.pages[1].load().completed()
      await fixture.list.settled()
      #expect(fixture.list.state == .ended, "nothing has changed")
      fixture.server.rows += [5, 6]
      await fixture.list.pages[1].load().completed()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3, 4] && fixture.list.state == .idle)
      await fixture.loadMore()
      #expect(fixture.list.items == [1, 2, 3, 4, 5, 6])
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3, 4, 5, 6] && fixture.list.state == .ended)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A page that did not exist and is invalidated is asked for whatever the last page says by then",
    arguments: [(.offset, [1, 2, 3, 4]), (.pageNumber, [1, 2, 3])]
      as [(RefusingServer.Style, [Int])])
  func invalidated(style: RefusingServer.Style, rows: [Int]) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RefusingListFixture(RefusingServer(style, rows: rows))
      await fixture.loadAll()
      #expect(fixture.list.state == .ended)
      fixture.server.rows = [1, 2, 3, 4, 5]
      fixture.stub.forgetRequests()
      // The list is observed, and loads again.
      fixture.service.invalidate(matching: "rows")
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3, 4, 5])
      #expect(fixture.stub.requests.count == 3)
      #expect(fixture.mirror.failure == nil)
    }
  }
}
