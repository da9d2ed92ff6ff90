import Freshet
import FreshetTesting
import Testing

/// Rows 1…8, two a page; then 9 comes between 3 and 4, so that the first page stays as it was.
@Suite("Pages that are older than the last refresh of a list", .standardTimeLimit)
struct PagedCollectionGenerationTests {
  private static let newRows = [1, 2, 3, 9, 4, 5, 6, 7, 8]
  private static let oldSecondPage = StubTransport.Response.json(
    "[3,4]", headers: ["Link": "</rows?after=4>; rel=\"next\""])

  /// Checks that the list comes to the new rows, and to their end.
  private nonisolated(nonsending) func expectNewRows(
    _ fixture: RowListFixture, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await fixture.loadAll()
    #expect(fixture.list.items == Self.newRows, sourceLocation: sourceLocation)
    #expect(fixture.list.state.description == "ended", sourceLocation: sourceLocation)
    #expect(fixture.mirror.failure == nil, sourceLocation: sourceLocation)
  }

  @Test(
    "Fresh pages of another list, older than the refresh, are loaded again",
    arguments: StoreActor.allCases, [1, 4])
  func otherList(actor: StoreActor, concurrentLoads: Int) async throws {
    await actor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadAll()
      let list = fixture.server.list(
        in: fixture.service, options: .with { $0.concurrentLoads = concurrentLoads })
      let mirror = ListMirror<Int>()
      list.addObserver(mirror)
      list.loadIfNeeded()
      #expect(list.items == [1, 2] && fixture.list.items == Array(1...8))
      fixture.server.rows = Self.newRows
      list.refresh()
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(list.items == Self.newRows)
      #expect(list.state.description == "ended")
      #expect(mirror.failure == nil && fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Pages that a window dropped before a refresh come back with new content",
    arguments: StoreActor.allCases)
  func droppedPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8))) { $0.retainedPageLimit = 2 }
      await fixture.loadAll()
      fixture.server.rows = Self.newRows
      await fixture.refresh()
      #expect(fixture.list.items == [5, 6, 7, 8])
      await fixture.loadPreviousPage()
      #expect(fixture.list.items.contains(3) && fixture.list.items.isRun(of: Self.newRows))
      await fixture.loadBack()
      #expect(fixture.list.items.contains(1) && fixture.list.items.isStart(of: Self.newRows))
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A page whose load was under way when the refresh began is loaded again",
    arguments: StoreActor.allCases, [false, true])
  func inFlight(actor: StoreActor, isAwaited: Bool) async throws {
    await actor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadIfNeeded()
      let other = fixture.server.list(in: fixture.service)
      let gate = fixture.stub.hold(.get, "/rows?after=2")
      other.loadIfNeeded()
      other.loadMore()
      await gate.arrived()
      fixture.server.rows = Self.newRows
      await fixture.refresh()
      if isAwaited {
        fixture.list.loadAll()
        gate.release(with: Self.oldSecondPage)
      } else {
        gate.release(with: Self.oldSecondPage)
        await other.settled()
      }
      await fixture.list.settled()
      await expectNewRows(fixture)
    }
  }

  @Test(
    "A page that the list itself was loading when the refresh began is loaded again",
    arguments: StoreActor.allCases)
  func ownLoad(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadIfNeeded()
      let gate = fixture.stub.hold(.get, "/rows?after=2", ignoringCancellation: true)
      fixture.list.loadAll()
      await gate.arrived()
      fixture.server.rows = Self.newRows
      let refresh = fixture.stub.hold(.get, "/rows")
      fixture.list.refresh()
      await refresh.arrived()
      gate.release(with: Self.oldSecondPage)
      refresh.release()
      await fixture.list.settled()
      await expectNewRows(fixture)
    }
  }

  @Test(
    "A page that was loaded after the refresh began is not loaded again",
    arguments: StoreActor.allCases)
  func newerPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadIfNeeded()
      await fixture.refresh()
      let other = fixture.server.list(in: fixture.service)
      other.loadAll()
      await other.settled()
      fixture.stub.forgetRequests()
      await fixture.loadAll()
      #expect(fixture.list.items == Array(1...8))
      #expect(fixture.asked.isEmpty)
    }
  }

  @Test("After a refresh of the first page, older pages of another list are stale to the walk")
  func firstPage() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadAll()
      let list = fixture.server.list(in: fixture.service)
      list.loadIfNeeded()
      #expect(list.items == [1, 2])
      fixture.server.rows = [9, 2, 4, 5, 6, 7, 8]
      list.refresh(.firstPage)
      await list.settled()
      #expect(list.items.first == 9)
      list.loadAll()
      await list.settled()
      #expect(list.items == fixture.server.rows, "\(list.state)")
    }
  }

  @Test("After a refresh that brought the first page to a list, older pages are stale to the walk")
  func newFirstPage() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadAll()
      let list = fixture.server.list(in: fixture.service)
      fixture.server.rows = Self.newRows
      list.refresh(.firstPage)
      await list.settled()
      #expect(list.items == [1, 2])
      list.loadAll()
      await list.settled()
      #expect(list.items == Self.newRows, "\(list.state)")
    }
  }

  @Test("A page that is new between a changed first page and an older one ends no refresh")
  func newPageBetween() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...6)))
      await fixture.loadAll()
      fixture.server.rows = [8, 9, 1, 2, 4, 5, 6]
      fixture.stub.forgetRequests()
      await fixture.refresh(.firstPage)
      #expect(fixture.asked == [0, 9, 2, 5])
      #expect(fixture.list.items == fixture.server.rows, "\(fixture.list.refreshState)")
    }
  }

  @Test("After a refresh that failed on the way, older pages are stale to the walk")
  func cancelled() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = RowListFixture(RowServer(Array(1...8)))
      await fixture.loadAll()
      fixture.server.rows = [9, 2, 4, 5, 6, 7, 8]
      let gate = fixture.stub.hold(.get, "/rows?after=2")
      fixture.list.refresh()
      await gate.arrived()
      fixture.list.cancelLoad()
      await fixture.list.settled()
      #expect(fixture.list.items.first == 9)
      fixture.list.loadIfNeeded()
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == fixture.server.rows, "\(fixture.list.state)")
    }
  }
}
