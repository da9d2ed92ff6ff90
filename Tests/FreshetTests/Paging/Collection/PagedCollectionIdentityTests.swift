import Freshet
import FreshetTesting
import Testing

@Suite("Identity of the items of a list of pages", .standardTimeLimit)
struct PagedCollectionIdentityTests {
  private func fixture(
    _ pages: [[Int]], showing choice: ItemChoice = .first,
    on actor: isolated any Actor = #isolation
  ) -> PageListFixture {
    // The identity of 12 and 32 is 2: the tens are the content.
    PageListFixture(pages) { $0.identity = ItemIdentity(showing: choice) { $0 % 10 } }
  }

  @Test(
    "Later copies are dropped and counted, and come back when the first is removed",
    arguments: StoreActor.allCases)
  func later(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [12, 3], [22, 4]])
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3, 4])
      #expect(fixture.list.duplicateCount == 2)
      fixture.page(1).updateContent { $0.items = [1] }
      #expect(fixture.list.items == [1, 12, 3, 4])
      #expect(fixture.list.duplicateCount == 1)
      fixture.page(2).updateContent { $0.items = [] }
      #expect(fixture.list.items == [1, 22, 4])
      #expect(fixture.mirror.failure == nil && fixture.mirror.changeCount == 2)
    }
  }

  @Test("Within a page the first copy is shown", arguments: StoreActor.allCases)
  func withinPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 11, 2], [3]])
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.list.duplicateCount == 1)
    }
  }

  @Test(
    "The newer copy wins where that is wanted, at its own place", arguments: StoreActor.allCases)
  func newest(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [12, 3]], showing: .newest)
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 12, 3])
      fixture.serve(1, [1, 22], next: "/items?page=2")
      fixture.page(1).load()
      await fixture.list.settled()
      _ = await fixture.page(1).load().completed()
      #expect(fixture.list.items == [1, 22, 3])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "An item inserted at the top of a numbered list neither repeats nor hides another",
    arguments: StoreActor.allCases)
  func insertedAtTop(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2, 3], [4, 5, 6], [7]])
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      // While only the first page is loaded, everything moves on by one.
      fixture.serve([[9, 1, 2], [3, 4, 5], [6, 7]])
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3, 4, 5, 6, 7])
      fixture.list.refresh(.firstPage)
      await fixture.list.settled()
      #expect(fixture.list.items == [9, 1, 2, 3, 4, 5, 6, 7])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A page that changes its next link is covered by the new chain without a gap",
    arguments: StoreActor.allCases)
  func coverage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [3, 4], [5, 6]])
      await fixture.loadAll()
      // Cursors: what was after 2 is now after another page.
      fixture.serve(1, [9, 1], next: "/items?page=7")
      fixture.serve(7, [2, 3], next: "/items?page=8")
      fixture.serve(8, [4, 5], next: "/items?page=9")
      fixture.serve(9, [6], next: nil)
      var shortest = Int.max
      fixture.mirror.onEvent = { list, _ in shortest = min(shortest, Set(list.items).count) }
      fixture.list.refresh()
      await fixture.list.settled()
      #expect(fixture.list.items == [9, 1, 2, 3, 4, 5, 6])
      #expect(shortest >= 6, "the items after them stay visible")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("Links that change on every read change no item", arguments: StoreActor.allCases)
  func changingLinks(actor: StoreActor) async throws {
    for identity in [nil, ItemIdentity<Int> { $0 }] {
      await actor.run { actor in
        let fixture = PageListFixture([[1, 2], [3, 4], [5, 6]]) { $0.identity = identity }
        await fixture.loadAll()
        fixture.serve(1, [1, 2], next: "/items?page=7")
        fixture.serve(7, [3, 4], next: "/items?page=8")
        fixture.serve(8, [5, 6], next: nil)
        await fixture.refresh()
        #expect(fixture.asked == [1, 7, 8])
        #expect(fixture.list.items == [1, 2, 3, 4, 5, 6])
        #expect(fixture.mirror.changeCount == 0)
      }
    }
  }
}
