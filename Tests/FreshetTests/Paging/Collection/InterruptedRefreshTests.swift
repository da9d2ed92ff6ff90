import Freshet
import FreshetTesting
import Testing

@Suite("A refresh from the first page, where pages are of different states", .standardTimeLimit)
struct InterruptedRefreshTests {
  private static let old = [[1, 2], [3, 4], [5, 6]]
  /// The same with an item at the top, which moves all others.
  private static let new = [[0, 1], [2, 3], [4, 5], [6]]

  /// A list that has loaded the old pages.
  private static func loaded(
    isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) async -> PageListFixture {
    let fixture = PageListFixture(old, options: options)
    await fixture.loadAll()
    return fixture
  }

  /// Checks that the list comes to the new items, and to their end.
  private nonisolated(nonsending) func expectNewItems(
    _ fixture: PageListFixture, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await fixture.loadAll()
    #expect(fixture.list.items == Array(0...6), sourceLocation: sourceLocation)
    #expect(fixture.list.state.description == "ended", sourceLocation: sourceLocation)
  }

  /// The pages that a refresh from the first page requests.
  private nonisolated(nonsending) func pagesOfRefresh(_ fixture: PageListFixture) async -> [Int] {
    fixture.stub.forgetRequests()
    await fixture.refresh(.firstPage)
    return fixture.asked
  }

  @Test(
    "After a refresh that failed on the way, an unchanged first page does not end the next one",
    arguments: StoreActor.allCases)
  func failed(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await Self.loaded()
      fixture.serve(Self.new)
      fixture.fail(2)
      await fixture.refresh(.firstPage)
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      fixture.serve(Self.new)
      await fixture.refresh(.firstPage)
      await expectNewItems(fixture)
      await fixture.refresh(.firstPage)
      #expect(fixture.asked == [1], "all pages are of one state again")
    }
  }

  @Test(
    "After a refresh that was cancelled on the way, an unchanged first page does not end the next one",
    arguments: StoreActor.allCases)
  func cancelled(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await Self.loaded()
      fixture.serve(Self.new)
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh(.firstPage)
      await gate.arrived()
      fixture.list.cancelLoad()
      await fixture.list.settled()
      await fixture.refresh(.firstPage)
      await expectNewItems(fixture)
    }
  }

  @Test("Nor does it where the first page was reloaded while those after it were fresh")
  func reloaded() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = PageListFixture(Self.old)
      await fixture.loadIfNeeded()
      fixture.clock.advance(by: .seconds(20))
      await fixture.loadAll()
      fixture.clock.advance(by: .seconds(15))
      fixture.serve(Self.new)
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [1] && fixture.list.items == [0, 1, 3, 4, 5, 6])
      await fixture.refresh(.firstPage)
      await expectNewItems(fixture)
    }
  }

  @Test("Nor where the first page was wiped and loaded again")
  func wiped() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.serve(Self.new)
      fixture.page(1).wipe()
      await fixture.loadIfNeeded()
      #expect(fixture.asked == [1] && fixture.list.items == [0, 1, 3, 4, 5, 6])
      await fixture.refresh(.firstPage)
      await expectNewItems(fixture)
    }
  }

  @Test("Nor where the first page was wiped, and is loaded by that refresh")
  func wipedBefore() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.serve(Self.new)
      fixture.page(1).wipe()
      #expect(await pagesOfRefresh(fixture) == [1, 2, 3])
      #expect(fixture.list.refreshState == .idle)
      await expectNewItems(fixture)
    }
  }

  @Test("Nor one that is retried, where the page that failed has changed meanwhile")
  func loadedBeforeRetry() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.fail(1)
      await fixture.refresh(.firstPage)
      #expect(fixture.list.refreshState.description == "failed(page 0, http)")
      fixture.serve(Self.new)
      await fixture.page(1).load().completed()
      await fixture.list.settled()
      await fixture.retry()
      await expectNewItems(fixture)
    }
  }

  @Test(
    "One that failed is complete once its page is loaded and has not changed, and hides nothing stale",
    arguments: [false, true])
  func loadedUnchanged(isExpired: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.fail(1)
      await fixture.refresh(.firstPage)
      #expect(fixture.list.refreshState.description == "failed(page 0, http)")
      fixture.stub.forgetRequests()
      fixture.serve([[1, 2], [3, 4], [5, 7]])
      if isExpired {
        fixture.clock.advance(by: .seconds(31))
        fixture.list.loadIfNeeded()
      } else {
        await fixture.page(1).load().completed()
      }
      await fixture.list.settled()
      #expect(fixture.asked == (isExpired ? [1, 2, 3] : [1]))
      #expect(fixture.list.items == [1, 2, 3, 4, 5, isExpired ? 7 : 6])
      #expect(fixture.list.refreshState == .idle && fixture.list.lastRefreshDate != nil)
    }
  }

  @Test("Nor one that is sent back to a page that it has passed, and that has changed before")
  func sentBack() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.serve(Self.new)
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh(.firstPage)
      await gate.arrived()
      fixture.page(1).invalidate()
      gate.release(with: .status(500))
      await fixture.list.settled()
      await fixture.retry()
      await expectNewItems(fixture)
    }
  }

  @Test("Nor one that is retried after a page that it has passed was invalidated")
  func invalidatedBeforeRetry() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded { $0.reloadsWhenInvalidated = false }
      fixture.serve(Self.new)
      fixture.fail(2)
      await fixture.refresh(.firstPage)
      #expect(fixture.list.refreshState.description == "failed(page 1, http)")
      fixture.serve(Self.new)
      fixture.page(1).invalidate()
      await fixture.retry()
      await expectNewItems(fixture)
    }
  }

  @Test("An optimistic edit and a last page that has grown leave it at one request")
  func edited() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.page(2).updateContent { $0.items[0] = 30 }
      fixture.serve(3, [5, 6, 7], next: nil)
      fixture.page(3).load()
      await fixture.page(3).settled()
      #expect(fixture.list.items == [1, 2, 30, 4, 5, 6, 7])
      #expect(await pagesOfRefresh(fixture) == [1])
    }
  }

  @Test("So does a page whose content the program has replaced")
  func overridden() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      var page = try #require(fixture.page(2).content)
      page.items[0] = 30
      fixture.page(2).overrideLocalContent(page)
      #expect(fixture.list.items == [1, 2, 30, 4, 5, 6])
      #expect(await pagesOfRefresh(fixture) == [1])
    }
  }

  @Test("Nor where the first page was loaded by itself while a refresh waited for a later one")
  func loadedMeanwhile() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      let gate = fixture.stub.hold(.get, "/items?page=3")
      fixture.list.refresh()
      await gate.arrived()
      fixture.serve(Self.new)
      await fixture.page(1).load().completed()
      gate.release(with: PageListFixture.response([5, 6], next: nil))
      await fixture.list.settled()
      #expect(fixture.list.items == [0, 1, 3, 4, 5, 6])
      await fixture.refresh(.firstPage)
      await expectNewItems(fixture)
    }
  }

  @Test(
    "Nor where it was the only page when it changed, and a page that was requested before follows",
    arguments: StoreActor.allCases, [false, true])
  func changedAlone(actor: StoreActor, hasChanged: Bool) async throws {
    await actor.run { actor in
      let fixture = PageListFixture(Self.old)
      await fixture.loadIfNeeded()
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.loadMore()
      await gate.arrived()
      if hasChanged { fixture.serve(Self.new) }
      await fixture.page(1).load().completed()
      gate.release(with: PageListFixture.response([3, 4], next: "/items?page=3"))
      await fixture.list.settled()
      await fixture.loadAll()
      #expect(fixture.list.items == (hasChanged ? [0, 1, 3, 4, 4, 5, 6] : Array(1...6)))
      #expect(await pagesOfRefresh(fixture) == (hasChanged ? [1, 2, 3, 4] : [1]))
      #expect(fixture.list.items == (hasChanged ? Array(0...6) : Array(1...6)))
    }
  }

  @Test("Nor where all pages were loaded before, and the first one again after the others")
  func loadedBefore() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.serve(Self.new)
      await fixture.page(1).load().completed()
      let list = fixture.service.pages("items?page=1", of: Int.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      #expect(list.items == [0, 1, 3, 4, 5, 6] && fixture.asked == [1])
      list.refresh(.firstPage)
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(list.items == Array(0...6))
    }
  }

  @Test(
    "It is one request after all pages were loaded again, changed or not",
    arguments: StoreActor.allCases, [old, new])
  func loadedAgain(actor: StoreActor, pages: [[Int]]) async throws {
    await actor.run { actor in
      let fixture = await Self.loaded { $0.concurrentLoads = 2 }
      fixture.serve(pages)
      fixture.clock.advance(by: .seconds(31))
      await fixture.loadIfNeeded()
      // Two at once arrive in any order.
      #expect(fixture.asked.sorted() == [1, 2, 3])
      #expect(await pagesOfRefresh(fixture) == [1])
    }
  }

  @Test("It is one request where the first page alone was loaded again, and is equal")
  func loadedAlone() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      await fixture.page(1).load().completed()
      #expect(await pagesOfRefresh(fixture) == [1])
    }
  }

  @Test("It is one request after an edit was rolled back, and after a page was written")
  func rolledBack() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      await fixture.page(1).load().completed()
      let edit = fixture.page(1).updateContent { $0.items[0] = 10 }
      edit?.rollBack()
      fixture.page(2).updateContent { $0.items[0] = 30 }?.commit()
      #expect(fixture.list.items == [1, 2, 30, 4, 5, 6])
      #expect(await pagesOfRefresh(fixture) == [1])
    }
  }

  @Test("It is one request after one that has ended at an unchanged page")
  func endedEarly() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = await Self.loaded()
      fixture.serve([[9, 2], [3, 4], [5, 6]])
      await fixture.refresh(.firstPage)
      #expect(fixture.asked == [1, 2])
      await fixture.refresh(.firstPage)
      #expect(fixture.asked == [1, 2, 1])
    }
  }
}
