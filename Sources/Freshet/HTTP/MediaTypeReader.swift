/// Reads a media type, WHATWG MIME Sniffing section 4.4.
struct MediaTypeReader {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = text.trimming(MediaTypeReader.isSpace).unicodeScalars
  }

  /// Type and subtype in lower case; nil where one of them is no token.
  mutating func readEssence() -> (type: String, subtype: String)? {
    let type = read { $0 != "/" }
    guard take("/") else { return nil }
    let subtype = read { $0 != ";" }.trimmingEnd(MediaTypeReader.isSpace)
    guard MediaTypeReader.isToken(type), MediaTypeReader.isToken(subtype) else { return nil }
    return (type.asciiLowercased, subtype.asciiLowercased)
  }

  /// The next parameter that is well formed, its name in lower case, or nil at the end.
  mutating func readParameter() -> (name: String, value: String)? {
    while take(";") {
      rest = rest.drop { MediaTypeReader.isSpace($0) }
      let name = read { $0 != ";" && $0 != "=" }
      guard take("=") else { continue }
      let value: String
      let isQuoted = take("\"")
      if isQuoted {
        value = readQuotedString()
        _ = read { $0 != ";" }
      } else {
        value = String(read { $0 != ";" }.trimmingEnd(MediaTypeReader.isSpace))
      }
      if MediaTypeReader.isToken(name), isQuoted || !value.isEmpty,
        value.unicodeScalars.allSatisfy(MediaTypeReader.isQuotable)
      {
        return (name.asciiLowercased, value)
      }
    }
    return nil
  }

  /// The text up to the closing quote or, where there is none, the end.
  private mutating func readQuotedString() -> String {
    var value = String.UnicodeScalarView()
    while let next = rest.popFirst(), next != "\"" {
      // A backslash with nothing after it stands for itself.
      value.append(next == "\\" ? rest.popFirst() ?? next : next)
    }
    return String(value)
  }

  private mutating func read(while isIncluded: (Unicode.Scalar) -> Bool) -> Substring {
    let end = rest.firstIndex { !isIncluded($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    return Substring(rest[..<end])
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }
}

extension MediaTypeReader {
  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isTokenCharacter)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte.isHTTPSpace || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && isSpace(UInt8(scalar.value))
  }

  /// An "HTTP quoted-string token code point": fields are Latin-1 to their grammar.
  private static func isQuotable(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || (0x20...0x7E).contains(scalar.value) || (0x80...0xFF).contains(scalar.value)
  }
}
