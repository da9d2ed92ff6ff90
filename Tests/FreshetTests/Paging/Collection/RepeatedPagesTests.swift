import Freshet
import FreshetTesting
import Testing

@Suite("A list whose pages have one request", .standardTimeLimit)
@MainActor struct RepeatedPagesTests {
  private let link = "/items?page=1"

  /// A list with two pages, each of which names the same request as its next one.
  ///
  /// - Parameters:
  ///   - retained: how many pages it keeps in memory.
  ///   - third: what the server responds with for the third page; the fourth is the last one.
  private func load(
    keeping retained: Int? = nil, third: StubTransport.Response
  ) async -> PageListFixture {
    let fixture = PageListFixture([]) {
      $0.allowsRepeatedPages = true
      $0.retainedPageLimit = retained
    }
    fixture.stub.on(
      .get, link, PageListFixture.response([1], next: link),
      PageListFixture.response([2], next: link), third, PageListFixture.response([4], next: nil))
    fixture.list.loadIfNeeded()
    await fixture.loadMore()
    fixture.stub.forgetRequests()
    return fixture
  }

  @Test("An edit of the last page requests no page that has failed")
  func failedPage() async {
    let fixture = await load(third: .status(500))
    fixture.list.loadMore()
    await fixture.list.settled()
    for value in [20, 30] {
      #expect(fixture.list.state.description == "failed(page 2, http)")
      fixture.list.pages.last?.updateContent { $0.items = [value] }
      await fixture.list.settled()
    }
    #expect(fixture.list.state.description == "failed(page 2, http)")
    #expect(fixture.list.items == [1, 30] && fixture.asked == [1])
    fixture.list.retry()
    await fixture.list.settled()
    #expect(fixture.list.items == [1, 30, 4] && fixture.list.state == .ended)
    #expect(fixture.asked == [1, 1] && fixture.mirror.failure == nil)
  }

  @Test("An edit of the last page leaves the load of the page after it")
  func load() async {
    let fixture = await load(third: PageListFixture.response([3], next: nil))
    let gate = fixture.stub.hold(.get, link)
    fixture.list.loadMore()
    await gate.arrived()
    fixture.list.pages.last?.updateContent { $0.items = [20] }
    gate.release(with: PageListFixture.response([3], next: nil))
    await fixture.list.settled()
    #expect(fixture.list.items == [1, 20, 3] && fixture.list.state == .ended)
    #expect(fixture.asked == [1] && fixture.mirror.failure == nil)
  }

  @Test("After an edit in a window, the pages that follow are none of those that were dropped")
  func window() async {
    let fixture = await load(keeping: 1, third: PageListFixture.response([3], next: link))
    #expect(fixture.list.items == [2])
    fixture.list.pages.last?.updateContent { $0.items = [20] }
    fixture.list.loadAll()
    await fixture.list.settled()
    #expect(fixture.list.items == [4] && fixture.list.firstItemIndex == 3)
    #expect(fixture.list.state == .ended && fixture.asked == [1, 1])
    #expect(fixture.mirror.failure == nil)
  }

  @Test("No other page comes back to a window in place of one that was dropped")
  func back() async {
    let fixture = await load(keeping: 2, third: PageListFixture.response([3], next: link))
    await fixture.loadAll()
    #expect(fixture.list.items == [3, 4])
    fixture.stub.on(.get, link, PageListFixture.response([2], next: link))
    fixture.list.loadPreviousPage()
    await fixture.list.settled()
    #expect(fixture.list.items == [2, 3] && fixture.asked == [1])
    // Of the first page there is a resource that no other page has.
    fixture.list.loadPreviousPage()
    await fixture.list.settled()
    #expect(fixture.list.items == [1, 2] && fixture.list.previousState == .ended)
    #expect(fixture.asked == [1] && fixture.mirror.failure == nil)
  }

  @Test("A first page that was wiped comes back before all of the others")
  func wiped() async {
    let fixture = PageListFixture([]) { $0.allowsRepeatedPages = true }
    let next = "/items?page=2"
    fixture.serve(1, [1], next: next)
    fixture.stub.on(
      .get, next, PageListFixture.response([2], next: next),
      PageListFixture.response([3], next: next), PageListFixture.response([4], next: nil))
    await fixture.loadAll()
    fixture.list.firstPage.wipe()
    #expect(fixture.list.items == [2, 3, 4])
    fixture.list.loadIfNeeded()
    await fixture.list.settled()
    #expect(fixture.list.items == [1, 2, 3, 4] && fixture.list.state == .ended)
    #expect(fixture.asked == [1])
  }
}
