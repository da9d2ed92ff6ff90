/// A media type: the value of a `Content-Type` field, RFC 9110 section 8.3.
///
/// ```swift
/// let type = MediaType("application/problem+JSON; charset=utf-8")
/// type?.isJSON                       // true
/// type?.matches("application/*")     // true
/// type?.charset                      // "utf-8"
/// ```
public struct MediaType: Sendable, Hashable {
  /// A parameter, such as `charset=utf-8`.
  public struct Parameter: Sendable, Hashable {
    /// The name, in lower case.
    public let name: String
    /// The value, without its quoting.
    public let value: String
  }

  /// The part before the slash, in lower case.
  public let type: String
  /// The part after the slash, in lower case.
  public let subtype: String
  /// The parameters in order; of repeated ones only the first.
  public private(set) var parameters: [Parameter]

  /// Parses a media type as browsers do, WHATWG MIME Sniffing section 4.4: malformed parameters are
  /// ignored.
  ///
  /// - Returns: nil if there is no well-formed type and subtype.
  /// - Complexity: O(*n*) in the bytes of the text.
  public init?(_ text: String) {
    var reader = MediaTypeReader(text)
    guard let (type, subtype) = reader.readEssence() else { return nil }
    self.type = type
    self.subtype = subtype
    parameters = []
    var names: Set<String> = []
    while let (name, value) = reader.readParameter() {
      if names.insert(name).inserted { parameters.append(Parameter(name: name, value: value)) }
    }
  }

  /// Reads what several `Content-Type` lines say together, WHATWG Fetch, "extract a MIME type".
  ///
  /// The last well-formed type that is not `*/*` counts. If it is the same as the one before and
  /// names no charset, the charset of that one stays.
  ///
  /// - Parameter fields: the field lines in order, each with one type or several between commas.
  package init?(fields: [String]) {
    var result: MediaType?
    for text in fields.flatMap(HTTPList.elements) {
      guard var next = MediaType(String(text)), next.essence != "*/*" else { continue }
      if let result, result.essence == next.essence, next["charset"] == nil {
        next.parameters += result.parameters.filter { $0.name == "charset" }
      }
      result = next
    }
    guard let result else { return nil }
    self = result
  }

  /// Type and subtype: `"application/problem+json"`.
  public var essence: String { "\(type)/\(subtype)" }

  /// The structured syntax suffix: `"json"` of `application/problem+json`, RFC 6838 section 4.2.8;
  /// nil for none.
  public var suffix: String? {
    subtype.utf8.lastIndex(of: UInt8(ascii: "+")).map {
      String(subtype[subtype.utf8.index(after: $0)...])
    }
  }

  /// The name of the character encoding, in lower case; nil for none.
  public var charset: String? {
    self["charset"].map { $0.trimmingHTTPSpace.asciiLowercased }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the content is JSON: `application/json`, `text/json`, or a type with the suffix
  /// `+json`.
  public var isJSON: Bool {
    subtype == "json" ? type == "application" || type == "text" : suffix == "json"
  }

  /// The value of the parameter with a name, in any case; nil for none.
  public subscript(name: String) -> String? {
    parameters.first { HTTPHeaders.isSameName($0.name, name) }?.value
  }

  /// Returns whether the type is in a range such as `image/*`, `*/*`, `application/*+json` or `text/html`.
  ///
  /// Case and the parameters of the pattern are ignored.
  public func matches(_ pattern: String) -> Bool {
    guard let range = MediaType(pattern) else { return false }
    guard range.type == "*" || range.type == type else { return false }
    return range.subtype == "*" || range.subtype == subtype
      || (range.suffix != nil && range.suffix == suffix && range.subtype.hasPrefix("*+"))
  }
}

extension MediaType: CustomStringConvertible {
  /// The type as it is sent, with values quoted if that is needed.
  public var description: String {
    parameters.reduce(essence) { text, parameter in
      let value = parameter.value
      guard value.isEmpty || !value.utf8.allSatisfy(\.isTokenCharacter) else {
        return "\(text);\(parameter.name)=\(value)"
      }
      let escaped = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
      return "\(text);\(parameter.name)=\"\(escaped)\""
    }
  }
}

extension HTTPHeaders {
  /// The media type of the `Content-Type` lines together; nil without a well-formed one.
  package var mediaType: MediaType? { MediaType(fields: values(for: "Content-Type")) }
}

/// Reads a media type, WHATWG MIME Sniffing section 4.4.
private struct MediaTypeReader {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = text.trimming(MediaTypeReader.isSpace).unicodeScalars
  }

  /// Type and subtype in lower case; nil if one of them is not a token.
  mutating func readEssence() -> (type: String, subtype: String)? {
    let type = read { $0 != "/" }
    guard consume("/") else { return nil }
    let subtype = read { $0 != ";" }.trimmingEnd(MediaTypeReader.isSpace)
    guard MediaTypeReader.isToken(type), MediaTypeReader.isToken(subtype) else { return nil }
    return (type.asciiLowercased, subtype.asciiLowercased)
  }

  /// The next parameter that is well formed, its name in lower case, or nil at the end.
  mutating func readParameter() -> (name: String, value: String)? {
    while consume(";") {
      rest = rest.drop { MediaTypeReader.isSpace($0) }
      let name = read { $0 != ";" && $0 != "=" }
      guard consume("=") else { continue }
      let value: String
      let isQuoted = consume("\"")
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

  /// The text up to the closing quote or, if there is none, the end.
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

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
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
