import FreshetTesting
import Testing

@testable import Freshet

@Suite("PageStyle.auto: signs of more items", .standardTimeLimit) struct PageStyleSignTests {
  @Test(
    "A header field that counts more is no complete list, in any spelling",
    arguments: [
      "Total-Count", "X-Total-Count", "x_total_count", "XTotalCount", "Total", "X-Pagination-Total",
      "X-Pagination-Total-Count", "X-Total-Items", "X-Total-Records", "Total-Objects",
      "X-Page-Count", "Page-Count", "X-Total-Pages", "Total-Pages", "X-WP-TotalPages", "X-Pages",
      "X-Pagination-Page-Count",
    ])
  func countingFields(name: String) throws {
    expectContinuation(at: name) {
      try PageSample(headers: .init([.init(name: name, value: "2")]), response: "[{}]").page(.auto)
    }
    let whole = PageSample(headers: .init([.init(name: name, value: "1")]), response: "[{}]")
    #expect(try whole.page(.auto).next == nil)
  }

  @Test(
    "A Link header field that is about no page changes nothing",
    arguments: ["</s.css>; rel=preload", "", "<https://api.w.org/>; rel=\"https://api.w.org/\""])
  func otherLinks(field: String) throws {
    func sample(_ name: String) -> PageSample {
      PageSample(
        headers: .init([.init(name: "Link", value: field), .init(name: name, value: "25")]),
        response: "[{}]")
    }
    expectContinuation(at: "X-Total-Count") {
      try sample("X-Total-Count").page(.auto)
    }
    #expect(try sample("X-Other").page(.auto).presumedEnd == .bareArray)
  }

  @Test(
    "A link to a later last page is no complete list",
    arguments: ["?page=4", "/x?page%5Bnumber%5D=2", "?offset=2"])
  func laterLastPage(target: String) throws {
    let field = "<?page=1>; rel=first, <\(target)>; rel=last"
    expectContinuation(at: "Link") {
      try PageSample(headers: .init([.init(name: "Link", value: field)]), response: "[{}]")
        .page(.auto)
    }
    for name in ["links", "_links"] {
      expectContinuation(at: "\(name).last") {
        try PageSample(
          response: #"{"items":[{}],"\#(name)":{"first":"?page=1","last":{"href":"\#(target)"}}}"#
        ).page(.auto)
      }
    }
    let last = PageSample(
      "https://a.org/x" + (target.hasPrefix("/x") ? String(target.dropFirst(2)) : target),
      headers: .init([.init(name: "Link", value: field)]), response: "[{}]")
    #expect(try last.page(.auto).next == nil)
  }

  @Test("A header field without a next page ends the list", arguments: ["0", "-1", "None", "null"])
  func emptyFields(value: String) throws {
    let sample = PageSample(headers: ["X-Next-Cursor": .init(value)], response: "[{}]")
    #expect(try sample.page(.auto).next == nil)
  }

  @Test(
    "A header field that names a next page is no complete list",
    arguments: ["X-Next-Page", "Next-Page", "X-Next-Cursor", "X-Next-Token", "X-Next-Offset"])
  func nextFields(name: String) throws {
    expectContinuation(at: name) {
      try PageSample(headers: .init([.init(name: name, value: "7")]), response: "[{}]").page(.auto)
    }
    let last = PageSample(headers: .init([.init(name: name, value: "")]), response: "[{}]")
    #expect(try last.page(.auto).next == nil)
  }

  @Test(
    "A member that counts more is no complete list, in any spelling",
    arguments: [
      "total", "total_count", "totalCount", "TotalCount", "total-results", "total_items",
      "totalRecords", "total_pages", "totalPages", "pageCount", "last_page",
    ],
    ["", "meta", "pagination", "paging"])
  func countingMembers(name: String, object: String) throws {
    let path = object.isEmpty ? name : "\(object).\(name)"
    for value in ["2", "\"2\""] {
      let member = #""\#(name)":\#(value)"#
      let body = object.isEmpty ? member : #""\#(object)":{\#(member)}"#
      expectContinuation(at: path, "\(value)") {
        try PageSample(response: #"{"items":[{}],\#(body)}"#).page(.auto)
      }
    }
    for value in ["1", "\"1\"", "null", "\"2.50\"", "\"two\"", "\"\""] {
      let member = #""\#(name)":\#(value)"#
      let body = object.isEmpty ? member : #""\#(object)":{\#(member)}"#
      let page = try PageSample(response: #"{"items":[{}],\#(body)}"#).page(.auto)
      #expect(page.next == nil, "\(value)")
    }
  }

  @Test("A total in a string is a total")
  func totalInString() throws {
    let page = try PageSample(response: #"{"items":[{}],"total":"12"}"#).page(.offset("o"))
    #expect(page.totalCount == 12)
  }

  @Test(
    "Numbers at their extremes in strings and fields are counted or ignored",
    arguments: [
      "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "-9223372036854775809", "99999999999999999999999999", "1e400", "-1", "0", "",
    ])
  func extremes(number: String) throws {
    let isMore = number.hasPrefix("9")
    for name in ["total", "totalPages"] {
      let sample = PageSample(response: #"{"items":[{}],"\#(name)":"\#(number)"}"#)
      #expect(((try? sample.page(.auto)) == nil) == isMore)
      let page = try sample.page(.offset("o"))
      #expect(page.totalCount.map { $0 >= 0 && $0 < Int.max } ?? true)
    }
    for name in ["next_offset", "nextPage"] {
      for value in [number, "\"\(number)\""] where !value.isEmpty {
        for offset in [number, "0", "1"] where !offset.isEmpty {
          let sample = PageSample(
            "https://a.org/items?offset=\(offset)&page=\(offset)",
            response: #"{"items":[{}],"offset":\#(offset),"page":\#(offset),"\#(name)":\#(value)}"#)
          let page = try? sample.page(.auto)
          #expect(page == nil || page?.next != nil || !isMore, "\(name) \(value) from \(offset)")
        }
      }
    }
  }

  @Test("The number of the next page or offset is a style where the request repeats the number")
  func styles() throws {
    let page = PageSample(
      "https://a.org/items?q=x", response: #"{"items":[{}],"page":1,"nextPage":2}"#)
    #expect(try page.next(.auto)?.url == "https://a.org/items?q=x&page=2")
    let last = PageSample(
      "https://a.org/items?page=2", response: #"{"items":[{}],"page":2,"nextPage":null}"#)
    #expect(try last.page(.auto).next == nil)
    let offset = PageSample(
      "https://a.org/items?offset=4",
      response: #"{"items":[{},{}],"offset":4,"next_offset":6}"#)
    #expect(try offset.next(.auto)?.url == "https://a.org/items?offset=6")
    let first = PageSample(
      "https://a.org/items", response: #"{"items":[{}],"meta":{"offset":0,"nextOffset":1}}"#)
    #expect(try first.next(.auto)?.url == "https://a.org/items?offset=1")
    let other = PageSample(
      "https://a.org/items?offset=4", response: #"{"items":[{},{}],"offset":0,"next_offset":2}"#)
    expectContinuation(at: "next_offset") { try other.page(.auto) }
  }

  @Test(
    "Tokens and flags are signs of more, in any spelling and object",
    arguments: [
      (#""nextPage":2"#, "nextPage"), (#""next_offset":1"#, "next_offset"),
      (#""next-cursor":"x""#, "next-cursor"), (#""NextMarker":"x""#, "NextMarker"),
      (#""hasMore":"true""#, "hasMore"), (#""IsTruncated":true"#, "IsTruncated"),
      (#""meta":{"nextCursor":"x"}"#, "meta.nextCursor"),
      (#""pagination":{"nextPage":3}"#, "pagination.nextPage"),
      (#""paging":{"has_more":true}"#, "paging.has_more"),
      (#""page_info":{"next_token":"x"}"#, "page_info.next_token"),
    ])
  func tokens(member: String, path: String) throws {
    expectContinuation(at: path) {
      try PageSample(response: #"{"items":[{}],\#(member)}"#).page(.auto)
    }
  }
}
