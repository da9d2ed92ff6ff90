import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("What a server sends to a paginator", .standardTimeLimit)
struct PaginatorTotalsTests {
  @Test("The page count is integer arithmetic on the item count", arguments: StoreActor.allCases)
  func counted(actor: StoreActor) async throws {
    try await actor.run { actor in
      for count in 0...9 {
        let fixture = PaginatorFixture(Array(0..<count), server: { $0.sends = ["total"] })
        try await fixture.load(1)
        #expect(fixture.articles.totalPageCount == (count + 1) / 2)
        #expect(fixture.slots.count == count)
        #expect(fixture.articles.hasNextPage == (count > 2))
      }
      let fixture = PaginatorFixture([])
      fixture.articles.page(1).overrideLocalContent(
        PaginatorPage(items: [1, 2], totals: PaginatorTotals(totalCount: .max)))
      try fixture.articles.loadPage(1)
      #expect(fixture.articles.totalPageCount == Int.max / 2 + 1)
      #expect(fixture.articles.slots.count > 1 << 30)
      #expect(throws: PaginatorError.noSuchPage(.max, first: 1, last: .max / 2 + 1)) {
        try fixture.articles.loadPage(.max)
      }
    }
  }

  @Test("Totals in the header fields of a 304 count", arguments: StoreActor.allCases)
  func confirmed(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = ServiceFixture()
      let before: HTTPHeaders = ["ETag": "\"1\"", "X-Total-Count": "4", "X-Total-Pages": "2"]
      let after: HTTPHeaders = ["ETag": "\"1\"", "X-Total-Count": "6", "X-Total-Pages": "3"]
      fixture.stub.on(
        .get, "/articles?page=1", .json("[1,2]", headers: before), .status(304, headers: after))
      var options = Paginator<Int>.Options()
      options.perPage = 2
      let articles = fixture.service.paginator(
        "articles?page=:currentPage", of: Int.self, options: options)
      let recorder = PaginatorRecorder<Int>()
      try articles.loadPage(1)
      await articles.settled()
      #expect(articles.totalCount == 4 && articles.totalPageCount == 2)
      articles.addObserver(recorder)
      recorder.drain()
      try articles.refresh()
      await articles.settled()
      #expect(articles.totalCount == 6 && articles.totalPageCount == 3)
      #expect(articles.slots.count == 6)
      #expect(recorder.drain().contains { if case .slotsChanged = $0 { true } else { false } })
    }
  }

  @Test("Where nothing says so, an empty page is the end", arguments: StoreActor.allCases)
  func unknown(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3, 4], server: { $0.sends = [] })
      try await fixture.load(1)
      #expect(fixture.articles.hasNextPage == nil && fixture.articles.totalPageCount == nil)
      #expect(fixture.articles.totalCount == nil)
      #expect(fixture.slots == ["1", "2"])
      try fixture.articles.loadNextPage()
      await fixture.articles.settled()
      try fixture.articles.loadNextPage()
      await fixture.articles.settled()
      #expect(fixture.articles.totalPageCount == 2 && fixture.articles.hasNextPage == false)
      #expect(throws: PaginatorError.noSuchPage(4, first: 1, last: 2)) {
        try fixture.articles.loadNextPage()
      }
      fixture.server.change { $0.items.append(5) }
      try fixture.articles.refresh()
      await fixture.articles.settled()
      #expect(fixture.slots == ["1", "2", "3", "4", "5"], "an empty page may be asked again")
      #expect(fixture.articles.hasNextPage == nil)
    }
  }

  @Test(
    "A page without items that the server has only accepted is no end",
    arguments: ["[]", #"{"articles":[],"meta":{}}"#])
  @MainActor
  func accepted(body: String) async throws {
    let fixture = PaginatorFixture(
      Array(1...6),
      server: { ($0.sends, $0.failing, $0.failure) = ([], [3], .json(body, status: 202)) })
    for page in 1...3 { try await fixture.load(page) }
    #expect(
      fixture.articles.latestError?.underlying as? PageError == PageError.notReady(status: 202))
    #expect(fixture.articles.totalPageCount == nil && fixture.articles.hasNextPage == nil)
    #expect(fixture.slots == ["1", "2", "3", "4"])
    fixture.server.change { $0.failing = [] }
    fixture.articles.retry()
    await fixture.articles.settled()
    #expect(fixture.slots == ["1", "2", "3", "4", "5", "6"])
  }

  @Test(
    "A page size that the server sends overrides what was asked for", arguments: StoreActor.allCases
  )
  func pageSize(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture(
        Array(1...9), options: { $0.perPage = 100 }, server: { $0.cap = 4 })
      try await fixture.load(2)
      #expect(fixture.articles.perPage == 4)
      #expect(fixture.articles.offset == 4 && fixture.articles.totalPageCount == 3)
      #expect(fixture.slots == ["?1", "?1", "?1", "?1", "5", "6", "7", "8", "?3"])
      try await fixture.load(2)
      #expect(fixture.asked == ["per_page=100&page=2"], "it stays the page that it is")
      try await fixture.load(1)
      fixture.server.change { $0.cap = 3 }
      try fixture.articles.refresh()
      await fixture.articles.settled()
      #expect(fixture.slots == ["1", "2", "3", "?2", "?2", "?2", "?3", "?3", "?3"])
    }
  }

  @Test(
    "Where the server sends smaller pages and does not say so, a total is no number of pages",
    arguments: StoreActor.allCases)
  func cappedSize(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture(
        Array(1...9), options: { $0.perPage = 100 },
        server: { ($0.cap, $0.sends) = (4, ["total"]) })
      try await fixture.load(1)
      #expect(fixture.articles.totalCount == 9 && fixture.articles.totalPageCount == nil)
      #expect(fixture.articles.hasNextPage == nil)
      for _ in 0..<9 where fixture.articles.hasNextPage != false {
        try fixture.articles.loadNextPage()
        await fixture.articles.settled()
      }
      #expect(fixture.slots == (1...9).map { "\($0)" })
      #expect(fixture.articles.totalPageCount == 3)
    }
  }

  @Test("An optimistic edit of the first page does not hide how many pages there are")
  func editedFirstPage() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = PaginatorFixture(Array(1...5), server: { $0.sends = ["total"] })
      try await fixture.load(1)
      fixture.articles.page(1).updateContent { $0.items.removeFirst() }
      #expect(fixture.articles.items == [2] && fixture.articles.totalPageCount == 3)
    }
  }

  @Test("An optimistic edit that empties a page, or fills an empty one, moves no end")
  func editedEnd() async throws {
    try await StoreActor.mainActor.run { actor in
      let fixture = PaginatorFixture(Array(1...5), server: { $0.sends = [] })
      for page in 1...2 { try await fixture.load(page) }
      fixture.articles.page(2).updateContent { $0.items = [] }
      #expect(fixture.articles.totalPageCount == nil && fixture.articles.hasNextPage == nil)
      try fixture.articles.loadNextPage()
      await fixture.articles.settled()
      #expect(fixture.slots == ["1", "2", "5"])
      try await fixture.load(4)
      #expect(fixture.articles.totalPageCount == 3 && fixture.articles.hasNextPage == false)
      fixture.articles.page(4).updateContent { $0.items = [6] }
      #expect(fixture.articles.totalPageCount == 3 && fixture.articles.hasNextPage == false)
    }
  }

  @Test(
    "A page at an offset is asked for again where pages have another size",
    arguments: StoreActor.allCases
  )
  func offsets(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture(
        Array(1...9), pattern: "articles?per_page=:perPage&offset=:offset",
        options: { $0.perPage = 100 }, server: { $0.cap = 4 })
      try await fixture.load(3)
      #expect(fixture.articles.items == [9])
      #expect(fixture.articles.currentPage == 3 && fixture.articles.offset == 8)
      #expect(fixture.asked == ["per_page=100&offset=200", "per_page=100&offset=8"])
      try await fixture.load(1)
      #expect(fixture.slots == ["1", "2", "3", "4", "?2", "?2", "?2", "?2", "9"])
      #expect(fixture.asked.count == 3)
    }
  }

  @Test(
    "The number that the server gives a page is the number of the page",
    arguments: StoreActor.allCases)
  func currentPage(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([])
      fixture.articles.page(5).overrideLocalContent(
        PaginatorPage(items: [3], totals: PaginatorTotals(totalPageCount: 2, currentPage: 2)))
      try fixture.articles.loadPage(5)
      #expect(fixture.articles.currentPage == 2 && fixture.articles.hasNextPage == false)
      #expect(fixture.slots == ["?1", "?1", "3"])
      #expect(fixture.recorder.lines == ["slotsChanged", "loaded(2)"])
      fixture.articles.page(2).overrideLocalContent(PaginatorPage(items: [3, 4]))
      try fixture.articles.loadPage(2)
      #expect(
        fixture.slots == ["?1", "?1", "3", "4"], "the page that was asked for as 2 is page 2")
    }
  }

  @Test("Setting another page size starts over", arguments: StoreActor.allCases)
  func resized(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture(Array(1...5))
      try await fixture.load(1)
      fixture.articles.perPage = 3
      #expect(fixture.articles.currentPage == nil && fixture.slots.isEmpty)
      try await fixture.load(2)
      #expect(fixture.slots == ["?1", "?1", "?1", "4", "5"])
      #expect(fixture.asked.last == "per_page=3&page=2")
    }
  }

  @Test("Pages may be counted from 0", arguments: StoreActor.allCases)
  func fromZero(actor: StoreActor) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture(
        [1, 2, 3], options: { $0.firstPageNumber = 0 }, server: { $0.first = 0 })
      try await fixture.load(0)
      #expect(fixture.articles.hasNextPage == true && fixture.articles.hasPreviousPage == false)
      #expect(throws: PaginatorError.noSuchPage(2, first: 0, last: 1)) {
        try fixture.articles.loadPage(2)
      }
      try await fixture.load(1)
      #expect(fixture.slots == ["1", "2", "3"])
    }
  }

  @Test("Header fields and strings of digits count as well")
  func headers() throws {
    func totals(_ body: String, _ headers: HTTPHeaders, _ mapping: PaginatorMapping) throws
      -> PaginatorTotals
    {
      let sample = PageSample(headers: headers, response: body)
      let decoder: ContentDecoder<PaginatorPage<JSONText>> = .numberedPage(mapping)
      let input = DecodingInput(response: sample.response, key: sample.request)
      let content = try decoder.erased.decode(input, date: .now)
      return ContentBox<PaginatorPage<JSONText>>.value(of: content).totals
    }
    let gitLab: HTTPHeaders = ["X-Per-Page": "20", "X-Total-Pages": "3", "X-Total": "41"]
    #expect(
      try totals("[1]", gitLab, PaginatorMapping())
        == PaginatorTotals(perPage: 20, totalPageCount: 3, totalCount: 41))
    let body = #"{"items": [], "n": "25", "bad": -1, "no": 0, "text": "x", "big": 1e3}"#
    #expect(
      try totals(
        body, [:], PaginatorMapping(perPage: "n", totalPageCount: "bad", totalCount: "text"))
        == PaginatorTotals(perPage: 25))
    #expect(
      try totals(
        body, [:], PaginatorMapping(perPage: "no", totalPageCount: "no", totalCount: "big"))
        == PaginatorTotals(totalPageCount: 0))
  }
}
