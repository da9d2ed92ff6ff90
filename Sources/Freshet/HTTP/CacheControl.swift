/// The directives of `Cache-Control` fields, RFC 9111 section 5.2.
///
/// Reading never fails. An element that is not a directive is dropped; that includes one with white space
/// before its `=`, which browsers disagree about: without it a response only counts as less fresh. But a `no-store` or
/// `no-cache` in a malformed element counts: in quotes, say, or after a semicolon in the place of the comma.
package struct CacheControl: Sendable, Hashable {
  /// One directive.
  package struct Directive: Sendable, Hashable {
    /// The name, in lower case.
    package let name: String
    /// The argument, without quotes around it; nil for none.
    package let argument: String?
  }

  /// All directives, in order; repeated ones are kept.
  package let directives: [Directive]

  /// The longest time; a longer one counts as this: 2³¹ seconds, RFC 9111 section 1.2.2.
  package static let longest: Duration = .seconds(1 << 31)

  /// Reads the values of all `Cache-Control` lines of one message.
  ///
  /// - Complexity: O(*n*) in the bytes of the fields.
  package init(_ fields: [String]) {
    var directives: [Directive] = []
    for element in fields.lazy.flatMap(HTTPList.elements) {
      let element = element.trimmingHTTPSpace
      let name = element.prefix { $0 != "=" }
      guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
        directives += CacheControl.restrictions(in: element)
        continue
      }
      let rest = element[name.endIndex...]
      let argument = rest.dropFirst().trimmingHTTPSpace
      directives.append(
        Directive(
          name: name.asciiLowercased,
          argument: rest.isEmpty ? nil : CacheControl.unquoted(argument)))
      if !argument.utf8.allSatisfy(\.isTokenCharacter), !CacheControl.isQuoted(argument) {
        directives += CacheControl.restrictions(in: argument)
      }
    }
    self.directives = directives
  }

  /// The directives that a malformed text names and that only forbid something.
  private static func restrictions(in text: Substring) -> [Directive] {
    text.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit && $0 != UInt8(ascii: "-") }.compactMap
    { word in
      let name = Substring(word).asciiLowercased
      return name == "no-store" || name == "no-cache" ? Directive(name: name, argument: nil) : nil
    }
  }

  /// Whether there is a directive of that name, given in lower case, with or without an argument.
  package func contains(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// The time that the first valid directive of that name gives, at most ``longest``; nil for none.
  ///
  /// - Parameter name: the name, in lower case.
  package func duration(_ name: String) -> Duration? {
    directives.lazy
      .filter { $0.name == name }
      .compactMap { $0.argument.flatMap(CacheControl.deltaSeconds) }
      .first
  }

  /// A number of whole seconds, RFC 9111 section 1.2.2, at most ``longest``; nil if the text is
  /// anything but digits.
  static func deltaSeconds(_ text: some StringProtocol) -> Duration? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    // Only a number that is too large for an integer has no value here.
    return min(Int(text).map { .seconds($0) } ?? longest, longest)
  }

  private static func unquoted(_ text: Substring) -> String {
    isQuoted(text) ? String(text.dropFirst().dropLast()) : String(text)
  }

  private static func isQuoted(_ text: Substring) -> Bool {
    text.count >= 2 && text.first == "\"" && text.last == "\""
  }
}
