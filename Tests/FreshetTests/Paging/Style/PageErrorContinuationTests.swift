import Testing

@testable import Freshet

@Suite("PageError: signs of more items") struct PageErrorContinuationTests {
  @Test(
    "A sign in the body has its path, and says what it holds",
    arguments: [
      (#"{"items":[{}],"meta":{"next_cursor":"x"}}"#, ["meta", "next_cursor"], .token),
      (#"{"items":[{}],"next":2}"#, ["next"], .token),
      (#"{"items":[{}],"next":true}"#, ["next"], .flag),
      (#"{"items":[{}],"LastEvaluatedKey":{"a":1}}"#, ["LastEvaluatedKey"], .token),
      (#"{"items":[{}],"cursor":"x"}"#, ["cursor"], .token),
      (#"{"items":[{}],"_links":{"nextByOffset":"x"}}"#, ["_links", "nextByOffset"], .link),
      (#"{"items":[{}],"meta":{"links":{"next":"x"}}}"#, ["meta", "links", "next"], .token),
      (#"{"items":[{}],"more_url":"/b"}"#, ["more_url"], .link),
      (#"{"items":[{}],"@odata.nextBatch":"x"}"#, ["@odata.nextBatch"], .token),
      (#"{"items":[{}],"has_more":true}"#, ["has_more"], .flag),
      (#"{"items":[{}],"is_last":false}"#, ["is_last"], .flag),
      (#"{"items":[{}],"have_more_results":"Y"}"#, ["have_more_results"], .flag),
      (#"{"items":[{}],"a":{"has_next":1}}"#, ["a", "has_next"], .flag),
      (#"{"items":[{}],"total":{"value":9}}"#, ["total", "value"], .itemCount),
      (#"{"items":[{}],"nbHits":9}"#, ["nbHits"], .itemCount),
      (#"{"items":[{}],"count":9}"#, ["count"], .itemCount),
      (#"{"items":[{}],"remaining":9}"#, ["remaining"], .itemCount),
      (#"{"items":[{}],"total_pages":9}"#, ["total_pages"], .pageCount),
      (#"{"items":[{}],"nbPages":9}"#, ["nbPages"], .pageCount),
      (#"{"items":[{}],"page":1,"pages":9}"#, ["pages"], .pageCount),
      (#"{"items":[{}],"has_more":true,"next_cursor":"x"}"#, ["next_cursor"], .token),
      (#"{"items":[{}],"IsTruncated":true,"NextToken":"x"}"#, ["NextToken"], .token),
      (#"{"items":[{}],"meta":{"hasMore":true,"cursor":"x"}}"#, ["meta", "cursor"], .token),
      (#"{"items":[{}],"next_cursor":[1,"x"]}"#, ["next_cursor"], .token),
      (#"{"items":[{}],"no_more":false}"#, ["no_more"], .flag),
      (#"{"items":[{}],"is_end":false}"#, ["is_end"], .flag),
      (#"{"items":[{}],"eof":0}"#, ["eof"], .flag),
      (#"{"items":[{}],"finished":false}"#, ["finished"], .flag),
      (
        #"{"a":{"b":{"c":{"d":{"items":[{}],"next_cursor":"x"}}}}}"#,
        ["a", "b", "c", "d", "next_cursor"], .token
      ),
    ] as [(String, [String], PageError.Continuation.Kind)])
  func members(body: String, names: [String], kind: PageError.Continuation.Kind) throws {
    let error = try #require(throws: PageError.self) { try PageSample(response: body).page(.auto) }
    #expect(error.continuation?.place == .member(JSONPath(names: names)))
    #expect(error.continuation?.kind == kind)
  }

  @Test(
    "A sign in the header has the name of its field",
    arguments: [
      ("X-Next-Page", "2", .token), ("Continuation-Token", "x", .token), ("Cursor", "x", .token),
      ("X-Has-More", "true", .flag), ("X-Total-Count", "9", .itemCount),
      ("x-total-pages", "9", .pageCount),
    ] as [(String, String, PageError.Continuation.Kind)])
  func fields(name: String, value: String, kind: PageError.Continuation.Kind) throws {
    let error = try #require(throws: PageError.self) {
      try PageSample(headers: HTTPHeaders([.init(name: name, value: value)]), response: "[{}]")
        .page(.auto)
    }
    #expect(error.continuation == .init(at: .headerField(name), kind))
  }

  @Test("The path of a sign is written as people write it")
  func written() {
    let path = JSONPath(names: ["d", "@odata.nextBatch"])
    #expect(PageError.Continuation(at: .member(path), .token).description == "d.@odata.nextBatch")
  }
}
