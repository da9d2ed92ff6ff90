/// Validates untrusted bytes.
///
/// The functions take the offset where something starts and return the offset after it, so that the
/// only state of a scan is one integer and the stack of open containers.
extension Span<UInt8> {
  /// Checks that this is one JSON document, and returns where its value is, and in it the outermost of
  /// its long arrays.
  func validatedJSON() throws(JSONText.SyntaxError) -> (Range<Int>, longArrays: [Range<Int>]) {
    let hasByteOrderMark = count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    let start = endOfWhitespace(from: hasByteOrderMark ? 3 : 0)
    var longArrays: [Range<Int>] = []
    let end = try validatedEndOfValue(from: start, noting: &longArrays)
    let rest = endOfWhitespace(from: end)
    guard rest == count else { throw failure(.endOfDocument, at: rest) }
    return (start..<end, longArrays)
  }

  /// Checks one value, however deep, and returns where it ends.
  ///
  /// `open` holds the closing byte of every container that the scan is in.
  ///
  /// - Parameter longArrays: gets the arrays, counted from `start`, that are in no other array, and so long
  ///   that it pays not to read them again.
  private func validatedEndOfValue(
    from start: Int, noting longArrays: inout [Range<Int>]
  ) throws(JSONText.SyntaxError) -> Int {
    var open: [UInt8] = []
    var outermost = (depth: Int.max, start: 0)
    var position = start
    while true {
      // A value starts at `position`.
      let first = byte(at: position)
      switch first {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.count < JSONText.maximumDepth else { throw failure(.lessNesting, at: position) }
        let containerStart = position
        let close = first + 2  // '[' and ']', like '{' and '}', are two apart in ASCII.
        position = endOfWhitespace(from: position + 1)
        guard byte(at: position) == close else {
          if first == UInt8(ascii: "["), outermost.depth == .max {
            outermost = (open.count, containerStart)
          }
          open.append(close)
          if first == UInt8(ascii: "{") { position = try validatedEndOfName(from: position) }
          continue
        }
        position += 1
      default:
        position = try validatedEndOfScalar(beginning: first, at: position)
      }
      // A value ended at `position`; with it end the containers that close now.
      while let close = open.last {
        position = endOfWhitespace(from: position)
        let next = byte(at: position)
        if next == UInt8(ascii: ",") {
          position = endOfWhitespace(from: position + 1)
          if close == UInt8(ascii: "}") { position = try validatedEndOfName(from: position) }
          break
        }
        guard next == close else {
          throw failure(
            close == UInt8(ascii: "}") ? .commaOrBrace : .commaOrBracket, at: position)
        }
        position += 1
        open.removeLast()
        if open.count == outermost.depth {
          if position - outermost.start >= Self.longArray {
            longArrays.append(outermost.start - start..<position - start)
          }
          outermost.depth = .max
        }
      }
      if open.isEmpty { return position }
    }
  }

  /// Checks a value that is not a container, and returns where it ends.
  private func validatedEndOfScalar(
    beginning first: UInt8, at position: Int
  ) throws(JSONText.SyntaxError) -> Int {
    switch first {
    case UInt8(ascii: "\""):
      try validatedEndOfString(from: position)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try validatedEndOfNumber(from: position)
    case UInt8(ascii: "t"):
      try validatedEnd(of: "true", from: position)
    case UInt8(ascii: "f"):
      try validatedEnd(of: "false", from: position)
    case UInt8(ascii: "n"):
      try validatedEnd(of: "null", from: position)
    default:
      throw failure(.value, at: position)
    }
  }

  /// How many bytes make an array a long one. There are few of these even in a long document.
  private static var longArray: Int { 256 }

  /// Checks a member's name and colon and returns where its value starts.
  private func validatedEndOfName(from start: Int) throws(JSONText.SyntaxError) -> Int {
    guard byte(at: start) == UInt8(ascii: "\"") else { throw failure(.memberName, at: start) }
    let colon = endOfWhitespace(from: try validatedEndOfString(from: start))
    guard byte(at: colon) == UInt8(ascii: ":") else { throw failure(.colon, at: colon) }
    return endOfWhitespace(from: colon + 1)
  }

  private func validatedEnd(
    of literal: StaticString, from start: Int
  ) throws(JSONText.SyntaxError) -> Int {
    let end = start + literal.utf8CodeUnitCount
    guard end <= count, literal.withUTF8Buffer({ isEqual(to: $0.span, at: start) }) else {
      throw failure(.value, at: start)
    }
    return end
  }

  private func validatedEndOfNumber(from start: Int) throws(JSONText.SyntaxError) -> Int {
    var position = start
    if byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if byte(at: position) == UInt8(ascii: "0") {
      position += 1
    } else {
      position = try validatedEndOfDigits(from: position)
    }
    if byte(at: position) == UInt8(ascii: ".") {
      position = try validatedEndOfDigits(from: position + 1)
    }
    if byte(at: position) | 0x20 == UInt8(ascii: "e") {
      position += 1
      let sign = byte(at: position)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      position = try validatedEndOfDigits(from: position)
    }
    return position
  }

  private func validatedEndOfDigits(from start: Int) throws(JSONText.SyntaxError) -> Int {
    var position = start
    while byte(at: position).isASCIIDigit { position += 1 }
    guard position > start else { throw failure(.digit, at: position) }
    return position
  }

  func failure(
    _ expected: JSONText.SyntaxError.Expectation, at offset: Int
  ) -> JSONText.SyntaxError {
    JSONText.SyntaxError(expected: expected, at: offset, in: self)
  }

  /// The byte at an offset, or NUL at the end, which no rule of JSON accepts anywhere.
  func byte(at offset: Int) -> UInt8 {
    offset < count ? self[offset] : 0
  }
}
