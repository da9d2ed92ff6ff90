import FreshetTesting
import Testing

@testable import Freshet

@Suite("The current page of a paginator loads again by itself", .standardTimeLimit)
struct PaginatorReloadTests {
  @Test(
    "What was asked for becomes the current page all the same", arguments: StoreActor.allCases,
    [false, true])
  func pending(actor: StoreActor, byTrigger: Bool) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4])
      try await fixture.load(1)
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = fixture.service.loadIfNeeded(on: .elements(of: stream))
      fixture.recorder.drain()
      fixture.clock.advance(by: .seconds(60))
      // Until then page 1 is the current one, and so what loads again.
      let gate = fixture.stub.hold(.get, "/articles?per_page=2&page=2")
      try fixture.articles.loadNextPage()
      await gate.arrived()
      if byTrigger {
        continuation.yield()
        #expect(await soon { fixture.asked.count == 3 })
      } else {
        fixture.service.invalidate()
      }
      #expect(await soon { fixture.articles.page(1).isUpToDate })
      gate.release()
      await fixture.articles.settled()
      #expect(fixture.articles.currentPage == 2)
      #expect(!fixture.recorder.lines.contains { $0.hasPrefix("cancelled") })
      // Page 2 was invalidated while it was loading.
      #expect(await soon { fixture.articles.page(2).isUpToDate })
      #expect(fixture.asked.count == (byTrigger ? 3 : 4))
      withExtendedLifetime(token) {}
    }
  }

  @Test("A page that is fresh has no event, and a failure stays", arguments: StoreActor.allCases)
  func fresh(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4])
      try await fixture.load(1)
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      let token = fixture.service.loadIfNeeded(on: .elements(of: stream))
      fixture.recorder.drain()
      continuation.yield()
      #expect(await !soon(within: 2_000) { fixture.asked.count > 1 })
      #expect(fixture.recorder.lines.isEmpty)
      fixture.server.change { $0.failing = [2] }
      try await fixture.load(2)
      fixture.server.change { $0.failing = [] }
      fixture.service.invalidate()
      #expect(await soon { fixture.articles.page(1).isUpToDate })
      #expect(fixture.articles.latestError?.status == 500 && fixture.articles.currentPage == 1)
      fixture.articles.retry()
      await fixture.articles.settled()
      #expect(fixture.articles.currentPage == 2)
      withExtendedLifetime(token) {}
    }
  }

  @Test("The return of the network asks for what has failed and what is stale")
  @MainActor func network() async throws {
    let fixture = PaginatorFixture([1, 2, 3, 4])
    try await fixture.load(1)
    fixture.server.change { $0.failing = [2] }
    try await fixture.load(2)
    fixture.server.change { $0.failing = [] }
    fixture.clock.advance(by: .seconds(60))
    let (states, state) = AsyncStream<Bool>.makeStream()
    let token = fixture.service.loadIfNeeded(on: .networkReturned { states })
    for isAvailable in [false, true] { state.yield(isAvailable) }
    #expect(await soon { fixture.asked.count == 4 && !fixture.articles.isLoading })
    #expect(fixture.articles.currentPage == 2 && fixture.articles.latestError == nil)
    #expect(await soon { fixture.articles.page(1).isUpToDate })
    withExtendedLifetime(token) {}
  }

  @Test("While a view is shown it loads its first page, and again what is invalidated")
  @MainActor func keepLoaded() async {
    let fixture = PaginatorFixture([1, 2, 3])
    fixture.articles.removeObserver(fixture.recorder)
    let shown = Task { @MainActor in await fixture.articles.keepLoaded() }
    #expect(await soon { fixture.articles.items == [1, 2] })
    fixture.server.change { $0.items = [7, 8, 9] }
    fixture.service.invalidate()
    #expect(await soon { fixture.articles.items == [7, 8] })
    shown.cancel()
    await shown.value
    fixture.service.invalidate()
    #expect(await !soon(within: 2_000) { fixture.asked.count > 2 })
  }
}
