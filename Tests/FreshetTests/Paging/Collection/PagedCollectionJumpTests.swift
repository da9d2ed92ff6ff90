import Freshet
import FreshetTesting
import Testing

@Suite("Jumping to an item or a page of a list", .standardTimeLimit)
struct PagedCollectionJumpTests {
  private static let pages = (0..<8).map { page in Array(page * 4..<(page + 1) * 4) }

  @Test("Rows that are reported before they are loaded are loaded", arguments: StoreActor.allCases)
  func restoredPosition(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture(Self.pages) { $0.prefetchDistance = 2 }
      fixture.list.itemsShown(in: 14..<18)
      await fixture.list.settled()
      #expect(fixture.list.items.count == 20)
      #expect(fixture.asked == [1, 2, 3, 4, 5])
    }
  }

  @Test("Pages are loaded up to the one that is asked for", arguments: StoreActor.allCases)
  func pages(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture(Self.pages)
      fixture.list.loadPages(through: 2)
      await fixture.list.settled()
      #expect(fixture.asked == [1, 2, 3])
      #expect(fixture.list.state == .idle)
      fixture.list.loadPages(through: 1)
      #expect(!fixture.list.isLoading)
      // Asked for while a page is loading.
      fixture.list.loadMore()
      fixture.list.loadPages(through: 5)
      await fixture.list.settled()
      #expect(fixture.list.pageCount == 6 && fixture.list.state == .idle)
      fixture.list.loadPages(through: .max)
      await fixture.list.settled()
      #expect(fixture.list.pageCount == 8 && fixture.list.state == .ended)
      fixture.list.reset()
      fixture.list.loadPages(through: .min)
      await fixture.list.settled()
      #expect(fixture.list.pageCount == 1)
    }
  }

  @Test("Empty pages count, and the request budget is no limit", arguments: StoreActor.allCases)
  func budget(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [], [], [], [2], [], [3], [4]]) { $0.requestBudget = 2 }
      fixture.list.loadPages(through: 5)
      await fixture.list.settled()
      #expect(fixture.list.pageCount == 6 && fixture.list.state == .idle)
      // For the next demand it is one again.
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [1, 2, 3, 4])
    }
  }

  @Test("Nor is it one after a failure on the way", arguments: StoreActor.allCases)
  func budgetAfterFailure(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture(Self.pages) { $0.requestBudget = 2 }
      fixture.fail(4)
      fixture.list.loadPages(through: 5)
      await fixture.list.settled()
      #expect(fixture.list.state.description == "failed(page 3, http)")
      fixture.serve(Self.pages)
      await fixture.retry()
      #expect(fixture.list.pageCount == 6 && fixture.list.state == .idle)
    }
  }

  @Test("Each item is on one page, whatever is hidden, empty or added before it")
  @MainActor func pageOfItem() async {
    let fixture = PageListFixture([[1, 2], [], [3, 4, 5], [6]])
    #expect(fixture.list.pageIndex(ofItemAt: 0) == nil)
    await fixture.loadAll()
    #expect((-1...6).map { fixture.list.pageIndex(ofItemAt: $0) } == [nil, 0, 0, 2, 2, 2, 3, nil])
    for index in fixture.list.items.indices {
      let page = fixture.list.pageIndex(ofItemAt: index) ?? -1
      #expect(fixture.list.itemRange(ofPage: page).contains(index))
      #expect(fixture.list.pageIndex(of: fixture.list.pages[page]) == page)
    }
    #expect(fixture.list.pageIndex(of: fixture.service.resource("b", decoder: .page(.auto))) == nil)
  }

  @Test("While a changed chain is reloaded, items of the old one are on no page")
  @MainActor func staleItems() async {
    let fixture = PageListFixture([[1], [2], [3]])
    await fixture.loadAll()
    fixture.serve(1, [1], next: "/items?page=4")
    fixture.serve(4, [4], next: nil)
    let gate = fixture.stub.hold(.get, "/items?page=4")
    fixture.list.refresh()
    await gate.arrived()
    #expect(fixture.list.items == [1, 2, 3])
    #expect((0..<3).map { fixture.list.pageIndex(ofItemAt: $0) } == [0, nil, nil])
    gate.release()
    await fixture.list.settled()
    #expect(fixture.list.items == [1, 4])
  }

  @Test("The range of a page that does not exist is refused by name")
  func missingPage() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        _ = PageListFixture([[1]]).list.itemRange(ofPage: 0)
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Freshet: PagedCollection.itemRange(ofPage:): page 0 of 0 pages"))
  }
}
