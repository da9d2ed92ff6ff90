import Freshet
import FreshetTesting
import Testing

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
      let edit = scene.list.update(identifiedBy: 2) { $0 += 50 }
      #expect(scene.list.items == [1, 52, 3])
      scene.page(1).updateContent { $0.items.removeLast() }
      #expect(scene.list.items == [1, 62, 3])
      edit?.rollBack()
      #expect(scene.list.items == [1, 12, 3])
      #expect(scene.list.update(identifiedBy: 7) { $0 = 0 } == nil)
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
      scene.list.update(identifiedBy: 2) { $0 = 92 }
      scene.list.remove(identifiedBy: 1)
      scene.list.insert(8, at: 0)
      #expect(scene.list.items == [8, 92, 3])
      gate.release()
      await scene.list.settled()
      #expect(scene.list.items == [8, 92, 4, 3], "the edits are replayed on what the load brings")
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
      let edit = scene.list.remove(identifiedBy: 2)
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
      #expect(scene.list.index(identifiedBy: 4) == 4)
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
