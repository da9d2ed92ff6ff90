import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("A paginator whose pages change", .standardTimeLimit)
struct PaginatorLifeTests {
  @Test("A page that another user changes is right in the slots", arguments: StoreActor.allCases)
  func changedElsewhere(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4, 5])
      try await fixture.load(1)
      try await fixture.load(2)
      fixture.recorder.drain()
      fixture.articles.page(1).overrideLocalContent(PaginatorPage(items: [1, 11, 2]))
      #expect(fixture.slots == ["1", "11", "2", "3", "4", "?3"])
      #expect(fixture.articles.totalCount == 5, "what the other page says")
      fixture.articles.page(2).wipe()
      #expect(fixture.slots == ["1", "11", "2"], "no page says that there is more")
      #expect(fixture.articles.currentPage == nil, "page 2 was the current one")
      #expect(fixture.articles.hasNextPage == nil)
      #expect(fixture.recorder.lines == ["slotsChanged", "slotsChanged"])
      fixture.service.wipe()
      #expect(fixture.slots.isEmpty)
    }
  }

  @Test(
    "The error of a page is removed with what is known of it, and observers are notified",
    arguments: StoreActor.allCases, [false, true])
  func wipesError(actor: StoreActor, isLoaded: Bool) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      if isLoaded { try await fixture.load(1) }
      let server = fixture.server
      fixture.stub.on(where: { $0.url.path == "/articles" }, .status(500))
      if isLoaded { try fixture.articles.refresh() } else { try fixture.articles.loadPage(1) }
      await fixture.articles.settled()
      #expect(fixture.articles.latestError?.kind == .http)
      fixture.recorder.drain()
      fixture.articles.page(7).wipe()
      #expect(fixture.articles.latestError != nil, "that of another page")
      fixture.service.wipe()
      #expect(fixture.articles.latestError == nil)
      #expect(fixture.recorder.lines == ["slotsChanged"])
      fixture.articles.retry()
      #expect(!fixture.articles.isLoading, "nothing has failed")
      fixture.stub.on(where: { $0.url.path == "/articles" }) { server.response(to: $0) }
      try await fixture.load(1)
      #expect(fixture.articles.items == [1, 2])
    }
  }

  @Test(
    "The current page loads again by itself when it is invalidated", arguments: StoreActor.allCases)
  func reloads(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      try await fixture.load(1)
      try await fixture.load(2)
      fixture.server.change { $0.items = [7, 8, 9] }
      fixture.service.invalidate()
      #expect(fixture.articles.page(2).isLoading && !fixture.articles.isLoading)
      await fixture.articles.page(2).loadIfNeeded()?.completed()
      #expect(fixture.slots == ["1", "2", "9"])
      #expect(fixture.asked.count == 3)
      // Neither where that is not wanted, nor where nothing observes it.
      fixture.articles.removeObserver(fixture.recorder)
      fixture.service.invalidate()
      #expect(!fixture.articles.isLoading)
      fixture.articles.addObserver(fixture.recorder)
      fixture.service.configure { $0.reloadsWhenInvalidated = false }
      fixture.service.invalidate()
      #expect(!fixture.articles.isLoading && fixture.asked.count == 3)
    }
  }

  @Test(
    "A page that is invalidated while it loads is asked for again", arguments: StoreActor.allCases)
  func invalidatedWhileLoading(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      try fixture.articles.loadPage(1)
      fixture.articles.page(1).invalidate()
      #expect(await soon { fixture.articles.page(1).isUpToDate })
      #expect(fixture.asked.count == 2)
    }
  }

  @Test(
    "A page that was invalidated is asked for again, and keeps its slots",
    arguments: StoreActor.allCases)
  func invalidated(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      try await fixture.load(1)
      fixture.articles.page(1).invalidate()
      #expect(fixture.slots == ["1", "2", "?2"])
      fixture.server.change { $0.items = [7, 8, 9, 10, 11] }
      try await fixture.load(1)
      #expect(fixture.slots == ["7", "8", "?2", "?2", "?3"])
      #expect(fixture.asked.count == 2)
      #expect(fixture.recorder.lines.contains("invalidated(1)"))
    }
  }

  @Test(
    "A reload asks the server also for a fresh page, with validators",
    arguments: StoreActor.allCases)
  func reload(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      try await fixture.load(1)
      fixture.recorder.drain()
      try fixture.articles.refresh()
      await fixture.articles.settled()
      #expect(fixture.stub.requests.last?.headers["If-None-Match"] != nil)
      #expect(
        fixture.recorder.lines == ["loading(1)", "loaded(1)"], "a confirmed page changes nothing")
    }
  }

  @Test("Cancelling ends the load and changes nothing else", arguments: StoreActor.allCases)
  func cancel(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      try await fixture.load(1)
      let gate = fixture.stub.hold(.get, "/articles?per_page=2&page=2")
      try fixture.articles.loadNextPage()
      try fixture.articles.loadNextPage()
      #expect(fixture.articles.isLoading && fixture.articles.loadingPage == 2)
      await gate.arrived()
      fixture.articles.cancelLoad()
      #expect(!fixture.articles.isLoading && fixture.articles.latestError == nil)
      #expect(fixture.articles.currentPage == 1)
      await gate.cancelled()
      fixture.articles.cancelLoad()
      #expect(fixture.recorder.lines.suffix(2) == ["loading(2)", "cancelled(2)"])
    }
  }

  @Test("A page that others cancel is cancelled here too", arguments: StoreActor.allCases)
  func cancelledElsewhere(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      let gate = fixture.stub.hold(.get, "/articles?per_page=2&page=1")
      try fixture.articles.loadPage(1)
      await gate.arrived()
      fixture.articles.page(1).cancelLoad()
      #expect(!fixture.articles.isLoading)
      #expect(fixture.recorder.lines == ["loading(1)", "cancelled(1)"])
      try fixture.articles.loadPage(1)
      fixture.articles.page(1).overrideLocalContent(PaginatorPage(items: [9]))
      #expect(fixture.articles.items == [9], "a local write is as good as a response")
      #expect(fixture.articles.currentPage == 1)
    }
  }

  @Test(
    "A newer wish takes the place of an older one, whose page comes nevertheless",
    arguments: StoreActor.allCases)
  func superseded(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4, 5, 6])
      try await fixture.load(1)
      let gate = fixture.stub.hold(.get, "/articles?per_page=2&page=2")
      try fixture.articles.loadPage(2)
      await gate.arrived()
      try await fixture.load(3)
      #expect(fixture.articles.currentPage == 3)
      let second = fixture.articles.page(2).loadIfNeeded()
      gate.release()
      await second?.completed()
      #expect(fixture.slots == ["1", "2", "3", "4", "5", "6"])
      #expect(fixture.articles.currentPage == 3, "it moves only to what was asked for last")
      #expect(
        fixture.recorder.lines.suffix(6) == [
          "loading(2)", "cancelled(2)", "loading(3)", "slotsChanged", "loaded(3)", "slotsChanged",
        ])
    }
  }

  @Test("An observer may call anything", arguments: StoreActor.allCases)
  func reentrancy(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4, 5, 6])
      fixture.recorder.onEvent = { articles, event in
        guard case .loaded(let page) = event else { return }
        if page < 3 { try? articles.loadNextPage() }
        if page == 3 { articles.removeObserver(fixture.recorder) }
      }
      try fixture.articles.loadPage(1)
      while fixture.articles.isLoading || fixture.articles.currentPage ?? 0 < 3 {
        await fixture.articles.settled()
      }
      #expect(fixture.slots == ["1", "2", "3", "4", "5", "6"])
      #expect(fixture.recorder.lines.last == "loaded(3)")
    }
  }

  @Test(
    "It is deallocated when nothing holds it, and its pages with it", arguments: StoreActor.allCases
  )
  func lifetime(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(.get, "/a?p=1", .json("[1]"))
      var list: Paginator<Int>? = fixture.service.paginator("a?p=:currentPage", of: Int.self)
      let weak = Weak(list)
      try list?.loadPage(1)
      await list?.settled()
      let page = try #require(list?.page(1))
      list = nil
      #expect(weak.object == nil)
      page.invalidate()
      #expect(!page.isObserved)
    }
  }

  @Test(
    "A reload that fails leaves a page that is fresh nevertheless", arguments: StoreActor.allCases)
  func failedReload(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      try await fixture.load(1)
      fixture.server.change { $0.failing = [1] }
      try fixture.articles.refresh()
      await fixture.articles.settled()
      #expect(fixture.articles.latestError?.status == 500)
      try fixture.articles.loadPage(1)
      #expect(fixture.articles.latestError == nil && fixture.recorder.lines.last == "loaded(1)")
    }
  }

  @Test(
    "A load that is cancelled does not fail for an older reason", arguments: StoreActor.allCases)
  func cancelledAfterFailure(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      fixture.server.change { $0.failing = [1] }
      try await fixture.load(1)
      let gate = fixture.stub.hold(.get, "/articles?per_page=2&page=1")
      fixture.articles.retry()
      await gate.arrived()
      fixture.articles.page(1).cancelLoad()
      #expect(
        fixture.recorder.lines == [
          "loading(1)", "failed(1, http)", "loading(1)", "cancelled(1)",
        ])
    }
  }

  @Test(
    "Success is delivered with the items of its page, whatever an earlier observer did",
    arguments: StoreActor.allCases)
  func successAfterMovingOn(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4])
      try await fixture.load(1)
      try await fixture.load(2)
      let owner = Owner()
      var received: [String] = []
      fixture.recorder.onEvent = { articles, event in
        if case .loaded(1) = event { try? articles.loadNextPage() }
      }
      fixture.articles.onSuccess(owner: owner) { _, items, page in
        received.append("\(page): \(items)")
      }
      try fixture.articles.loadPreviousPage()
      #expect(received == ["1: [1, 2]", "2: [3, 4]"])
    }
  }

  @Test("An owner removes what it owns here, itself too", arguments: StoreActor.allCases)
  func removesByOwner(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      let (owner, other) = (PaginatorRecorder<Int>(), PaginatorRecorder<Int>())
      var received: [String] = []
      fixture.articles.addObserver(owner: owner) { _, _ in received.append("own") }
      fixture.articles.addObserver(owner: other) { _, _ in received.append("other") }
      received = []
      fixture.articles.removeObservers(ownedBy: owner)
      fixture.articles.removeObservers(ownedBy: fixture.recorder)
      try await fixture.load(1)
      #expect(Set(received) == ["other"])
      #expect(fixture.recorder.lines.isEmpty)
      withExtendedLifetime((owner, other)) {}
    }
  }
}
