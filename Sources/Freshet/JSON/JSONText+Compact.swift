import Foundation

extension JSONText {
  /// The same value on one line: without the white space between tokens.
  ///
  /// A value that has none is returned as it is, sharing its storage.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public var compact: JSONText {
    let bytes = bytes.span
    var compact = Data()
    var copied = 0  // How much of `bytes` is copied or skipped.
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\"") {
        position = min(bytes.endOfString(from: position), bytes.count)
      } else if bytes[position].isJSONWhitespace {
        compact.append(self[valid: copied..<position].bytes)
        position = bytes.endOfWhitespace(from: position)
        copied = position
      } else {
        position += 1
      }
    }
    guard copied > 0 else { return self }
    compact.append(self[valid: copied..<position].bytes)
    return JSONText(valid: compact)
  }
}
