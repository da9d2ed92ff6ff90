import Freshet
import FreshetTesting
import Testing

@Suite("Edits of a list whose pages all have one request", .standardTimeLimit)
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

  @Test("One of the last page requests no page that has failed")
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

  @Test("One of the last page leaves the load of the page after it")
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

  @Test("After one in a window, the pages that follow are none of those that were dropped")
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
}
