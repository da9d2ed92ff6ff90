import Freshet
import FreshetTesting
import Testing

@Suite("A paginator")
struct PaginatorTests {
  @Test("Before the first load nothing is known", arguments: Home.allCases)
  func beforeTheFirstLoad(home: Home) async throws {
    await home.run { home in
      let articles = PaginatorScene([1, 2, 3]).articles
      #expect(articles.hasNextPage == nil && articles.hasPreviousPage == nil)
      #expect(articles.currentPage == nil && articles.offset == nil)
      #expect(articles.pageCount == nil && articles.objectCount == nil)
      #expect(throws: PaginatorError.notLoaded) { try articles.loadNextPage() }
      #expect(throws: PaginatorError.notLoaded) { try articles.loadPreviousPage() }
      #expect(throws: PaginatorError.notLoaded) { try articles.reload() }
      #expect(!articles.isLoaded)
      #expect(articles.items.isEmpty && articles.slots.isEmpty && articles.error == nil)
      #expect(articles.perPage == 2 && articles.firstPage == 1)
    }
  }

  @Test("25 items are asked for on a page unless told otherwise", arguments: Home.allCases)
  func defaults(home: Home) async throws {
    await home.run { home in
      let list = Scene().service.paginator("a?n=:perPage&p=:currentPage&o=:offset", of: Int.self)
      #expect(list.perPage == 25)
      #expect(list.page(1).key.url == "https://api.test/a?n=25&p=1&o=0")
      #expect(list.page(3).key.url == "https://api.test/a?n=25&p=3&o=50")
    }
  }

  @Test("Pages are loaded one after the other, forwards and back", arguments: Home.allCases)
  func walk(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4, 5])
      let articles = scene.articles
      try await scene.load(1)
      #expect(articles.items == [1, 2])
      #expect(articles.currentPage == 1 && articles.offset == 0)
      #expect(articles.pageCount == 3 && articles.objectCount == 5)
      #expect(articles.hasNextPage == true && articles.hasPreviousPage == false)
      try articles.loadNextPage()
      await articles.settled()
      try articles.loadNextPage()
      await articles.settled()
      #expect(articles.currentPage == 3 && articles.offset == 4)
      #expect(articles.items == [5])
      #expect(articles.hasNextPage == false && articles.hasPreviousPage == true)
      #expect(throws: PaginatorError.noSuchPage(4, last: 3)) { try articles.loadNextPage() }
      #expect(throws: PaginatorError.noSuchPage(9, last: 3)) { try articles.loadPage(9) }
      for page in [Int.min, -1, 0, .max] {
        #expect(throws: PaginatorError.noSuchPage(page, last: 3)) { try articles.loadPage(page) }
      }
      #expect(scene.asked.count == 3, "nothing is asked for behind the last page")
      try articles.loadPreviousPage()
      #expect(articles.currentPage == 2, "a fresh page needs no waiting")
      #expect(scene.asked.count == 3, "and no request")
      #expect(
        scene.diary.events == [
          "loading(1)", "slotsChanged", "loaded(1)", "loading(2)", "slotsChanged", "loaded(2)",
          "loading(3)", "slotsChanged", "loaded(3)", "loaded(2)",
        ])
    }
  }

  @Test("A jump leaves gaps with placeholders that name their page", arguments: Home.allCases)
  func jump(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4, 5, 6, 7, 8, 9])
      try await scene.load(3)
      #expect(scene.slots == ["?1", "?1", "?2", "?2", "5", "6", "?4", "?4", "?5"])
      #expect(scene.articles.slots.range(ofPage: 3) == 4..<6)
      #expect(scene.articles.slots.range(ofPage: 1) == nil)
      #expect(scene.articles.slots.loadedCount == 2)
      try await scene.load(5)
      #expect(scene.slots == ["?1", "?1", "?2", "?2", "5", "6", "?4", "?4", "9"])
      #expect(scene.asked == ["per_page=2&page=3", "per_page=2&page=5"])
    }
  }

  @Test(
    "In a list that has become shorter, the previous page is the last one", arguments: Home.allCases
  )
  func shrunk(home: Home) async throws {
    try await home.run { home in
      for (count, last) in [(7, 4), (3, 2), (0, 1)] {
        let scene = PaginatorScene(Array(1...9))
        try await scene.load(5)
        scene.server.change { $0.items = Array(0..<count) }
        try scene.articles.reload()
        await scene.articles.settled()
        #expect(scene.articles.currentPage == 5 && scene.articles.hasNextPage == false)
        #expect(scene.articles.hasPreviousPage == true)
        try scene.articles.loadPreviousPage()
        await scene.articles.settled()
        #expect(scene.articles.currentPage == last)
      }
    }
  }

  @Test(
    "Where only an empty page ends the list, it is clamped by that one", arguments: Home.allCases)
  func shrunkInSilence(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene(Array(1...9), server: { $0.tells = [] })
      try await scene.load(3)
      try await scene.load(5)
      scene.server.change { $0.items = [1, 2, 3] }
      await scene.articles.page(3).load().ended()
      try scene.articles.loadPreviousPage()
      await scene.articles.settled()
      #expect(scene.articles.currentPage == 2)
    }
  }

  @Test("A failure keeps everything but the error", arguments: Home.allCases)
  func failure(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4])
      try await scene.load(1)
      scene.server.change { $0.failing = [2] }
      try await scene.load(2)
      #expect(scene.articles.error?.status == 500)
      #expect(scene.articles.currentPage == 1)
      #expect(scene.articles.items == [1, 2] && scene.slots == ["1", "2", "?2", "?2"])
      try await scene.load(2)
      #expect(scene.asked.count == 2, "not before the retry time")
      #expect(
        scene.diary.events.suffix(3) == ["loading(2)", "failed(2, http)", "failed(2, http)"])
      scene.server.change { $0.failing = [] }
      scene.articles.retry()
      await scene.articles.settled()
      #expect(scene.articles.error == nil)
      #expect(scene.articles.currentPage == 2)
      scene.articles.retry()
      #expect(!scene.articles.isLoading, "nothing has failed")
    }
  }

  @Test(
    "Success and failure are called back for as long as the owner lives", arguments: Home.allCases)
  func callbacks(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4])
      var owner: Owner? = Owner()
      var heard: [String] = []
      scene.articles.onSuccess(owner: try #require(owner)) { _, items, page in
        heard.append("\(page): \(items)")
      }
      let token = scene.articles.onFailure(owner: try #require(owner)) { _, error in
        heard.append("\(error.kind)")
      }
      scene.server.change { $0.failing = [1] }
      try scene.articles.loadPage(1)
      await scene.articles.settled()
      token.remove()
      scene.server.change { $0.failing = [] }
      scene.articles.retry()
      await scene.articles.settled()
      #expect(heard == ["http", "1: [1, 2]"])
      owner = nil
      try await scene.load(2)
      #expect(heard.count == 2)
    }
  }
}
