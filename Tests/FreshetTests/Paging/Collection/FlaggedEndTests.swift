import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Counted lists whose pages say that there are more items", .standardTimeLimit)
struct FlaggedEndTests {
  /// A list of the pages at `?page=N` with these bodies, the first one without a query; others do not exist.
  private func list(
    _ style: PageStyle, _ pages: [Int: String], isolation: isolated any Actor
  ) -> PagedCollection<Int> {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let number = request.url.query?.split(separator: "=").last.flatMap { Int($0) }
      return pages[number ?? 1].map { .json($0) } ?? .status(404)
    }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: isolation)
    return service.pages("rows", of: Int.self, style: style.items(at: "items"))
  }

  @Test("An empty page before the last one is no end of numbered pages")
  func emptyPage() async {
    await StoreActor.mainActor.run { actor in
      let list = list(
        .pageNumber("page"),
        [
          1: #"{"items":[1],"page":1,"total_pages":3}"#,
          2: #"{"items":[],"page":2,"total_pages":3}"#,
          3: #"{"items":[3],"page":3,"total_pages":3}"#,
        ], isolation: actor)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 3] && list.state.description == "ended")
    }
  }

  @Test("A page that does not exist is no end after one that says that there is more")
  func notFound() async {
    await StoreActor.mainActor.run { actor in
      for (flag, state) in [("true", "failed(page 1, http)"), ("false", "ended")] {
        let list = list(
          .pageNumber("page"), [1: #"{"items":[1],"has_more":\#(flag)}"#], isolation: actor)
        list.loadAll()
        await list.settled()
        #expect(list.items == [1] && list.state.description == state)
      }
    }
  }

  @Test("Nor is one after a 304 to that, which has no flag, in a list that begins at a later page")
  func notFoundAfterConfirmation() async {
    await StoreActor.mainActor.run { actor in
      let stub = StubTransport()
      stub.on(where: { _ in true }) { request in
        guard request.url.query == "page=2" else { return .status(404) }
        guard request.headers["If-None-Match"] == nil else {
          return .status(304, headers: ["ETag": "\"a\"", "X-Total-Count": "6"])
        }
        return .json(
          #"{"items":[1],"has_more":true}"#,
          headers: ["ETag": "\"a\"", "X-Total-Count": "5"])
      }
      let service = Service(
        baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: actor)
      let list = service.pages(
        "rows?page=2", of: Int.self, style: .pageNumber("page").items(at: "items"))
      list.loadIfNeeded()
      await list.settled()
      list.refresh()
      await list.settled()
      list.loadAll()
      await list.settled()
      #expect(stub.requests.contains { $0.headers["If-None-Match"] != nil })
      #expect(list.items == [1] && list.state.description == "failed(page 1, http)")
    }
  }
}
