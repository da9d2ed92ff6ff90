import Freshet
import FreshetTesting
import Testing

@Suite("Items of a list of pages changed in place", .standardTimeLimit)
struct PagedCollectionEditTests {
  private func fixture(
    _ pages: [[Int]], on actor: isolated any Actor = #isolation
  ) -> PageListFixture {
    PageListFixture(pages) { $0.identity = ItemIdentity { $0 % 10 } }
  }

  @Test(
    "An item is changed in every copy, in one event, and changed back",
    arguments: StoreActor.allCases)
  func update(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [12, 3]])
      await fixture.loadAll()
      let edit = fixture.list.update(identifiedBy: 2) { $0 += 50 }
      #expect(fixture.list.items == [1, 52, 3])
      fixture.page(1).updateContent { $0.items.removeLast() }
      #expect(fixture.list.items == [1, 62, 3])
      edit?.rollBack()
      #expect(fixture.list.items == [1, 12, 3])
      #expect(fixture.list.update(identifiedBy: 7) { $0 = 0 } == nil)
      #expect(fixture.mirror.failure == nil && fixture.mirror.changeCount == 3)
      #expect(fixture.asked.isEmpty)
    }
  }

  @Test("An edit survives the load that is under way", arguments: StoreActor.allCases)
  func survivesLoad(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [3]])
      await fixture.loadAll()
      fixture.serve([[1, 2, 4], [3]])
      let gate = fixture.stub.hold(.get, "/items?page=1")
      fixture.list.refresh()
      await gate.arrived()
      fixture.list.update(identifiedBy: 2) { $0 = 92 }
      fixture.list.remove(identifiedBy: 1)
      fixture.list.insert(8, at: 0)
      #expect(fixture.list.items == [8, 92, 3])
      gate.release()
      await fixture.list.settled()
      #expect(
        fixture.list.items == [8, 92, 4, 3], "the edits are replayed on what the load brings")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("An edit goes with its item to another page", arguments: StoreActor.allCases)
  func moved(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [3, 4]])
      await fixture.loadAll()
      let removal = fixture.list.remove(identifiedBy: 2)
      fixture.list.update(identifiedBy: 4) { $0 = 94 }
      fixture.serve([[0, 1], [2, 3], [4]])
      var hasShown = false
      fixture.mirror.onEvent = { list, _ in
        if list.items.contains(2) || list.items.contains(4) { hasShown = true }
      }
      fixture.list.refresh()
      await fixture.list.settled()
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [0, 1, 3, 94] && !hasShown)
      #expect(removal?.isPending == true)
      removal?.rollBack()
      #expect(fixture.list.items == [0, 1, 2, 3, 94] && removal?.isPending == false)
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A pending edit lets no page be searched that has not changed")
  func unchanged() async throws {
    await StoreActor.mainActor.run { actor in
      let count = Locked(0)
      let fixture = PageListFixture([[1, 2], [3, 4], [5, 6]]) {
        $0.identity = ItemIdentity { item in
          count.withLock { $0 += 1 }
          return item
        }
      }
      await fixture.loadAll()
      fixture.list.update(identifiedBy: 2) { $0 = 2 }
      count.withLock { $0 = 0 }
      await fixture.refresh(.stale)
      #expect(fixture.asked.isEmpty && count.withLock { $0 } == 0)
    }
  }

  @Test("An edit is made also in a page with its item that another user has loaded")
  func loadedElsewhere() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = fixture([[1, 2], [3], [2, 9]])
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      let third = fixture.page(3)
      await third.load().completed()
      let removal = fixture.list.remove(identifiedBy: 2)
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 3, 9] && third.content?.items == [9])
      removal?.commit()
      fixture.list.refresh()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3, 9], "what is committed is left to the server")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A removed item is removed in every copy, and comes back when that is taken back",
    arguments: StoreActor.allCases)
  func remove(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [12, 3]])
      await fixture.loadAll()
      let edit = fixture.list.remove(identifiedBy: 2)
      #expect(fixture.list.items == [1, 3] && fixture.list.duplicateCount == 0)
      edit?.rollBack()
      #expect(fixture.list.items == [1, 2, 3] && fixture.list.duplicateCount == 1)
    }
  }

  @Test("An inserted item stays before its neighbor", arguments: StoreActor.allCases)
  func insert(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture([[1, 2], [3, 4]])
      await fixture.loadAll()
      let edit = fixture.list.insert(9, at: 3)
      fixture.list.insert(8, at: 5)
      #expect(fixture.list.items == [1, 2, 3, 9, 4, 8])
      #expect(fixture.list.index(identifiedBy: 4) == 4)
      fixture.serve(2, [7, 3, 4], next: nil)
      fixture.list.refresh()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 7, 3, 9, 4, 8])
      edit?.rollBack()
      #expect(fixture.list.items == [1, 2, 7, 3, 4, 8])
      #expect(fixture.mirror.failure == nil)
    }
  }
}
