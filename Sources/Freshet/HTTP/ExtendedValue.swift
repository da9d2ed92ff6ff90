/// The value of a parameter whose name ends in `*`: text in a charset and a language, RFC 8187.
struct ExtendedValue: Hashable, Sendable {
  /// The language tag, empty for none.
  let language: String
  /// The text.
  let text: String

  /// Reads `UTF-8'en'%e2%82%ac%20rates`.
  ///
  /// - Returns: nil if the value is malformed, or in a charset other than UTF-8, which senders
  ///   must use, and ISO-8859-1, which the RFC's predecessor asked for.
  init?(_ value: String) {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].utf8.allSatisfy(ExtendedValue.isValueCharacter),
      let bytes = PercentEncoding.decode(parts[2])
    else { return nil }
    let text: String?
    switch parts[0].asciiLowercased {
    case "utf-8": text = String(validating: bytes, as: UTF8.self)
    case "iso-8859-1": text = String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
    default: text = nil
    }
    guard let text else { return nil }
    self.text = text
    language = String(parts[1])
  }

  /// `attr-char` or a percent sign.
  private static func isValueCharacter(_ byte: UInt8) -> Bool {
    byte.isTokenCharacter && byte != UInt8(ascii: "*") && byte != UInt8(ascii: "'")
  }
}
