import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Edits of a list of pages under special circumstances", .standardTimeLimit)
struct PagedCollectionSpecialEditTests {
  /// A list by page number, which was loaded up to the first page that does not exist.
  private struct EndedList {
    let stub = StubTransport()
    let service: Service
    let list: PagedCollection<Int>

    init(_ pages: String..., isolation: isolated any Actor = #isolation) async {
      for (index, body) in pages.enumerated() {
        stub.on(.get, "/items?page=\(index + 1)", .json(body))
      }
      stub.on(.get, "/items?page=\(pages.count + 1)", .status(404))
      service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      list = service.pages("items?page=1", of: Int.self, style: .pageNumber("page"))
      list.loadAll()
      await list.settled()
      #expect(list.state.description == "ended" && list.pageCount == pages.count)
    }
  }

  @Test(
    "An item is put at the end of a list that ended where there was no page",
    arguments: StoreActor.allCases)
  func afterTheEnd(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = await EndedList("[1]", "[2]")
      #expect(fixture.list.items == [1, 2])
      #expect(fixture.list.insert(3, at: 2) != nil)
      #expect(fixture.list.items == [1, 2, 3])
    }
  }

  @Test(
    "Places are those of the items that are shown, while a refresh is not shown yet",
    arguments: StoreActor.allCases)
  func frozen(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4]]) {
        $0.publication = .whenComplete
        $0.identity = ItemIdentity { $0 }
      }
      await fixture.loadAll()
      fixture.serve([[9, 8, 1, 2], [3, 4]])
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh()
      await gate.arrived()
      #expect(fixture.list.items == [1, 2, 3, 4])
      #expect(fixture.list.index(identifiedBy: 3) == 2)
      #expect(fixture.list.index(identifiedBy: 9) == nil)
      fixture.list.insert(7, at: 2)
      gate.release()
      await fixture.list.settled()
      #expect(fixture.list.items == [9, 8, 1, 2, 7, 3, 4])
      #expect(fixture.mirror.failure == nil)
    }
  }

  @Test("A walk item by item ends where there was no page, though another failed since")
  func sequenceEnds() async throws {
    let actor = StoreActor.plainActor
    try await actor.run { actor in
      let fixture = await EndedList("[1]")
      let (stub, list) = (fixture.stub, fixture.list)
      stub.on(.get, "/items?page=1", .status(500))
      list.firstPage.invalidate()
      list.loadIfNeeded()
      await list.settled()
      #expect(list.state.description == "failed(page 0, http)")
      // What is stale is not passed on, and is asked for again after its failure.
      var (items, errors) = ([Int](), [ResourceError?]())
      var iterator = list.itemSequence.makeAsyncIterator()
      do { _ = try await iterator.next() } catch { errors.append(error as? ResourceError) }
      #expect(errors.map { $0?.status } == [500])
      stub.on(.get, "/items?page=1", .json("[1]"))
      while let item = try await iterator.next() { items.append(item) }
      #expect(items == [1])
    }
  }
}
