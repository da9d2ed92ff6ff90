import Freshet
import FreshetTesting
import Testing

@Suite("Lists whose pages change under what was decided by them", .standardTimeLimit)
struct PagedCollectionLateChangesTests {
  /// Three rows on pages that all count three, of which the third is empty and names another one.
  private func fixture(isolation: isolated any Actor = #isolation) -> PageListFixture {
    let fixture = PageListFixture([])
    serve([1, 2], 1, total: 3, on: fixture)
    serve([3], 2, total: 3, on: fixture)
    serve([], 3, total: 3, on: fixture)
    return fixture
  }

  private func serve(
    _ items: [Int], _ page: Int, total: Int, on fixture: PageListFixture, isLast: Bool = false
  ) {
    var headers: HTTPHeaders = ["X-Total-Count": "\(total)", "ETag": "\"\(items)\""]
    if !isLast { headers["Link"] = "</items?page=\(page + 1)>; rel=next" }
    fixture.stub.on(.get, "/items?page=\(page)", .json("\(items)", headers: headers))
  }

  @Test(
    "An empty page is no end any more when the pages before it have fewer items",
    arguments: [true, false], StoreActor.allCases)
  func emptyPage(refreshes: Bool, actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = fixture()
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.list.state.description == "ended")
      serve([], 2, total: 3, on: fixture)
      serve([4], 4, total: 3, on: fixture, isLast: true)
      if refreshes {
        fixture.list.refresh(.all)
      } else {
        // As another list does.
        await fixture.page(2).load().completed()
        #expect(fixture.list.state.description != "ended")
      }
      await fixture.list.settled()
      await fixture.loadAll()
      #expect(fixture.list.items == [1, 2, 4])
      #expect(fixture.list.state.description == "ended")
      // And it is one again when they have as many.
      serve([3], 2, total: 3, on: fixture)
      fixture.list.refresh(.all)
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3])
      #expect(fixture.list.state.description == "ended")
    }
  }

  @Test(
    "What is asked for after a cancellation is loaded, within an event too",
    arguments: [true, false], StoreActor.allCases)
  func cancellation(isWithinEvent: Bool, actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      await fixture.loadIfNeeded()
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.loadMore()
      await gate.arrived()
      let list = fixture.list
      if isWithinEvent {
        let other = fixture.service.resource("other", of: String.self)
        let token = other.observe { _, event in
          guard case .newData = event else { return }
          list.cancelLoad()
          list.loadAll()
        }
        other.overrideLocalContent("x")
        token.cancel()
      } else {
        list.cancelLoad()
        list.loadAll()
      }
      await list.settled()
      #expect(list.items == [1, 2, 3] && list.state.description == "ended")
    }
  }

  @Test(
    "No observer of new items sees an end where the last page names another one",
    arguments: StoreActor.allCases)
  func endAtItems(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2]])
      await fixture.loadAll()
      var seen: [String] = []
      let token = fixture.list.observe { list, event in
        if case .itemsChanged = event { seen.append(list.state.description) }
      }
      fixture.page(2).overrideLocalContent(
        Page(items: [2, 3], next: PageLink(.follow("/items?page=3"))))
      #expect(seen == ["idle"])
      token.cancel()
    }
  }

  @Test(
    "What is not shown yet has no part in the total number of items",
    arguments: StoreActor.allCases)
  func frozenTotal(actor: StoreActor) async throws {
    await actor.run { actor in
      let fixture = PageListFixture([[1, 2], [3, 4]]) { $0.publication = .whenComplete }
      serve([1, 2], 1, total: 4, on: fixture)
      await fixture.loadAll()
      #expect(fixture.list.totalCount == 4)
      serve([1, 5], 1, total: 6, on: fixture)
      let gate = fixture.stub.hold(.get, "/items?page=2")
      fixture.list.refresh()
      await gate.arrived()
      #expect(fixture.list.items == [1, 2, 3, 4] && fixture.list.totalCount == 4)
      #expect(fixture.list.placeholderCounts?.after == 0)
      gate.release(with: PageListFixture.response([3, 4], next: nil))
      await fixture.list.settled()
      #expect(fixture.list.totalCount == 6 && fixture.list.placeholderCounts?.after == 2)
    }
  }
}
