import Foundation
import Testing

@testable import Freshet

/// Reading values and moving about inside them.
@Suite("JSONText: values") struct JSONTextValueTests {
  @Test("A value knows its kind")
  func kinds() throws {
    let text = try JSONText(parsing: #"[{},[],"",-1,2,true,false,null]"#)
    #expect(
      text.elements?.map(\.kind) == [
        .object, .array, .string, .number, .number, .bool, .bool, .null,
      ])
    #expect(text.kind == .array)
  }

  @Test("Elements keep their bytes and share the storage of the whole")
  func elements() throws {
    let document = #" [ 12345678901234567890, 1e400 ,0.1,1.0, "\u0061" , { "a" : 1 } ] "#
    let text = try JSONText(parsing: document)
    #expect(
      text.elements?.map(\.description) == [
        "12345678901234567890", "1e400", "0.1", "1.0", #""\u0061""#, #"{ "a" : 1 }"#,
      ])
    #expect(text["a"] == nil)
    #expect(try JSONText(parsing: "{}").elements == nil)
    #expect(try JSONText(parsing: "[ ]").elements == [])
  }

  @Test(
    "A string is decoded with all escapes of JSON",
    arguments: [
      (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"), (#""\u00e9""#, "é"),
      (#""\uD834\uDD1E!""#, "𝄞!"), (#""\u0000""#, "\0"), (#""é𝄞""#, "é𝄞"),
      (#""\\u0061""#, "\\u0061"),
    ])
  func strings(literal: String, value: String) throws {
    let string = try #require(try JSONText(parsing: literal).string)
    #expect(Array(string.utf8) == Array(value.utf8))
    #expect(try JSONText(parsing: JSONText(string: value).description).string == value)
  }

  @Test(
    "A string with half of a surrogate pair has no decoded value",
    arguments: [
      #""\ud834""#, #""\udd1e\ud834""#, #""\ud834\u0061""#, #""\ud834\\udd1e""#, #""\ud834x""#,
    ])
  func loneSurrogates(literal: String) throws {
    #expect(try JSONText(parsing: literal).string == nil)
  }

  @Test("Only numbers that are written as integers and fit are integers")
  func integers() throws {
    let text = try JSONText(
      parsing: "[0,-0,9223372036854775807,-9223372036854775808,9223372036854775808,1.0,1e2,\"1\"]")
    #expect(text.elements?.map(\.int) == [0, 0, .max, .min, nil, nil, nil, nil])
    #expect(JSONText(int: -5).int == -5)
  }

  @Test("Numbers within the range of a Double are read, rounded to the closest")
  func doubles() throws {
    let text = try JSONText(parsing: "[0,-1.5,1e2,9223372036854775807,1e-400,1e400,\"1\",true]")
    #expect(text.elements?.map(\.double) == [0, -1.5, 100, 0x1p63, 0, nil, nil, nil])
  }

  @Test("Booleans are read, and nothing else is taken for one")
  func booleans() throws {
    let text = try JSONText(parsing: #"[true,false,null,0,1,"true",{}]"#)
    #expect(text.elements?.map(\.bool) == [true, false, nil, nil, nil, nil, nil])
  }

  @Test("Member names are compared by their decoded bytes")
  func memberNames() throws {
    let text = try JSONText(
      parsing: "{\"\\u0061\\/\":1,\"\u{E9}\":2,\"e\u{301}\":3,\"\":4,\"\\ud800\":5}")
    #expect(text["a/"]?.int == 1)
    #expect(text["\u{E9}"]?.int == 2)
    #expect(text["e\u{301}"]?.int == 3)
    #expect(text[""]?.int == 4)
    #expect(text["\u{FFFD}"] == nil)
    #expect(text.members?.map(\.value.int) == [1, 2, 3, 4])
  }

  @Test("Of members with the same name the first one counts, as with JSONDecoder")
  func duplicates() throws {
    let text = try JSONText(parsing: #"{"a":1,"\u0061":2,"a":3}"#)
    #expect(text["a"]?.int == 1)
    #expect(try text.decode([String: Int].self) == ["a": 1])
  }

  @Test("A part of a document decodes as any other JSON does")
  func decoding() throws {
    struct Item: Decodable, Equatable {
      var id: UInt64
      var name: String?
    }
    let text = try JSONText(
      parsing: #"{"n":{"items":[{"id":18446744073709551615,"name":"\u00e9"},{"id":1}]}}"#)
    let items = try #require(text[at: "n.items"])
    #expect(try items.decode([Item].self) == [Item(id: .max, name: "é"), Item(id: 1)])
    #expect(try items.elements?.last?.decode(Item.self) == Item(id: 1))
    #expect(throws: DecodingError.self) { try items.decode([String].self) }
  }

  @Test("A value is encoded with sorted keys, and not at all if it has no JSON")
  func encoding() throws {
    let value = ["b": "/", "a": "é", "c": "1", "d": "2"]
    #expect(try JSONText(encoding: value).description == #"{"a":"é","b":"/","c":"1","d":"2"}"#)
    let date = Date(timeIntervalSince1970: 0)
    #expect(try JSONText(encoding: [date]).description == #"["1970-01-01T00:00:00Z"]"#)
    let seconds = try JSONText(encoding: [date]) { $0.dateEncodingStrategy = .secondsSince1970 }
    #expect(seconds.description == "[0]")
    #expect(throws: EncodingError.self) { try JSONText(encoding: [Double.nan]) }
    let text = try JSONText(parsing: #"{"b": 1, "a": 2}"#)
    #expect(try JSONText(encoding: text) == text)
  }

  @Test("A detached value has storage of its own and is equal")
  func detached() throws {
    let text = try JSONText(parsing: #"["a long enough string not to be inlined", 1]"#)
    let element = try #require(text.elements?.first)
    #expect(element.bytes.startIndex > 0)
    #expect(element.detached() == element)
    #expect(element.detached().bytes.startIndex == 0)
  }

  @Test("Random documents read the same as through JSONSerialization", arguments: 0..<8)
  func reference(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let document = RandomJSON.value(depth: 4, using: &random)
      let text = try JSONText(parsing: document)
      let reference = try JSONSerialization.jsonObject(
        with: Data(document.utf8), options: .fragmentsAllowed)
      #expect(agrees(text, reference), "seed \(seed): \(document)")
    }
  }

  /// Whether two readings of a document are the same; numbers are left to the other tests.
  private func agrees(_ text: JSONText, _ reference: Any) -> Bool {
    switch text.kind {
    case .object:
      guard let members = text.members, let reference = reference as? [String: Any] else {
        return false
      }
      // JSONSerialization merges names that are canonically equivalent; look at unequivocal ones.
      return Dictionary(grouping: members, by: \.name).allSatisfy { name, members in
        members.count > 1 || reference[name].map { agrees(members[0].value, $0) } ?? false
      }
    case .array:
      guard let elements = text.elements, let reference = reference as? [Any] else { return false }
      return elements.count == reference.count && zip(elements, reference).allSatisfy(agrees)
    case .string:
      return text.string.map { Array($0.utf8) } == (reference as? String).map { Array($0.utf8) }
    case .bool: return text.bool == (reference as? Bool)
    case .null: return reference is NSNull
    case .number: return reference is NSNumber
    }
  }
}
