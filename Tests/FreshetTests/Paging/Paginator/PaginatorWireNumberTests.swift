import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite("Numbers that a server sends to a paginator", .standardTimeLimit)
struct PaginatorWireNumberTests {
  @Test("No number in a body, a header field or the options is too large", arguments: 1...16)
  func extremes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var trial = WireNumberTrial(random: random)
      for _ in 0..<8 { try trial.step() }
      random = trial.random
    }
  }

  @Test(
    "The page of any number has a resource, whose offset is a number",
    arguments: StoreActor.allCases)
  func anyPage(actor: StoreActor) async {
    await actor.run { actor in
      for pattern: PaginatorPattern in ["a?p=:currentPage", "a?o=:offset&n=:perPage"] {
        for (first, size) in [(0, 1), (1, Int.max), (Int.max, Int.max), (Int.max, 25)] {
          var options = Paginator<Int>.Options()
          (options.firstPageNumber, options.perPage) = (first, size)
          let list = ServiceFixture().service.paginator(pattern, of: Int.self, options: options)
          for page in WireNumberTrial.extremes { #expect(list.page(page).key.url.contains("a?")) }
        }
      }
    }
  }
}

extension PaginatorWireNumberTests {
  @Test(
    "A page before or after the current one is promised only where it can be loaded",
    arguments: StoreActor.allCases, [Int.max, .max - 1, .max / 2 + 1, .max / 2, 3, 1])
  func promises(actor: StoreActor, number: Int) async throws {
    try await actor.run { actor in
      let fixture = PaginatorFixture([1, 2, 3])
      let body = "{\"articles\":[1],\"meta\":{\"page\":\(number),\"pages\":\(Int.max)}}"
      fixture.stub.on(where: { $0.url.path == "/articles" }, .json(body))
      try await fixture.load(1)
      let articles = fixture.articles
      #expect(articles.currentPage == number)
      if articles.hasPreviousPage == true {
        try articles.loadPreviousPage()
      } else {
        #expect(throws: PaginatorError.self) { try articles.loadPreviousPage() }
      }
      articles.cancelLoad()
      if articles.hasNextPage == true {
        try articles.loadNextPage()
      } else {
        #expect(throws: PaginatorError.self) { try articles.loadNextPage() }
      }
    }
  }
}

/// A table of pages whose numbers are at the limits of `Int`.
private struct WireNumberTrial {
  static let extremes = [
    Int.min, .min + 1, -1, 0, 1, 2, 25, 1 << 31, 1 << 32, .max / 2, .max / 2 + 1, .max - 1, .max,
  ]

  var random: SeededGenerator
  private var table: PageTable<Int>

  init(random: SeededGenerator) {
    var random = random
    let sizes = Self.extremes.filter { $0 > 0 }
    table = PageTable(
      firstPageNumber: random.pick([0, 1, 1, 1, .max - 1, .max]), perPage: random.pick(sizes),
      countsItems: random.chance(0.5))
    self.random = random
  }

  mutating func step() throws {
    let page = random.pick(Self.extremes + Array(repeating: table.firstPageNumber, count: 8))
    if (try? table.check(page)) != nil {
      _ = table.requested(page, always: false)
      let actions = table.received(page, try response())
      let isRequestedAgain = actions.contains { if case .request = $0 { true } else { false } }
      if isRequestedAgain { _ = table.received(page, try response()) }
      _ = table.changed(page, to: .loaded)
    }
    examine()
  }

  /// Reads everything that a paginator reads of its table.
  private func examine() {
    #expect(table.perPage > 0)
    #expect((table.totalPageCount ?? 0) >= 0)
    #expect((table.currentPage ?? table.firstPageNumber) >= table.firstPageNumber)
    #expect((table.previousPage ?? table.firstPageNumber) >= table.firstPageNumber)
    #expect((table.lastPage ?? table.firstPageNumber) >= table.firstPageNumber)
    if let previous = table.previousPage {
      #expect((try? table.check(previous)) != nil, "page \(previous) is promised")
    }
    if table.hasNextPage == true, let current = table.currentPage {
      #expect((try? table.check(current + 1)) != nil, "page \(current + 1) is promised")
    }
    for page in Self.extremes {
      #expect(table.offset(of: page) >= 0)
      _ = try? table.check(page)
    }
    let slots = table.slots
    for place in Self.extremes + [slots.count - 1, slots.count / 2] where slots.indices ~= place {
      guard case .placeholder(let page) = slots[place] else { continue }
      let isLoaded = slots.items(ofPage: page) != nil
      #expect(page >= table.firstPageNumber && (!isLoaded || page == .max))
    }
    for (page, items) in table.layout {
      let shown = slots.items(ofPage: page)
      let end = slots.range(ofPage: page)?.upperBound ?? .max
      let count = slots.count
      #expect(shown == items && end <= count)
    }
  }

  /// A response with random numbers at all places, as a decoder reads it.
  private mutating func response() throws -> PaginatorPage<Int> {
    var mapping = PaginatorMapping()
    if random.chance(0.7) { mapping.perPage = "n" }
    if random.chance(0.7) { mapping.totalPageCount = "p" }
    if random.chance(0.7) { mapping.totalCount = "t" }
    if random.chance(0.7) { mapping.currentPage = "c" }
    var headers: HTTPHeaders = [:]
    for name in ["X-Per-Page", "X-Total-Pages", "X-WP-TotalPages", "X-Total", "X-Total-Count"]
    where random.chance(0.3) {
      headers[name] = number().filter { $0 != "\"" }
    }
    let members = ["n", "p", "t", "c", "total"].filter { _ in random.chance(0.7) }
      .map { ",\"\($0)\":\(number())" }.joined()
    let items = ["", "1", "1,2,3"].randomElement(using: &random) ?? ""
    let sample = PageSample(headers: headers, response: "{\"items\":[\(items)]\(members)}")
    let decoder: ContentDecoder<PaginatorPage<Int>> = .numberedPage(mapping)
    let input = DecodingInput(response: sample.response, key: sample.request)
    let content = try decoder.erased.decode(input, date: .now)
    return ContentBox<PaginatorPage<Int>>.value(of: content)
  }

  private mutating func number() -> String {
    let number = random.pick(Self.extremes)
    return switch Int.random(in: 0..<8, using: &random) {
    case 0: "\"\(number)\""
    case 1: number == 0 ? "0" : "\(number)0"
    case 2: "\(Double(number))"
    case 3: random.pick(["1e300", "-1e999", "-0", "0.5", "null", "\"\"", "\"x\"", "[]", "true"])
    default: "\(number)"
    }
  }
}
