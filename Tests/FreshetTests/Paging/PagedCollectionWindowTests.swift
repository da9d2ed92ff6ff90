import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A list in numbered pages that link both ways, and a mirror of it.
struct TwoWayScene {
  let scene: PageListScene
  let list: PagedCollection<Int>
  let mirror = ListMirror<Int>()

  /// - Parameter start: the page that the list begins with, from 1.
  init(
    _ pages: [[Int]], startingAt start: Int, isolation: isolated any Actor = #isolation,
    options: (inout PagedCollection<Int>.Options) -> Void = { _ in }
  ) {
    scene = PageListScene([])
    var chosen = PagedCollection<Int>.Options()
    options(&chosen)
    list = scene.service.pages(
      "items?page=\(start)", of: Int.self, style: .linkHeader, options: chosen)
    list.addObserver(mirror)
    serve(pages)
  }

  /// Serves these pages from now on.
  func serve(_ pages: [[Int]]) {
    for (index, items) in pages.enumerated() {
      let number = index + 1
      let links = [
        number < pages.count ? "</items?page=\(number + 1)>; rel=\"next\"" : nil,
        number > 1 ? "</items?page=\(number - 1)>; rel=\"prev\"" : nil,
      ]
      scene.stub.on(
        .get, "/items?page=\(number)",
        .json(
          "[\(items.map(String.init).joined(separator: ","))]",
          headers: ["Link": links.compactMap { $0 }.joined(separator: ", ")]))
    }
  }

  var asked: [Int] { scene.asked }

  /// Loads what is wanted, and forgets what was asked.
  nonisolated(nonsending) func settled() async {
    await list.settled()
    scene.stub.forgetRequests()
  }
}

@Suite("Both ends of a list of pages")
struct PagedCollectionPreviousTests {
  @Test(
    "A list that begins in the middle grows at both ends, and tells by how much it moved",
    arguments: Home.allCases)
  func startsInTheMiddle(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1, 2], [3], [4, 5], [6]], startingAt: 3)
      var indices: [Int] = []
      scene.mirror.onEvent = { _, event in
        if case .itemsChanged(let change) = event { indices.append(change.firstItemIndex) }
      }
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.hasPrevious)
      #expect(scene.list.previousState.description == "idle")
      scene.list.loadPrevious()
      #expect(scene.list.previousState.isLoading && scene.list.isLoading)
      await scene.list.settled()
      #expect(scene.list.items == [3, 4, 5])
      scene.list.loadPrevious()
      await scene.list.settled()
      scene.list.loadMore()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3, 4, 5, 6])
      #expect(indices == [0, -1, -3, -3])
      #expect(!scene.list.hasPrevious)
      #expect(scene.list.previousState.description == "ended")
      #expect(scene.asked == [3, 2, 1, 4])
      #expect(scene.mirror.failure == nil)
      scene.list.loadPrevious()
      #expect(!scene.list.isLoading)
    }
  }

  @Test("An item near the start asks for the page before", arguments: Home.allCases)
  func itemShown(home: Home) async throws {
    await home.run { home in
      let pages = (0..<5).map { page in Array(page * 4..<(page + 1) * 4) }
      let scene = TwoWayScene(pages, startingAt: 3) { $0.prefetchDistance = 2 }
      scene.list.loadIfNeeded()
      await scene.settled()
      scene.list.itemShown(at: 2)
      await scene.settled()
      #expect(scene.list.items == Array(8..<16))
      scene.list.itemShown(at: 1)
      await scene.list.settled()
      #expect(scene.asked == [2])
      #expect(scene.list.items == Array(4..<16))
      #expect(scene.list.firstItemIndex == -4)
    }
  }

  @Test(
    "A page before the first that fails keeps the items, and a retry asks for it only",
    arguments: Home.allCases)
  func failure(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1], [2], [3]], startingAt: 2)
      scene.list.loadAll()
      await scene.settled()
      scene.scene.fail(1)
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.list.previousState.description == "failed(page 0, http)")
      #expect(scene.list.state.description == "ended", "the other end is not concerned")
      #expect(scene.list.items == [2, 3])
      scene.serve([[1], [2], [3]])
      scene.list.retry()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
      #expect(scene.asked == [1, 1])
      #expect(
        scene.mirror.previousStates.suffix(3) == ["failed(page 0, http)", "loading", "ended"])
    }
  }

  @Test("A load before the first page is given up", arguments: Home.allCases)
  func cancelled(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1], [2]], startingAt: 2)
      scene.list.loadIfNeeded()
      await scene.list.settled()
      let gate = scene.scene.stub.hold(.get, "/items?page=1", ignoringCancellation: true)
      scene.list.loadPrevious()
      await gate.arrived()
      scene.list.cancelLoad()
      #expect(scene.list.previousState.description == "idle")
      gate.release()
      #expect(scene.list.items == [2])
      scene.list.loadPrevious()
      await scene.list.settled()
      #expect(scene.list.items == [1, 2])
    }
  }

  @Test(
    "A link before the first page that leads into the chain is a loop", arguments: Home.allCases)
  func loop(home: Home) async throws {
    await home.run { home in
      let scene = TwoWayScene([[1], [2]], startingAt: 1)
      scene.scene.stub.on(
        .get, "/items?page=1",
        .json("[1]", headers: ["Link": "</items?page=1>; rel=prev, </items?page=2>; rel=next"]))
      scene.list.loadAll()
      await scene.list.settled()
      scene.list.loadPrevious()
      guard case .incomplete(let walk) = scene.list.previousState else {
        Issue.record("the state is \(scene.list.previousState)")
        return
      }
      #expect(walk.reason == .loop(backTo: 0))
    }
  }
}

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
          list.chain.checkInvariants()
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
}
