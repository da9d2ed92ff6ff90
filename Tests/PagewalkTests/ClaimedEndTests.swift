import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("Ends that the responses contradict or state", .standardTimeLimit)
@MainActor
struct ClaimedEndTests {
  private func walk(
    _ url: String, _ options: String..., page: @escaping @Sendable (Int) -> String
  ) async -> Session {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let query = URIQuery(url: request.url.absoluteString)
      let value = query.value(of: "page") ?? query.value(of: "offset")
      return .json(page(value.flatMap { Int($0) } ?? 1))
    }
    _ = await session.run([url, "--summary"] + options, transport: stub)
    return session
  }

  @Test(
    "A page that is certainly before the end of a list is not all of it",
    arguments: [
      ("?limit=2&offset=2", true), ("?offset=2", true), ("?page=2&limit=2", true),
      ("?offset=7", false), ("?page=4&limit=2", false), ("?page=2", false), ("?cursor=x", false),
    ])
  func laterStart(query: String, isBefore: Bool) async {
    let session = await walk(address + query) { _ in
      #"{"items":[{"id":1},{"id":2}],"count":9}"#
    }
    #expect(session.lines.count == 2)
    #expect(session.summary?["status"]?.string == (isBefore ? "incomplete" : "complete"))
    let isLast = query == "?offset=7"
    #expect(
      session.errorText.contains("although 'count' is 9") == !isLast, "\(session.errorText)")
    let parameter = query.contains("offset") ? "offset=offset" : "page=page"
    #expect(!isBefore || session.errorText.contains("perhaps --style \(parameter)"))
  }

  @Test("The offset of the first page counts with its items")
  func firstOffset() async {
    let session = await walk(address + "?offset=4", "--style", "offset=offset") { offset in
      let items = (0..<12).dropFirst(offset).prefix(4).map { #"{"id":\#($0)}"# }
      return #"{"items":[\#(items.joined(separator: ","))],"total":12}"#
    }
    #expect(session.lines.count == 8)
    #expect(!session.errorText.contains("warning"), "\(session.errorText)")
  }

  @Test("A path of a chosen style with nothing there has a warning, and a null is the end")
  func nothing() async {
    for style in ["token=paging.next,page", "url=paging.next"] {
      for (member, isNoted) in [("nx", true), ("next", false)] {
        let session = await walk(address, "--style", style) { _ in
          #"{"items":[{"id":1}],"paging":{"\#(member)":null}}"#
        }
        #expect(session.summary?["status"]?.string == "complete")
        #expect(session.errorText.contains("there is nothing at 'paging.next'") == isNoted)
      }
    }
  }

  @Test("A last page that says so, and whose link leads to it again, is printed once")
  func clamped() async {
    let session = await walk(address) { number in
      let page = min(number, 3)
      let items = #"[{"id":\#(page * 2)},{"id":\#(page * 2 + 1)}]"#
      return #"{"users":\#(items),"meta":{"has_more":\#(page < 3)},"#
        + #""links":{"next":"/items?page=\#(page + 1)"}}"#
    }
    #expect(session.lines == (2...7).map { #"{"id":\#($0)}"# })
    #expect(session.summary?["status"]?.string == "complete")
    #expect(session.summary?["pages"]?.int == 3)
    // One whose flag is wrong is followed.
    let wrong = await walk(address) { page in
      let next = page < 4 ? #""/items?page=\#(page + 1)""# : "null"
      return #"{"users":[{"id":\#(page)}],"meta":{"has_more":false},"links":{"next":\#(next)}}"#
    }
    #expect(wrong.lines.count == 4)
  }

  @Test("A null in place of a page is an empty page, and a warning")
  func null() async {
    let session = await walk(address, "--style=page=page") { $0 < 3 ? "[\($0)]" : "null" }
    #expect(session.lines == ["1", "2"] && session.summary?["status"]?.string == "complete")
    #expect(session.errorText.contains("the response is null"), "\(session.errorText)")
  }

  @Test("A link with half of an address in brackets is no link to another origin")
  func malformedHost() async {
    let session = Session()
    let stub = StubTransport()
    stub.on(.get, "/items", .json("[1]", headers: ["Link": #"<http://[bad/x>; rel="next""#]))
    _ = await session.run(address, "--summary", transport: stub)
    #expect(session.summary?["reason"]?.string == "decoding")
    #expect(!session.errorText.contains("--allow-origin"), "\(session.errorText)")
  }

  @Test("A link in a member $ref is followed")
  func reference() async {
    let session = await walk(address) { page in
      let next = page < 3 ? #"{"$ref":"\#(address)?page=\#(page + 1)"}"# : "null"
      return #"{"items":[{"id":\#(page)}],"next":\#(next)}"#
    }
    #expect(session.lines.count == 3)
    #expect(session.summary?["status"]?.string == "complete")
  }

  @Test("The token that leads forward is suggested, as CloudWatch Logs takes it")
  func forward() async {
    let body = #"{"events":[{"m":1}],"nextBackwardToken":"b/1","nextForwardToken":"f/1"}"#
    let session = await walk(address, "--method=POST", "--body={}") { _ in body }
    #expect(
      session.errorText.contains("--style 'cursor=nextForwardToken,nextToken,until repeated'"),
      "\(session.errorText)")
  }

  @Test("An item with another id in the place of one is removed and inserted")
  func otherItem() throws {
    func lines(_ old: String, _ new: String) throws -> [String] {
      let parse = { (text: String) in try JSONText(parsing: text).elements ?? [] }
      return ItemChange.changes(from: try parse(old), to: try parse(new)).map(\.line)
    }
    #expect(
      try lines(#"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":1},{"id":9},{"id":3}]"#)
        == [#"- {"id":2}"#, #"+ {"id":9}"#])
    #expect(try lines(#"[{"id":1,"a":1}]"#, #"[{"id":1,"a":2}]"#) == [#"~ {"id":1,"a":2}"#])
  }
}
