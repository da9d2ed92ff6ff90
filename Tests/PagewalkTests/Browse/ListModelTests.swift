import Freshet
import FreshetTesting
import Testing

@testable import PagewalkBrowser

@Suite("The view model of the browser", .standardTimeLimit)
@MainActor
struct ListModelTests {
  /// A model on pages of the demo, which a view follows.
  @MainActor
  private final class View {
    let demo: DemoAPI
    let model: ListModel
    /// Whether requests fail.
    let isCut = Locked(false)
    /// The items as the changes have led to them.
    var items: [JSONText] = []
    /// The selected item.
    var selection = 0
    private var lost: JSONText?
    var changeCount = 0

    init(itemCount: Int, perPage: Int, query: String = "?after=", clock: ManualClock) {
      let demo = DemoAPI(itemCount: itemCount, perPage: perPage)
      self.demo = demo
      let transport = StubTransport { [isCut] request in
        if isCut.withLock({ $0 }) { return HTTPResponse(status: 404, url: request.url) }
        return demo.respond(to: request)
      }
      let service = Service(baseURL: "http://a.test", transport: transport, clock: clock)
      let list = service.pages(
        "items\(query)", of: JSONText.self,
        options: .init(
          identity: ItemIdentity { $0["id"]?.int }, publication: .whenComplete))
      model = ListModel(list, identity: "id")
      model.onChange = { [weak self] in self?.listChanged($0) }
    }

    private func listChanged(_ change: PagedChange<JSONText>?) {
      changeCount += 1
      guard let change else { return }
      selection =
        items.isEmpty
        ? 0 : change.index(following: selection, lost: &lost, identity: model.identity(of:))
      change.apply(to: &items)
      #expect(items == model.list.items)
    }

    func select(_ index: Int) {
      (selection, lost) = (index, nil)
    }

    func settled() async { await model.list.settled() }

    var states: [ListModel.PageState] { model.list.pages.map(ListModel.PageState.init) }
  }

  @Test("Its pages are fresh, stale, loading or failed, and each change is reported")
  func pageStates() async {
    let clock = ManualClock()
    let view = View(itemCount: 6, perPage: 3, clock: clock)
    view.model.list.loadAll()
    await view.settled()
    #expect(view.states == [.fresh, .fresh])
    #expect(view.model.pageStarts == [0, 3])

    clock.advance(by: .seconds(31))
    #expect(view.states == [.stale, .stale])
    view.changeCount = 0
    let request = view.model.list.pages[1].load()
    #expect(view.states == [.stale, .loading])
    #expect(view.changeCount > 0)
    view.changeCount = 0
    await request.completed()
    #expect(view.states == [.stale, .fresh])
    #expect(view.changeCount > 0)

    view.isCut.withLock { $0 = true }
    view.changeCount = 0
    view.model.list.refresh()
    await view.settled()
    #expect(view.states == [.failed, .fresh])
    #expect(view.changeCount > 0)
    view.isCut.withLock { $0 = false }
    view.model.list.retry()
    await view.settled()
    #expect(view.states == [.fresh, .fresh])
  }

  @Test(
    "The selected item stays selected, whatever the server does to the list",
    arguments: 0..<40, ["?after=", "?page=1"])
  func random(seed: Int, query: String) async {
    var generator = SeededGenerator(seed: seed)
    let view = View(
      itemCount: 1 + seed % 17, perPage: 1 + seed % 5, query: query, clock: ManualClock())
    view.model.list.loadAll()
    await view.settled()
    for step in 0..<12 where !view.items.isEmpty {
      view.select(generator.number(below: view.items.count))
      let id = view.items[view.selection]["id"]?.int
      for _ in 0...generator.number(below: 3) {
        let ids = view.demo.ids
        guard !ids.isEmpty else { break }
        let other = ids[generator.number(below: ids.count)]
        switch generator.number(below: 3) {
        case 0: view.demo.edit(id: other)
        case 1: view.demo.insert(at: generator.number(below: ids.count + 1))
        default: view.demo.delete(id: other)
        }
      }
      view.model.list.refresh()
      await view.settled()
      view.model.list.loadAll()
      await view.settled()
      #expect(view.items.map { $0["id"]?.int } == view.demo.ids, "seed \(seed), step \(step)")
      if let expected = view.items.firstIndex(where: { $0["id"]?.int == id }) {
        #expect(view.selection == expected, "seed \(seed), step \(step)")
      } else {
        #expect((0...view.items.count).contains(view.selection), "seed \(seed), step \(step)")
      }
    }
  }
}
