import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a server tells a paginator")
struct PaginatorTotalsTests {
  @Test("The page count is integer arithmetic on the item count", arguments: Home.allCases)
  func counted(home: Home) async throws {
    try await home.run { home in
      for count in 0...9 {
        let scene = PaginatorScene(Array(0..<count), server: { $0.tells = ["total"] })
        try await scene.load(1)
        #expect(scene.articles.pageCount == (count + 1) / 2)
        #expect(scene.slots.count == count)
        #expect(scene.articles.hasNextPage == (count > 2))
      }
      let scene = PaginatorScene([])
      scene.articles.page(1).overrideLocalContent(
        PaginatorPage(items: [1], totals: PaginatorTotals(objectCount: .max)))
      try scene.articles.loadPage(1)
      #expect(scene.articles.pageCount == Int.max / 2 + 1)
      #expect(scene.articles.slots.count > 1 << 30)
      #expect(throws: PaginatorError.noSuchPage(.max, last: .max / 2 + 1)) {
        try scene.articles.loadPage(.max)
      }
    }
  }

  @Test("Where nobody tells, an empty page is the end", arguments: Home.allCases)
  func unknown(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([1, 2, 3, 4], server: { $0.tells = [] })
      try await scene.load(1)
      #expect(scene.articles.hasNextPage == nil && scene.articles.pageCount == nil)
      #expect(scene.articles.objectCount == nil)
      #expect(scene.slots == ["1", "2"])
      try scene.articles.loadNextPage()
      await scene.articles.settled()
      try scene.articles.loadNextPage()
      await scene.articles.settled()
      #expect(scene.articles.pageCount == 2 && scene.articles.hasNextPage == false)
      #expect(throws: PaginatorError.noSuchPage(4, last: 2)) { try scene.articles.loadNextPage() }
      scene.server.change { $0.items.append(5) }
      try scene.articles.reload()
      await scene.articles.settled()
      #expect(scene.slots == ["1", "2", "3", "4", "5"], "an empty page may be asked again")
      #expect(scene.articles.hasNextPage == nil)
    }
  }

  @Test("A page size that the server tells overrides what was asked for", arguments: Home.allCases)
  func pageSize(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene(
        Array(1...9), options: { $0.perPage = 100 }, server: { $0.cap = 4 })
      try await scene.load(2)
      #expect(scene.articles.perPage == 4)
      #expect(scene.articles.offset == 4 && scene.articles.pageCount == 3)
      #expect(scene.slots == ["?1", "?1", "?1", "?1", "5", "6", "7", "8", "?3"])
      try await scene.load(2)
      #expect(scene.asked == ["per_page=100&page=2"], "it stays the page that it is")
      try await scene.load(1)
      scene.server.change { $0.cap = 3 }
      try scene.articles.reload()
      await scene.articles.settled()
      #expect(scene.slots == ["1", "2", "3", "?2", "?2", "?2", "?3", "?3", "?3"])
    }
  }

  @Test(
    "A page at an offset is asked for again where pages have another size", arguments: Home.allCases
  )
  func offsets(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene(
        Array(1...9), pattern: "articles?per_page=:perPage&offset=:offset",
        options: { $0.perPage = 100 }, server: { $0.cap = 4 })
      try await scene.load(3)
      #expect(scene.articles.items == [9])
      #expect(scene.articles.currentPage == 3 && scene.articles.offset == 8)
      #expect(scene.asked == ["per_page=100&offset=200", "per_page=100&offset=8"])
      try await scene.load(1)
      #expect(scene.slots == ["1", "2", "3", "4", "?2", "?2", "?2", "?2", "9"])
      #expect(scene.asked.count == 3)
    }
  }

  @Test(
    "The number that the server gives a page is the number of the page", arguments: Home.allCases)
  func currentPage(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene([])
      scene.articles.page(5).overrideLocalContent(
        PaginatorPage(items: [3], totals: PaginatorTotals(pageCount: 2, currentPage: 2)))
      try scene.articles.loadPage(5)
      #expect(scene.articles.currentPage == 2 && scene.articles.hasNextPage == false)
      #expect(scene.slots == ["?1", "?1", "3"])
      #expect(scene.diary.events == ["slotsChanged", "loaded(2)"])
      scene.articles.page(2).overrideLocalContent(PaginatorPage(items: [3, 4]))
      try scene.articles.loadPage(2)
      #expect(scene.slots == ["?1", "?1", "3", "4"], "the page that was asked for as 2 is page 2")
    }
  }

  @Test("Another page size that is asked for begins anew", arguments: Home.allCases)
  func resized(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene(Array(1...5))
      try await scene.load(1)
      scene.articles.perPage = 3
      #expect(!scene.articles.isLoaded && scene.slots.isEmpty)
      try await scene.load(2)
      #expect(scene.slots == ["?1", "?1", "?1", "4", "5"])
      #expect(scene.asked.last == "per_page=3&page=2")
    }
  }

  @Test("Pages may be counted from 0", arguments: Home.allCases)
  func fromZero(home: Home) async throws {
    try await home.run { home in
      let scene = PaginatorScene(
        [1, 2, 3], options: { $0.firstPage = 0 }, server: { $0.first = 0 })
      try await scene.load(0)
      #expect(scene.articles.hasNextPage == true && scene.articles.hasPreviousPage == false)
      #expect(throws: PaginatorError.noSuchPage(2, last: 1)) { try scene.articles.loadPage(2) }
      try await scene.load(1)
      #expect(scene.slots == ["1", "2", "3"])
    }
  }

  @Test("Header fields and strings of digits tell as well")
  func headers() throws {
    func totals(_ body: String, _ headers: HTTPHeaders, _ mapping: PaginatorMapping) throws
      -> PaginatorTotals
    {
      let sample = PageSample(headers: headers, answer: body)
      let decoder: ContentDecoder<PaginatorPage<JSONText>> = .numberedPage(mapping)
      let input = DecodingInput(response: sample.response, key: sample.request)
      let content = try decoder.erased.decode(input, date: .now)
      return ContentBox<PaginatorPage<JSONText>>.value(of: content).totals
    }
    let gitLab: HTTPHeaders = ["X-Per-Page": "20", "X-Total-Pages": "3", "X-Total": "41"]
    #expect(
      try totals("[1]", gitLab, PaginatorMapping())
        == PaginatorTotals(perPage: 20, pageCount: 3, objectCount: 41))
    let body = #"{"items": [], "n": "25", "bad": -1, "no": 0, "text": "x", "big": 1e3}"#
    #expect(
      try totals(body, [:], PaginatorMapping(perPage: "n", pageCount: "bad", objectCount: "text"))
        == PaginatorTotals(perPage: 25))
    #expect(
      try totals(body, [:], PaginatorMapping(perPage: "no", pageCount: "no", objectCount: "big"))
        == PaginatorTotals(pageCount: 0))
  }
}
