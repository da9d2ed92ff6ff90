import Testing

@testable import Freshet

/// Servers that send a token at the end of a list, too.
@Suite("PageStyle: repeated tokens") struct PageStyleRepetitionTests {
  @Test("CloudWatch Logs: the token that was sent comes back at the end")
  func cloudWatch() throws {
    let style = PageStyle.cursor(
      at: "nextForwardToken", bodyKey: "nextToken", untilRepeated: true
    ).items(at: "events")
    let response = #"{"events":[],"nextForwardToken":"f/3"}"#
    let first = PageSample(body: #"{"logGroupName":"g"}"#, response: response)
    #expect(try first.nextBody(style) == #"{"logGroupName":"g","nextToken":"f/3"}"#)
    let last = PageSample(body: #"{"logGroupName":"g","nextToken":"f\/3"}"#, response: response)
    #expect(try last.page(style).next == nil)
    let otherwise = PageStyle.cursor(at: "nextForwardToken", bodyKey: "nextToken")
    #expect(try last.page(otherwise.items(at: "events")).next != nil)
  }

  @Test("Tokens end in the query, in a header and from a header field")
  func tokens() throws {
    let body = #"{"items":[{}],"t":"a b"}"#
    let query = PageStyle.token(at: "t", query: "q", untilRepeated: true)
    #expect(try PageSample("https://a.org/?q=a+b", response: body).page(query).next == nil)
    #expect(try PageSample("https://a.org/?q=b", response: body).page(query).next != nil)
    let field = PageStyle.token(inHeader: "X-T", query: "q", untilRepeated: true)
    #expect(
      try PageSample("https://a.org/?q=7", headers: ["X-T": "7"], response: "[]").page(field).next
        == nil)
    let header = PageStyle.token(at: "t", header: "X-T", untilRepeated: true)
    var sample = PageSample(response: body)
    #expect(try sample.page(header).next == PageLink(.header("X-T", "a b")))
    sample.request = ResourceKey(url: sample.request.url, headers: ["x-t": "a b"])
    #expect(try sample.page(header).next == nil)
    #expect(try sample.page(.token(at: "t", header: "X-T")).next != nil)
  }

  @Test("Cosmos DB: a token from a header field is sent in one, and ends when it is repeated")
  func fields() throws {
    let style = PageStyle(sending: .headerField("X-Next"), in: .header("X-T"), untilRepeated: true)
    var sample = PageSample(headers: ["X-Next": "a b"], response: "[{}]")
    #expect(try sample.page(style).next == PageLink(.header("X-T", "a b")))
    sample.request = ResourceKey(url: sample.request.url, headers: ["x-t": "a b"])
    #expect(try sample.page(style).next == nil)
    #expect(try PageSample(response: "[{}]").page(style).next == nil)
  }

  @Test(
    "A repeated token ends no list of which the response says that there is more",
    arguments: [
      PageStyle.token(at: "items.0.id", query: "q", more: "more", untilRepeated: true),
      .lastItem("id", query: "q", more: "more", untilRepeated: true),
      .cursor(at: "items.0.id", bodyKey: "q", more: "more", untilRepeated: true),
    ])
  func more(style: PageStyle) throws {
    func next(_ member: String) throws -> PageLink? {
      try PageSample(
        "https://a.org/?q=a", body: #"{"q":"a"}"#,
        response: #"{"items":[{"id":"a"}]\#(member)}"#
      ).page(style).next
    }
    #expect(try next(#","more":true"#) != nil)
    #expect(try next(#","more":false"#) == nil)
    #expect(try next("") == nil)
  }

  @Test("A page in which nothing was recognized says so")
  func recognition() throws {
    #expect(try PageSample(response: "[1]").page(.auto).style.isAuto)
    #expect(try PageSample(response: #"{"items":[1]}"#).page(.auto).style.isAuto)
    let linked = PageSample(headers: ["Link": "</2>; rel=next"], response: "[1]")
    #expect(try !linked.page(.auto).style.isAuto)
    #expect(try !PageSample(response: "[1]").page(.linkHeader).style.isAuto)
  }
}
