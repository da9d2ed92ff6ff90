import Testing

@testable import Freshet

/// Numbers that servers send, at their extremes: nothing traps, and no list is complete that says it
/// has more.
@Suite("PageStyle: numbers from the wire") struct PageStyleNumberTests {
  static let extremes = [
    "\(Int.min)", "\(Int.min + 1)", "-2", "-1", "-0", "0", "1", "2", "\(Int.max - 1)",
    "\(Int.max)", "9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "1e5", "0.5",
    "1.5", "123456789012345678901234567890",
  ]

  /// Whether a number of pages or items says that there are more than the one of each sample.
  private static func saysMore(_ number: String) -> Bool {
    guard let value = Double(number) else { return false }
    return value > 1 && (value.rounded() == value || value.isInfinite)
  }

  @Test("The number of pages beside that of this one", arguments: extremes)
  func pageCounts(count: String) throws {
    // Some of them: the numbers of next pages below meet them all.
    let numbers = ["1", "0", "\(Int.min)", "-1", "2", "\(Int.max)", "1e400", "0.5"]
    for place in ["", "meta", "pagination", "page"] {
      for name in ["total_pages", "totalPages", "last_page", "pages"] {
        for number in numbers.prefix(trialCount(numbers.count)) {
          let object = #""page":\#(number),"number":\#(number),"\#(name)":\#(count)"#
          let members = place.isEmpty ? object : #""\#(place)":{\#(object)}"#
          for query in place.isEmpty ? ["", "?page=\(number)"] : [""] {
            let sample = PageSample(
              "https://a.org/\(query)", response: #"{"items":[{}],\#(members)}"#)
            let page = try? sample.page(.auto)
            if Self.saysMore(count), ["1", "0"].contains(number), let page {
              #expect(page.next != nil, "\(sample.response)")
            }
          }
        }
      }
    }
  }

  @Test("The number of the next page beside that of this one", arguments: extremes)
  func nextPages(next: String) throws {
    for number in Self.extremes.prefix(trialCount(Self.extremes.count)) {
      for place in ["", "meta", "pagination"] {
        let object = #""current_page":\#(number),"next_page":\#(next)"#
        let members = place.isEmpty ? object : #""\#(place)":{\#(object)}"#
        for query in ["", "?page=\(number)"] {
          let sample = PageSample(
            "https://a.org/\(query)", response: #"{"items":[{}],\#(members)}"#)
          let page = try? sample.page(.auto)
          #expect(page == nil || page?.next != nil || ["0", "-0", "-1"].contains(next), "\(next)")
        }
      }
      let gitLab = PageSample(
        headers: ["X-Page": .init(number), "X-Next-Page": .init(next)], response: "[{}]")
      let page = try? gitLab.page(.auto)
      #expect(
        page == nil || page?.next != nil || ["0", "-1"].contains(next),
        "X-Page \(number), X-Next-Page \(next)")
    }
  }

  @Test(
    "A number of pages in a header field that no style reads is no single page",
    arguments: ["X-Total-Pages", "X-WP-TotalPages"])
  func pageCountFields(name: String) throws {
    for count in Self.extremes {
      let sample = PageSample(headers: .init([.init(name: name, value: count)]), response: "[{}]")
      #expect(((try? sample.page(.auto)) == nil) == Self.saysMore(count), "\(count)")
    }
  }

  @Test("Totals, in a field and in the body", arguments: extremes)
  func totals(total: String) throws {
    let field = PageSample(headers: ["X-Total-Count": .init(total)], response: "[{}]")
    #expect(((try? field.page(.auto)) == nil) == Self.saysMore(total))
    for name in ["total", "total_count", "@odata.count"] {
      let body = PageSample(response: #"{"items":[{}],"\#(name)":\#(total)}"#)
      #expect(((try? body.page(.auto)) == nil) == Self.saysMore(total))
      let page = try body.page(.offset("o"))
      #expect(page.totalCount.map { $0 >= 0 && $0 < Int.max } ?? true)
    }
    #expect(try field.page(.linkHeader).totalCount.map { $0 >= 0 && $0 < Int.max } ?? true)
  }

  @Test("Every style, with extremes wherever it reads a number", arguments: [1, 2, 3] as [UInt64])
  func everyStyle(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let styles: [PageStyle] = [
      .auto, .linkHeader, .header("X-Next-Page"), .nextURL(at: "next"), .pageNumber("page"),
      .pageNumber("page", startingAt: 0, totalPageCount: "total_pages"),
      .pageNumber("page", startingAt: Int.max - 1, totalPageCount: "total_pages"),
      .pageNumber("page", startingAt: Int.max), .pageNumber("page", startingAt: Int.min),
      .offset("offset"), .offset("offset", limit: "limit"), .token(at: "next", query: "page"),
      .token(at: "next", header: "X-T"), .token(inHeader: "X-Next-Page", query: "page"),
      .lastItem("id", query: "after", more: "has_more"),
      .cursor(at: "next", bodyKey: "after", more: "has_more"),
    ]
    let members = [
      "page", "current_page", "number", "total_pages", "totalPages", "total", "count", "next",
      "next_page", "has_more", "offset", "skip", "limit", "last_page",
    ]
    let fields = [
      "X-Page", "X-Next-Page", "X-Total", "X-Total-Count", "X-Total-Pages", "X-Per-Page", "Link",
      "Next-Page", "Content-Range",
    ]
    for round in 0..<trialCount(1_000) {
      let style = random.pick(styles)
      var query = ""
      for name in ["page", "offset", "skip", "limit"] where random.chance(0.4) {
        query += "&\(name)=\(random.pick(Self.extremes))"
      }
      var response = #"{"items":[{"id":\#(random.pick(Self.extremes))}]"#
      for name in members where random.chance(0.3) {
        response += #","\#(name)":\#(random.pick(Self.extremes))"#
      }
      var headers = HTTPHeaders()
      for name in fields where random.chance(0.3) {
        let (a, b, c) = (
          random.pick(Self.extremes), random.pick(Self.extremes), random.pick(Self.extremes)
        )
        headers.append(name == "Content-Range" ? "items \(a)-\(b)/\(c)" : a, for: name)
      }
      let sample = PageSample(
        "https://a.org/?\(query.dropFirst())",
        body: style.name.hasPrefix("cursor") ? "{}" : nil, headers: headers,
        response: random.chance(0.3) ? "[{}]" : response + "}")
      let page = try? sample.page(style)
      // The next page is requested as well, and read with the same numbers.
      guard let page, let next = try? sample.next(page.style) else { continue }
      var second = sample
      second.request = next
      _ = try? second.page(page.style)
      #expect(page.items.count == 1, "seed \(seed) round \(round)")
    }
  }

  @Test("A page number that cannot grow is an error, not a trap")
  func largestNumber() throws {
    let sample = PageSample(response: "[1]")
    for first in [Int.max, Int.max - 1] {
      _ = try? sample.page(.pageNumber("p", startingAt: first))
    }
    #expect(throws: PageError.notCounting(parameter: "p")) {
      try sample.page(.pageNumber("p", startingAt: .max))
    }
    #expect(throws: Never.self) { try sample.page(.pageNumber("p", startingAt: .max - 1)) }
  }
}
