/// Reads one `Link` field line: the grammar of RFC 8288 section 3, read as leniently as its appendix B
/// where that is unambiguous.
///
/// Each byte is looked at a bounded number of times and there is no recursion, so that neither time
/// nor stack can be made to grow by what a server sends.
struct LinkHeaderReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether a search for a closing quote has run to the end of the line: no later one can succeed,
  /// because it would pass the same quotes and backslashes in the same step.
  private var hasUnclosedQuote = false
  /// Whether the element that is being read has a parameter that is left out, or quoted in a way that
  /// is none.
  private var isDoubtful = false
  /// Whether that element may have another one in it: in its target or in what was left out.
  private var mayHideAnother = false
  /// See ``LinkHeader/malformed``.
  private(set) var malformed: [String] = []
  /// See ``LinkHeader/ambiguous``.
  private(set) var ambiguous: [LinkHeader.Link] = []

  init(_ field: String) {
    bytes = Array(field.utf8)
  }

  /// All elements that are well-formed links.
  mutating func readLinks() -> [LinkHeader.Link] {
    var links: [LinkHeader.Link] = []
    while position < bytes.count {
      let start = position
      (isDoubtful, mayHideAnother) = (false, false)
      if let link = readLink() {
        links.append(link)
        if mayHideAnother { ambiguous.append(link) }
        if isDoubtful && link.hasNoRelation || mayHideAnother {
          malformed.append(String(text(start..<position).trimmingHTTPSpace))
        }
      } else {
        skip(to: [UInt8(ascii: ",")])
        let element = text(start..<position).trimmingHTTPSpace
        if !element.isEmpty { malformed.append(String(element)) }
      }
      position += 1  // the comma
    }
    return links
  }

  /// One element up to its comma; nil if it is malformed or empty, with the position inside it.
  private mutating func readLink() -> LinkHeader.Link? {
    skipSpace()
    guard consume(UInt8(ascii: "<")) else { return nil }
    // Both brackets in one pass.
    var (end, hasBracket) = (position, false)
    while end < bytes.count, bytes[end] != UInt8(ascii: ">") {
      if bytes[end] == UInt8(ascii: "<") { hasBracket = true }
      end += 1
    }
    guard end < bytes.count else {
      position = bytes.count
      return nil
    }
    let reference = position..<end
    let target = text(reference).trimmingHTTPSpace
    // Without its closing bracket a target ends at that of the next link.
    if hasBracket, beginsElement(in: reference) { mayHideAnother = true }
    position = end + 1
    guard !target.utf8.contains(where: \.isASCIIControl) else { return nil }

    var parameters: [LinkHeader.Parameter] = []
    skipSpace()
    while consume(UInt8(ascii: ";")) {
      let start = position
      switch readParameter() {
      case .read(let parameter): parameters.append(parameter)
      case .malformed:
        isDoubtful = true
        skip(to: [UInt8(ascii: ";"), UInt8(ascii: ",")])
        if bytes[start..<position].contains(UInt8(ascii: "<")) { mayHideAnother = true }
      case .endless: return nil
      }
    }
    guard position == bytes.count || bytes[position] == UInt8(ascii: ",") else { return nil }
    let link = LinkHeader.Link(target: String(target), parameters: parameters)
    // With its closing bracket after the parameters, they are in its target.
    if link.relations.isEmpty, beginsRelation(in: reference) { isDoubtful = true }
    return link
  }

  /// Whether a link follows a comma in a part of the line.
  private func beginsElement(in range: Range<Int>) -> Bool {
    var isAfterComma = false
    for byte in bytes[range] {
      if isAfterComma, byte == UInt8(ascii: "<") { return true }
      isAfterComma = byte == UInt8(ascii: ",") || isAfterComma && byte.isHTTPSpace
    }
    return false
  }

  /// Whether a `rel` parameter begins in a part of the line.
  private func beginsRelation(in range: Range<Int>) -> Bool {
    let parts = bytes[range].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    return parts.dropFirst().contains { part in
      let part = part.drop(while: \.isHTTPSpace)
      return part.prefix(3).map(\.asciiLowercased) == Array("rel".utf8)
        && part.dropFirst(3).drop(while: \.isHTTPSpace).first == UInt8(ascii: "=")
    }
  }

  private enum ParameterResult {
    case read(LinkHeader.Parameter)
    /// The parameter is to be left out; this is also what an empty one (`;;`) comes to.
    case malformed
    /// A quoted string that does not end, so that the end of the link is not known.
    case endless
  }

  /// One parameter up to the semicolon or comma after it.
  private mutating func readParameter() -> ParameterResult {
    skipSpace()
    let name = readBytes(while: \.isTokenCharacter)
    skipSpace()
    var value = ""
    if !name.isEmpty, consume(UInt8(ascii: "=")) {
      skipSpace()
      if consume(UInt8(ascii: "\"")) {
        guard let quoted = readQuotedString() else { return .endless }
        value = quoted
        if name.isRelation, value.isGarbled { isDoubtful = true }
      } else {
        // More than a token, as in appendix B.3: `type=text/html` is common and clear.
        value = readBytes { $0 > 0x20 && $0 != 0x7F && !"\",;".utf8.contains($0) }
        guard !value.isEmpty else { return .malformed }
        if name.isRelation ? value.isGarbled : value.hasStrayQuote { isDoubtful = true }
      }
      skipSpace()
    }
    let isAtEnd = position == bytes.count || ",;".utf8.contains(bytes[position])
    return isAtEnd && !name.isEmpty ? .read(.init(name: name, value: value)) : .malformed
  }
}

extension LinkHeader.Link {
  /// Whether there is no `rel`, or an empty or garbled one.
  fileprivate var hasNoRelation: Bool { relations.isEmpty || self["rel"]?.isGarbled == true }
}

extension String {
  /// Whether a parameter of this name has relation types.
  fileprivate var isRelation: Bool { asciiLowercased == "rel" }

  /// Whether this begins or ends with a quote that quotes nothing: a single or typographic one, or any in a quoted
  /// string. One at the end is of a text that began before a semicolon, which may have had `rel` in it.
  fileprivate var hasStrayQuote: Bool {
    guard let first = utf8.first, let last = utf8.last else { return false }
    return first.mayQuote || last.mayQuote
  }

  /// Whether this is no list of relation types: it has a stray quote, perhaps an encoded one, a control character, or
  /// a word that is neither a token nor like a URI, such as two types with a comma between them.
  fileprivate var isGarbled: Bool {
    if hasStrayQuote || utf8.first.map("&%".utf8.contains) == true { return true }
    // Mostly it is one token.
    guard utf8.contains(where: { !$0.isTokenCharacter }) else { return false }
    return utf8.split(whereSeparator: \.isHTTPSpace).contains { word in
      word.contains(where: \.isASCIIControl)
        || !word.allSatisfy(\.isTokenCharacter) && !word.contains { ":/".utf8.contains($0) }
    }
  }
}

extension UInt8 {
  fileprivate var mayQuote: Bool {
    switch self {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), 0x80...: true
    default: false
    }
  }
}

extension LinkHeaderReader {
  /// The text of a quoted string up to and with its closing quote; nil, at the end, for none.
  private mutating func readQuotedString() -> String? {
    guard let end = closingQuote(from: position) else {
      position = bytes.count
      return nil
    }
    var unquoted: [UInt8] = []
    while position < end {
      if bytes[position] == UInt8(ascii: "\\") { position += 1 }
      unquoted.append(bytes[position])
      position += 1
    }
    position = end + 1
    return String(decoding: unquoted, as: UTF8.self)
  }

  private mutating func closingQuote(from start: Int) -> Int? {
    guard !hasUnclosedQuote else { return nil }
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): return index
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    hasUnclosedQuote = true
    return nil
  }

  /// Moves on to the next of these bytes, or to the end, passing over quoted strings that end.
  private mutating func skip(to stops: [UInt8]) {
    while position < bytes.count, !stops.contains(bytes[position]) {
      let isQuote = bytes[position] == UInt8(ascii: "\"")
      position += 1
      if isQuote, let end = closingQuote(from: position) { position = end + 1 }
    }
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position].isHTTPSpace { position += 1 }
  }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func readBytes(while isIncluded: (UInt8) -> Bool) -> String {
    let end = bytes[position...].firstIndex { !isIncluded($0) } ?? bytes.count
    defer { position = end }
    return text(position..<end)
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
