import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("A server that ignores the page number or the token", .standardTimeLimit)
@MainActor
struct RepetitionTests {
  /// A walk along pages that a closure makes of their number, from 1.
  private func walk(
    _ style: String = "page=page", _ options: String..., page: @escaping @Sendable (Int) -> String
  ) async -> Session {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let query = URIQuery(url: request.url.absoluteString)
      let number = query.value(of: "page").flatMap { Int($0) } ?? 1
      return .json(page(number))
    }
    _ = await session.run(
      [address, "--style", style, "--summary", "--max-pages=20"] + options, transport: stub)
    return session
  }

  @Test("It is a loop, after three equal pages", arguments: ["page=page", "offset=o"])
  func ignored(style: String) async {
    let session = await walk(style) { _ in #"{"items": [{"id": 1}, {"id": 2}]}"# }
    #expect(session.summary?["reason"]?.string == "loop")
    #expect(session.summary?["pages"]?.int == 3)
    // The next one may be under way already.
    #expect(session.summary?["requests"]?.int ?? 0 <= 4)
    #expect(session.lines.count == 2)
    #expect(session.errorText.contains("page 3: it has the same items as the two pages before it"))
    #expect(session.errorText.contains("correct --style"))
  }

  @Test("Also with --id, which leaves out the copies, and where only the last pages are equal")
  func corners() async {
    let identified = await walk("page=page", "--id", "id") { _ in #"[{"id": 1}]"# }
    #expect(identified.lines == [#"{"id":1}"#])
    #expect(identified.summary?["reason"]?.string == "loop")
    let clamped = await walk { #"[{"id": \#(min($0, 5))}]"# }
    #expect(clamped.summary?["reason"]?.string == "loop")
    #expect(clamped.summary?["pages"]?.int == 7)
  }

  @Test("A list that begins again is a loop, after as many pages as may be empty")
  func wrapped() async {
    let session = await walk("page=page", "--id=id", "--max-empty-pages=5") {
      #"{"items": [{"id": \#($0 % 3)}, {"id": \#(10 + $0 % 2)}]}"#
    }
    #expect(session.summary?["reason"]?.string == "loop", "\(session.errorText)")
    // The pages from the fourth on.
    #expect(session.summary?["pages"]?.int == 8)
    #expect(session.lines.count == 5)
    #expect(
      session.errorText.contains(
        "pages 4 to 8 have only items of earlier pages, as if the list had begun again"))
    #expect(session.errorText.contains("--max-empty-pages"))
  }

  @Test("Other items of known identities are none: the identity is coarse")
  func coarse() async {
    let session = await walk("page=page", "--id=repository.id", "--max-empty-pages=3") {
      $0 < 9 ? #"[{"repository": {"id": 1}, "event": \#($0)}]"# : "[]"
    }
    #expect(session.summary?["status"]?.string == "complete", "\(session.errorText)")
    #expect(session.summary?["duplicates"]?.int == 7)
    #expect(session.lines.count == 1)
  }

  @Test("New items between such pages, or an end after them, make it none")
  func renewed() async {
    let renewed = await walk("page=page", "--id=id", "--max-empty-pages=4") {
      $0 < 13 ? #"[{"id": \#($0 % 4 == 0 ? $0 : $0 % 2)}]"# : "[]"
    }
    #expect(renewed.summary?["status"]?.string == "complete", "\(renewed.errorText)")
    #expect(renewed.lines.count == 5)
    let ended = await walk("url=next", "--id=id", "--max-empty-pages=3") {
      #"{"items": [{"id": 1}], "next": \#($0 < 4 ? "\"?page=\($0 + 1)\"" : "null")}"#
    }
    #expect(ended.summary?["status"]?.string == "complete", "\(ended.errorText)")
  }

  @Test(
    "A last page that comes for each later number ends the list, where it is short or all is loaded",
    arguments: ["", #","total":5"#], [[2, 2, 1], [2, 2, 2]])
  func lastPageAgain(total: String, sizes: [Int]) async {
    let session = await walk { number in
      let page = min(number, sizes.count)
      let first = sizes[..<(page - 1)].reduce(0, +)
      let items = (first..<first + sizes[page - 1]).map { #"{"id":\#($0)}"# }
      return #"{"items":[\#(items.joined(separator: ","))]\#(total)}"#
    }
    let isKnown = sizes.last == 1 || !total.isEmpty
    #expect(session.summary?["status"]?.string == (isKnown ? "complete" : "incomplete"))
    // Each item once in any case.
    #expect(
      session.lines.count == sizes.reduce(0, +) && Set(session.lines).count == session.lines.count)
    #expect(session.errorText.contains(isKnown ? "the list ends there" : "the list may be whole"))
    if isKnown { #expect(session.summary?["pages"]?.int == 3) }
  }

  @Test("A refresh of such a list asks for its pages, and finds its end again where it has grown")
  func refreshedAgain() async {
    for grown in [5, 6, 9] {
      let count = Locked(0)
      let session = await walk("page=page", "--refresh", "1") { number in
        let total = count.next() < 6 ? 5 : grown
        let page = min(number, (total + 1) / 2)
        let items = (page * 2 - 2..<min(page * 2, total)).map { #"{"id":\#($0)}"# }
        return #"{"items":[\#(items.joined(separator: ","))],"total":\#(total)}"#
      }
      #expect(session.lines == (0..<grown).map { #"{"id":\#($0)}"# }, "\(session.errorText)")
      #expect(session.summary?["status"]?.string == "complete")
      #expect(session.errorLines.count { $0.hasPrefix("+") } == grown - 5)
    }
  }

  @Test("Two equal pages are none, nor are equal values without members, nor other styles")
  func others() async {
    let moved = await walk { $0 < 9 ? #"[{"id": \#($0 / 2)}]"# : "[]" }
    #expect(moved.summary?["status"]?.string == "complete")
    #expect(moved.lines.count == 8)
    let values = await walk { $0 < 9 ? "[0, 0]" : "[]" }
    #expect(values.summary?["status"]?.string == "complete")
    let linked = await walk("url=next") {
      #"{"items": [{"id": 1}], "next": \#($0 < 9 ? "\"?page=\($0 + 1)\"" : "null")}"#
    }
    #expect(linked.summary?["status"]?.string == "complete")
  }

  @Test("A token that the server ignores is an error before a page is printed twice")
  func ignoredToken() async {
    for (style, token) in [
      ("auto", "next_page_token"), ("token=next,cursor", "next"),
    ] {
      let count = Locked(0)
      let session = await walk(style) { _ in
        let number = count.next()
        return #"{"items": [{"id": 1}, {"id": 2}], "\#(token)": "t\#(number)"}"#
      }
      #expect(session.lines == [#"{"id":1}"#, #"{"id":2}"#])
      #expect(session.summary?["reason"]?.string == "loop")
      #expect(session.summary?["items"]?.int == 2)
      #expect(session.errorText.contains("page 2: it has the same items as the page before it"))
      let name = style == "auto" ? "token=next_page_token,page_token" : style
      #expect(session.errorText.contains("what --style \(name) sends; name the parameter"))
    }
  }

  @Test("The style that is named where the last item comes again ends the list there")
  func lastItemAgain() async {
    let stub = StubTransport()
    stub.on(where: { _ in true }) { request in
      let until = URIQuery(url: request.url.absoluteString).value(of: "until")
      let last = until.flatMap { Int($0) } ?? 5
      let items = (max(1, last - 2)...last).reversed().map { #"{"id":\#($0)}"# }
      return .json("[\(items.joined(separator: ","))]")
    }
    let (session, second) = (Session(), Session())
    #expect(await session.run(address, "--style", "last=id,until", transport: stub) == .incomplete)
    let style = "last=id,until,until repeated"
    #expect(session.errorText.contains("--style '\(style)'"), "\(session.errorText)")
    let status = await second.run(address, "--id=id", "--style", style, transport: stub)
    #expect(status == .complete, "\(second.errorText)")
    #expect(second.lines == (1...5).reversed().map { #"{"id":\#($0)}"# })
  }

  @Test("Two equal pages of one token are none where their items have no identity")
  func equalValues() async {
    let count = Locked(0)
    for items in [#"[{"v": 0}]"#, #"[{"v": 0}, {"v": 0}]"#, "[1, 2]"] {
      count.withLock { $0 = 0 }
      let session = await walk("token=next,cursor") { _ in
        let number = count.next()
        return #"{"items": \#(items), "next": \#(number < 2 ? "\"t\"" : "null")}"#
      }
      #expect(session.summary?["status"]?.string == "complete")
    }
  }
}
