import FreshetTesting
import Testing

@testable import Freshet

@Suite("Pages that a list shares with others", .standardTimeLimit)
struct SharedPagesTests {
  @Test("A page is the same instance for a list and for a view", arguments: StoreActor.allCases)
  func sameInstance(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      let view = fixture.page(2)
      await fixture.loadAll()
      #expect(fixture.list.pages[1] === view)
      #expect(view.content?.items == [2])
    }
  }

  @Test(
    "A link leads to the same page, until the link or the style is another",
    arguments: StoreActor.allCases)
  func followsAnew(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      let service = fixture.service
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

  @Test(
    "Lists whose items are at different paths share no page", arguments: StoreActor.allCases)
  func itemPaths(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/feed", .json(#"{"a": [1], "b": [2], "next": "/feed?page=2"}"#))
      stub.on(.get, "/feed?page=2", .json(#"{"a": [3], "b": [4], "next": null}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      var lists: [PagedCollection<Int>] = []
      for style in [PageStyle.nextURL(at: "next"), .auto] {
        for path in ["a", "b"] {
          let list = service.pages(
            "feed", of: Int.self, style: style.items(at: JSONPath(path)))
          list.loadAll()
          await list.settled()
          #expect(list.items == (path == "a" ? [1, 3] : [2, 4]), "\(style) at \(path)")
          lists.append(list)
        }
      }
      // The style that was recognized is the chosen one, with the same path.
      #expect(lists[2].pages[1] === lists[0].pages[1])
      #expect(lists[3].pages[1] === lists[1].pages[1])
    }
  }

  @Test("The path at which the items were found separates no pages", arguments: StoreActor.allCases)
  func foundPaths(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/rows", .json(#"{"items": [1], "next": "/rows?page=2"}"#))
      stub.on(.get, "/rows?page=2", .json(#"{"items": [2], "next": "/rows?page=3"}"#))
      stub.on(.get, "/rows?page=3", .json(#"{"items": [3], "next": null}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      var lists: [PagedCollection<Int>] = []
      for style in [PageStyle.nextURL(at: "next"), .auto] {
        let list = service.pages("rows", of: Int.self, style: style)
        list.loadAll()
        await list.settled()
        #expect(list.items == [1, 2, 3])
        lists.append(list)
      }
      #expect(lists[0].firstPage !== lists[1].firstPage)
      #expect(lists[0].pages[1] === lists[1].pages[1])
      #expect(lists[0].pages[2] === lists[1].pages[2])
    }
  }

  @Test("What another user loads or writes is in the list", arguments: StoreActor.allCases)
  func othersChanges(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadAll()
      fixture.serve(2, [2, 22], next: "/items?page=3")
      await fixture.page(2).load().completed()
      #expect(fixture.list.items == [1, 2, 22, 3])
      fixture.page(3).updateContent { $0.items = [33] }
      #expect(fixture.list.items == [1, 2, 22, 33])
      #expect(fixture.mirror.failure == nil && fixture.mirror.changeCount == 2)
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test("A next page that another user loads is added", arguments: StoreActor.allCases)
  func nextPage(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadIfNeeded()
      await fixture.page(2).load().completed()
      #expect(fixture.list.items == [1, 2])
      #expect(fixture.list.state.description == "idle")
    }
  }

  @Test("A list without a demand loads nothing", arguments: StoreActor.allCases)
  func notStarted(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[], [2]])
      await fixture.page(1).load().completed()
      #expect(fixture.asked == [1])
      #expect(!fixture.list.state.isLoading)
    }
  }

  @Test(
    "Two lists of the same pages load each once, and both follow", arguments: StoreActor.allCases)
  func twoLists(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      let other = fixture.service.pages("items?page=1", of: Int.self, style: .linkHeader)
      let mirror = ListMirror<Int>()
      other.addObserver(mirror)
      fixture.list.loadAll()
      other.loadAll()
      await fixture.list.settled()
      await other.settled()
      #expect(fixture.asked == [1, 2, 3])
      #expect(other.items == [1, 2, 3])
      fixture.serve([[1, 7], [3]])
      await fixture.refresh()
      await other.settled()
      #expect(fixture.list.items == [1, 7, 3] && other.items == [1, 7, 3])
      #expect(mirror.failure == nil && fixture.mirror.failure == nil)
    }
  }

  @Test(
    "A load that a view cancels ends the walk, and a view's own load does not",
    arguments: StoreActor.allCases)
  func cancelledByView(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.loadAll()
      await gate.arrived()
      fixture.page(2).cancelLoad()
      #expect(fixture.list.state.description == "idle")
      await fixture.page(2).load().completed()
      #expect(fixture.list.items == [1, 2])
      #expect(fixture.list.state.description == "idle")
    }
  }

  @Test(
    "A page loaded again in the turn in which it was cancelled is still awaited",
    arguments: StoreActor.allCases)
  func loadedAnew(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.loadAll()
      await gate.arrived()
      let token = fixture.page(1).observe { _, event in
        guard event == .invalidated else { return }
        fixture.page(2).cancelLoad()
        fixture.page(2).load()
      }
      fixture.page(1).invalidate()
      #expect(fixture.list.state.isLoading)
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
      token.cancel()
    }
  }

  private static let style = PageStyle.pageNumber("page", totalPageCount: "pages").items(
    at: "items")

  @Test("A refresh of one list does not end the walk of another that has joined a load ahead")
  func refreshOfOther() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 20), .pageNumber) {
        $0.concurrentLoads = 4
      }
      fixture.list.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      let other = fixture.service.pages("rows?page=4", of: Int.self, style: Self.style)
      other.loadAll()
      #expect(other.isLoading)
      #expect(await fixture.inFlight() == 4, "the load was joined")
      fixture.list.refresh(.firstPage)
      #expect(other.isLoading, "it was not cancelled; its state is \(other.state)")
      await fixture.respondToAll()
      for _ in 0..<200 where other.isLoading {
        var random = SeededGenerator(seed: 1)
        fixture.requests.release(&random)
        _ = await fixture.inFlight()
      }
      #expect(other.items == Array(6..<20), "\(other.state)")
    }
  }

  @Test("A query that has joined a load ahead is not cancelled because that list refreshes")
  func query() async throws {
    await StoreActor.mainActor.run { actor in
      let server = CountedServer(itemCount: 20)
      let fixture = CountedListFixture(server, .pageNumber) { $0.concurrentLoads = 4 }
      fixture.list.loadAll()
      await fixture.respond(1)
      let page: Resource<Page<Int>> = fixture.service.resource(
        "rows?page=4", decoder: .page(Self.style))
      let request = page.loadIfNeeded()
      #expect(request != nil)
      fixture.list.refresh()
      #expect(request?.isCompleted == false, "\(String(describing: request?.result))")
    }
  }

  @Test(
    "What two lists have asked for ahead is cancelled when the second of them is reset",
    arguments: [false, true])
  func bothReset(inOrder: Bool) async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 4
      }
      let other = fixture.service.pages(
        "rows", of: Int.self, style: Self.style, options: fixture.list.options)
      fixture.list.loadAll()
      other.loadAll()
      await fixture.respond(1)
      #expect(await fixture.inFlight() == 4)
      let lists = inOrder ? [fixture.list, other] : [other, fixture.list]
      lists[0].refresh(.stale)
      #expect(await fixture.inFlight() == 4, "the other list wants them")
      lists[0].reset()
      lists[1].reset()
      #expect(fixture.service.loadingCount == 0, "asked for \(fixture.asked)")
    }
  }

  @Test("What the walk has come to is cancelled once, though it was asked for ahead")
  func reachedThenReset() async throws {
    await StoreActor.mainActor.run { actor in
      let fixture = CountedListFixture(CountedServer(itemCount: 40), .pageNumber) {
        $0.concurrentLoads = 4
      }
      fixture.list.loadAll()
      await fixture.respond(1)
      await fixture.respond(2)
      #expect(await fixture.inFlight() == 4)
      fixture.list.refresh()
      #expect(await fixture.inFlight() <= 4, "asked for \(fixture.asked)")
      fixture.list.reset()
      #expect(fixture.service.loadingCount == 0, "asked for \(fixture.asked)")
    }
  }
}
