import FreshetTesting
import Testing

@testable import Freshet

@Suite("Pages that a list shares with others")
struct SharedPagesTests {
  @Test("A page is the same instance for a list and for a view", arguments: Home.allCases)
  func sameInstance(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      let view = scene.page(2)
      await scene.loadAll()
      #expect(scene.list.pages[1] === view)
      #expect(view.content?.items == [2])
    }
  }

  @Test(
    "A link leads to the same page, until the link or the style is another",
    arguments: Home.allCases)
  func followsAnew(home: Home) async throws {
    try await home.run { home in
      let scene = PageListScene([[1], [2]])
      let service = scene.service
      let first: Resource<Page<Int>> = service.resource("items?page=1", decoder: .page(.auto))
      let link = PageLink(.follow("/items?page=2"))
      first.overrideLocalContent(Page(items: [1], next: link, style: .linkHeader))
      let second = try first.following(link)
      #expect(try first.following(link) === second)
      #expect(second.decoder.name == "page link")
      first.overrideLocalContent(Page(items: [1], next: link, style: .nextURL(at: "next")))
      let other = try first.following(link)
      #expect(other !== second && other.key == second.key)
      #expect(other.decoder.name == "page url=next")
      #expect(try first.following(PageLink(.follow("/items?page=3"))) !== other)
    }
  }

  @Test("What somebody else loads or writes is in the list", arguments: Home.allCases)
  func othersChanges(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      await scene.loadAll()
      scene.serve(2, [2, 22], next: "/items?page=3")
      await scene.page(2).load().ended()
      #expect(scene.list.items == [1, 2, 22, 3])
      scene.page(3).updateContent { $0.items = [33] }
      #expect(scene.list.items == [1, 2, 22, 33])
      #expect(scene.mirror.failure == nil && scene.mirror.changeCount == 2)
      #expect(scene.list.state.description == "ended")
    }
  }

  @Test("A next page that somebody else loads is added", arguments: Home.allCases)
  func nextPage(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      scene.list.loadIfNeeded()
      await scene.list.settled()
      await scene.page(2).load().ended()
      #expect(scene.list.items == [1, 2])
      #expect(scene.list.state.description == "idle")
    }
  }

  @Test("A list that nothing was asked of loads nothing", arguments: Home.allCases)
  func notStarted(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[], [2]])
      await scene.page(1).load().ended()
      #expect(scene.asked == [1])
      #expect(!scene.list.state.isLoading)
    }
  }

  @Test("Two lists of the same pages load each once, and both follow", arguments: Home.allCases)
  func twoLists(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      let other = scene.service.pages("items?page=1", of: Int.self, style: .linkHeader)
      let mirror = ListMirror<Int>()
      other.addObserver(mirror)
      scene.list.loadAll()
      other.loadAll()
      await scene.list.settled()
      await other.settled()
      #expect(scene.asked == [1, 2, 3])
      #expect(other.items == [1, 2, 3])
      scene.serve([[1, 7], [3]])
      scene.list.refresh()
      await scene.list.settled()
      await other.settled()
      #expect(scene.list.items == [1, 7, 3] && other.items == [1, 7, 3])
      #expect(mirror.failure == nil && scene.mirror.failure == nil)
    }
  }

  @Test(
    "A load that a view gives up ends the walk, and a view's own load does not",
    arguments: Home.allCases)
  func givenUpByView(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2]])
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.loadAll()
      await gate.arrived()
      scene.page(2).cancelLoad()
      #expect(scene.list.state.description == "idle")
      await scene.page(2).load().ended()
      #expect(scene.list.items == [1, 2])
      #expect(scene.list.state.description == "idle")
    }
  }

  @Test(
    "A page loaded anew in the turn in which it was given up is still awaited",
    arguments: Home.allCases)
  func loadedAnew(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1], [2], [3]])
      let gate = scene.stub.hold(.get, "/items?page=2")
      scene.list.loadAll()
      await gate.arrived()
      let token = scene.page(1).observe { _, event in
        guard event == .invalidated else { return }
        scene.page(2).cancelLoad()
        scene.page(2).load()
      }
      scene.page(1).invalidate()
      #expect(scene.list.state.isLoading)
      await scene.list.settled()
      #expect(scene.list.items == [1, 2, 3])
      token.remove()
    }
  }
}
