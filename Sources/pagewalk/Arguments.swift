/// Splits the arguments into options and URLs.
///
/// A value follows its option or is joined to it: by `=`, or to a letter as it is. Letters without a
/// value may be joined with others: `-sLHAccept:x`. `--` ends the options.
struct Arguments {
  enum Argument {
    case url(String)
    /// An option as it was written, with the value joined to it.
    case option(Command.Option, name: String, joined: String?)
  }

  private var rest: ArraySlice<String>
  private var hasEnded = false

  init(_ arguments: [String]) {
    rest = arguments[...]
  }

  mutating func next() throws(UsageError) -> Argument? {
    guard let text = rest.popFirst() else { return nil }
    if hasEnded || !text.hasPrefix("-") { return .url(text) }
    guard text.hasPrefix("--") else { return try letter(of: text) }
    guard text != "--" else {
      hasEnded = true
      return try next()
    }
    let name = text.prefix { $0 != "=" }
    guard let option = Command.Option(rawValue: String(name.dropFirst(2))) else {
      throw Arguments.unknown(name)
    }
    let joined = name.endIndex < text.endIndex ? String(text[name.endIndex...].dropFirst()) : nil
    return .option(option, name: String(name), joined: joined)
  }

  /// The value of an option: the one joined to it, or the next argument.
  mutating func value(
    of option: Command.Option, name: String, joined: String?
  ) throws(UsageError) -> String {
    if let joined { return joined }
    guard let value = rest.first, !Arguments.isOption(value) else {
      throw UsageError("\(name) needs a value: expected \(option.expectation)")
    }
    rest.removeFirst()
    return value
  }

  /// Whether a text is an option, not the value of one before it: `--` with what follows, or a letter.
  /// A value that begins so can be joined to its option.
  private static func isOption(_ text: String) -> Bool {
    text.hasPrefix("--")
      || text.count == 2 && text.hasPrefix("-") && text.last.flatMap(Command.Option.init) != nil
  }

  private mutating func letter(of text: String) throws(UsageError) -> Argument {
    let name = text.prefix(2)
    // Of `-upassword`, an option of other programs, only the letter is shown.
    guard let option = name.dropFirst().first.flatMap(Command.Option.init) else {
      throw Arguments.unknown(name)
    }
    let joined = text.dropFirst(2)
    guard option.isFlag, !joined.isEmpty else {
      return .option(option, name: String(name), joined: joined.isEmpty ? nil : String(joined))
    }
    rest = ["-" + joined] + rest
    return .option(option, name: String(name), joined: nil)
  }

  /// The error of an option that does not exist. What follows its name in the same argument may be a secret.
  private static func unknown(_ text: Substring) -> UsageError {
    let name = text.prefix { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
    let rest = name.endIndex < text.endIndex ? "…" : ""
    return UsageError("unknown option '\(name)\(rest)': expected a URL or an option")
  }
}
