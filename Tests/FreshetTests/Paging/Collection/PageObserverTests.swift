import Freshet
import FreshetTesting
import Testing

@Suite("Observing the pages of a list", .standardTimeLimit)
struct PageObserverTests {
  /// What an observer of pages was called with.
  private final class Margin {
    var lines: [String] = []

    func show(_ list: PagedCollection<Int>, _ page: Resource<Page<Int>>, _ event: ResourceEvent) {
      let index = list.pageIndex(of: page).map { "\($0)" } ?? "-"
      lines.append("\(index) \(event) \(page.isLoading)")
    }

    func drain() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  @Test(
    "Each event of each page is reported, when the list has changed", arguments: StoreActor.allCases
  )
  func events(actor: StoreActor) async {
    await actor.run { actor in
      let fixture = PageListFixture([[1], [2], [3]])
      let margin = Margin()
      fixture.list.addPageObserver(owner: margin) { [weak margin] in margin?.show($0, $1, $2) }
      await fixture.loadIfNeeded()
      #expect(margin.drain() == ["- requested true", "0 newData(network) false"])
      await fixture.loadMore()
      #expect(margin.drain() == ["- requested true", "1 newData(network) false"])
      fixture.list.pages[0].invalidate()
      await fixture.list.settled()
      #expect(
        margin.drain() == ["0 invalidated false", "0 requested true", "0 newData(network) false"])
      fixture.fail(2)
      await fixture.refresh()
      #expect(
        margin.drain() == [
          "0 requested true", "0 newData(network) false", "1 requested true", "1 error false",
        ])
    }
  }

  @Test("Pages that were dropped or removed from the list are reported no more")
  @MainActor func removedPages() async {
    let fixture = PageListFixture([[1], [2], [3]])
    await fixture.loadAll()
    let last = fixture.list.pages[2]
    let margin = Margin()
    fixture.list.addPageObserver(owner: margin) { [weak margin] in margin?.show($0, $1, $2) }
    fixture.serve([[1], [2]])
    await fixture.refresh()
    _ = margin.drain()
    last.invalidate()
    #expect(margin.lines.isEmpty)
  }

  @Test("It ends with its owner, its token, and the list's observations of that owner")
  @MainActor func ends() async {
    let fixture = PageListFixture([[1]])
    await fixture.loadAll()
    let page = fixture.list.pages[0]
    var (owner, other): (Owner?, Owner) = (Owner(), Owner())
    var counts = [0, 0, 0]
    fixture.list.addPageObserver(owner: owner ?? other) { _, _, _ in counts[0] += 1 }
    let token = fixture.list.addPageObserver(owner: other) { _, _, _ in counts[1] += 1 }
    fixture.list.addPageObserver(owner: other) { _, _, _ in counts[2] += 1 }
    fixture.list.removeObserver(fixture.mirror)
    page.invalidate()
    #expect(counts == [1, 1, 1])
    // An observer of pages is no observer of the list.
    #expect(!page.isLoading)
    owner = nil
    token.cancel()
    page.overrideLocalContent(page.content ?? Page(items: []))
    #expect(counts == [1, 1, 2])
    fixture.list.removeObservers(ownedBy: other)
    page.invalidate()
    #expect(counts == [1, 1, 2])
  }

  @Test("The list may be released in the closure, and does not live for its page observers")
  @MainActor func release() async {
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1]"))
    let service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    var list: PagedCollection<Int>? = service.pages("items", of: Int.self)
    weak let released = list
    let owner = Owner()
    list?.addPageObserver(owner: owner) { _, _, event in if event == .requested { list = nil } }
    list?.loadIfNeeded()
    #expect(list == nil && released == nil)
  }
}
