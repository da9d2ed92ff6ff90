import Foundation
import Testing

@testable import Freshet

@Suite("Storing links")
struct PageLinkCodingTests {
  @Test(
    "A link comes back byte for byte",
    arguments: [
      PageLink(),
      PageLink(.follow("https://a.test/x?c=%2F+a%3d%3D==&é=\u{301}")),
      PageLink(.query("page token", "Cg==+/%2F\u{0}\"\\"), .query("gone", nil)),
      PageLink(.header("X-Next", "a\tb")),
      PageLink(.body(JSONPath(names: ["a.b", "", "é", "\\"]), JSONText(string: "\u{7}x"))),
      PageLink(.body(.root, .null), .follow(""), .query("", "")),
    ])
  func roundTrip(link: PageLink) throws {
    let stored = try JSONEncoder().encode(link)
    let back = try JSONDecoder().decode(PageLink.self, from: stored)
    #expect(back == link)
    #expect(bytes(of: back) == bytes(of: link))
  }

  @Test(
    "No coder changes a JSON value",
    arguments: [
      #"{"b":12345678901234567890,  "a" : [1.0, 1e400, "\ud800", "\u0061"]}"#, "\"\\/\"",
      "-0", "[ ]", "0.1e+05", "\"e\u{301} é\"",
    ])
  func values(text: String) throws {
    let value = try JSONText(parsing: text)
    let stored = try JSONEncoder().encode([value])
    let back = try #require(try JSONDecoder().decode([JSONText].self, from: stored).first)
    #expect(back.bytes.elementsEqual(text.utf8))
    let list = try PropertyListEncoder().encode([value])
    #expect(try PropertyListDecoder().decode([JSONText].self, from: list) == [value])
  }

  @Test("Random links come back byte for byte")
  func random() throws {
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      let edits = (0..<random.pick([1, 2, 3])).map { _ in edit(&random) }
      var link = PageLink()
      link.edits = edits
      let back = try JSONDecoder().decode(PageLink.self, from: try JSONEncoder().encode(link))
      #expect(bytes(of: back) == bytes(of: link), "seed \(seed)")
    }
  }

  @Test(
    "What is no link is refused",
    arguments: [
      "{}", #"{"edits": [{}]}"#, #"{"edits": [{"jump": "x"}]}"#,
      #"{"edits": [{"follow": "a", "header": {"name": "a", "value": "b"}}]}"#,
      #"{"edits": [{"body": {"path": ["a"], "value": "{"}}]}"#,
    ])
  func refused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PageLink.self, from: Data(text.utf8))
    }
  }

  @Test("A cursor leads from the first request to where all links on the way lead")
  func cursors() throws {
    let url = "https://a.test/list?q=1"
    let first = ResourceKey(method: .post, url: url, body: Data(#"{"n":1}"#.utf8))
    let ways: [[PageLink]] = [
      [PageLink(.query("p", "2")), PageLink(.query("p", "3"))],
      [PageLink(.query("p", "2")), PageLink(.query("o", "9"))],
      [PageLink(.query("p", "2")), PageLink(.follow("?x=3")), PageLink(.query("y", "4"))],
      [PageLink(.follow("/deep/list?x=1")), PageLink(.follow("more?x=2"))],
      [PageLink(.body("c", JSONText(int: 1))), PageLink(.body("c", JSONText(int: 2)))],
      [PageLink(.header("T", "1"), .query("p", "1")), PageLink(.header("t", "2"))],
    ]
    for way in ways {
      var key = first
      var cursor: PageLink?
      for link in way {
        cursor = link.after(cursor, responseURL: key.url)
        key = try link.applied(to: key, responseURL: key.url)
      }
      #expect(try cursor?.applied(to: first, responseURL: url) == key)
    }
    let last = PageLink(.query("p", "3")).after(PageLink(.query("p", "2")), responseURL: url)
    #expect(last == PageLink(.query("p", "3")), "what the last link undoes is left out")
    let followed = PageLink(.follow("?p=3")).after(PageLink(.query("p", "2")), responseURL: url)
    #expect(followed == PageLink(.follow("https://a.test/list?p=3")))
  }

  private func edit(_ random: inout SeededGenerator) -> PageLink.Edit {
    func text(_ random: inout SeededGenerator) -> String {
      let scalars: [Unicode.Scalar] = [
        "a", "%", "\"", "\\", "\u{0}", "\u{301}", "é", "\u{1F600}", ".",
      ]
      return (0..<random.pick([0, 1, 4])).reduce(into: "") { text, _ in
        text.unicodeScalars.append(random.pick(scalars))
      }
    }
    switch random.pick([0, 1, 2, 3]) {
    case 0: return .follow(text(&random))
    case 1: return .query(text(&random), random.chance(0.3) ? nil : text(&random))
    case 2:
      return .body(
        JSONPath(names: [text(&random), text(&random)]), JSONText(string: text(&random)))
    default: return .header(text(&random), text(&random))
    }
  }

  /// Every text in a link as bytes: `==` merges the forms of characters.
  private func bytes(of link: PageLink) -> [[UInt8]] {
    link.edits.flatMap { edit -> [[UInt8]] in
      switch edit {
      case .follow(let text): [Array(text.utf8)]
      case .query(let name, let value): [Array(name.utf8), Array((value ?? "nil").utf8)]
      case .body(let path, let value): path.names.map { Array($0.utf8) } + [Array(value.bytes)]
      case .header(let name, let value): [Array(name.utf8), Array(value.utf8)]
      }
    }
  }
}
