import Testing

@testable import Freshet

/// Bodies that are an array of an object, which describes the list, and of the items.
@Suite("PageStyle: items after their description") struct PageStylePairTests {
  @Test("World Bank: the second array has the items, and the object before it counts the pages")
  func worldBank() throws {
    func sample(_ query: String, _ page: Int, _ items: String) -> PageSample {
      PageSample(
        "https://a.org/countries" + query,
        response: #"[{"page":\#(page),"pages":3,"per_page":"2","total":5},\#(items)]"#)
    }
    expectContinuation(at: "0.pages") { try sample("", 1, "[{},{}]").page(.auto) }
    let numbered = try sample("?page=1", 1, "[{},{}]").page(.auto)
    #expect(numbered.style == .pageNumber("page", totalPageCount: "0.pages").items(at: "1"))
    #expect(numbered.items.count == 2 && numbered.totalCount == 5)
    #expect(numbered.next == PageLink(.query("page", "2")))
    let named = try sample("", 1, "[{},{}]").page(.pageNumber("page"))
    #expect(named.style.itemsPath == "1" && named.items.count == 2 && named.countedPages == 3)
    let last = try sample("?page=3", 3, "[{}]").page(numbered.style)
    #expect(last.next == nil && last.items.count == 1)
    #expect(throws: PageError.otherPage(1, requested: 3)) {
      try sample("?page=3", 1, "[{},{}]").page(numbered.style)
    }
  }

  @Test("An only page is the whole list, and null has no items", arguments: ["[{},{}]", "null"])
  func whole(items: String) throws {
    let total = items == "null" ? 0 : 2
    let page = try PageSample(
      response: #"[{"page":1,"pages":1,"per_page":"50","total":\#(total)},\#(items)]"#
    ).page(.auto)
    #expect(page.items.count == total && page.next == nil && page.presumedEnd == nil)
  }

  @Test("A link in the object is followed")
  func link() throws {
    let page = try PageSample(response: #"[{"next":"/b"},[{}]]"#).page(.auto)
    #expect(page.items.count == 1 && page.next == PageLink(.follow("/b")))
    #expect(try PageSample(response: #"[{"next":null},[{}]]"#).page(page.style).next == nil)
  }

  /// What any JSON can be, as a type without required members.
  private struct AnyItem: Decodable, Sendable { init(from decoder: any Decoder) {} }
  private struct Country: Decodable, Sendable { let id: String }

  @Test("Decoded items are those of the array, too")
  func decoded() throws {
    let sample = PageSample(
      "https://a.org/countries?page=1",
      response: #"[{"page":1,"pages":3},[{"id":"a"},{"id":"b"},{"id":"c"}]]"#)
    let (request, response) = (sample.request, sample.response)
    let style = PageStyle.pageNumber("page", totalPageCount: "0.pages").items(at: "1")
    let any = try PageStyle.auto.page(of: AnyItem.self, from: response, to: request)
    #expect(any.items.count == 3 && any.style == style)
    let countries = try PageStyle.auto.page(of: Country.self, from: response, to: request)
    #expect(countries.items.map(\.id) == ["a", "b", "c"] && countries.style == style)
    #expect(throws: DecodingError.self) {
      try PageStyle.auto.items(at: .root).page(of: Country.self, from: response, to: request)
    }
    let plain = PageSample(response: #"[{"id":"a"},{"id":"b"}]"#)
    let page = try PageStyle.auto.page(of: Country.self, from: plain.response, to: plain.request)
    #expect(page.items.map(\.id) == ["a", "b"] && page.style.itemsPath == .root)
  }

  @Test(
    "Any other array is the list itself",
    arguments: [
      #"[{"id":1},[{}]]"#, #"[{"total":9},{"total":9}]"#, #"[{"total":9}]"#, #"[[{}],{"total":9}]"#,
      #"[{"total":9},[{}],[{}]]"#, "[[1],[2]]", "[1,[2]]", #"[{"total":9},null,null]"#, "[]",
    ])
  func others(body: String) throws {
    let page = try PageSample(response: body).page(.auto)
    #expect(page.style.itemsPath == .root)
    let elements = try JSONText(parsing: body).elements
    #expect(page.texts == elements?.map(\.description))
    // Named, the path is that of the body.
    #expect(try PageSample(response: body).page(.auto.items(at: .root)).texts == page.texts)
  }
}
