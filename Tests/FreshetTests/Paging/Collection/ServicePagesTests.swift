import FreshetTesting
import Testing

@testable import Freshet

@Suite("Lists that a service hands out", .standardTimeLimit)
struct ServicePagesTests {
  /// An item that cannot be compared.
  private struct Opaque: Decodable, Sendable {
    let id: Int
  }

  @Test(
    "Items that can be compared stay out of changes when they are equal",
    arguments: StoreActor.allCases)
  func equatableItems(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2]])
      await fixture.loadAll()
      fixture.serve(1, [1, 2], next: nil)
      await fixture.refresh()
      #expect(fixture.mirror.changeCount == 0)
    }
  }

  @Test("Items that cannot be compared are replaced page by page", arguments: StoreActor.allCases)
  func otherItems(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"[{"id": 1}, {"id": 2}]"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: Opaque.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      let recorder = PagedCollectionRecorder<Opaque>()
      list.addObserver(recorder)
      list.refresh()
      await list.settled()
      #expect(recorder.changes.flatMap(\.splices).map(\.removedRange) == [0..<2], "\(recorder)")
      #expect(list.items.map(\.id) == [1, 2])
    }
  }

  @Test("Items may stay JSON, as the server sent them", arguments: StoreActor.allCases)
  func jsonItems(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json("[12345678901234567890, 1e400, 0.10]"))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: JSONText.self)
      list.loadAll()
      await list.settled()
      #expect(list.items.map(\.description) == ["12345678901234567890", "1e400", "0.10"])
    }
  }

  @Test("Items of numbered pages may stay JSON too", arguments: StoreActor.allCases)
  func jsonItemsOfNumberedPages(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/items?page=1", .json(#"[{"id": 1e400}, {"id": 0.10}]"#))
      let named = fixture.service.paginator("items?page=:currentPage", of: JSONText.self)
      let inferred: Paginator<JSONText> = fixture.service.paginator("items?page=:currentPage")
      for paginator in [named, inferred] {
        try paginator.loadPage(1)
        await paginator.settled()
        #expect(paginator.items.map(\.description) == [#"{"id": 1e400}"#, #"{"id": 0.10}"#])
      }
    }
  }

  @Test(
    "The style that was recognized in the first page is that of all", arguments: StoreActor.allCases
  )
  func recognizedStyleStays(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"{"results": [1], "count": 3, "next": "/items?page=2"}"#))
      // On its own this would count as a page without a next link, or not be recognized.
      stub.on(
        .get, "/items?page=2", .json(#"{"results": [2], "data": [9], "next": "/items?page=3"}"#))
      stub.on(.get, "/items?page=3", .json(#"{"results": [3], "data": [9], "next": null}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: Int.self)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3])
      #expect(list.totalCount == 3)
      #expect(list.state.description == "ended")
      #expect(list.pages[0].decoder.name != list.pages[1].decoder.name)
      #expect(list.pages[1].decoder.name == list.pages[2].decoder.name)
    }
  }

  @Test("Two lists with the same path and style share their pages", arguments: StoreActor.allCases)
  func sharedPages(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1]])
      let same = fixture.service.pages("/items?page=1", of: Int.self, style: .linkHeader)
      let other = fixture.service.pages("items?page=1", of: String.self, style: .linkHeader)
      #expect(same !== fixture.list)
      #expect(same.firstPage === fixture.list.firstPage)
      #expect(other.firstPage as AnyResource !== fixture.list.firstPage)
    }
  }

  @Test("A list may begin at an absolute URL", arguments: StoreActor.allCases)
  func absoluteURL(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      let (service, url) = (fixture.service, "https://api.test/items?page=1")
      let list = service.pages(absoluteURL: url, of: Int.self, style: .linkHeader)
      let query = service.pageQuery(absoluteURL: url, of: Int.self, style: .linkHeader)
      let rest = try service.pages(
        absoluteURL: url, from: PageLink(.query("page", "2")), of: Int.self, style: .linkHeader)
      #expect(list.firstPage === fixture.list.firstPage)
      #expect(query.firstPage === fixture.list.firstPage)
      #expect(rest.firstPage.key == fixture.page(2).key)
    }
  }

  @Test("The place of a page in the list is known", arguments: StoreActor.allCases)
  func itemRanges(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [], [3]])
      await fixture.loadAll()
      #expect((0..<3).map { fixture.list.itemRange(ofPage: $0) } == [0..<2, 2..<2, 2..<3])
    }
  }

  @Test("A list below an unusable base URL fails and says why", arguments: StoreActor.allCases)
  func unusableBase(actor: StoreActor) async throws {
    await actor.run { actor in
      let service = Service(
        baseURL: "nowhere", transport: StubTransport(), clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: Int.self)
      list.loadIfNeeded()
      await list.settled()
      #expect(list.state.description == "failed(page 0, invalidRequest)")
    }
  }
}
