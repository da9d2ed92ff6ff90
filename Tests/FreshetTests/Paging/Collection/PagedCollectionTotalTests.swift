import Freshet
import FreshetTesting
import Testing

@Suite("Totals of a list of pages", .standardTimeLimit)
struct PagedCollectionTotalTests {
  @Test(
    "Where the server sends a total, the rows that are not loaded are known",
    arguments: StoreActor.allCases)
  func placeholders(actor: StoreActor) async throws {
    await actor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"{"total": 6, "items": [1, 2], "next": "/items?page=2"}"#))
      stub.on(
        .get, "/items?page=2", .json(#"{"total": 6, "items": [3, 4], "next": "/items?page=3"}"#))
      stub.on(.get, "/items?page=3", .json(#"{"total": 6, "items": [5, 6], "next": null}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: Int.self, options: .with { $0.retainedPageLimit = 2 })
      #expect(list.placeholderCounts == nil)
      list.loadIfNeeded()
      await list.settled()
      #expect(list.placeholderCounts?.before == 0 && list.placeholderCounts?.after == 4)
      list.loadAll()
      await list.settled()
      #expect(list.items == [3, 4, 5, 6])
      #expect(list.placeholderCounts?.before == 2 && list.placeholderCounts?.after == 0)
    }
  }

  @Test("Optimistic edits change nothing about the rows that are not loaded")
  func edited() async throws {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      stub.on(.get, "/items", .json(#"{"total": 4, "items": [1, 2], "next": "/items?page=2"}"#))
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      let list = service.pages("items", of: Int.self)
      list.loadIfNeeded()
      await list.settled()
      let removal = list.firstPage.updateContent { $0.items.removeFirst() }
      #expect(list.items == [2] && list.placeholderCounts?.after == 2)
      removal?.rollBack()
      let insertions = (0..<3).map { list.insert($0 + 10, at: 0) }
      #expect(list.items.count == 5 && list.placeholderCounts?.after == 2)
      withExtendedLifetime(insertions) {}
    }
  }
}
