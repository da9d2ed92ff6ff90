import Foundation
import Freshet
import FreshetTesting
import Testing

@Suite("Counted lists whose pages say that there are more items", .standardTimeLimit)
struct FlaggedEndTests {
  /// A list of the pages at `?page=N` or `?o=N` with these bodies, the first one without a query; others do not
  /// exist.
  private func list(
    _ style: PageStyle, _ pages: [Int: String], first: Int = 1, emptyPageLimit: Int = 100,
    isolation: isolated any Actor
  ) -> PagedCollection<Int> {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let number = request.url.query?.split(separator: "=").last.flatMap { Int($0) }
      return pages[number ?? first].map { .json($0) } ?? .status(404)
    }
    let service = Service(
      baseURL: "https://api.test", transport: stub, clock: ManualClock(), isolation: isolation)
    return service.pages(
      "rows", of: Int.self, style: style.items(at: "items"),
      options: .init(emptyPageLimit: emptyPageLimit))
  }

  @Test(
    "An empty page that says so is no end of numbered pages",
    arguments: [
      (#""has_more":true"#, #""has_more":false"#), (#""last":false"#, #""last":true"#),
      (#""page":2,"total_pages":3"#, #""page":3,"total_pages":3"#),
    ])
  func emptyPage(more: String, end: String) async {
    await StoreActor.mainActor.run { actor in
      let list = list(
        .pageNumber("page"),
        [
          1: #"{"items":[1],\#(more)}"#, 2: #"{"items":[],\#(more)}"#,
          3: #"{"items":[3],\#(end)}"#, 4: #"{"items":[],\#(end)}"#,
        ], isolation: actor)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1, 3] && list.state.description == "ended")
    }
  }

  @Test("As many in a row as are allowed make the list incomplete")
  func emptyPages() async {
    await StoreActor.mainActor.run { actor in
      let pages = (2...9).map { ($0, #"{"items":[],"has_more":true}"#) }
      let list = list(
        .pageNumber("page"),
        Dictionary(uniqueKeysWithValues: [(1, #"{"items":[1],"has_more":true}"#)] + pages),
        emptyPageLimit: 3, isolation: actor)
      list.loadAll()
      await list.settled()
      #expect(list.items == [1])
      guard case .incomplete(let walk) = list.state, case .emptyPages(3) = walk.reason else {
        return #expect(Bool(false), "\(list.state)")
      }
    }
  }

  @Test("An empty page that says so leaves no offset for a next one")
  func offset() async {
    await StoreActor.mainActor.run { actor in
      let list = list(
        .offset("o"),
        [0: #"{"items":[7],"has_more":true}"#, 1: #"{"items":[],"has_more":true}"#], first: 0,
        isolation: actor)
      list.loadAll()
      await list.settled()
      #expect(list.items == [7] && list.state.description == "failed(page 1, decoding)")
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
}
