import FreshetTesting
import Testing

@testable import Freshet

@Suite("Lists that a service hands out")
struct ServicePagesTests {
  /// An item that cannot be compared.
  private struct Opaque: Decodable, Sendable {
    let id: Int
  }

  @Test(
    "Items that can be compared stay out of changes when they are equal", arguments: Home.allCases)
  func equatableItems(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1, 2]])
      await scene.loadAll()
      scene.serve(1, [1, 2], next: nil)
      scene.list.refresh()
      await scene.list.settled()
      #expect(scene.mirror.changeCount == 0)
    }
  }

  @Test("Items that cannot be compared are replaced page by page", arguments: Home.allCases)
  func otherItems(home: Home) async throws {
    await home.run { home in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"[{"id": 1}, {"id": 2}]"#))
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      let list = service.pages("items", of: Opaque.self, style: .linkHeader)
      list.loadAll()
      await list.settled()
      var heard: [Range<Int>] = []
      let token = list.observe { _, event in
        if case .itemsChanged(let change) = event { heard += change.splices.map(\.removed) }
      }
      list.refresh()
      await list.settled()
      #expect(heard == [0..<2])
      #expect(list.items.map(\.id) == [1, 2])
      token.remove()
    }
  }

  @Test("Items may stay JSON, as the server sent them", arguments: Home.allCases)
  func jsonItems(home: Home) async throws {
    await home.run { home in
      let stub = StubTransport()
      stub.on(.get, "/items", .json("[12345678901234567890, 1e400, 0.10]"))
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      let list = service.pages("items", of: JSONText.self)
      list.loadAll()
      await list.settled()
      #expect(list.items.map(\.description) == ["12345678901234567890", "1e400", "0.10"])
    }
  }

  @Test("The style that was recognised in the first page is that of all", arguments: Home.allCases)
  func recognisedStyleSticks(home: Home) async throws {
    await home.run { home in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"{"results": [1], "count": 3, "next": "/items?page=2"}"#))
      // By itself this would be taken for a page without a next link, or not be recognised.
      stub.on(
        .get, "/items?page=2", .json(#"{"results": [2], "data": [9], "next": "/items?page=3"}"#))
      stub.on(.get, "/items?page=3", .json(#"{"results": [3], "data": [9], "next": null}"#))
      let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
      let list = service.pages("items", of: Int.self)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 2, 3])
      #expect(list.total == 3)
      #expect(list.state.description == "ended")
      #expect(list.pages[0].decoder.name != list.pages[1].decoder.name)
      #expect(list.pages[1].decoder.name == list.pages[2].decoder.name)
    }
  }

  @Test("Two lists with the same path and style share their pages", arguments: Home.allCases)
  func sharedPages(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1]])
      let same = scene.service.pages("/items?page=1", of: Int.self, style: .linkHeader)
      let other = scene.service.pages("items?page=1", of: String.self, style: .linkHeader)
      #expect(same !== scene.list)
      #expect(same.firstPage === scene.list.firstPage)
      #expect(other.firstPage as AnyResource !== scene.list.firstPage)
    }
  }

  @Test("The place of a page in the list is known", arguments: Home.allCases)
  func itemRanges(home: Home) async throws {
    await home.run { home in
      let scene = PageListScene([[1, 2], [], [3]])
      await scene.loadAll()
      #expect((0..<3).map { scene.list.itemRange(ofPage: $0) } == [0..<2, 2..<2, 2..<3])
    }
  }

  @Test("A list below an unusable base URL fails and says why", arguments: Home.allCases)
  func unusableBase(home: Home) async throws {
    await home.run { home in
      let service = Service(baseURL: "nowhere", transport: StubTransport(), clock: ManualClock())
      let list = service.pages("items", of: Int.self)
      list.loadIfNeeded()
      await list.settled()
      #expect(list.state.description == "failed(page 1, invalidRequest)")
    }
  }
}
