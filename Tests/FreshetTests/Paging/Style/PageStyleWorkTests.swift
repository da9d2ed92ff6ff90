import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A server chooses what is in a body; no choice may make recognition take more than its share.
@Suite("PageStyle: work in proportion to the body", .standardTimeLimit) struct PageStyleWorkTests {
  @Test(
    "A report inside a report inside a report is read once",
    arguments: ["code", "error_code", "errors", "message", "a"])
  func nestedReports(name: String) {
    // To read each twice would take 2^60 steps.
    for depth in [60, 500] {
      let report = String(repeating: #"{"\#(name)":"#, count: depth) + "1"
      let body = #"{"items":[],"error":\#(report)\#(String(repeating: "}", count: depth))}"#
      #expect(throws: PageError.self) { try PageSample(response: body).page(.auto) }
    }
  }

  @Test("An empty report, however deep it is nested, is none")
  func nestedEmptyReports() throws {
    let report = String(repeating: "[", count: 4) + String(repeating: "]", count: 4)
    #expect(try PageSample(response: #"{"items":[],"error":\#(report)}"#).page(.auto).items.isEmpty)
  }

  @Test(
    "Many lists of errors take as long as as many other members",
    arguments: [#"[{}]"#, #"[{"id":1}]"#, #"["x"]"#], [false, true])
  func manyListsOfErrors(value: String, areInObjects: Bool) {
    func work(_ name: String) -> Duration {
      let members = (0..<trialCount(1_000)).map {
        areInObjects ? #""a\#($0)":{"\#(name)":\#(value)}"# : #""\#(name)\#($0)":\#(value)"#
      }
      let sample = PageSample(response: "{\(members.joined(separator: ","))}")
      let start = threadTime()
      _ = try? sample.page(.auto)
      return threadTime() - start
    }
    // To read the body for each would take a hundred times as long.
    #expect(work("errors") < work("tags") * 10 + .milliseconds(50))
  }

  @Test("Many offsets take as long as as many other members")
  func manyOffsets() {
    func work(_ name: String) -> Duration {
      let members = Array(repeating: #""\#(name)":2"#, count: trialCount(4_000))
        .joined(separator: ",")
      let sample = PageSample(response: #"{"items":[{}],\#(members)}"#)
      let start = threadTime()
      _ = try? sample.page(.auto)
      return threadTime() - start
    }
    // To look for a number of the next page beside each, member by member, would take thirty times as long.
    #expect(work("offset") < work("height") * 6 + .milliseconds(50))
  }

  /// Beginnings of names, each with what may be a value there.
  private static let names = [
    "more", "next", "nextPage", "next_url", "nextToken", "cursor", "offset", "total", "totalCount",
    "count", "pages", "page", "lastPage", "last", "has_more", "remaining", "pending", "scroll_id",
    "links", "meta", "paging", "data", "items", "rows", "hits", "messages", "errors", "error",
    "message", "code", "status", "ok", "queries", "pageInfo", "results", "limit", "continue",
  ]
  private static let values = [
    "0", "1", "2", #""""#, #""x""#, "null", "true", "false", "{}", "[]", "[{}]", #"{"next":0}"#,
    #"{"next":"x"}"#, #"{"code":0}"#, #"{"pages":1,"page":1}"#, #"{"rel":"self"}"#, #""2""#,
  ]

  /// A name that is the same for recognition: separators count for nothing.
  private static func spelled(_ name: String, _ number: Int) -> String {
    switch number % 3 {
    case 0: name
    case 1: name + String(number)
    default:
      name + String(repeating: "_", count: number % 40)
        + String(repeating: "-", count: number / 40 % 40)
    }
  }

  /// A step that looks at all members for each member would make it 64 times.
  @Test("Eight times the body takes about eight times as long", arguments: 0..<trialCount(12))
  func proportion(trial: Int) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let kinds = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      (
        name: random.pick(Self.names), value: random.pick(Self.values),
        isSpelled: Bool.random(using: &random)
      )
    }
    let wrapper = random.pick(["", "", "meta", "data", "links", "a"])
    let isEachWrapped = Bool.random(using: &random)
    let items = random.pick(["[]", "[{}]", "[{\"id\":1},{\"id\":2}]"])
    let list = random.pick(["items", "results", "rows", "records"])
    let isLong = random.chance(0.2)
    func body(_ count: Int) -> String {
      let members = (0..<count).map { number in
        let kind = kinds[number % kinds.count]
        let name = kind.isSpelled ? Self.spelled(kind.name, number) : kind.name
        let member = "\"\(name)\":\(kind.value)"
        return isEachWrapped && !wrapper.isEmpty ? "\"\(wrapper)\":{\(member)}" : member
      }.joined(separator: ",")
      let content = wrapper.isEmpty || isEachWrapped ? members : "\"\(wrapper)\":{\(members)}"
      // A name that is as long as all others together.
      let name = isLong ? String(repeating: "x", count: count * 8) : list
      return "{\"\(name)\":{\"\(list)\":\(items),\(content)},\(content)}"
    }
    let style = random.pick([
      PageStyle.auto, .auto, .linkHeader.items(at: JSONPath(list)), .linkHeader,
    ])
    func work(_ count: Int) -> Duration {
      let sample = PageSample(response: body(count))
      let start = threadTime()
      _ = try? sample.page(style)
      return threadTime() - start
    }
    _ = work(100)
    let (small, large) = (work(750), work(6_000))
    #expect(large < small * 24 + .milliseconds(50), "seed \(seed): \(body(6).prefix(600))")
  }
}
