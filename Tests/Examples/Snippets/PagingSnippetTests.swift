import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("The code about lists, paginators and queries", .standardTimeLimit)
@MainActor
struct PagingSnippetTests {
  typealias Gist = Paging.Gist

  private let stub = StubTransport()
  private let service: Service
  private let model: Paging

  init() {
    service = Service(baseURL: "https://api.test", transport: stub, clock: ManualClock())
    model = Paging(service)
    stub.onPages("/gists", [[Gist(id: 1, title: "a")], [Gist(id: 2, title: "b")]])
  }

  // MARK: Lists

  @Test("A list is observed by its splices")
  func observed() async {
    let gists = model.observed()
    await gists.settled()
    #expect(gists.items.map(\.id) == [1] && model.spliceCount == 1)
  }

  @Test("The first page of a list has a query")
  func lists() async {
    stub.on(.get, "/search?per_page=50&q=a%20%26%20b", .json(#"[{"id": 3}]"#))
    let (gists, found) = model.lists("a & b")
    found.loadIfNeeded()
    await gists.settled()
    await found.settled()
    #expect(gists.items.map(\.id) == [1] && found.items.map(\.id) == [3])
    #expect(stub.unexpected.isEmpty)
  }

  @Test("A list continues at a cursor that a query has stored")
  func resuming() async throws {
    let query = model.query()
    await query.settled()
    let link = try #require(model.archive.cursors.first?.link)
    let rest = try model.resumed(at: try JSONEncoder().encode(link))
    rest.loadAll()
    await rest.settled()
    #expect(rest.items.map(\.id) == [2])
  }

  @Test("An item is starred at once, and as the server has it after its response")
  func star() async throws {
    let gists = model.observed()
    await gists.settled()
    let star = service.resource("gists/1/star", decoder: .noContent)
    for status in [204, 409] {
      let gate = stub.hold(.put, "/gists/1/star")
      model.star(gists.items[0], of: gists, by: star)
      await gate.arrived()
      await gists.refreshAndWait()
      #expect(gists.items[0].isStarred)
      gate.release(with: .status(status))
      while gists.items[0].isStarred { await gists.refreshAndWait() }
    }
  }

  // MARK: Changes

  @Test("Splices, a table and a sequence of changes have the items, and indices follow theirs")
  func changes() async throws {
    let gists = service.pages("gists", of: Gist.self)
    let recorder = PagedCollectionRecorder<Gist>()
    gists.addObserver(recorder)
    model.followChanges(of: gists)
    gists.loadAll()
    await gists.settled()
    let items = gists.items
    gists.insert(Gist(id: 3, title: "c"), at: 1)
    let change = try #require(recorder.changes.last)
    #expect(gists.items.map(\.id) == [1, 3, 2])
    #expect(model.copy(items, after: change) == gists.items)
    #expect(model.tableView.rows == gists.items)
    #expect(model.selection(1, after: change) == 2)
    #expect(model.selectionByID(1, after: change) == 2)
    #expect(model.selection(nil, after: change) == nil)
  }

  @Test("A sequence of changes keeps a copy, until its task is cancelled")
  func sequence() async {
    let gists = model.observed()
    await gists.settled()
    let rows = Task { await model.rows(of: gists) }
    gists.loadAll()
    await gists.settled()
    rows.cancel()
    // A cancelled task may leave the last change unread.
    let copy = await rows.value
    #expect(!copy.isEmpty && gists.items.starts(with: copy))
  }

  // MARK: Numbered pages and queries

  @Test("A paginator loads one page, and then the next")
  func paginator() async throws {
    stub.on(.get, "/articles?page=1", .json(#"[{"title": "one"}]"#))
    let first = try model.firstPage()
    await first.settled()
    #expect(first.items.map(\.title) == ["one"])

    for (page, title) in [(1, "a"), (2, "b")] {
      stub.on(
        .get, "/articles?per_page=25&page=\(page)",
        .json(
          #"{"items": [{"title": "\#(title)"}], "meta": {"total": 200}}"#,
          headers: ["X-Per-Page": "25"]))
    }
    let values = try await model.paginator()
    #expect(values.contains { $0.contains("placeholder") }, "\(values)")
    await until { model.shown.count >= 2 }
    #expect(model.shown.map(\.title) == ["a", "b"])
  }

  @Test("A query reports each item, and the cursor after each page")
  func queries() async {
    let query = model.query()
    await query.settled()
    #expect(model.archive.items.map(\.id) == [1, 2])
    #expect(model.archive.cursors.count == 2 && model.archive.cursors.last == .end)
    await model.itemQuery().settled()
    #expect(model.archive.items.map(\.id) == [1, 2, 1, 2])
  }
}
