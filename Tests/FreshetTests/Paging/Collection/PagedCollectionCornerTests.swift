import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Lists of pages in corners", .standardTimeLimit)
struct PagedCollectionCornerTests {
  @Test("Numbers as large as they can be stop nothing", arguments: StoreActor.allCases)
  func largestNumbers(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) {
        $0.concurrentLoads = .max
        $0.prefetchDistance = .max
        $0.retainedPageLimit = .max
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      fixture.list.refresh()
      fixture.list.itemShown(at: .max)
      fixture.list.itemsShown(in: .min..<(.max))
      fixture.list.displayedCount = .max
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test(
    "A window on a list that has become shorter returns to what is left",
    arguments: StoreActor.allCases
  )
  func shorterThanTheWindow(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4], [5, 6]]) { $0.retainedPageLimit = 1 }
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [5, 6])
      fixture.serve(3, [], next: nil)
      fixture.serve(2, [], next: "/items?page=3")
      await fixture.refresh()
      #expect(fixture.list.items == [1, 2])
    }
  }

  @Test(
    "Pages of repeated requests are wiped and invalidated with the first",
    arguments: StoreActor.allCases)
  func repeatedPages(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([]) {
        $0.allowsRepeatedPages = true
        $0.pageLimit = 3
      }
      fixture.serve(1, [1], next: "/items?page=1")
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 1, 1])
      fixture.serve(1, [2], next: "/items?page=1")
      fixture.service.invalidate()
      await fixture.list.settled()
      #expect(fixture.list.items == [2, 2, 2])
      fixture.service.wipe()
      #expect(fixture.list.items.isEmpty)
    }
  }

  @Test("An edit is for the items that are shown, also while a refresh is held back")
  func editsWhileHeldBack() async {
    await StoreActor.plainActor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4]]) {
        $0.publication = .whenComplete
        $0.identity = ItemIdentity { $0 }
      }
      await fixture.loadAll()
      fixture.serve(1, [1, 9], next: "/items?page=2")
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh()
      await gate.arrived()
      #expect(fixture.list.index(identifiedBy: 2) == 1)
      #expect(fixture.list.remove(identifiedBy: 2) != nil)
      #expect(fixture.list.index(identifiedBy: 9) == nil)
      #expect(fixture.list.remove(identifiedBy: 9) == nil)
      gate.release(with: PageListFixture.response([3, 4], next: nil))
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 9, 3, 4])
    }
  }

  @Test("A refresh that runs into a loop is not completed")
  func refreshIntoLoop() async {
    await StoreActor.plainActor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.serve(2, [20], next: "/items?page=1")
      await fixture.refresh()
      #expect(fixture.list.lastRefreshDate == nil)
      #expect(fixture.list.refreshState.description.hasPrefix("incomplete(page 1 links back"))
      fixture.serve(2, [20], next: "/items?page=3")
      await fixture.refresh()
      #expect(fixture.list.items == [1, 20, 3] && fixture.list.lastRefreshDate != nil)
      #expect(fixture.list.refreshState.description == "idle")
    }
  }

  @Test("Observers that begin again at every event are done once they stop", arguments: 0..<6)
  func restless(kind: Int) async {
    await StoreActor.plainActor.run { actor in
      let fixture = PageListFixture((1...8).map { [$0] }) {
        $0.concurrentLoads = 4
        $0.retainedPageLimit = kind.isMultiple(of: 2) ? 2 : nil
      }
      var count = 0
      fixture.mirror.onEvent = { list, event in
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
          list.loadPreviousPage()
        }
      }
      fixture.list.loadAll()
      await fixture.list.settled()
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.state.description == "ended" && fixture.mirror.failure == nil)
      #expect(fixture.list.items.last == 8 && count >= 1)
    }
  }

  @Test("A previous link that disappears as soon as it has come is not followed, and stops nothing")
  func vanishingPreviousLink() async {
    await StoreActor.plainActor.run { actor in
      let fixture = TwoWayListFixture([[1], [2]], startingAt: 2)
      let first = fixture.list.firstPage
      let token = first.observe { _, event in
        if event == .newData(.network) { first.overrideLocalContent(Page(items: [2])) }
      }
      fixture.list.loadPreviousPage()
      fixture.list.loadIfNeeded()
      await fixture.list.settled()
      #expect(fixture.list.items == [2])
      #expect(fixture.list.previousState.description == "ended")
      token.cancel()
    }
  }
}
