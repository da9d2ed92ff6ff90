import Foundation
import Testing

@testable import Freshet

@Suite("Link header")
struct LinkHeaderTests {
  private let page = "https://api.example.com/v1/items?page=1"

  private func next(_ fields: String...) -> String? {
    LinkHeader(fields).target(of: "next", from: page)
  }

  @Test("The next page is found among the links of several lines")
  func nextAmongLines() {
    #expect(
      next("</a>; rel=prev, </b>; rel=last", "<items?page=2>; rel=\"next\"")
        == "https://api.example.com/v1/items?page=2")
    #expect(next() == nil)
    #expect(next("", ",, ,") == nil)
  }

  @Test("Relation types are words in any case")
  func relationsAreWords() {
    let header = LinkHeader(["<a>; REL=\"start  Next\thttp://Example.com/Rel\""])
    #expect(header.links.first?.relations == ["start", "next", "http://example.com/rel"])
    #expect(header.target(of: "NEXT", from: page) == "https://api.example.com/v1/a")
    #expect(next("<a>; rel=\"nextish not-next\"") == nil)
  }

  @Test("Commas and semicolons inside a target or quotes separate nothing")
  func delimitersInside() {
    #expect(
      next("</x?ids=1,2;3>; title=\"a, <b>; rel=prev\"; rel=next")
        == "https://api.example.com/x?ids=1,2;3")
  }

  @Test("Only the first rel counts, and no rel means no relation")
  func firstRelCounts() {
    #expect(next("<a>; rel=prev; rel=next") == nil)
    #expect(next("<a>; rel=next; rel=prev") == "https://api.example.com/v1/a")
    #expect(next("<a>; rev=next") == nil)
    #expect(next("<a>; rel") == nil)
  }

  @Test("A link with an anchor is about that resource only")
  func anchorIsRespected() {
    #expect(next("<a>; rel=next; anchor=\"#part\"") == nil)
    #expect(
      next("<a>; rel=next; anchor=\"/other\", <b>; rel=next") == "https://api.example.com/v1/b")
    #expect(next("<a>; rel=next; anchor=\"\"") == "https://api.example.com/v1/a")
    #expect(next("<a>; rel=next; anchor=\"?page=1\"") == "https://api.example.com/v1/a")
    let header = LinkHeader(["<a>; rel=next; anchor=\"\""])
    #expect(header.target(of: "next", from: page + "#f") == "https://api.example.com/v1/a")
  }

  @Test("An empty target is the resource itself")
  func emptyTarget() {
    #expect(next("<>; rel=next") == page)
  }

  @Test("Parameters keep their order, and a subscript gives the first of a name")
  func parametersAreKept() throws {
    let link = try #require(
      LinkHeader(["<a>;HrefLang=en; hreflang=de;crossorigin; type=text/html ;t=\"x\\\"\\\\y\""])
        .links.first)
    #expect(link.parameters.map(\.name) == ["hreflang", "hreflang", "crossorigin", "type", "t"])
    #expect(link.parameters.map(\.value) == ["en", "de", "", "text/html", "x\"\\y"])
    #expect(link["HREFLANG"] == "en")
    #expect(link["rel"] == nil)
  }

  @Test(
    "The title is the extended one where that can be read",
    arguments: [
      ("title=a; title*=UTF-8'en'%e2%82%ac%20rates", "€ rates"), ("title*=utf-8''a; title=b", "a"),
      ("title*=iso-8859-1''%E4", "ä"), ("title=a; title*=UTF-8''%ff", "a"),
      ("title*=UTF-8''%", nil),
      ("title=a; title*=gb2312''%C6", "a"), ("title=a; title*=nonsense", "a"),
      ("title=a; title=b", "a"), ("title*=UTF-8''a%20b*", nil), ("x=y", nil),
    ])
  func titleIsChosen(parameters: String, title: String?) {
    #expect(LinkHeader(["<a>; \(parameters)"]).links.first?.title == title)
  }

  @Test(
    "A malformed element is dropped and reading continues",
    arguments: [
      "garbage, <b>; rel=next", "garbage; t=\"x,y\", <b>; rel=next",
      "<a> x; rel=next, <b>; rel=next",
      "<b>; title = two words; rel=next", "<b>;=x;; rel=next", "<b>; rel=next; t*=UTF-8''x\"",
      "<b>; rel=; rel=next", "<  b\t>; rel=next", "<a\u{1}>; rel=next, <b>; rel=next",
      "<b>; t='it is\\' fine'; rel=next", "<b>; rel=next;",
    ])
  func malformedIsDropped(field: String) {
    #expect(next(field) == "https://api.example.com/v1/b")
  }

  @Test("What does not end takes its line with it, and no other")
  func endlessTakesItsLine() {
    #expect(
      next("<a>; rel=next; title=\"open, <c>; rel=next", "<b>; rel=next")
        == "https://api.example.com/v1/b")
    #expect(next("<a; rel=next", "<b>; rel=next") == "https://api.example.com/v1/b")
  }

  @Test(
    "Long runs of one piece are read to the end", .standardTimeLimit,
    arguments: [
      ("", "<", "", nil), ("", ",", "<b>; rel=next", "b"), ("<b>", ";", "rel=next", "b"),
      ("<b>; t=\"", "\\\"", "\"; rel=next", "b"), ("<b>; t=\"", "\\\"", "", nil),
      ("<b>; rel=next", "; x\"", "", "b"), ("<b>; rel=\"", "x ", "next\"", "b"),
    ] as [(String, String, String, String?)])
  func longRuns(prefix: String, unit: String, suffix: String, target: String?) {
    let field = prefix + String(repeating: unit, count: 20_000) + suffix
    #expect(LinkHeader([field]).link(for: "next", from: page)?.target == target)
  }

  @Test("A line with quotes that do not end is read in time that grows with its length only")
  func unclosedQuotesAreLinear() {
    func time(_ unit: String) -> Duration {
      let field = "x" + String(repeating: unit, count: 60_000) + ", <b>; rel=next"
      // The time that this thread has worked: on a busy machine others take most of the time that
      // passes.
      let start = threadTime()
      #expect(next(field) == "https://api.example.com/v1/b")
      return threadTime() - start
    }
    // Each escaped quote might start a search for its end, through all of the line.
    #expect(time("\\\"") < time("xx") * 100)
  }

  @Test("Line breaks are no white space")
  func lineBreaksAreRefused() {
    #expect(next("<a>;\r\n rel=next") == nil)
    #expect(next("<a\r\n b>; rel=next") == nil)
  }

  @Test(
    "Printed links read back equal, however they are spaced and quoted",
    arguments: [1, 2, 3] as [UInt64])
  func printedLinksReadBack(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<1_000 {
      let links = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.link() }
      let fields = random.print(links)
      #expect(LinkHeader(fields).links == links, "seed \(seed) round \(round): \(fields)")
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func link() -> LinkHeader.Link {
    let names = ["rel", "anchor", "title", "title*", "hreflang", "x-1"]
    let parameters = (0..<Int.random(in: 0...4, using: &self)).map { _ in
      LinkHeader.Parameter(name: pick(names), value: text("abN1 \t,;=<>\"\\'%é#/"))
    }
    return LinkHeader.Link(target: text("ab/?&=,;<\"'%é#:"), parameters: parameters)
  }

  private mutating func text(_ characters: String) -> String {
    String((0..<Int.random(in: 0...6, using: &self)).map { _ in pick(characters) })
  }

  fileprivate mutating func print(_ links: [LinkHeader.Link]) -> [String] {
    var fields = [""]
    for link in links {
      if chance(0.3) { fields.append("") }
      var element = space() + "<" + space() + link.target + space() + ">"
      for parameter in link.parameters {
        element += space() + (chance(0.1) ? ";" : "") + ";" + space()
        element += chance(0.5) ? parameter.name : parameter.name.uppercased()
        let isToken = parameter.value.utf8.allSatisfy(\.isTokenCharacter)
        if parameter.value.isEmpty && chance(0.5) { continue }
        element += space() + "=" + space()
        element +=
          isToken && !parameter.value.isEmpty && chance(0.5)
          ? parameter.value : quote(parameter.value)
      }
      fields[fields.count - 1] += element + space() + (chance(0.1) ? ";" : "") + ","
    }
    return fields
  }

  private mutating func space() -> String { pick(["", "", " ", "\t "]) }

  private mutating func quote(_ value: String) -> String {
    "\"" + value.map { "\"\\".contains($0) || chance(0.1) ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}
