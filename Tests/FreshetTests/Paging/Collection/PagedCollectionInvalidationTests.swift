import Freshet
import FreshetTesting
import Testing

@Suite("Invalidations of a list on the screen")
struct PagedCollectionInvalidationTests {
  @Test(
    "They are an event, once for each call however many pages",
    arguments: Home.allCases, [false, true])
  func event(home: Home, reloads: Bool) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.reloadsWhenInvalidated = reloads }
      await scene.loadAll()
      scene.service.invalidate(matching: "items")
      #expect(scene.mirror.invalidationCount == 1)
      await scene.list.settled()
      scene.service.invalidate()
      #expect(scene.mirror.invalidationCount == 2)
      await scene.list.settled()
      scene.page(2).invalidate()
      #expect(scene.mirror.invalidationCount == 3)
      await scene.list.settled()
      #expect(scene.mirror.invalidationCount == 3)
      scene.service.invalidate(matching: "others")
      #expect(scene.mirror.invalidationCount == 3)
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("An observed list loads again and shows what has changed", arguments: Home.allCases)
  func reloads(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.serve([[1], [22], [3], [4]])
      scene.service.invalidate(matching: "items")
      #expect(scene.list.isLoading)
      await scene.list.settled()
      #expect(scene.asked.starts(with: [1, 2, 3]))
      #expect(scene.list.items.starts(with: [1, 22, 3]))
      #expect(!scene.list.state.description.hasPrefix("ended"), "the last page names another one")
      await scene.loadAll()
      #expect(scene.list.items == [1, 22, 3, 4])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("Of several pages those are loaded that were invalidated", arguments: Home.allCases)
  func onePage(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene((1...10).map { [$0] })
      await scene.loadAll()
      scene.serve(7, [77], next: "/items?page=8")
      scene.page(7).invalidate()
      await scene.list.settled()
      #expect(scene.asked == [7])
      #expect(scene.list.items == [1, 2, 3, 4, 5, 6, 77, 8, 9, 10])
      #expect(scene.list.state.description == "ended")
    }
  }

  @Test("A list that nobody observes loads nothing by itself", arguments: Home.allCases)
  func unobserved(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      scene.list.removeObserver(scene.mirror)
      scene.serve([[1], [22]])
      scene.service.invalidate(matching: "items")
      #expect(!scene.list.isLoading)
      await scene.list.settled()
      #expect(scene.asked.isEmpty && scene.list.items == [1, 2])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [1, 22])
    }
  }

  @Test("By option it is an event only, and loads nothing", arguments: Home.allCases)
  func eventOnly(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]]) { $0.reloadsWhenInvalidated = false }
      await scene.loadAll()
      scene.service.invalidate(matching: "items")
      #expect(scene.mirror.invalidationCount == 1)
      #expect(!scene.list.isLoading)
      await scene.list.settled()
      #expect(scene.asked.isEmpty)
    }
  }

  @Test("An observer that loads the list itself causes no second load", arguments: Home.allCases)
  func observerLoads(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      scene.mirror.onEvent = { list, event in
        if case .invalidated = event { list.loadIfNeeded() }
      }
      scene.service.invalidate(matching: "items")
      await scene.list.settled()
      #expect(scene.asked == [1, 2])
      #expect(scene.mirror.invalidationCount == 1)
    }
  }

  @Test("A list of which nothing was asked yet stays so", arguments: Home.allCases)
  func notStarted(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1]])
      scene.service.invalidate()
      #expect(!scene.list.isLoading)
      await scene.list.settled()
      #expect(scene.asked.isEmpty)
    }
  }

  @Test("An invalidation during a load survives it", arguments: Home.allCases)
  func duringLoad(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      let gate = scene.stub.hold(.get, "/items?page=1")
      scene.list.refresh()
      await gate.arrived()
      scene.service.invalidate(matching: "items")
      gate.release(with: PageListScene.answer([1], next: "/items?page=2"))
      scene.serve([[11], [22]])
      await scene.list.settled()
      #expect(scene.list.items == [11, 22])
      #expect(scene.mirror.failure == nil)
    }
  }
}
