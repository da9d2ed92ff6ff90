import Freshet
import FreshetTesting
import Testing

@Suite("Events that are compared", .standardTimeLimit)
@MainActor struct EventEqualityTests {
  @Test("Events of a list are equal where their changes and states are")
  func list() async {
    let fixture = PageListFixture([[1, 2], [3]])
    let recorder = PagedCollectionRecorder<Int>()
    fixture.list.addObserver(recorder)
    await fixture.loadIfNeeded()
    let change = PagedChange([.init(at: 0, removing: [], inserting: [1, 2][...])])
    #expect(
      recorder.drain() == [
        .observerAdded, .stateChanged(.loading), .itemsChanged(change),
        .previousStateChanged(.ended), .stateChanged(.idle),
      ])
    #expect(change != PagedChange([.init(at: 0, removing: [], inserting: [1, 3][...])]))
  }

  @Test("Events of a paginator are equal where their pages are, and its options one expression")
  func paginator() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(.get, "/rows?page=0&per=2", .json("[1, 2]"))
    let rows = fixture.service.paginator(
      "rows?page=:currentPage&per=:perPage", of: Int.self,
      options: .init(perPage: 2, firstPageNumber: 0))
    let recorder = PaginatorRecorder<Int>()
    rows.addObserver(recorder)
    try rows.loadPage(0)
    await rows.settled()
    #expect(
      recorder.drain() == [.observerAdded, .loading(page: 0), .slotsChanged, .loaded(page: 0)])
  }
}
