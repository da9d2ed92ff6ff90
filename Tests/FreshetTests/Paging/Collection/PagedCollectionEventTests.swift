import FreshetTesting
import Testing

@testable import Freshet

@Suite("Events of a list of pages")
struct PagedCollectionEventTests {
  @Test("Every page that comes is one change", arguments: Home.allCases)
  func oneEventPerChange(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1, 2], [3], [4]])
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.mirror.changeCount == 3)
      #expect(scene.mirror.states == ["loading", "ended"])
      #expect(scene.mirror.copy == [1, 2, 3, 4])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test("Only what differs is in a change, and what is equal is none", arguments: Home.allCases)
  func onlyDifferences(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1, 2, 3], [4]])
      await scene.loadAll()
      var heard: [Splice<Int>] = []
      let token = scene.list.observe { _, event in
        if case .itemsChanged(let change) = event { heard += change.splices }
      }
      scene.page(1).updateContent { $0.items = [1, 9, 3] }
      #expect(heard.map(\.removed) == [1..<2] && heard.map { Array($0.inserted) } == [[9]])
      scene.page(2).load()
      await scene.page(2).load().ended()
      #expect(heard.count == 1)
      token.remove()
    }
  }

  @Test("An owner takes off what it owns here, itself too", arguments: Home.allCases)
  func removesByOwner(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      let (owner, other) = (ListMirror<Int>(), ListMirror<Int>())
      var heard: [String] = []
      scene.list.addObserver(owner: owner) { _, _ in heard.append("own") }
      scene.list.addObserver(owner: other) { _, _ in heard.append("other") }
      heard = []
      let changes = scene.mirror.changeCount
      scene.list.removeObservers(ownedBy: owner)
      scene.list.removeObservers(ownedBy: scene.mirror)
      scene.page(1).updateContent { $0.items = [9] }
      #expect(heard == ["other"])
      #expect(scene.mirror.changeCount == changes)
      withExtendedLifetime((owner, other)) {}
    }
  }

  @Test(
    "Changes made together come as one event, with splices to apply in order",
    arguments: Home.allCases)
  func changesTogether(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]]) { $0.reloadsWhenInvalidated = false }
      await scene.loadAll()
      let token = scene.page(2).observe { _, event in
        guard event == .invalidated else { return }
        for number in 1...3 { scene.page(number).updateContent { $0.items.append(number * 10) } }
      }
      scene.page(2).invalidate()
      #expect(scene.mirror.changeCount == 1)
      #expect(scene.mirror.copy == [1, 10, 2, 20, 3, 30])
      #expect(scene.mirror.failure == nil)
      token.remove()
    }
  }

  @Test(
    "An observer added during a delivery begins with the list as it is then",
    arguments: Home.allCases)
  func addedDuringDelivery(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      var late: [ListMirror<Int>] = []
      scene.mirror.onEvent = { list, _ in
        guard late.count < 20 else { return }
        let mirror = ListMirror<Int>()
        late.append(mirror)
        list.firstPage.updateContent { $0.items.append(late.count) }
        list.addObserver(mirror)
        list.firstPage.updateContent { $0.items.append(late.count) }
      }
      scene.list.loadAll()
      await scene.list.settled()
      scene.list.refresh()
      await scene.list.settled()
      #expect(late.count > 5)
      for mirror in late + [scene.mirror] {
        #expect(mirror.failure == nil)
        #expect(mirror.copy == scene.list.items)
      }
    }
  }

  @Test("A state is told behind the changes that came before it", arguments: Home.allCases)
  func statesBehindChanges(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      let gate = scene.stub.hold(.get, "/items?page=1")
      scene.list.refresh()
      await gate.arrived()
      // The write gives up the load and changes the items, in one turn.
      scene.page(1).overrideLocalContent(Page(items: [5, 6]))
      await scene.list.settled()
      #expect(scene.mirror.failure == nil)
      #expect(scene.mirror.copy == [5, 6])
    }
  }

  @Test("An observer may remove itself, and hears nothing more", arguments: Home.allCases)
  func removesItself(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.mirror.onEvent = { [unowned mirror = scene.mirror] list, event in
        if case .itemsChanged = event { list.removeObserver(mirror) }
      }
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.mirror.copy == [1])
      #expect(scene.list.items == [1, 2, 3])
    }
  }

  @Test("An observer may refresh", arguments: Home.allCases)
  func refreshesFromWithin(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      var refreshes = 0
      scene.mirror.onEvent = { list, event in
        switch event {
        case .stateChanged(.ended), .refreshStateChanged(.idle):
          guard refreshes < 3 else { return }
          refreshes += 1
          list.refresh()
        default: break
        }
      }
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.asked == [1, 2, 1, 2, 1, 2, 1, 2])
      #expect(scene.mirror.failure == nil)
    }
  }

  @Test(
    "An observer may wipe the service, and nothing is loaded by itself", arguments: Home.allCases)
  func wipesFromWithin(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.mirror.onEvent = { list, event in
        if case .itemsChanged = event, list.items == [1, 2] { scene.service.wipe() }
      }
      scene.list.loadAll()
      await scene.list.settled()
      #expect(scene.list.items.isEmpty && scene.mirror.copy == [])
      #expect(scene.list.state.description == "idle")
      #expect(scene.mirror.failure == nil)
      scene.mirror.onEvent = nil
      scene.list.loadIfNeeded()
      await scene.list.settled()
      #expect(scene.list.items == [1])
    }
  }

  @Test("What is asked for behind a wipe in the same turn is done", arguments: Home.allCases)
  func asksBehindWipe(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      await scene.loadAll()
      let token = scene.page(1).observe { _, event in
        guard event == .invalidated else { return }
        scene.service.wipe()
        scene.list.loadIfNeeded()
      }
      scene.page(1).invalidate()
      #expect(scene.list.state.isLoading)
      await scene.list.settled()
      #expect(scene.list.items == [1])
      #expect(scene.mirror.failure == nil)
      token.remove()
    }
  }
}
