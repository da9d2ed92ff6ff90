import Foundation

/// Random JSON documents with everything that makes JSON awkward.
enum RandomJSON {
  /// A random value with white space in random places.
  static func value(depth: Int, using random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
    case 0: return random.pick(["null", "true", "false"])
    case 1, 2: return number(using: &random)
    case 3, 4, 5: return string(using: &random)
    case 6, 7:
      let elements = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        space(using: &random) + value(depth: depth - 1, using: &random) + space(using: &random)
      }
      return "[" + (elements.isEmpty ? space(using: &random) : elements.joined(separator: ","))
        + "]"
    default:
      let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        space(using: &random) + string(using: &random) + space(using: &random) + ":"
          + space(using: &random) + value(depth: depth - 1, using: &random) + space(using: &random)
      }
      return "{" + (members.isEmpty ? space(using: &random) : members.joined(separator: ",")) + "}"
    }
  }

  /// A random number, often one that no binary type holds exactly.
  static func number(using random: inout SeededGenerator) -> String {
    let numbers = [
      "0", "-0", "1", "-17", "1.0", "0.1", "9007199254740993", "12345678901234567890", "1e2",
      "1E-7", "-2.50e+3", "3.141592653589793238",
    ]
    return random.pick(numbers)
  }

  /// A random string literal: escapes, surrogate pairs, composed and decomposed characters.
  static func string(using random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "b", "next", ".", "é", "e\u{301}", "𝄞", #"\u0061"#, #"\ud834\udd1e"#, #"\""#, #"\\"#,
      #"\/"#, #"\n"#, "{", "}", "[", "]", ",", ":", " ", "%2F", "+", "==",
    ]
    let content = (0..<Int.random(in: 0...6, using: &random))
      .map { _ in random.pick(pieces) }
    return "\"" + content.joined() + "\""
  }

  /// Random white space, mostly none.
  static func space(using random: inout SeededGenerator) -> String {
    random.pick(["", "", "", "", " ", "\n  ", "\t", "\r\n"])
  }
}
