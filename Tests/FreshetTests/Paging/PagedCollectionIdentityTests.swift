import Freshet
import FreshetTesting
import Testing

@Suite("Items of a list of pages told apart")
struct PagedCollectionIdentityTests {
  private func scene(
    _ pages: [[Int]], showing choice: ItemIdentity<Int>.Choice = .first,
    on home: isolated any Actor = #isolation
  ) -> PageListScene {
    // The identity of 12 and 32 is 2: the tens are the content.
    PageListScene(pages) { $0.identity = ItemIdentity(showing: choice) { $0 % 10 } }
  }

  @Test(
    "Later copies are dropped and counted, and come back when the first goes",
    arguments: Home.allCases)
  func later(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2], [12, 3], [22, 4]])
      await scene.loadAll()
      #expect(scene.list.items == [1, 2, 3, 4])
      #expect(scene.list.duplicateCount == 2)
      scene.page(1).updateContent { $0.items = [1] }
      #expect(scene.list.items == [1, 12, 3, 4])
      #expect(scene.list.duplicateCount == 1)
      scene.page(2).updateContent { $0.items = [] }
      #expect(scene.list.items == [1, 22, 4])
      #expect(scene.mirror.failure == nil && scene.mirror.changeCount == 2)
    }
  }

  @Test("Within a page the first copy is shown", arguments: Home.allCases)
  func withinPage(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 11, 2], [3]])
      await scene.loadAll()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.list.duplicateCount == 1)
    }
  }

  @Test("The newer copy wins where that is wanted, at its own place", arguments: Home.allCases)
  func newest(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2], [12, 3]], showing: .newest)
      await scene.loadAll()
      #expect(scene.list.items == [1, 12, 3])
      scene.serve(1, [1, 22], next: "/items?page=2")
      scene.page(1).load()
      await scene.list.settled()
      _ = await scene.page(1).load().ended()
      #expect(scene.list.items == [1, 22, 3])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "An item inserted at the top of a numbered list neither repeats nor hides another",
    arguments: Home.allCases)
  func insertedAtTop(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2, 3], [4, 5, 6], [7]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      // While only the first page is loaded, everything moves on by one.
      scene.serve([[9, 1, 2], [3, 4, 5], [6, 7]])
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3, 4, 5, 6, 7])
      scene.list.refresh(.firstPage)
      await scene.list.settled()
      #expect(scene.list.items == [9, 1, 2, 3, 4, 5, 6, 7])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A page that changes its next link is covered by the new chain without a gap",
    arguments: Home.allCases)
  func coverage(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2], [3, 4], [5, 6]])
      await scene.loadAll()
      // Cursors: what was behind 2 is now behind another page.
      scene.serve(1, [9, 1], next: "/items?page=7")
      scene.serve(7, [2, 3], next: "/items?page=8")
      scene.serve(8, [4, 5], next: "/items?page=9")
      scene.serve(9, [6], next: nil)
      var shortest = Int.max
      scene.mirror.onEvent = { list, _ in shortest = min(shortest, Set(list.items).count) }
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [9, 1, 2, 3, 4, 5, 6])
      #expect(shortest >= 6, "the items behind stay visible")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("Links that change on every read change no item", arguments: Home.allCases)
  func changingLinks(home: Home) async throws {
    for identity in [nil, ItemIdentity<Int> { $0 }] {
      await home.run { home in
        let scene = PageListScene([[1, 2], [3, 4], [5, 6]]) { $0.identity = identity }
        await scene.loadAll()
        scene.serve(1, [1, 2], next: "/items?page=7")
        scene.serve(7, [3, 4], next: "/items?page=8")
        scene.serve(8, [5, 6], next: nil)
        scene.list.refresh()
        await scene.list.settled()
        #expect(scene.asked == [1, 7, 8])
        #expect(scene.list.items == [1, 2, 3, 4, 5, 6])
        #expect(scene.mirror.changeCount == 0)
      }
    }
  }
}

@Suite("Items of a list of pages changed in place")
struct PagedCollectionEditTests {
  private func scene(
    _ pages: [[Int]], on home: isolated any Actor = #isolation
  ) -> PageListScene {
    PageListScene(pages) { $0.identity = ItemIdentity { $0 % 10 } }
  }

  @Test(
    "An item is changed in every copy, in one event, and changed back", arguments: Home.allCases)
  func update(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2], [12, 3]])
      await scene.loadAll()
      let edit = scene.list.update(id: 2) { $0 += 50 }
      #expect(scene.list.items == [1, 52, 3])
      scene.page(1).updateContent { $0.items.removeLast() }
      #expect(scene.list.items == [1, 62, 3])
      edit?.rollBack()
      #expect(scene.list.items == [1, 12, 3])
      #expect(scene.list.update(id: 7) { $0 = 0 } == nil)
      #expect(scene.mirror.failure == nil && scene.mirror.changeCount == 3)
      #expect(scene.asked.isEmpty)
    }
  }

  @Test("An edit survives the load that is under way", arguments: Home.allCases)
  func survivesLoad(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2], [3]])
      await scene.loadAll()
      scene.serve([[1, 2, 4], [3]])
      let gate = scene.stub.hold(.get, "/items?page=1")
      scene.list.refresh()
      await gate.arrived()
      scene.list.update(id: 2) { $0 = 92 }
      scene.list.remove(id: 1)
      scene.list.insert(8, at: 0)
      #expect(scene.list.items == [8, 92, 3])
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [8, 92, 3], "the load was given up for the edit")
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [8, 92, 4, 3])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "A removed item is removed in every copy, and comes back when that is taken back",
    arguments: Home.allCases)
  func remove(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2], [12, 3]])
      await scene.loadAll()
      let edit = scene.list.remove(id: 2)
      #expect(scene.list.items == [1, 3] && scene.list.duplicateCount == 0)
      edit?.rollBack()
      #expect(scene.list.items == [1, 2, 3] && scene.list.duplicateCount == 1)
    }
  }

  @Test("An inserted item stays before its neighbour", arguments: Home.allCases)
  func insert(home: Home) async throws {
    await home.run { home in
      let scene = scene([[1, 2], [3, 4]])
      await scene.loadAll()
      let edit = scene.list.insert(9, at: 3)
      scene.list.insert(8, at: 5)
      #expect(scene.list.items == [1, 2, 3, 9, 4, 8])
      #expect(scene.list.index(ofID: 4) == 4)
      scene.serve(2, [7, 3, 4], next: nil)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 7, 3, 9, 4, 8])
      edit?.rollBack()
      #expect(scene.list.items == [1, 2, 7, 3, 4, 8])
      #expect(scene.mirror.failure == nil)
    }
  }
}
