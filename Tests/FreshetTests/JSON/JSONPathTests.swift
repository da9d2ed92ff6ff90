import Testing

@testable import Freshet

@Suite("JSONPath") struct JSONPathTests {
  private let document = """
    {"a":{"b":{"c":1},"b.c":2},"x":{"y.z":3},"@odata.nextLink":"link","@odata":{"count":4},
     "hits":{"hits":[{"sort":[1]},{"sort":[2,"b"]}]},"0":"zero","back\\\\slash":5,"n":null,"":{"":6}}
    """

  @Test(
    "A path finds what it names",
    arguments: [
      ("a.b.c", "2"), (#"a.b\.c"#, "2"), ("x.y.z", "3"), ("@odata.nextLink", #""link""#),
      ("@odata.count", "4"), ("hits.hits.0.sort.0", "1"), ("hits.hits.-1.sort", #"[2,"b"]"#),
      ("hits.hits.-2.sort.-1", "1"), ("0", #""zero""#), (#"back\slash"#, "5"),
      (#"back\\slash"#, "5"),
      ("n", "null"), (".", "6"), ("a.b", #"{"c":1}"#),
    ])
  func found(path: String, value: String) throws {
    #expect(try JSONText(parsing: document)[at: JSONPath(path)]?.description == value)
  }

  @Test(
    "A path that leads nowhere finds nothing",
    arguments: [
      "b", "a.c", "a.b.c.d", "hits.hits.2", "hits.hits.-3", "hits.hits.sort", "hits.hits.1x", "n.a",
      "@odata.nextLink.x", "", #"a\.b"#,
    ])
  func notFound(path: String) throws {
    guard !path.isEmpty else { return }
    #expect(try JSONText(parsing: document)[at: JSONPath(path)] == nil)
  }

  @Test("The empty path is the value itself")
  func root() throws {
    let text = try JSONText(parsing: document)
    #expect(text[at: JSONPath("")] == text)
    #expect(JSONPath("") == .root)
  }

  @Test("The longest name that exists wins, and there is no way back from it")
  func longestName() throws {
    let text = try JSONText(parsing: #"{"a":{"b":{"c":1}},"a.b":{"d":2},"a.b.x":{}}"#)
    #expect(text[at: "a.b.d"]?.int == 2)
    #expect(text[at: "a.b.c"] == nil)
  }

  @Test(
    "Every path is written back as it was read",
    arguments: [
      "", "a", "a.b", #"a\.b.c"#, "a..b", ".", "-1", "é.x", #"@odata\.nextLink"#, #"a\\b"#,
    ])
  func lossless(path: String) {
    #expect(JSONPath(path).description == path)
  }

  @Test("Random names survive being written and read", arguments: 0..<4)
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let names = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (0..<Int.random(in: 1...5, using: &random)).map { _ in
          random.pick(["a", ".", "\\", "é", "0"])
        }
        .joined()
      }
      #expect(JSONPath(JSONPath(names: names).description).names == names, "seed \(seed)")
    }
  }
}
