import Foundation
import Testing

@testable import Freshet

/// Rewriting documents without touching what is not meant.
@Suite("JSONText: editing") struct JSONTextEditTests {
  @Test(
    "A value is set at a path and everything else keeps its bytes",
    arguments: [
      (#"{ "b" : 1.0, "a":"\u0061" }"#, "b", "2", #"{ "b" : 2, "a":"\u0061" }"#),
      (#"{ "b" : 1.0 }"#, "a", "2", #"{ "b" : 1.0,"a":2 }"#),
      ("{ }", "a", "2", #"{"a":2 }"#),
      (
        #"{"query":"{}"}"#, "variables.after", #""x""#, #"{"query":"{}","variables":{"after":"x"}}"#
      ),
      (#"{"variables":null}"#, "variables.after", "1", #"{"variables":{"after":1}}"#),
      (#"{"v":{"a":[1, 2],"b":3}}"#, "v.a.-1", "{}", #"{"v":{"a":[1, {}],"b":3}}"#),
      (#"{"a.b":1}"#, "a.b", "2", #"{"a.b":2}"#),
      ("{}", #"a\.b.c"#, "2", #"{"a.b":{"c":2}}"#),
      (#"{"a":1,"a":2}"#, "a", "3", #"{"a":3,"a":2}"#),
      ("[1]", "", "12345678901234567890", "12345678901234567890"),
      ("null", "a", "1", #"{"a":1}"#),
    ])
  func setting(document: String, path: String, value: String, result: String) throws {
    let edited = try JSONText(parsing: document)
      .setting(JSONPath(path), to: JSONText(parsing: value))
    #expect(edited.description == result)
  }

  @Test(
    "A path through a value that holds nothing is refused",
    arguments: [
      (#"{"a":1}"#, "a.b", "a", .number), (#"{"a":{"b":""}}"#, "a.b.c.d", "a.b", .string),
      ("[1]", "1", "", .array), (#"{"a":[]}"#, "a.x", "a", .array), ("true", "a", "", .bool),
    ] as [(String, String, String, JSONText.Kind)])
  func refused(document: String, path: String, at: String, kind: JSONText.Kind) throws {
    let text = try JSONText(parsing: document)
    #expect(throws: JSONText.EditError.noContainer(JSONPath(at), kind)) {
      try text.setting(JSONPath(path), to: .null)
    }
  }

  @Test("A result that would nest too deep is refused")
  func tooDeep() throws {
    let path = JSONPath(names: Array(repeating: "a", count: 512))
    let deepest = try JSONText(parsing: "{}").setting(path, to: .null)
    #expect(deepest[at: path] == .null)
    #expect(throws: JSONText.EditError.tooDeep(path)) {
      try JSONText(parsing: "{}").setting(path, to: JSONText(parsing: "[]"))
    }
  }

  @Test("Compacting removes white space between tokens and nothing else")
  func compact() throws {
    let text = try JSONText(parsing: "{ \"a b\" : [ 1.0 ,\n\t\"\\u0020 \\\" \" ] , \"c\":{ } }")
    #expect(text.compact.description == #"{"a b":[1.0,"\u0020 \" "],"c":{}}"#)
    #expect(text.compact.compact == text.compact)
  }

  @Test("Random documents survive compacting and editing", arguments: 0..<8)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<trialCount(400) {
      let text = try JSONText(parsing: RandomJSON.value(depth: 4, using: &random))
      #expect(try JSONText(parsing: text.compact.bytes) == text.compact)
      #expect(text.compact.compact == text.compact)

      let document = try JSONText(parsing: "{\"first\":\(text), \"last\":\(text)}")
      let edited = try document.setting("new.value", to: text)
      #expect(
        edited.description == "{\"first\":\(text), \"last\":\(text),\"new\":{\"value\":\(text)}}")
      #expect(try edited.setting("first", to: .null)["last"] == text, "seed \(seed)")
    }
  }

  @Test("A million members or levels of containers take linear time", .standardTimeLimit)
  func hostileSizes() throws {
    let wide = "{" + (0..<300_000).map { "\"\($0)\":[]" }.joined(separator: ",") + "}"
    #expect(try JSONText(parsing: wide).compact.bytes.count == wide.utf8.count)
    let tower = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)
    let towers = "[" + Array(repeating: tower, count: 1_000).joined(separator: ",") + "]"
    let text = try JSONText(parsing: towers)
    #expect(text.compact == text)
    #expect(text.elements?.count == 1_000)
    let quotes = "\"" + String(repeating: "\\\"", count: 1_000_000) + "\""
    #expect(try JSONText(parsing: quotes).string?.utf8.count == 1_000_000)
  }
}
