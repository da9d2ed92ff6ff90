import Freshet
import FreshetTesting
import Testing

@Suite("A paginator", .standardTimeLimit)
struct PaginatorTests {
  @Test("Before the first load nothing is known", arguments: StoreActor.allCases)
  func beforeTheFirstLoad(actor: StoreActor) async throws {
    await actor.run { actor in
      let articles = PaginatorFixture([1, 2, 3]).articles
      #expect(articles.hasNextPage == nil && articles.hasPreviousPage == nil)
      #expect(articles.currentPage == nil && articles.offset == nil)
      #expect(articles.totalPageCount == nil && articles.totalCount == nil)
      #expect(throws: PaginatorError.notLoaded) { try articles.loadNextPage() }
      #expect(throws: PaginatorError.notLoaded) { try articles.loadPreviousPage() }
      #expect(throws: PaginatorError.notLoaded) { try articles.refresh() }
      #expect(articles.currentPage == nil)
      #expect(articles.items.isEmpty && articles.slots.isEmpty && articles.latestError == nil)
      #expect(articles.perPage == 2 && articles.firstPageNumber == 1)
    }
  }

  @Test(
    "25 items are asked for on a page unless specified otherwise", arguments: StoreActor.allCases)
  func defaults(actor: StoreActor) async throws {
    await actor.run { actor in
      let list = ServiceFixture().service.paginator(
        "a?n=:perPage&p=:currentPage&o=:offset", of: Int.self)
      #expect(list.perPage == 25)
      #expect(list.page(1).key.url == "https://api.test/a?n=25&p=1&o=0")
      #expect(list.page(3).key.url == "https://api.test/a?n=25&p=3&o=50")
    }
  }

  @Test("Pages are loaded one after the other, forwards and back", arguments: StoreActor.allCases)
  func walk(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4, 5])
      let articles = fixture.articles
      try await fixture.load(1)
      #expect(articles.items == [1, 2])
      #expect(articles.currentPage == 1 && articles.offset == 0)
      #expect(articles.totalPageCount == 3 && articles.totalCount == 5)
      #expect(articles.hasNextPage == true && articles.hasPreviousPage == false)
      try articles.loadNextPage()
      await articles.settled()
      try articles.loadNextPage()
      await articles.settled()
      #expect(articles.currentPage == 3 && articles.offset == 4)
      #expect(articles.items == [5])
      #expect(articles.hasNextPage == false && articles.hasPreviousPage == true)
      #expect(throws: PaginatorError.noSuchPage(4, first: 1, last: 3)) {
        try articles.loadNextPage()
      }
      #expect(throws: PaginatorError.noSuchPage(9, first: 1, last: 3)) { try articles.loadPage(9) }
      let error = PaginatorError.noSuchPage(0, first: 1, last: 3)
      #expect(error.description == "page 0 does not exist: the first one is 1")
      for page in [Int.min, -1, 0, .max] {
        #expect(throws: PaginatorError.noSuchPage(page, first: 1, last: 3)) {
          try articles.loadPage(page)
        }
      }
      #expect(fixture.asked.count == 3, "nothing is asked for after the last page")
      try articles.loadPreviousPage()
      #expect(articles.currentPage == 2, "a fresh page needs no waiting")
      #expect(fixture.asked.count == 3, "and no request")
      #expect(
        fixture.recorder.lines == [
          "loading(1)", "slotsChanged", "loaded(1)", "loading(2)", "slotsChanged", "loaded(2)",
          "loading(3)", "slotsChanged", "loaded(3)", "loaded(2)",
        ])
    }
  }

  @Test("A jump leaves gaps with placeholders that name their page", arguments: StoreActor.allCases)
  func jump(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4, 5, 6, 7, 8, 9])
      try await fixture.load(3)
      #expect(fixture.slots == ["?1", "?1", "?2", "?2", "5", "6", "?4", "?4", "?5"])
      #expect(fixture.articles.slots.range(ofPage: 3) == 4..<6)
      #expect(fixture.articles.slots.range(ofPage: 1) == nil)
      #expect(fixture.articles.slots.loadedCount == 2)
      try await fixture.load(5)
      #expect(fixture.slots == ["?1", "?1", "?2", "?2", "5", "6", "?4", "?4", "9"])
      #expect(fixture.asked == ["per_page=2&page=3", "per_page=2&page=5"])
    }
  }

  @Test(
    "In a list that has become shorter, the previous page is the last one",
    arguments: StoreActor.allCases
  )
  func shrunk(actor: StoreActor) async throws {
    try await actor.run { actor in
      for (count, last) in [(7, 4), (3, 2), (0, 1)] {
        let fixture = PaginatorFixture(Array(1...9))
        try await fixture.load(5)
        fixture.server.change { $0.items = Array(0..<count) }
        try fixture.articles.refresh()
        await fixture.articles.settled()
        #expect(fixture.articles.currentPage == 5 && fixture.articles.hasNextPage == false)
        #expect(fixture.articles.hasPreviousPage == true)
        try fixture.articles.loadPreviousPage()
        await fixture.articles.settled()
        #expect(fixture.articles.currentPage == last)
      }
    }
  }

  @Test(
    "Where only an empty page ends the list, it is clamped by that one",
    arguments: StoreActor.allCases)
  func shrunkInSilence(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture(Array(1...9), server: { $0.sends = [] })
      try await fixture.load(3)
      try await fixture.load(5)
      fixture.server.change { $0.items = [1, 2, 3] }
      await fixture.articles.page(3).load().completed()
      try fixture.articles.loadPreviousPage()
      await fixture.articles.settled()
      #expect(fixture.articles.currentPage == 2)
    }
  }

  @Test("A failure keeps everything but the error", arguments: StoreActor.allCases)
  func failure(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4])
      try await fixture.load(1)
      fixture.server.change { $0.failing = [2] }
      try await fixture.load(2)
      #expect(fixture.articles.latestError?.status == 500)
      #expect(fixture.articles.currentPage == 1)
      #expect(fixture.articles.items == [1, 2] && fixture.slots == ["1", "2", "?2", "?2"])
      try await fixture.load(2)
      #expect(fixture.asked.count == 2, "not before the failure cooldown")
      #expect(
        fixture.recorder.lines.suffix(3) == ["loading(2)", "failed(2, http)", "failed(2, http)"])
      fixture.server.change { $0.failing = [] }
      fixture.articles.retry()
      await fixture.articles.settled()
      #expect(fixture.articles.latestError == nil)
      #expect(fixture.articles.currentPage == 2)
      fixture.articles.retry()
      #expect(!fixture.articles.isLoading, "nothing has failed")
    }
  }

  @Test(
    "Success and failure are called back for as long as the owner lives",
    arguments: StoreActor.allCases)
  func callbacks(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4])
      var owner: Owner? = Owner()
      var received: [String] = []
      fixture.articles.onSuccess(owner: try #require(owner)) { _, items, page in
        received.append("\(page): \(items)")
      }
      let token = fixture.articles.onFailure(owner: try #require(owner)) { _, error in
        received.append("\(error.kind)")
      }
      fixture.server.change { $0.failing = [1] }
      try fixture.articles.loadPage(1)
      await fixture.articles.settled()
      token.cancel()
      fixture.server.change { $0.failing = [] }
      fixture.articles.retry()
      await fixture.articles.settled()
      #expect(received == ["http", "1: [1, 2]"])
      owner = nil
      try await fixture.load(2)
      #expect(received.count == 2)
    }
  }
}
