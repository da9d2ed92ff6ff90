import Testing

@testable import Freshet

/// The style that an error of recognition names, which would walk the list.
@Suite("PageStyle.auto: what its errors advise", .standardTimeLimit)
struct PageStyleAdviceTests {
  @Test(
    "Where nothing but that there is more is known, the parameters of the request show how to count",
    arguments: [
      ("?$top=1", PageStyle.offset("$skip")), ("?take=1", .offset("skip")),
      ("?page[limit]=1", .offset("page[offset]")), ("?page[size]=1", .pageNumber("page[number]")),
      ("?_per_page=1", .pageNumber("_page")),
      ("?pagination[start]=0", .offset("pagination[start]")),
      ("?searchCriteria[currentPage]=1", .pageNumber("searchCriteria[currentPage]")),
      ("?limit=1", nil), ("", nil), ("?stop=Bern", nil), ("?items_per_page=1", nil),
    ])
  func counting(query: String, style: PageStyle?) throws {
    let sample = PageSample("https://a.org/items" + query, response: #"{"items":[{}],"total":9}"#)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.continuation?.counting == style)
  }

  @Test(
    "A server that is known by the shape of its response counts in a parameter of its own",
    arguments: [
      (#"{"hits":{"total":{"value":9},"hits":[{"_id":"1"}]}}"#, PageStyle.offset("from")),
      (#"{"@odata.context":"x","@odata.count":9,"value":[{}]}"#, .offset("$skip")),
      (#"{"d":{"results":[{}],"__count":"9"}}"#, .offset("$skip")),
      (#"{"total_rows":9,"offset":0,"rows":[{}]}"#, .offset("skip")),
    ])
  func knownCounting(response: String, style: PageStyle) {
    let error = #expect(throws: PageError.self) {
      try PageSample(response: response).page(.auto)
    }
    #expect(error?.continuation?.counting == style)
  }

  @Test("The flag beside a token says whether it is that of a next page")
  func flagBesideToken() throws {
    let sample = PageSample(response: #"{"items":[{}],"meta":{"cursor":"x","has_more":true}}"#)
    let error = try #require(throws: PageError.self) { try sample.page(.auto) }
    #expect(error.continuation?.more == "meta.has_more")
  }

  @Test("The variables of a query are those of GraphQL alone, not of SQL")
  func queryVariables() {
    let cases: [(query: String, response: String, variables: [String]?)] = [
      ("{a(after: $x) b(after: $y)}", #"{"data":{"a":{"items":[{}],"cursor":"c"}}}"#, ["x", "y"]),
      ("{a}", #"{"data":{"a":{"items":[{}],"cursor":"c"}}}"#, []),
      ("SELECT 1", #"{"schema":[{"name":"a"}],"datarows":[[1]],"cursor":"c"}"#, nil),
    ]
    for (query, response, variables) in cases {
      let error = #expect(throws: PageError.self) {
        try PageSample(body: #"{"query":"\#(query)"}"#, response: response).page(.auto)
      }
      #expect(error?.continuation?.variables == variables)
    }
  }

  @Test("Stripe's shape without url may continue after the identity of the last item")
  func lastIdentity() throws {
    let body = #"{"object":"list","has_more":true,"data":[{"id":"a"},{"id":"b"}]}"#
    let error = #expect(throws: PageError.self) { try PageSample(response: body).page(.auto) }
    #expect(error?.continuation?.identity == "id")
    for body in [
      #"{"object":"list","has_more":true,"data":[{"name":"a"}]}"#,
      #"{"has_more":true,"data":[{"id":"a"}]}"#,
    ] {
      let error = #expect(throws: PageError.self) { try PageSample(response: body).page(.auto) }
      #expect(error?.continuation?.identity == nil)
    }
  }
}
