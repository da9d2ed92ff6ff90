import FreshetTesting
import Testing

@testable import Freshet

@Suite("A window of a list of pages")
struct PagedCollectionWindowTests {
  private func scene(
    startingAt start: Int = 1, maxPages: Int, on home: isolated any Actor = #isolation
  ) -> TwoWayScene {
    TwoWayScene((0..<8).map { [$0 * 2, $0 * 2 + 1] }, startingAt: start) {
      $0.maxPages = maxPages
      $0.prefetchDistance = 1
    }
  }

  @Test(
    "Pages are dropped at the far end and come back when somebody scrolls back",
    arguments: Home.allCases)
  func scrolling(home: Home) async throws {
    await home.run { home in
      let scene = scene(maxPages: 3)
      for index in 0..<16 {
        scene.list.itemShown(at: index - scene.list.firstItemIndex)
        await scene.list.settled()
        #expect(scene.list.pageCount <= 4)
        #expect(scene.list.items[index - scene.list.firstItemIndex] == index)
      }
      #expect(scene.list.state.description == "ended")
      #expect(scene.list.firstItemIndex == 10 && scene.list.items == Array(10..<16))
      #expect(scene.list.hasPrevious && scene.list.previousState.description == "idle")
      await scene.settled()
      for index in (0..<16).reversed() {
        scene.list.itemShown(at: index - scene.list.firstItemIndex)
        await scene.list.settled()
        #expect(scene.list.pageCount <= 4)
        #expect(scene.list.items[index - scene.list.firstItemIndex] == index)
      }
      #expect(scene.list.firstItemIndex == 0 && scene.list.items == Array(0..<6))
      #expect(scene.asked.isEmpty, "pages that are fresh cost no request")
      #expect(scene.list.previousState.description == "ended")
      #expect(scene.list.state.description == "idle")
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("What is on screen is not dropped", arguments: Home.allCases)
  func onScreen(home: Home) async throws {
    await home.run { home in
      let scene = scene(maxPages: 2)
      scene.list.itemsShown(in: 0..<4)
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.firstItemIndex == 0)
      #expect(scene.list.items.prefix(4) == [0, 1, 2, 3])
    }
  }

  @Test(
    "A dropped page that the server does not lead back to is asked for by its own request",
    arguments: Home.allCases)
  func withoutPreviousLinks(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((0..<6).map { [$0] }) { $0.maxPages = 2 }
      await scene.loadAll()
      #expect(scene.list.items == [4, 5])
      scene.clock.advance(by: .seconds(60))
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.asked == [4])
      #expect(scene.list.items == [3, 4] && scene.list.firstItemIndex == 3)
    }
  }

  @Test("A circle through pages that were dropped is a loop", arguments: Home.allCases)
  func loop(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((0..<6).map { [$0] }) { $0.maxPages = 2 }
      scene.serve(6, [5], next: "/items?page=2")
      await scene.loadAll()
      guard case .incomplete(let walk) = scene.list.state, case .loop = walk.reason else {
        Issue.record("the state is \(scene.list.state)")
        return
      }
    }
  }

  @Test("A refresh asks for the pages that are there", arguments: Home.allCases)
  func refresh(home: Home) async throws {
    await home.run { home in
      let scene = scene(maxPages: 3)
      scene.list.loadAll()
      await scene.settled()
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.asked == [6, 7, 8])
    }
  }

  @Test(
    "Under random scrolling, edits and refreshes the window is a part of the list",
    arguments: Home.allCases)
  func random(home: Home) async throws {
    await home.run { home in
      for seed in UInt64(1)...60 {
        var random = SeededGenerator(seed: seed)
        var pages = (0..<12).map { page in
          (0..<Int.random(in: 0...3, using: &random)).map { page * 10 + $0 }
        }
        let start = Int.random(in: 1...12, using: &random)
        let scene = TwoWayScene(pages, startingAt: start) {
          $0.maxPages = seed % 3 == 0 ? nil : Int(seed % 4) + 1
          $0.prefetchDistance = 1
          if seed % 2 == 0 { $0.identity = ItemIdentity { $0 } }
        }
        var script: [String] = []
        for _ in 0..<80 {
          let list = scene.list
          switch Int.random(in: 0..<10, using: &random) {
          case 0..<4 where !list.items.isEmpty:
            let index = Int.random(in: list.items.indices, using: &random)
            script.append("shown \(index)")
            list.itemShown(at: index)
          case 4: script.append("more"); list.loadMore()
          case 5: script.append("previous"); list.loadPrevious()
          case 6:
            let place = Int.random(in: pages.indices, using: &random)
            pages[place] = (0..<Int.random(in: 0...3, using: &random)).map { place * 10 + $0 }
            script.append("serve \(place + 1)")
            scene.serve(pages)
            scene.scene.page(place + 1).load()
          case 7: script.append("refresh"); list.refresh(random.pick(RefreshScope.allCases))
          case 8: script.append("cancel"); list.cancelLoad()
          default: script.append("load"); list.loadIfNeeded()
          }
          if Int.random(in: 0..<2, using: &random) == 0 {
            await list.settled()
            script.append("settled")
          }
          list.list.chain.checkInvariants()
          if let failure = scene.mirror.failure {
            Issue.record("seed \(seed): \(failure)\n\(script)")
            return
          }
        }
        for resource in scene.scene.service.resources { resource.cancelLoad() }
        scene.list.refresh()
        await scene.list.settled()
        let window = scene.list.pages.map { $0.content?.items ?? [] }
        let isPart = (0...(pages.count - window.count)).contains {
          Array(pages[$0..<($0 + window.count)]) == window
        }
        guard isPart, scene.list.items == window.flatMap(\.self) else {
          Issue.record("seed \(seed): \(scene.list.items), \(window) of \(pages)\n\(script)")
          return
        }
      }
    }
  }

  @Test(
    "A loop back to a dropped page is not claimed any more once a page between has changed",
    arguments: Home.allCases)
  func outdatedLoop(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.maxPages = 2 }
      scene.serve(3, [3], next: "/items?page=1")
      await scene.loadAll()
      #expect(scene.list.items == [2, 3] && scene.list.firstItemIndex == 1)
      #expect(scene.list.state.description.hasPrefix("incomplete("))
      scene.page(2).updateContent { $0.items = [7] }
      #expect(scene.list.items == [7, 3])
      #expect(scene.list.state.description == "idle")
    }
  }
}
