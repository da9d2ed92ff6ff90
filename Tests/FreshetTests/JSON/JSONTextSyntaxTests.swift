import Foundation
import Testing

@testable import Freshet

/// The grammar: what is JSON, what is not, and where it stops being so.
@Suite("JSONText: syntax") struct JSONTextSyntaxTests {
  @Test(
    "Documents that RFC 8259 allows are accepted and kept to the letter",
    arguments: [
      "null", "true", "false", "0", "-0", "1", "-1", "12345678901234567890", "1e400", "0.1", "1.0",
      "1E+2", "1e-2", "-0.0", "123.456e78", "20e1", #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#,
      #""\u0041\uD834\uDD1E\uD800""#, "\"\u{7F}\"", "\"é€𝄞\u{10FFFF}\"", #""\\""#, "[]", "[[]]",
      "{}", "[1,2,3]", #"{"":0}"#, #"{"a":1,"a":2}"#, #"{"a":{"b":[{},[],null]}}"#, "[ 1 , 2 ]",
      "{ \"a\" :\t1\r\n}", "\"\u{2028}\u{FEFF}\"", #"["]","}","{"]"#,
    ])
  func accepted(document: String) throws {
    let text = try JSONText(parsing: document)
    #expect(Array(text.description.utf8) == Array(document.utf8))
    let padded = try JSONText(parsing: "\u{FEFF} \n\t\r\(document)\r\n ")
    #expect(padded == text)
  }

  @Test(
    "Documents that RFC 8259 forbids are refused at the byte where they go wrong",
    arguments: [
      ("", 0, .value), (" ", 1, .value), ("nul", 0, .value), ("nulL", 0, .value),
      ("True", 0, .value), ("NaN", 0, .value), ("-Infinity", 1, .digit), ("+1", 0, .value),
      ("-", 1, .digit), ("01", 1, .endOfDocument), ("-01", 2, .endOfDocument), ("1.", 2, .digit),
      (".5", 0, .value), ("1e", 2, .digit), ("1e+", 3, .digit), ("0x1", 1, .endOfDocument),
      ("1 2", 2, .endOfDocument), ("[", 1, .value), ("[1", 2, .commaOrBracket),
      ("[1,]", 3, .value), ("[,1]", 1, .value), ("[1 2]", 3, .commaOrBracket),
      ("[1}", 2, .commaOrBracket), ("]", 0, .value), ("[]]", 2, .endOfDocument),
      ("{", 1, .memberName), ("{a:1}", 1, .memberName), ("{'a':1}", 1, .memberName),
      (#"{"a"}"#, 4, .colon), (#"{"a" 1}"#, 5, .colon), (#"{"a":}"#, 5, .value),
      (#"{"a":1,}"#, 7, .memberName), (#"{"a":1 "b":2}"#, 7, .commaOrBrace),
      (#"{"a":1]"#, 6, .commaOrBrace), (#"{"a":1,,"b":2}"#, 7, .memberName),
      (#"{1:2}"#, 1, .memberName), ("\"", 1, .closingQuote), (#""\""#, 3, .closingQuote),
      (#""\x""#, 1, .escapeSequence), (#""\u12g4""#, 1, .escapeSequence),
      (#""\u12"#, 1, .escapeSequence), (#""\"#, 1, .escapeSequence),
      (#""\U0041""#, 1, .escapeSequence),
      ("\"a\nb\"", 2, .escapedControlCharacter), ("\"\0\"", 1, .escapedControlCharacter),
      ("[1] // end", 4, .endOfDocument), ("/* */1", 0, .value), ("1\0", 1, .endOfDocument),
      ("[1\u{A0}]", 2, .commaOrBracket), ("\u{FEFF}\u{FEFF}1", 3, .value), ("<html>", 0, .value),
    ] as [(String, Int, JSONText.SyntaxError.Expectation)])
  func refused(
    document: String, offset: Int, expected: JSONText.SyntaxError.Expectation
  ) throws {
    let error = try #require(throws: JSONText.SyntaxError.self) {
      try JSONText(parsing: document)
    }
    #expect(error.offset == offset)
    #expect(error.expected == expected)
  }

  @Test(
    "Bytes that are not well-formed UTF-8 are refused",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x20], [0xE0, 0x80, 0x80],
      [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x9D, 0x84], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) throws {
    let document = Data("[\"a".utf8) + Data(bytes) + Data("\"]".utf8)
    let error = try #require(throws: JSONText.SyntaxError.self) {
      try JSONText(parsing: document)
    }
    #expect(error.expected == .utf8)
    #expect(error.offset == 3)
  }

  @Test("Every Unicode scalar is accepted inside a string")
  func allScalars() throws {
    var document = "\""
    for value in UInt32(0x20)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
      document.unicodeScalars.append(scalar)
    }
    #expect(try JSONText(parsing: document + "\"").bytes.count == document.utf8.count + 1)
  }

  @Test("An error names line and column in scalars, and shows nothing of the document")
  func place() throws {
    let error = try #require(throws: JSONText.SyntaxError.self) {
      try JSONText(parsing: "{\n  \"secret\": \"é𝄞\" x\n}")
    }
    #expect(error.line == 2)
    #expect(error.column == 18)
    #expect(
      error.description == "not JSON: expected ',' or '}' at line 2, column 18 (byte 23)")
  }

  @Test("512 containers inside each other are accepted, 513 are refused", arguments: ["[", "{"])
  func depth(open: String) throws {
    func nest(_ depth: Int) -> String {
      open == "["
        ? String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        : String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    }
    let deepest = try JSONText(parsing: nest(512))
    #expect(deepest.compact == deepest)
    let error = try #require(throws: JSONText.SyntaxError.self) { try JSONText(parsing: nest(513)) }
    #expect(error.expected == .lessNesting)
  }

  @Test("A million opening brackets are refused, not recursed into")
  func hostileDepth() {
    let document = Data(repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONText.SyntaxError.self) { try JSONText(parsing: document) }
  }

  @Test(
    "Random edits of random documents are judged as JSONSerialization judges them", arguments: 0..<8
  )
  func mutations(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array(#"{}[]":,\ue0123.-+tfnr lsa/"#.utf8)
    for _ in 0..<trialCount(1_500) {
      // JSONSerialization refuses what no Swift value can hold (half a surrogate pair, 1e400) and
      // allows a comma before a closing bracket.
      let original = RandomJSON.value(depth: 4, using: &random)
        .replacingOccurrences(of: #"\ud834\udd1e"#, with: "x")
      var document = Data(original.utf8)
      for _ in 0..<Int.random(in: 1...2, using: &random) where !document.isEmpty {
        let index = Int.random(in: 0..<document.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: document.remove(at: index)
        case 1: document[index] = random.pick(alphabet)
        default: document.insert(random.pick(alphabet), at: index)
        }
      }
      let text = String(decoding: document, as: UTF8.self)
      let isAccepted = (try? JSONText(parsing: document)) != nil
      let reference = try? JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed)
      guard text.firstMatch(of: #/[eE][+-]?[0-9]{3}|,\s*[\]}]/#) == nil else { continue }
      #expect(isAccepted == (reference != nil), "seed \(seed): \(text)")
    }
  }
}
