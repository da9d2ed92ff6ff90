/// The directives of `Cache-Control` fields, RFC 9111 section 5.2.
///
/// Reading never fails. An element that is no directive is dropped; that includes one with white space
/// before its `=`, which browsers disagree about: without it a response only counts as less fresh.
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
    directives = fields.flatMap(HTTPList.elements).compactMap { element in
      let element = element.trimmingHTTPSpace
      let name = element.prefix { $0 != "=" }
      guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else { return nil }
      let argument = element[name.endIndex...].dropFirst().trimmingHTTPSpace
      return Directive(
        name: name.asciiLowercased,
        argument: name.endIndex == element.endIndex ? nil : CacheControl.unquoted(argument))
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

  /// A number of whole seconds, RFC 9111 section 1.2.2, at most ``longest``; nil where the text is
  /// anything but digits.
  static func deltaSeconds(_ text: some StringProtocol) -> Duration? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    // Only a number that is too large for an integer has no value here.
    return min(Int(text).map { .seconds($0) } ?? longest, longest)
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
    return String(text.dropFirst().dropLast())
  }
}
