import Freshet
import FreshetTesting
import Testing

@Suite("Items of a list of pages told apart")
struct PagedCollectionIdentityTests {
  private func scene(
    _ pages: [[Int]], showing choice: ItemChoice = .first,
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
