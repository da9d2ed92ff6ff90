import FreshetTesting
import Observation
import Testing

@testable import Freshet

/// Whether a view that reads something would have been notified of a change.
private func watch(_ read: () -> Void) -> Locked<Int> {
  let count = Locked(0)
  withObservationTracking(read) { count.withLock { $0 += 1 } }
  return count
}

extension Locked<Int> {
  fileprivate var value: Int { withLock { $0 } }
}

@Suite("What views are notified of", .standardTimeLimit)
struct UnnoticedChangeTests {
  /// A loaded resource whose content is fresh for 10 s, and may be used for 100 s more while it is confirmed.
  @MainActor private func revalidated() async -> (ServiceFixture, Resource<String>) {
    let fixture = ServiceFixture { $0.responseFreshness = .init() }
    let control = "max-age=10, stale-while-revalidate=100"
    fixture.stub.on(.get, "/a", .text("one", headers: ["Cache-Control": control]))
    let resource = fixture.text("a")
    await resource.load().completed()
    return (fixture, resource)
  }

  @Test("A view of mayUseStaleData is notified when it becomes true")
  @MainActor func mayUseStaleData() async {
    let (fixture, resource) = await revalidated()
    let changes = watch { _ = resource.mayUseStaleData }
    #expect(!resource.mayUseStaleData)
    fixture.clock.advance(by: .seconds(20))
    #expect(!resource.mayUseStaleData)
    let load = resource.load()
    #expect(resource.mayUseStaleData)
    #expect(changes.value == 1, "notified when it became true")
    await load.completed()
  }

  @Test("A view of mayUseStaleData is notified of an invalidation")
  @MainActor func mayUseStaleDataInvalidated() async {
    let (fixture, resource) = await revalidated()
    fixture.clock.advance(by: .seconds(20))
    let load = resource.load()
    let changes = watch { _ = resource.mayUseStaleData }
    #expect(resource.mayUseStaleData)
    resource.invalidate()
    #expect(!resource.mayUseStaleData)
    #expect(changes.value == 1, "notified when it became false")
    await load.completed()
  }

  @Test("A view of a list's page count is notified of an empty page")
  @MainActor func emptyPage() async {
    let fixture = PageListFixture([[1], []])
    await fixture.loadAll()
    fixture.clock.advance(by: .seconds(1))
    await fixture.page(1).load().completed()
    let list = fixture.service.pages("items?page=1", of: Int.self, style: .linkHeader)
    list.loadIfNeeded()
    await list.settled()
    #expect(list.pageCount == 1)
    let changes = watch { _ = list.pageCount }
    list.loadMore()
    await list.settled()
    #expect(list.pageCount == 2)
    #expect(changes.value == 1, "notified of the second page")
  }

  @Test("A view of a list's total is notified of another total")
  @MainActor func total() async {
    let fixture = ServiceFixture()
    fixture.stub.on(
      .get, "/items?page=1", .json("[1]", headers: ["ETag": "\"1\"", "X-Total-Count": "5"]),
      .status(304, headers: ["ETag": "\"1\"", "X-Total-Count": "6"]))
    let list = fixture.service.pages("items?page=1", of: Int.self, style: .linkHeader)
    list.loadIfNeeded()
    await list.settled()
    #expect(list.totalCount == 5)
    let changes = watch { _ = list.totalCount }
    await list.refreshAndWait()
    #expect(list.totalCount == 6)
    #expect(changes.value == 1)
  }

  @Test("A view of a mutation's content is notified of the second of two that overlap")
  @MainActor func overlappingMutations() async {
    let fixture = ServiceFixture()
    fixture.stub.on(.put, "/a", .text("one"))
    fixture.stub.on(.put, "/b", .text("two"))
    let gate = fixture.stub.hold(.put, "/b")
    let mutation = Mutation<String>()
    let first = mutation.begin(fixture.text("a").request(.put))
    let second = mutation.begin(fixture.text("b").request(.put))
    await first.completed()
    #expect(mutation.content == "one")
    let changes = watch { _ = mutation.content }
    gate.release()
    await second.completed()
    #expect(mutation.content == "two")
    #expect(changes.value == 1)
  }

  @Test("A view of a paginator's total is notified when another page is confirmed")
  @MainActor func confirmedTotal() async throws {
    let fixture = ServiceFixture()
    fixture.stub.on(
      .get, "/rows?page=1", .json(#"{"items":[1,2],"total":100}"#, headers: ["ETag": "\"1\""]),
      .status(304))
    fixture.stub.on(.get, "/rows?page=2", .json(#"{"items":[3,4],"total":90}"#))
    var two = Paginator<Int>.Options()
    two.perPage = 2
    let rows = fixture.service.paginator(
      "rows?page=:currentPage", of: Int.self, mapping: .init(totalCount: "total"), options: two)
    try rows.loadPage(1)
    await rows.settled()
    try rows.loadPage(2)
    await rows.settled()
    #expect(rows.totalCount == 90)
    let changes = watch { _ = rows.totalCount }
    await rows.page(1).load().completed()
    let total = rows.totalCount
    #expect(total == 90 || changes.value == 1, "is \(total ?? 0), and no view was notified")
    #expect(rows.slots.count == total, "slots: \(rows.slots.count), total \(total ?? 0)")
  }

  @Test("A view of a paginator's error is notified when another page size clears it")
  @MainActor func clearedError() async throws {
    let fixture = PaginatorFixture([1, 2, 3], server: { $0.failing = [1] })
    try await fixture.load(1)
    let changes = watch { _ = fixture.articles.latestError }
    #expect(fixture.articles.latestError != nil)
    fixture.articles.perPage = 3
    // First: to read it again notifies of a change too.
    #expect(changes.value == 1)
    #expect(fixture.articles.latestError == nil)
  }
}
