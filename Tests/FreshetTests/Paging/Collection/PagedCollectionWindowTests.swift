import FreshetTesting
import Testing

@testable import Freshet

@Suite("A window of a list of pages", .standardTimeLimit)
struct PagedCollectionWindowTests {
  private func fixture(
    startingAt start: Int = 1, retainedPageLimit: Int, on actor: isolated any Actor = #isolation
  ) -> TwoWayListFixture {
    TwoWayListFixture((0..<8).map { [$0 * 2, $0 * 2 + 1] }, startingAt: start) {
      $0.retainedPageLimit = retainedPageLimit
      $0.prefetchDistance = 1
    }
  }

  @Test(
    "Pages are dropped at the far end and come back when the user scrolls back",
    arguments: StoreActor.allCases)
  func scrolling(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture(retainedPageLimit: 3)
      for index in 0..<16 {
        fixture.list.itemShown(at: index - fixture.list.firstItemIndex)
        await fixture.list.settled()
        #expect(fixture.list.pageCount <= 4)
        #expect(fixture.list.items[index - fixture.list.firstItemIndex] == index)
      }
      #expect(fixture.list.state.description == "ended")
      #expect(fixture.list.firstItemIndex == 10 && fixture.list.items == Array(10..<16))
      #expect(fixture.list.hasPreviousPage && fixture.list.previousState.description == "idle")
      await fixture.settled()
      for index in (0..<16).reversed() {
        fixture.list.itemShown(at: index - fixture.list.firstItemIndex)
        await fixture.list.settled()
        #expect(fixture.list.pageCount <= 4)
        #expect(fixture.list.items[index - fixture.list.firstItemIndex] == index)
      }
      #expect(fixture.list.firstItemIndex == 0 && fixture.list.items == Array(0..<6))
      #expect(fixture.asked.isEmpty, "pages that are fresh cost no request")
      #expect(fixture.list.previousState.description == "ended")
      #expect(fixture.list.state.description == "idle")
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("What is on screen is not dropped", arguments: StoreActor.allCases)
  func onScreen(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture(retainedPageLimit: 2)
      fixture.list.itemsShown(in: 0..<4)
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.firstItemIndex == 0)
      #expect(fixture.list.items.prefix(4) == [0, 1, 2, 3])
    }
  }

  @Test(
    "A dropped page that the server does not lead back to is asked for by its own request",
    arguments: StoreActor.allCases)
  func withoutPreviousLinks(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<6).map { [$0] }) { $0.retainedPageLimit = 2 }
      await fixture.loadAll()
      #expect(fixture.list.items == [4, 5])
      fixture.clock.advance(by: .seconds(60))
      await fixture.loadPreviousPage()
      #expect(fixture.asked == [4])
      #expect(fixture.list.items == [3, 4] && fixture.list.firstItemIndex == 3)
    }
  }

  @Test(
    "A page before the window that has failed is forgotten once the window moves",
    arguments: StoreActor.allCases)
  func failedBefore(actor: StoreActor) async throws {
    await actor.run { actor in
      let pages = (1...6).map { [$0] }
      let fixture = PageListFixture(pages) { $0.retainedPageLimit = 2 }
      fixture.list.loadPages(through: 3)
      await fixture.list.settled()
      fixture.clock.advance(by: .seconds(31))
      fixture.fail(2)
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      #expect(fixture.list.previousState.description == "failed(page -1, http)")
      fixture.list.loadMore()
      await fixture.list.settled()
      #expect(fixture.list.items == [4, 5] && fixture.list.previousState == .idle)
      fixture.serve(pages)
      fixture.stub.forgetRequests()
      await fixture.page(2).load().completed()
      await fixture.list.settled()
      #expect(fixture.list.items == [4, 5] && fixture.asked == [2])
      fixture.list.loadPreviousPage()
      await fixture.list.settled()
      #expect(fixture.list.items == [3, 4] && fixture.asked == [2, 3])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Where requests may be repeated, a dropped page comes back before those that are loaded",
    arguments: StoreActor.allCases)
  func repeatedPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3], [4]]) {
        $0.retainedPageLimit = 2
        $0.allowsRepeatedPages = true
      }
      await fixture.loadAll()
      #expect(fixture.list.items == [3, 4])
      await fixture.loadPreviousPage()
      #expect(fixture.list.items == [2, 3])
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [3, 4] && fixture.list.state == .ended)
      #expect(fixture.asked.isEmpty && fixture.mirror.failure == nil)
    }
  }

  @Test(
    "Pages that the list no longer leads to are dropped when the user scrolls away from them",
    arguments: StoreActor.allCases)
  func staleEnd(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<8).map { [2 * $0, 2 * $0 + 1] }) {
        $0.retainedPageLimit = 2
        $0.prefetchDistance = 1
      }
      await fixture.loadAll()
      #expect(fixture.list.items == Array(12..<16))
      fixture.serve(7, [12, 13], next: "https://other.test/items?page=8")
      await fixture.refresh()
      #expect(fixture.list.state.description.hasPrefix("incomplete"), "\(fixture.list.state)")
      #expect(fixture.list.items == Array(12..<16), "what is on screen stays")
      for _ in 1...5 {
        fixture.list.itemsShown(in: 0..<1)
        await fixture.list.settled()
        #expect(fixture.list.knownPages.count <= 4)
      }
      #expect(fixture.list.items.prefix(2) == [2, 3] && fixture.list.firstItemIndex == 2)
      #expect(fixture.mirror.copy == fixture.list.items && fixture.mirror.failure == nil)
    }
  }

  @Test("A circle through pages that were dropped is a loop", arguments: StoreActor.allCases)
  func loop(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture((0..<6).map { [$0] }) { $0.retainedPageLimit = 2 }
      fixture.serve(6, [5], next: "/items?page=2")
      await fixture.loadAll()
      guard case .incomplete(let walk) = fixture.list.state, case .loop = walk.reason else {
        Issue.record("the state is \(fixture.list.state)")
        return
      }
    }
  }

  @Test("A refresh requests the pages in memory", arguments: StoreActor.allCases)
  func refresh(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture(retainedPageLimit: 3)
      fixture.list.loadAll()
      await fixture.settled()
      fixture.list.refresh()
      await fixture.list.settled()
      #expect(fixture.asked == [6, 7, 8])
    }
  }

  @Test(
    "Under random scrolling, edits and refreshes the window is a part of the list",
    arguments: StoreActor.allCases)
  func random(actor: StoreActor) async throws {
    await actor.run { actor in
      for seed in UInt64(1)...60 {
        var random = SeededGenerator(seed: seed)
        var pages = (0..<12).map { page in
          (0..<Int.random(in: 0...3, using: &random)).map { page * 10 + $0 }
        }
        let start = Int.random(in: 1...12, using: &random)
        let fixture = TwoWayListFixture(pages, startingAt: start) {
          $0.retainedPageLimit = seed % 3 == 0 ? nil : Int(seed % 4) + 1
          $0.prefetchDistance = 1
          if seed % 2 == 0 { $0.identity = ItemIdentity { $0 } }
        }
        var script: [String] = []
        for _ in 0..<80 {
          let list = fixture.list
          switch Int.random(in: 0..<10, using: &random) {
          case 0..<4 where !list.items.isEmpty:
            let index = Int.random(in: list.items.indices, using: &random)
            script.append("shown \(index)")
            list.itemShown(at: index)
          case 4: script.append("more"); list.loadMore()
          case 5: script.append("previous"); list.loadPreviousPage()
          case 6:
            let place = Int.random(in: pages.indices, using: &random)
            pages[place] = (0..<Int.random(in: 0...3, using: &random)).map { place * 10 + $0 }
            script.append("serve \(place + 1)")
            fixture.serve(pages)
            fixture.fixture.page(place + 1).load()
          case 7: script.append("refresh"); list.refresh(random.pick(RefreshScope.allCases))
          case 8: script.append("cancel"); list.cancelLoad()
          default: script.append("load"); list.loadIfNeeded()
          }
          if Int.random(in: 0..<2, using: &random) == 0 {
            await list.settled()
            script.append("settled")
          }
          list.checkInvariants()
          if let failure = fixture.mirror.failure {
            Issue.record("seed \(seed): \(failure)\n\(script)")
            return
          }
        }
        for resource in fixture.fixture.service.resources { resource.cancelLoad() }
        fixture.list.refresh()
        await fixture.list.settled()
        let window = fixture.list.pages.map { $0.content?.items ?? [] }
        let isPart = (0...(pages.count - window.count)).contains {
          Array(pages[$0..<($0 + window.count)]) == window
        }
        guard isPart, fixture.list.items == window.flatMap(\.self) else {
          Issue.record("seed \(seed): \(fixture.list.items), \(window) of \(pages)\n\(script)")
          return
        }
      }
    }
  }

  @Test(
    "A loop back to a dropped page is not claimed any more once a page between has changed",
    arguments: StoreActor.allCases)
  func outdatedLoop(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]]) { $0.retainedPageLimit = 2 }
      fixture.serve(3, [3], next: "/items?page=1")
      await fixture.loadAll()
      #expect(fixture.list.items == [2, 3] && fixture.list.firstItemIndex == 1)
      #expect(fixture.list.state.description.hasPrefix("incomplete("))
      fixture.page(2).updateContent { $0.items = [7] }
      #expect(fixture.list.items == [7, 3])
      #expect(fixture.list.state.description == "idle")
    }
  }
}
