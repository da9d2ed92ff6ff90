/// A URI reference split into its five components, each fully percent-encoded.
///
/// A nil component is absent, an empty one exists: `http://a?` is not `http://a`.
struct URIParts: Hashable, Sendable {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  /// Splits a reference as the expression of RFC 3986 appendix B does, which any text matches.
  init(_ reference: String) {
    var rest = reference.trimming { $0 <= 0x20 }
    scheme = URIParts.removeScheme(from: &rest)
    fragment = URIParts.cut(&rest, at: UInt8(ascii: "#")).map { URIParts.encode($0, also: "?") }
    query = URIParts.cut(&rest, at: UInt8(ascii: "?")).map { URIParts.encode($0, also: "?") }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = URIParts.encode(rest[..<end], also: "[]")
      rest = rest[end...]
    }
    path = URIParts.encode(rest)
  }

  /// The components put together, RFC 3986 section 5.3.
  var text: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority {
      text += "//" + authority
    } else if path.hasPrefix("//") {
      text += "/."  // a path that would otherwise read as an authority
    }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// Completes a reference in a document at `base`, RFC 3986 section 5.2.2; false if both are relative.
  mutating func resolve(against base: String) -> Bool {
    if scheme == nil {
      let base = URIParts(base)
      guard base.scheme != nil else { return false }
      scheme = base.scheme
      if authority == nil {
        authority = base.authority
        if path.isEmpty {
          path = base.path
          query = query ?? base.query
          return true
        }
        if !path.hasPrefix("/") { path = base.merging(path) }
      }
    }
    path = URIParts.removingDotSegments(path)
    return true
  }

  /// The path of a relative reference in this base, RFC 3986 section 5.2.3.
  func merging(_ relativePath: String) -> String {
    guard authority == nil || !path.isEmpty else { return "/" + relativePath }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relativePath }
    return path[...slash] + relativePath
  }

  /// The path without `.` and `..` segments, RFC 3986 section 5.2.4.
  ///
  /// - Complexity: O(*n*) in the bytes of the path: what `..` removes was appended once.
  static func removingDotSegments(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
    let slash = UInt8(ascii: "/")
    var output: [UInt8] = []
    output.reserveCapacity(path.utf8.count)
    var rest = path.utf8[...]
    while !rest.isEmpty {
      let isRooted = rest.first == slash
      let start = isRooted ? rest.index(after: rest.startIndex) : rest.startIndex
      let end = rest[start...].firstIndex(of: slash) ?? rest.endIndex
      let segment = rest[start..<end]
      let isParent = segment.elementsEqual("..".utf8)
      guard isParent || segment.elementsEqual(".".utf8) else {
        output += rest[..<end]
        rest = rest[end...]
        continue
      }
      if isRooted && isParent {
        output.removeSubrange((output.lastIndex(of: slash) ?? output.startIndex)...)
      }
      if end == rest.endIndex {
        if isRooted { output.append(slash) }
        rest = rest[end...]
      } else {
        // A rooted dot segment leaves the slash after it; a leading one goes with its slash.
        rest = rest[(isRooted ? end : rest.index(after: end))...]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension URIParts {
  private static func removeScheme(from text: inout Substring) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text[..<colon].utf8
    guard scheme.first?.isASCIILetter == true, scheme.allSatisfy(isSchemeCharacter) else {
      return nil
    }
    defer { text = text[text.utf8.index(after: colon)...] }
    return String(text[..<colon])
  }

  /// Cuts the text at the first of that byte and returns what follows it.
  private static func cut(_ text: inout Substring, at separator: UInt8) -> Substring? {
    guard let index = text.utf8.firstIndex(of: separator) else { return nil }
    defer { text = text[..<index] }
    return text[text.utf8.index(after: index)...]
  }

  private static func encode(_ text: Substring, also extra: String = "") -> String {
    PercentEncoding.encode(text, keepingTriplets: true) { byte in
      isPathCharacter(byte) || extra.utf8.contains(byte)
    }
  }

  private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte)
  }

  /// `pchar` and the slash, RFC 3986 section 3.3. Brackets are not among them: they belong to IP
  /// literals, and `URL(string:)` would encode the whole URL again for their sake.
  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/".utf8.contains(byte)
  }
}
