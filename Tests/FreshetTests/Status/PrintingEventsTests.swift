import FreshetTesting
import Testing

@testable import Freshet

@Suite("Events are printed for debugging", .standardTimeLimit)
struct PrintingEventsTests {
  @Test("Lists are described without secrets, and not dumped", arguments: StoreActor.allCases)
  func descriptions(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(where: { _ in true }, .json(#"["hidden"]"#))
      let list = fixture.service.pages("rows?key=hidden", of: String.self)
      let page = "GET https://api.test/rows"
      #expect("\(list)" == "\(page): 0 pages, 0 items, idle")
      list.loadIfNeeded()
      await list.settled()
      #expect("\(list)" == "\(page): 1 pages, 1 items, ended")
      let numbers = fixture.service.paginator("rows?page=:currentPage&key=hidden", of: String.self)
      #expect("\(numbers)" == "rows: no page, 0 slots, 0 loaded")
      try numbers.loadPage(1)
      await numbers.settled()
      #expect("\(numbers)".hasPrefix("rows: page 1, 1 slots"))
      var text = ""
      dump(list, to: &text)
      dump(numbers, to: &text)
      #expect(!text.contains("hidden"))
    }
  }

  @Test("Each event of a resource and of a list is a line, without secrets")
  @MainActor func lines() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/rows?key=secret", .json("[1,2]"), .json("[1,3,4]"))
    let list = fixture.service.pages("rows?key=secret", of: Int.self)
    var lines: [String] = []
    list.printEvents { lines.append($0) }
    let token = list.firstPage.printEvents { lines.append($0) }
    list.loadIfNeeded()
    await list.settled()
    token.cancel()
    list.refresh()
    await list.settled()
    let page = "GET https://api.test/rows"
    #expect(
      lines == [
        "collection \(page) observerAdded", "\(page) observerAdded", "\(page) requested",
        "collection \(page) stateChanged(loading)", "\(page) newData(network)",
        "collection \(page) itemsChanged(+2 at 0)",
        "collection \(page) previousStateChanged(ended)",
        "collection \(page) stateChanged(ended)", "collection \(page) refreshStateChanged(loading)",
        "collection \(page) itemsChanged(-1 +2 at 1)",
        "collection \(page) refreshStateChanged(idle)",
      ])
  }

  @Test("Each event of a paginator is a line, without secrets")
  @MainActor func paginatorLines() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/rows?p=1&key=secret", .json("[1,2]"))
    let rows = fixture.service.paginator("rows?p=:currentPage&key=secret", of: Int.self)
    var lines: [String] = []
    rows.printEvents { lines.append($0) }
    try rows.loadPage(1)
    await rows.settled()
    #expect(
      lines
        == ["observerAdded", "loading(1)", "slotsChanged", "loaded(1)"].map {
          "paginator rows \($0)"
        })
  }
}
