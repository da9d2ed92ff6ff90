import FreshetTesting
import Testing

@testable import Freshet

@Suite("A paginator as an asynchronous sequence", .standardTimeLimit)
struct PaginatorSequenceTests {
  @Test(
    "Snapshots begin with the present slots, and are the newest", arguments: StoreActor.allCases)
  func snapshots(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      var snapshots = fixture.articles.snapshots.makeAsyncIterator()
      #expect(await snapshots.next(isolation: actor)?.isEmpty == true)
      try await fixture.load(1)
      #expect(await snapshots.next(isolation: actor)?.map(\.item) == [1, 2, nil])
      try await fixture.load(2)
      fixture.articles.page(1).overrideLocalContent(PaginatorPage(items: [7]))
      #expect(await snapshots.next(isolation: actor)?.map(\.item) == [7, 3])
      var later = fixture.articles.snapshots.makeAsyncIterator()
      #expect(await later.next(isolation: actor)?.map(\.item) == [7, 3])
      #expect(fixture.asked.count == 2, "Iterating loads nothing")
    }
  }

  @Test("Items that are wiped before they are read do not come", arguments: StoreActor.allCases)
  func wiped(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      var snapshots = fixture.articles.snapshots.makeAsyncIterator()
      try await fixture.load(1)
      fixture.service.wipe()
      #expect(await snapshots.next(isolation: actor)?.isEmpty == true)
    }
  }

  @Test(
    "It ends with its paginator, and does not keep it; with its task it observes no more",
    arguments: StoreActor.allCases)
  func ends(actor: StoreActor) async {
    await actor.run { actor in
      var fixture: PaginatorFixture? = PaginatorFixture([1])
      weak let watched = fixture?.articles
      var snapshots = fixture?.articles.snapshots.makeAsyncIterator()
      fixture = nil
      #expect(watched == nil)
      #expect(await snapshots?.next(isolation: actor)?.isEmpty == true)
      #expect(await snapshots?.next(isolation: actor) == nil)
      let other = PaginatorFixture([1])
      other.articles.removeObserver(other.recorder)
      let unread = other.articles.snapshots
      #expect(other.articles.isObservedByProgram)
      let task = Task { for await _ in unread {} }
      task.cancel()
      await task.value
      #expect(!other.articles.isObservedByProgram)
    }
  }
}
