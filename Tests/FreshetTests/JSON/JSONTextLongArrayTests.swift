import Foundation
import Testing

@testable import Freshet

/// A parsed document knows where its long arrays are, and searches pass them.
@Suite("JSONText: long arrays") struct JSONTextLongArrayTests {
  @Test(
    "The long arrays of a document that are in no other array are noted, where its value begins")
  func noted() throws {
    let long = "[" + Array(repeating: "[1,2]", count: 100).joined(separator: ",") + "]"
    let value = #"{"a":\#(long),"b":{"c":[1],"d":\#(long)},"e":{}}"#
    let document = try JSONText(parsing: "\u{FEFF} \n\(value)\n")
    let noted = document.longArrays.map { document[valid: $0].description }
    #expect(noted == [long, long])
    #expect(document["b"]?.longArrays.isEmpty == true)
    #expect(document["e"]?.kind == .object)
  }

  @Test("Searching a parsed document finds what searching its bytes does", arguments: 0..<30)
  func searched(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<trialCount(5) {
      let text = Self.document(depth: 3, using: &random)
      let document = try JSONText(parsing: RandomJSON.space(using: &random) + text)
      let bytes = JSONText(valid: document.bytes)
      #expect(bytes.longArrays.isEmpty)
      // Some of all: each search reads what is before the value, twice.
      for (path, value) in Self.values(in: bytes, at: .root).shuffled(using: &random).prefix(40) {
        #expect(document[at: path] == bytes[at: path], "seed \(seed): \(path) in \(text)")
        guard path != .root, value.kind == .array, bytes[at: path]?.bytes == value.bytes,
          let found = document[at: path]
        else { continue }
        #expect(
          try document.emptying(found) == document.setting(path, to: .emptyArray),
          "seed \(seed): \(path) in \(text)")
      }
      #expect(document[at: "missing.0"] == nil)
      #expect(document.members?.map(\.value) == bytes.members?.map(\.value))
      #expect(document.elements == bytes.elements)
    }
  }

  /// An object with arrays around the length from which they are noted, some inside others.
  private static func document(depth: Int, using random: inout SeededGenerator) -> String {
    let members = (0..<Int.random(in: 1...4, using: &random)).map { index -> String in
      let name = random.pick(["items", "data", "a.b", "a", "b", "\(index)"])
      let value: String
      switch Int.random(in: 0..<(depth > 0 ? 4 : 2), using: &random) {
      case 0: value = RandomJSON.value(depth: 2, using: &random)
      case 1:
        let elements = (0..<Int.random(in: 0...60, using: &random)).map { _ in
          RandomJSON.value(depth: 1, using: &random)
        }
        value = "[" + elements.joined(separator: ",") + "]"
      case 2: value = "[" + document(depth: depth - 1, using: &random) + "]"
      default: value = document(depth: depth - 1, using: &random)
      }
      return "\"\(name)\":" + RandomJSON.space(using: &random) + value
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// All values of a document that members and indices lead to.
  private static func values(in value: JSONText, at path: JSONPath) -> [(JSONPath, JSONText)] {
    let parts =
      value.members.map { $0.map { (path.appending($0.name), $0.value) } }
      ?? value.elements.map { elements in
        elements.enumerated().map { (path.appending("\($0)"), $1) }
      } ?? []
    return [(path, value)] + parts.flatMap { values(in: $1, at: $0) }
  }
}
