import FreshetTesting
import Testing

@testable import Freshet

/// The pages after the next one, as far as a response names them.
@Suite("PageStyle: pages ahead", .standardTimeLimit) struct PagesAheadTests {
  private func numbers(_ page: Page<JSONText>, _ count: Int, _ name: String) throws -> [Int] {
    try page.links(ahead: count).map { link in
      guard case .query(let parameter, let value?)? = link.edits.first, link.edits.count == 1,
        parameter == name
      else {
        Issue.record("\(link)")
        return -1
      }
      return try #require(Int(value))
    }
  }

  @Test("Page numbers are known up to the last page that the response names")
  func pageNumbers() throws {
    let style = PageStyle.pageNumber("page", totalPageCount: "pages")
    func page(_ number: Int) throws -> Page<JSONText> {
      try PageSample("https://a.org/?page=\(number)", response: #"{"items":[1,2],"pages":6}"#)
        .page(style)
    }
    #expect(try numbers(page(1), 2, "page") == [3, 4])
    #expect(try numbers(page(1), 99, "page") == [3, 4, 5, 6])
    #expect(try numbers(page(4), 99, "page") == [6])
    #expect(try page(5).links(ahead: 9).isEmpty && page(6).links(ahead: 9).isEmpty)
    #expect(try page(1).links(ahead: 0).isEmpty && page(1).links(ahead: -1).isEmpty)
  }

  @Test("Page numbers follow from the total, offsets too")
  func totals() throws {
    let headers: HTTPHeaders = ["X-Total-Count": "7"]
    let first = PageSample(headers: headers, response: "[1,2]")
    #expect(try numbers(first.page(.pageNumber("p")), 9, "p") == [3, 4])
    #expect(try numbers(first.page(.pageNumber("p", startingAt: 0)), 9, "p") == [2, 3])
    #expect(try numbers(first.page(.offset("o")), 9, "o") == [4, 6])
    let second = PageSample("https://a.org/?o=2", headers: headers, response: "[1,2]")
    #expect(try numbers(second.page(.offset("o")), 1, "o") == [6])
    let body = PageSample(response: #"{"items":[1,2],"total":5}"#)
    #expect(try numbers(body.page(.offset("o")), 9, "o") == [4])
  }

  @Test("A style that was recognized counts as well")
  func recognized() throws {
    let numbered = PageSample(
      "https://a.org/?page=1", response: #"{"items":[{}],"page":1,"total_pages":4}"#)
    #expect(try numbers(numbered.page(.auto), 9, "page") == [3, 4])
    let skip = PageSample(
      "https://a.org/?skip=2", response: #"{"products":[{}],"total":6,"skip":2}"#)
    #expect(try numbers(skip.page(.auto), 9, "skip") == [4, 5])
  }

  @Test(
    "Nothing is known without a length, on an empty page, and for styles that do not count",
    arguments: [
      (PageStyle.pageNumber("p"), "[1]", nil), (.offset("o"), "[1]", nil),
      (.pageNumber("p"), "[]", "9"), (.offset("o"), "[]", "9"), (.linkHeader, "[1]", "9"),
      (.offset("o"), "[1]", "\(Int.max)"), (.pageNumber("p"), "[1]", "-3"),
      (.pageNumber("p", startingAt: .max - 2), "[1]", "\(Int.max - 1)"),
    ] as [(PageStyle, String, String?)])
  func unknown(style: PageStyle, body: String, total: String?) throws {
    var sample = PageSample(response: body)
    if let total { sample.response.headers["X-Total"] = total }
    #expect(try sample.page(style).links(ahead: 9).isEmpty)
  }

  @Test("Extremes neither trap nor go round")
  func extremes() throws {
    for value in PageStyleNumberTests.extremes {
      let sample = PageSample(
        "https://a.org/?p=\(value)&o=\(value)", headers: ["X-Total": .init(value)],
        response: #"{"items":[1,2],"n":\#(value)}"#)
      for style in [PageStyle.pageNumber("p", totalPageCount: "n"), .pageNumber("p"), .offset("o")]
      {
        guard let page = try? sample.page(style) else { continue }
        let links = page.links(ahead: 3)
        #expect(links.count <= 3 && Set(links).count == links.count)
      }
    }
    let huge = PageSample(
      "https://a.org/?p=\(Int.max - 3)", response: #"{"items":[1],"n":\#(Int.max - 1)}"#)
    #expect(
      try numbers(huge.page(.pageNumber("p", startingAt: 0, totalPageCount: "n")), 9, "p") == [])
    let end = PageSample(
      "https://a.org/?o=\(Int.max - 6)", headers: ["X-Total": "\(Int.max - 1)"],
      response: "[1,2]")
    #expect(try numbers(end.page(.offset("o")), 9, "o") == [Int.max - 2])
  }

  @Test("Links ahead are those that a walk one by one follows", arguments: [1, 2, 3] as [UInt64])
  func walk(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<trialCount(300) {
      let total = Int.random(in: 0...40, using: &random)
      let size = Int.random(in: 1...7, using: &random)
      let first = random.pick([0, 1, 5])
      let sendsTotal = random.chance(0.5)
      for counts in [true, false] {
        let style: PageStyle =
          counts ? .pageNumber("n", startingAt: first, totalPageCount: "pages") : .offset("n")
        func page(_ number: Int?) throws -> Page<JSONText> {
          let start = counts ? ((number ?? first) - first) * size : number ?? 0
          let items = (0..<total).dropFirst(start).prefix(size).map(String.init)
          let pages = (total + size - 1) / size
          let totals = counts && !sendsTotal ? #","pages":\#(pages)"# : #","total":\#(total)"#
          return try PageSample(
            "https://a.org/" + (number.map { "?n=\($0)" } ?? ""),
            response: #"{"items":[\#(items.joined(separator: ","))]\#(totals)}"#
          ).page(style)
        }
        var number: Int?
        var walked: [(page: Page<JSONText>, next: Int)] = []
        while true {
          let page = try page(number)
          guard case .query(_, let value?)? = page.next?.edits.first else { break }
          let next = try #require(Int(value))
          walked.append((page, next))
          number = next
        }
        for (index, step) in walked.enumerated() {
          // A short last page makes page numbers from the total reach too far; nothing else may.
          let ahead = try numbers(step.page, 50, "n")
          let isFull = step.page.items.count == size
          let following = walked[(index + 1)...].map(\.next).filter { next in
            let start = counts ? (next - first) * size : next
            return start < total
          }
          if isFull { #expect(ahead == following, "seed \(seed) round \(round) \(style)") }
        }
      }
    }
  }

  @Test("What is ahead follows a total that a 304 moves, and is no part of equality")
  func confirmed() async throws {
    try await StoreActor.plainActor.run { actor in
      let fixture = ServiceFixture()
      fixture.stub.on(
        .get, "/items", .json("[1,2]", headers: ["ETag": "\"a\"", "X-Total": "4"]),
        .status(304, headers: ["ETag": "\"a\"", "X-Total": "8"]))
      let page = fixture.service.resource(
        "items", decoder: ContentDecoder<Page<Int>>.page(.offset("o")))
      let before = try await page.load().value()
      #expect(before.links(ahead: 9).isEmpty)
      let after = try await page.load().value()
      #expect(after.links(ahead: 9) == [4, 6].map { PageLink(.query("o", "\($0)")) })
      #expect(after.next == before.next)
      var same = after
      same.rest = nil
      #expect(same == after && same.hashValue == after.hashValue)
      same.next = nil
      #expect(same.links(ahead: 9).isEmpty && same != after)
    }
  }
}
