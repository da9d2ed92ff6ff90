import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Lists of pages in corners")
struct PagedCollectionCornerTests {
  @Test("Numbers as large as they can be stop nothing", arguments: Home.allCases)
  func largestNumbers(home: Home) async {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) {
        $0.concurrentLoads = .max
        $0.prefetchDistance = .max
        $0.maxPages = .max
      }
      scene.list.loadAll()
      await scene.list.settled()
      scene.list.refresh()
      scene.list.itemShown(at: .max)
      scene.list.itemsShown(in: .min..<(.max))
      scene.list.displayedCount = .max
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
    }
  }

  @Test(
    "A window on a list that has become shorter goes back to what is left", arguments: Home.allCases
  )
  func shorterThanTheWindow(home: Home) async {
    await home.run { home in
      let scene = PageListScene([[1, 2], [3, 4], [5, 6]]) { $0.maxPages = 1 }
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.items == [5, 6])
      scene.serve(3, [], next: nil)
      scene.serve(2, [], next: "/items?page=3")
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test(
    "Pages of repeated requests are wiped and invalidated with the first", arguments: Home.allCases)
  func repeatedPages(home: Home) async {
    await home.run { home in
      let scene = PageListScene([]) {
        $0.allowsRepeatedPages = true
        $0.pageLimit = 3
      }
      scene.serve(1, [1], next: "/items?page=1")
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.items == [1, 1, 1])
      scene.serve(1, [2], next: "/items?page=1")
      scene.service.invalidate()
      await scene.list.settled()
      #expect(scene.list.items == [2, 2, 2])
      scene.service.wipe()
      #expect(scene.list.items.isEmpty)
    }
  }

  @Test("An edit is for the items that are shown, also while a refresh is held back")
  func editsWhileHeldBack() async {
    await Home.plainActor.run { home in
      let scene = PageListScene([[1, 2], [3, 4]]) {
        $0.publication = .whenComplete
        $0.identity = ItemIdentity { $0 }
      }
      await scene.loadAll()
      scene.serve(1, [1, 9], next: "/items?page=2")
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.refresh()
      await gate.arrived()
      #expect(scene.list.index(identifiedBy: 2) == 1)
      #expect(scene.list.remove(identifiedBy: 2) != nil)
      #expect(scene.list.index(identifiedBy: 9) == nil)
      #expect(scene.list.remove(identifiedBy: 9) == nil)
      gate.release(with: PageListScene.answer([3, 4], next: nil))
      await scene.list.settled()
      #expect(scene.list.items == [1, 9, 3, 4])
    }
  }

  @Test("A refresh that runs into a loop is not completed")
  func refreshIntoLoop() async {
    await Home.plainActor.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.serve(2, [20], next: "/items?page=1")
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.lastRefreshed == nil)
      #expect(scene.list.refreshState.description.hasPrefix("incomplete(page 2 links back"))
      scene.serve(2, [20], next: "/items?page=3")
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.list.items == [1, 20, 3] && scene.list.lastRefreshed != nil)
      #expect(scene.list.refreshState.description == "idle")
    }
  }

  @Test("Observers that begin again at every event are done once they stop", arguments: 0..<6)
  func restless(kind: Int) async {
    await Home.plainActor.run { home in
      let scene = PageListScene((1...8).map { [$0] }) {
        $0.concurrentLoads = 4
        $0.maxPages = kind.isMultiple(of: 2) ? 2 : nil
      }
      var count = 0
      scene.mirror.onEvent = { list, event in
        count += 1
        guard count < 200 else { return }
        switch kind {
        case 0, 1:
          guard case .itemsChanged = event else { return }
          list.reset()
          list.loadAll()
        case 2, 3:
          list.cancelLoad()
          list.loadAll()
        default:
          list.refresh()
          list.loadMore()
          list.loadPrevious()
        }
      }
      scene.list.loadAll()
      for _ in 0..<200_000 where scene.list.isLoading { await Task.yield() }
      scene.list.loadAll()
      for _ in 0..<200_000 where scene.list.isLoading { await Task.yield() }
      #expect(scene.list.state.description == "ended" && scene.mirror.failure == nil)
      #expect(scene.list.items.last == 8 && count >= 1)
    }
  }

  @Test("A previous link that goes as soon as it has come is not followed, and stops nothing")
  func vanishingPreviousLink() async {
    await Home.plainActor.run { home in
      let scene = TwoWayScene([[1], [2]], startingAt: 2)
      let first = scene.list.firstPage
      let token = first.observe { _, event in
        if event == .newData(.network) { first.overrideLocalContent(Page(items: [2])) }
      }
      scene.list.loadPrevious()
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [2])
      #expect(scene.list.previousState.description == "ended")
      token.remove()
    }
  }
}
