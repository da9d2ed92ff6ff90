/// The list syntax of HTTP fields, RFC 9110 section 5.6.1.
enum HTTPList {
  /// The parts of a field value between those commas that are not in quotes, white space included.
  ///
  /// - Complexity: O(*n*) in the bytes of the field.
  static func elements(of field: String) -> [Substring] {
    guard field.utf8.contains(UInt8(ascii: ",")) else { return [field[...]] }
    var elements: [Substring] = []
    var start = field.startIndex
    var isQuoted = false
    var isEscaped = false
    for (index, byte) in zip(field.utf8.indices, field.utf8) {
      switch byte {
      case UInt8(ascii: "\"") where !isEscaped: isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        elements.append(field[start..<index])
        start = field.utf8.index(after: index)
      default: break
      }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
    }
    elements.append(field[start...])
    return elements
  }
}
