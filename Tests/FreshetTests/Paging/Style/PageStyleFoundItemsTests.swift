import Testing

@testable import Freshet

/// Later pages of a list whose item array was found on the first one.
@Suite("PageStyle: items that were found, on later pages") struct PageStyleFoundItemsTests {
  /// The page in a response, in the style of the page before it.
  private func page(
    _ body: String, after first: String, _ style: PageStyle = .auto
  ) throws -> Page<JSONText> {
    try PageSample(response: body).page(try PageSample(response: first).page(style).style)
  }

  @Test("Alpaca: where each symbol has an array, those of another symbol are not left out")
  func alpaca() throws {
    let first = #"{"bars":{"AAPL":[{"o":1}]},"next_page_token":"x"}"#
    let both = #"{"bars":{"AAPL":[{"o":2}],"MSFT":[{"o":3}]},"next_page_token":"y"}"#
    let last = #"{"bars":{"MSFT":[{"o":4}]},"next_page_token":null}"#
    let style = PageStyle.token(at: "next_page_token", query: "page_token")
    for start in [PageStyle.auto, style] {
      #expect(throws: PageError.ambiguousItems(["bars.AAPL", "bars.MSFT"])) {
        try page(both, after: first, start)
      }
      #expect(throws: PageError.noItems(at: "bars.AAPL", nil)) {
        try page(last, after: first, start)
      }
      let second = try page(
        #"{"bars":{"AAPL":[{"o":5}]},"next_page_token":"z"}"#, after: first, start)
      #expect(throws: PageError.ambiguousItems(["bars.AAPL", "bars.MSFT"])) {
        try PageSample(response: both).page(second.style)
      }
      let empty = try page(#"{"bars":{},"next_page_token":null}"#, after: first, start)
      #expect(empty.items.isEmpty && empty.next == nil)
    }
    // A program that names the array of one symbol wants no other.
    let found = try PageSample(response: first).page(.auto).style
    for named in [style.items(at: "bars.AAPL"), found.items(at: "bars.AAPL")] {
      #expect(try page(both, after: first, named).texts == [#"{"o":2}"#])
      #expect(try page(last, after: first, named).items.isEmpty)
    }
  }

  @Test("Google Cloud Storage: objects on a page after one of prefixes alone are not left out")
  func prefixes() throws {
    let first = #"{"kind":"storage#objects","nextPageToken":"x","prefixes":["a/"]}"#
    #expect(throws: PageError.noItems(at: "prefixes", nil)) {
      try page(#"{"kind":"storage#objects","items":[{"name":"b"}]}"#, after: first)
    }
    #expect(throws: PageError.ambiguousItems(["prefixes", "items"])) {
      try page(
        #"{"kind":"storage#objects","prefixes":["c/"],"items":[{"name":"b"}]}"#, after: first)
    }
    #expect(try page(#"{"kind":"storage#objects"}"#, after: first).items.isEmpty)
    // Prefixes beside objects, or after them, are no items.
    let objects = #"{"kind":"storage#objects","nextPageToken":"x","items":[{"name":"a"}]}"#
    #expect(
      try page(#"{"kind":"storage#objects","prefixes":["c/"]}"#, after: objects).items.isEmpty)
  }

  @Test(
    "What else may be beside the items is no list",
    arguments: [
      #""users":[{"id":1}]"#, #""tags":["a"]"#, #""rows_of":[]"#, #""warnings":[{"id":1}]"#,
      #""included":[{"id":1}]"#, #""facets":[{"id":1}]"#, #""search_stats":[{"id":1}]"#,
      #""orders_links":[{"rel":"previous","href":"/a"}]"#, #""messages":[{"text":"slow"}]"#,
    ])
  func besideItems(member: String) throws {
    let first = #"{"orders":[{"id":1}],"users":[],"next":"/b"}"#
    let last = #"{"orders":[{"id":2}],"next":null,\#(member)}"#
    #expect(try page(last, after: first).texts == [#"{"id":2}"#])
    // An array with a usual name is known to have the items.
    let usual = #"{"items":[{"id":2}],"next":null,"others":[{"id":3}]}"#
    #expect(try page(usual, after: #"{"items":[{"id":1}],"next":"/b"}"#).texts == [#"{"id":2}"#])
  }
}
