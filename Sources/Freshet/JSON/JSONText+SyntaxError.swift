extension JSONText {
  /// The error of bytes that are not JSON, with its position.
  public struct SyntaxError: Error, Sendable, Hashable {
    /// The kinds of text that were expected at the position of an error.
    public enum Expectation: String, Sendable, Hashable {
      /// Any value.
      case value = "a value"
      /// The name of a member.
      case memberName = "a member name in double quotes"
      /// The colon between name and value.
      case colon = "':'"
      /// Another member or the end of the object.
      case commaOrBrace = "',' or '}'"
      /// Another element or the end of the array.
      case commaOrBracket = "',' or ']'"
      /// A digit of a number.
      case digit = "a digit"
      /// The end of a string.
      case closingQuote = "a closing double quote"
      /// An escape sequence that JSON has.
      case escapeSequence = "an escape sequence of JSON"
      /// A control character written as an escape sequence.
      case escapedControlCharacter = "an escape sequence instead of a bare control character"
      /// Well-formed UTF-8.
      case utf8 = "well-formed UTF-8"
      /// Fewer arrays and objects inside each other than ``JSONText/maximumDepth``.
      case lessNesting = "no more than 512 arrays and objects inside each other"
      /// Nothing after the value.
      case endOfDocument = "the end of the document"
    }

    /// The kind of text that was expected.
    public let expected: Expectation
    /// The byte offset of the error.
    public let offset: Int
    /// The line of the error, from 1; lines end with a line feed.
    public let line: Int
    /// The column of the error in its line in Unicode scalars, from 1.
    public let column: Int

    /// Creates an error at an offset in a document.
    ///
    /// - Complexity: O(*offset*).
    init(expected: Expectation, at offset: Int, in document: Span<UInt8>) {
      self.expected = expected
      self.offset = offset
      var line = 1
      var column = 1
      for index in 0..<min(offset, document.count) {
        let byte = document[index]
        if byte == UInt8(ascii: "\n") {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
      self.line = line
      self.column = column
    }
  }
}

extension JSONText.SyntaxError: QuotableError {
  /// What was expected and where; never a part of the document.
  public var description: String {
    let fault = expected == .lessNesting ? "nested too deep" : "not JSON"
    return
      "\(fault): expected \(expected.rawValue) at line \(line), column \(column) (byte \(offset))"
  }
}
