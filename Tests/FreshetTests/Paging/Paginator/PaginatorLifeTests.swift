import FreshetTesting
import Testing

@testable import Freshet

@Suite("A paginator whose pages change")
struct PaginatorLifeTests {
  @Test("A page that somebody else changes is right in the slots", arguments: Home.allCases)
  func changedElsewhere(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4, 5])
      try await scene.load(1)
      try await scene.load(2)
      scene.diary.events = []
      scene.articles.page(1).overrideLocalContent(PaginatorPage(items: [1, 11, 2]))
      #expect(scene.slots == ["1", "11", "2", "3", "4", "?3"])
      #expect(scene.articles.objectCount == 5, "what the other page tells")
      scene.articles.page(2).wipe()
      #expect(scene.slots == ["1", "11", "2"], "nobody tells of more any more")
      #expect(!scene.articles.isLoaded, "page 2 was the current one")
      #expect(scene.articles.hasNextPage == nil)
      #expect(scene.diary.events == ["slotsChanged", "slotsChanged"])
      scene.service.wipe()
      #expect(scene.slots.isEmpty)
    }
  }

  @Test(
    "A page that was invalidated is asked for again, and keeps its slots", arguments: Home.allCases)
  func invalidated(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3])
      try await scene.load(1)
      scene.articles.page(1).invalidate()
      #expect(scene.slots == ["1", "2", "?2"])
      scene.server.change { $0.items = [7, 8, 9, 10, 11] }
      try await scene.load(1)
      #expect(scene.slots == ["7", "8", "?2", "?2", "?3"])
      #expect(scene.asked.count == 2)
      #expect(scene.diary.events.contains("invalidated(1)"))
    }
  }

  @Test("A reload asks the server also for a fresh page, with validators", arguments: Home.allCases)
  func reload(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3])
      try await scene.load(1)
      scene.diary.events = []
      try scene.articles.reload()
      await scene.articles.settled()
      #expect(scene.stub.requests.last?.headers["If-None-Match"] != nil)
      #expect(
        scene.diary.events == ["loading(1)", "loaded(1)"], "a confirmed page changes nothing")
    }
  }

  @Test("Cancelling ends the load and changes nothing else", arguments: Home.allCases)
  func cancel(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3])
      try await scene.load(1)
      let gate = scene.stub.hold(.get, "/articles?per_page=2&page=2")
      try scene.articles.loadNextPage()
      try scene.articles.loadNextPage()
      #expect(scene.articles.isLoading && scene.articles.loadingPage == 2)
      await gate.arrived()
      scene.articles.cancel()
      #expect(!scene.articles.isLoading && scene.articles.error == nil)
      #expect(scene.articles.currentPage == 1)
      await gate.cancelled()
      scene.articles.cancel()
      #expect(scene.diary.events.suffix(2) == ["loading(2)", "cancelled(2)"])
    }
  }

  @Test("A page that others give up is given up here too", arguments: Home.allCases)
  func cancelledElsewhere(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3])
      let gate = scene.stub.hold(.get, "/articles?per_page=2&page=1")
      try scene.articles.loadPage(1)
      await gate.arrived()
      scene.articles.page(1).cancelLoad()
      #expect(!scene.articles.isLoading)
      #expect(scene.diary.events == ["loading(1)", "cancelled(1)"])
      try scene.articles.loadPage(1)
      scene.articles.page(1).overrideLocalContent(PaginatorPage(items: [9]))
      #expect(scene.articles.items == [9], "a local write is as good as an answer")
      #expect(scene.articles.currentPage == 1)
    }
  }

  @Test(
    "A newer wish takes the place of an older one, whose page comes nevertheless",
    arguments: Home.allCases)
  func superseded(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4, 5, 6])
      try await scene.load(1)
      let gate = scene.stub.hold(.get, "/articles?per_page=2&page=2")
      try scene.articles.loadPage(2)
      await gate.arrived()
      try await scene.load(3)
      #expect(scene.articles.currentPage == 3)
      let second = scene.articles.page(2).loadIfNeeded()
      gate.release()
      await second?.ended()
      #expect(scene.slots == ["1", "2", "3", "4", "5", "6"])
      #expect(scene.articles.currentPage == 3, "it moves only to what was asked for last")
      #expect(
        scene.diary.events.suffix(6) == [
          "loading(2)", "cancelled(2)", "loading(3)", "slotsChanged", "loaded(3)", "slotsChanged",
        ])
    }
  }

  @Test("An observer may call anything", arguments: Home.allCases)
  func reentrancy(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4, 5, 6])
      scene.diary.onEvent = { articles, event in
        guard case .loaded(let page) = event else { return }
        if page < 3 { try? articles.loadNextPage() }
        if page == 3 { articles.removeObserver(scene.diary) }
      }
      try scene.articles.loadPage(1)
      while scene.articles.isLoading || scene.articles.currentPage ?? 0 < 3 {
        await scene.articles.settled()
      }
      #expect(scene.slots == ["1", "2", "3", "4", "5", "6"])
      #expect(scene.diary.events.last == "loaded(3)")
    }
  }

  @Test("It goes when nobody holds it, and its pages with it", arguments: Home.allCases)
  func lifetime(home: Home) async throws {
    try await home.run { home in
      let scene = Scene()
      scene.stub.on(.get, "/a?p=1", .json("[1]"))
      var list: Paginator<Int>? = scene.service.paginator("a?p=:currentPage", of: Int.self)
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

  @Test("A reload that fails leaves a page that is fresh nevertheless", arguments: Home.allCases)
  func failedReload(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3])
      try await scene.load(1)
      scene.server.change { $0.failing = [1] }
      try scene.articles.reload()
      await scene.articles.settled()
      #expect(scene.articles.error?.status == 500)
      try scene.articles.loadPage(1)
      #expect(scene.articles.error == nil && scene.diary.events.last == "loaded(1)")
    }
  }

  @Test("A load that is given up does not fail for an older reason", arguments: Home.allCases)
  func cancelledAfterFailure(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3])
      scene.server.change { $0.failing = [1] }
      try await scene.load(1)
      let gate = scene.stub.hold(.get, "/articles?per_page=2&page=1")
      scene.articles.retry()
      await gate.arrived()
      scene.articles.page(1).cancelLoad()
      #expect(
        scene.diary.events == [
          "loading(1)", "failed(1, http)", "loading(1)", "cancelled(1)",
        ])
    }
  }

  @Test(
    "Success is told with the items of its page, whatever an earlier observer did",
    arguments: Home.allCases)
  func successAfterMovingOn(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4])
      try await scene.load(1)
      try await scene.load(2)
      let owner = Owner()
      var heard: [String] = []
      scene.diary.onEvent = { articles, event in
        if case .loaded(1) = event { try? articles.loadNextPage() }
      }
      scene.articles.onSuccess(owner: owner) { _, items, page in heard.append("\(page): \(items)") }
      try scene.articles.loadPreviousPage()
      #expect(heard == ["1: [1, 2]", "2: [3, 4]"])
    }
  }

  @Test("An owner takes off what it owns here, itself too", arguments: Home.allCases)
  func removesByOwner(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3])
      let (owner, other) = (PaginatorDiary(), PaginatorDiary())
      var heard: [String] = []
      scene.articles.addObserver(owner: owner) { _, _ in heard.append("own") }
      scene.articles.addObserver(owner: other) { _, _ in heard.append("other") }
      heard = []
      scene.articles.removeObservers(ownedBy: owner)
      scene.articles.removeObservers(ownedBy: scene.diary)
      try await scene.load(1)
      #expect(Set(heard) == ["other"])
      #expect(scene.diary.events.isEmpty)
      withExtendedLifetime((owner, other)) {}
    }
  }
}
