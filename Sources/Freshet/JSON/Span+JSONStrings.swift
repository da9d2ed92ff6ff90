/// Validates strings, which are most bytes of most documents.
extension Span<UInt8> {
  /// Checks the string whose opening quote is at `start` and returns the offset after its last.
  func validatedEndOfString(from start: Int) throws(JSONText.SyntaxError) -> Int {
    var position = start + 1
    while position < count {
      let byte = self[position]
      if byte == UInt8(ascii: "\"") { return position + 1 }
      if byte >= 0x80 {
        position = try validatedEndOfScalar(from: position)
      } else if byte == UInt8(ascii: "\\") {
        position = try validatedEndOfEscape(from: position)
      } else if byte >= 0x20 {
        position += 1
      } else {
        throw failure(.escapedControlCharacter, at: position)
      }
    }
    throw failure(.closingQuote, at: count)
  }

  private func validatedEndOfEscape(from start: Int) throws(JSONText.SyntaxError) -> Int {
    switch byte(at: start + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      for offset in start + 2..<start + 6 where byte(at: offset).hexValue == nil {
        throw failure(.escapeSequence, at: start)
      }
      return start + 6
    default:
      throw failure(.escapeSequence, at: start)
    }
  }

  /// Checks one scalar beyond ASCII by the table of well-formed sequences, Unicode table 3-7.
  private func validatedEndOfScalar(from start: Int) throws(JSONText.SyntaxError) -> Int {
    let length: Int
    let second: ClosedRange<UInt8>
    switch self[start] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw failure(.utf8, at: start)
    }
    guard second.contains(byte(at: start + 1)) else { throw failure(.utf8, at: start) }
    for offset in start + 2..<start + length where byte(at: offset) & 0xC0 != 0x80 {
      throw failure(.utf8, at: start)
    }
    return start + length
  }
}
