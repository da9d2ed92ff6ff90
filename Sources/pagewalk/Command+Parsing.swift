import Foundation
import Freshet

extension Command {
  /// The options without a value, and those with one.
  private enum Option: String {
    case style, items, limit, header, method, body, timeout, retries, refresh
    case maximumPages = "max-pages"
    case allowOrigin = "allow-origin"
    case events, summary, quiet, help, version
    case id, cache, watch

    var isFlag: Bool {
      switch self {
      case .events, .summary, .quiet, .help, .version: true
      default: false
      }
    }

    /// What the value has to be.
    var expectation: String {
      switch self {
      case .style: "a style such as auto, link or header=NAME"
      case .items: "the dotted path of the item array"
      case .id: "the dotted path of an item's identity"
      case .limit, .retries, .refresh: "a whole number from 0"
      case .maximumPages: "a whole number from 1"
      case .header: "'Name: value'"
      case .method: "a method such as POST"
      case .body: "JSON"
      case .allowOrigin: "an origin such as https://api.example.com"
      case .timeout, .watch: "seconds above 0"
      default: "a value"
      }
    }
  }

  /// Reads the arguments, the program's name not among them.
  ///
  /// Values follow their option or are joined to it by `=`; `--` ends the options; of an option that
  /// is given twice the last one counts, unless it may repeat.
  init(parsing arguments: [String]) throws(UsageError) {
    var reader = Reader(arguments)
    while let argument = reader.next() {
      guard argument.isOption else {
        try reader.take(url: argument.text)
        continue
      }
      let name = String(argument.text.dropFirst(2).prefix { $0 != "=" })
      guard argument.text.hasPrefix("--"), let option = Option(rawValue: name) else {
        // Of `-upassword`, as other programs have it, the letter is enough.
        let shown = argument.text.hasPrefix("--") ? "--\(name)" : String(argument.text.prefix(2))
        throw UsageError("unknown option '\(shown)': expected a URL or an option")
      }
      switch option {
      case .cache:
        throw UsageError("--\(name) is not available yet")
      case _ where option.isFlag:
        guard !argument.text.contains("=") else {
          throw UsageError("--\(name) takes no value: write just --\(name)")
        }
        guard option != .help, option != .version else {
          self = option == .help ? .help : .version
          return
        }
        reader.set(option)
      default:
        try reader.set(option, to: try reader.value(of: argument.text, option.expectation))
      }
    }
    self = try reader.command
  }

  /// Goes along the arguments and collects what they say.
  private struct Reader {
    private var rest: ArraySlice<String>
    private var hasEnded = false
    private var address: Address?
    private var options = Options()
    private var itemsPath: JSONPath?
    private var method: HTTPMethod?

    init(_ arguments: [String]) {
      rest = arguments[...]
    }

    mutating func next() -> (text: String, isOption: Bool)? {
      guard let text = rest.popFirst() else { return nil }
      if text == "--", !hasEnded {
        hasEnded = true
        return next()
      }
      return (text, !hasEnded && text.hasPrefix("-"))
    }

    mutating func value(of argument: String, _ expectation: String) throws(UsageError) -> String {
      if let joint = argument.firstIndex(of: "=") {
        return String(argument[argument.index(after: joint)...])
      }
      guard let value = rest.first, !value.hasPrefix("--") else {
        throw UsageError("\(argument) needs a value: expected \(expectation)")
      }
      rest.removeFirst()
      return value
    }

    mutating func take(url: String) throws(UsageError) {
      guard address == nil else {
        throw UsageError("a second URL, '\(Address.redacted(url))': expected one at most")
      }
      address = try Address(parsing: url)
    }

    mutating func set(_ flag: Option) {
      switch flag {
      case .events: options.printsEvents = true
      case .summary: options.printsSummary = true
      default: options.isQuiet = true
      }
    }

    mutating func set(_ option: Option, to value: String) throws(UsageError) {
      /// Bodies and header fields may hold secrets; of all others the value is shown.
      func unexpected() -> UsageError {
        UsageError("--\(option.rawValue): expected \(option.expectation), not '\(value)'")
      }
      switch option {
      case .style:
        do throws(PageStyle.ParsingError) {
          options.style = try PageStyle(parsing: value)
        } catch {
          throw UsageError("--style: \(error)")
        }
      case .items:
        itemsPath = value == "auto" ? nil : try path(value, of: option.rawValue, root: "the body")
      case .id:
        options.identity = try path(value, of: option.rawValue, root: "the item")
      case .limit:
        options.limit = try number(value, from: 0, else: unexpected())
      case .maximumPages:
        options.maximumPages = try number(value, from: 1, else: unexpected())
      case .retries:
        options.retries = try number(value, from: 0, else: unexpected())
      case .refresh:
        options.refreshes = try number(value, from: 0, else: unexpected())
      case .timeout:
        guard let seconds = seconds(value) else { throw unexpected() }
        options.timeout = seconds
      case .watch:
        guard let seconds = seconds(value) else { throw unexpected() }
        options.watchInterval = seconds
      case .header:
        let field = try HTTPHeaders.Field(parsing: value)
        options.headers.append(field.value, for: field.name)
      case .method:
        guard HTTPHeaders.isValidName(value) else { throw unexpected() }
        method = HTTPMethod(rawValue: value.uppercased())
      case .body:
        do throws(JSONText.SyntaxError) {
          options.body = try JSONText(parsing: value)
        } catch {
          throw UsageError("--body: expected JSON; \(error)")
        }
      case .allowOrigin:
        guard let origin = URIReference.origin(of: value), value.split(separator: "/").count == 2,
          !value.contains(where: { "?#@".contains($0) })
        else { throw UsageError("--allow-origin: expected \(option.expectation)") }
        options.allowedOrigins.insert(origin)
      default:
        throw unexpected()
      }
    }

    /// What all of it comes to.
    var command: Command {
      get throws(UsageError) {
        var options = options
        if let itemsPath { options.style = options.style.items(at: itemsPath) }
        // Such a style needs a body to put the cursor into.
        if options.style.name.hasPrefix("cursor="), options.body == nil {
          options.body = .emptyObject
        }
        options.method = method ?? (options.body == nil ? .get : .post)
        if options.body != nil, options.method == .get || options.method == .head {
          throw UsageError("--method: expected POST or another method that has a body")
        }
        guard options.watchInterval == nil || options.refreshes == 0 else {
          throw UsageError("--refresh: expected without --watch, which refreshes for ever")
        }
        guard let address else { return .demo(options) }
        if let credentials = address.credentials, options.headers["Authorization"] == nil {
          options.headers["Authorization"] = credentials
        }
        return .walk(address, options)
      }
    }
  }
}

/// A dotted path, or `.` for the whole of what it leads into.
private func path(
  _ text: String, of option: String, root: String
) throws(UsageError) -> JSONPath {
  let path = text == "." ? JSONPath.root : JSONPath(text)
  guard !text.isEmpty, !path.names.contains("") else {
    throw UsageError(
      "--\(option): expected names with single dots between them, or . for \(root), not '\(text)'")
  }
  return path
}

private func number(
  _ text: String, from least: Int, else error: UsageError
) throws(UsageError) -> Int {
  guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
    let number = Int(text), number >= least
  else { throw error }
  return number
}

/// Seconds in decimal notation: more than none, and no more than a timer can wait.
private func seconds(_ text: String) -> Duration? {
  guard text.allSatisfy({ $0 == "." || ("0"..."9").contains($0) }), let seconds = Double(text),
    seconds >= 0.001, seconds <= 1_000_000_000
  else { return nil }
  return .seconds(seconds)
}

extension JSONText {
  fileprivate static let emptyObject = try? JSONText(parsing: "{}")
}

extension HTTPHeaders.Field {
  /// Reads `Name: value`. The value stays out of errors: it may be a credential.
  fileprivate init(parsing text: String) throws(UsageError) {
    let name = text.prefix { $0 != ":" }
    let value = text.dropFirst(name.count + 1)
    guard name.count < text.count, HTTPHeaders.isValidName(String(name)) else {
      throw UsageError("--header: expected 'Name: value'")
    }
    self.init(name: String(name), value: String(value))
    guard HTTPHeaders.isValidValue(self.value) else {
      throw UsageError(
        "--header: expected a value without line breaks and control characters for '\(name)'")
    }
    guard !HTTPHeaders.isFraming(String(name)) else {
      throw UsageError("--header: '\(name)' is set by the transport; expected another name")
    }
  }
}
