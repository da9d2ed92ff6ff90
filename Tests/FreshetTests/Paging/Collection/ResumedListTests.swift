import FreshetTesting
import Testing

@testable import Freshet

@Suite("Lists that are resumed at a cursor, whose pages end with 404", .standardTimeLimit)
struct ResumedListTests {
  private struct Fixture {
    let stub = StubTransport()
    let list: PagedCollection<Int>

    init(isolation: isolated any Actor = #isolation) throws {
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: #isolation)
      list = try service.pages(
        "rows", from: PageLink(.query("page", "5")), of: Int.self, style: .pageNumber("page"))
    }
  }

  @Test("Nothing is loaded of a list whose first page is a 404, so it is not at its end")
  func firstPageIsMissing() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = try Fixture()
      fixture.stub.on(.get, "/rows?page=5", .status(404))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.state.description == "failed(page 0, http)")
      #expect(fixture.list.items.isEmpty && fixture.list.pageCount == 0)
      fixture.stub.on(.get, "/rows?page=5", .json("[5]"))
      fixture.stub.on(.get, "/rows?page=6", .status(404))
      fixture.list.retry()
      await fixture.list.settled()
      #expect(fixture.list.items == [5])
    }
  }

  @Test("A 404 after the page that it is resumed at ends the list")
  func laterPageIsMissing() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = try Fixture()
      fixture.stub.on(.get, "/rows?page=5", .json("[5]"))
      fixture.stub.on(.get, "/rows?page=6", .status(404))
      fixture.list.loadAll()
      await fixture.list.settled()
      #expect(fixture.list.items == [5] && fixture.list.state == .ended)
    }
  }
}
