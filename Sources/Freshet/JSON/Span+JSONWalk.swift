/// Navigates bytes that are known to be valid JSON: nothing is checked again.
///
/// Offsets count from the first byte of the span. A *cursor* stands after the opening byte of a
/// container or after one of its parts, and each `next…` call moves it past one more part. Arrays whose
/// ranges are given are not read, but passed.
extension Span<UInt8> {
  /// A member of an object: the ranges of its name, quotes included, and of its value.
  struct JSONMember {
    var name: Range<Int>
    var value: Range<Int>
  }

  /// The next element of an array, or nil at its end.
  func nextElement(_ cursor: inout Int) -> Range<Int>? {
    cursor = endOfSeparator(from: cursor)
    guard self[cursor] != UInt8(ascii: "]") else { return nil }
    let element = cursor..<endOfValue(from: cursor)
    cursor = element.upperBound
    return element
  }

  /// The next member of an object, or nil at its end.
  func nextMember(_ cursor: inout Int, passing arrays: [Range<Int>] = []) -> JSONMember? {
    cursor = endOfSeparator(from: cursor)
    guard self[cursor] != UInt8(ascii: "}") else { return nil }
    let name = cursor..<endOfString(from: cursor)
    let value = endOfSeparator(from: name.upperBound)
    cursor = endOfValue(from: value, passing: arrays)
    return JSONMember(name: name, value: value..<cursor)
  }

  /// The offset after the value that starts at an offset.
  ///
  /// - Complexity: O(*n*) in the number of the value's bytes, whatever its depth.
  func endOfValue(from start: Int, passing arrays: [Range<Int>] = []) -> Int {
    switch self[start] {
    case UInt8(ascii: "\""): endOfString(from: start)
    case UInt8(ascii: "{"), UInt8(ascii: "["): endOfContainer(from: start, passing: arrays)
    default: endOfScalar(from: start)
    }
  }

  /// The offset after the string whose opening quote is at an offset.
  func endOfString(from start: Int) -> Int {
    var position = start + 1
    while position < count {
      let byte = self[position]
      if byte == UInt8(ascii: "\"") { return position + 1 }
      position += 1
      if byte == UInt8(ascii: "\\") { position += 1 }
    }
    return position
  }

  /// The offset of the first byte, from an offset on, that is not white space.
  func endOfWhitespace(from start: Int) -> Int {
    var position = start
    while position < count, self[position].isJSONWhitespace { position += 1 }
    return position
  }

  /// The offset of the next token, after white space and an optional comma or colon.
  func endOfSeparator(from start: Int) -> Int {
    let position = endOfWhitespace(from: start)
    guard self[position] == UInt8(ascii: ",") || self[position] == UInt8(ascii: ":") else {
      return position
    }
    return endOfWhitespace(from: position + 1)
  }

  private func endOfContainer(from start: Int, passing arrays: [Range<Int>]) -> Int {
    var next = arrays.isEmpty ? 0 : arrays.partitionPoint { $0.lowerBound >= start }
    var depth = 0
    var position = start
    while position < count {
      if next < arrays.count, position == arrays[next].lowerBound {
        position = arrays[next].upperBound
        next += 1
        if depth == 0 { return position }
        continue
      }
      switch self[position] {
      case UInt8(ascii: "\""):
        position = endOfString(from: position)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
        if depth == 0 { return position }
      default:
        position += 1
      }
    }
    return position
  }

  private func endOfScalar(from start: Int) -> Int {
    var position = start
    while position < count {
      switch self[position] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return position
      case let byte where byte.isJSONWhitespace: return position
      default: position += 1
      }
    }
    return position
  }

  /// Whether the bytes at an offset start with `other`.
  func isEqual(to other: Span<UInt8>, at offset: Int) -> Bool {
    guard other.count <= count - offset else { return false }
    for index in 0..<other.count where self[offset + index] != other[index] { return false }
    return true
  }
}

extension UInt8 {
  /// Whether JSON ignores this byte between tokens.
  var isJSONWhitespace: Bool {
    self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
  }
}
