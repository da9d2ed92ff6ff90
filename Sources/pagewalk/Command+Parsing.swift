import Foundation
import Freshet

extension Command {
  /// The first argument of `pagewalk browse`. A host of that name is `http://browse`.
  private static let browse = "browse"

  /// Parses the arguments, without the program's name.
  ///
  /// If an option is given twice the last one is used, unless it may repeat.
  init(parsing arguments: [String], files: Files = .system) throws(UsageError) {
    let isBrowsing = arguments.first == Command.browse
    var arguments = Arguments(isBrowsing ? Array(arguments.dropFirst()) : arguments)
    var draft = Draft(files: files, isBrowsing: isBrowsing)
    while let argument = try arguments.next() {
      switch argument {
      case .url(let text) where text == Command.browse && !isBrowsing:
        throw UsageError("browse: expected as the first argument, before all options")
      case .url(let text):
        try draft.set(url: text)
      case .option(let option, let name, let joined) where option.isFlag:
        guard joined == nil else {
          throw UsageError("\(name) takes no value: write just \(name)")
        }
        guard option != .help, option != .version else {
          self = option == .help ? .help : .version
          return
        }
        try draft.require(option, name)
        draft.set(option)
      case .option(let option, let name, let joined):
        try draft.require(option, name)
        try draft.set(option, to: try arguments.value(of: option, name: name, joined: joined))
      }
    }
    self = try draft.command
  }

  /// The options parsed so far.
  private struct Draft {
    let files: Files
    let isBrowsing: Bool
    private var address: Address?
    private var options = Options()
    private var itemsPath: JSONPath?
    private var method: HTTPMethod?

    init(files: Files, isBrowsing: Bool) {
      self.files = files
      self.isBrowsing = isBrowsing
    }

    /// Throws if an option is not for this command.
    func require(_ option: Option, _ name: String) throws(UsageError) {
      guard isBrowsing, !option.isForBrowsing else { return }
      throw UsageError("\(name): expected without browse, which shows the list on the terminal")
    }

    mutating func set(url: String) throws(UsageError) {
      guard address == nil else {
        throw UsageError(
          "\(Address.shown(url)) after the URL: expected one URL at most; "
            + "a header field needs --header")
      }
      address = try Address(parsing: url)
    }

    mutating func set(_ flag: Option) {
      switch flag {
      case .events: options.printsEvents = true
      case .summary: options.printsSummary = true
      case .quiet: options.isQuiet = true
      default: break
      }
    }

    mutating func set(_ option: Option, to value: String) throws(UsageError) {
      /// Bodies and header fields may hold secrets; the values of all other options are shown.
      func unexpected() -> UsageError {
        UsageError("--\(option.rawValue): expected \(option.expectation), not '\(value)'")
      }
      if let range = option.range {
        return set(option, to: try number(value, in: range, else: unexpected()))
      }
      switch option {
      case .style:
        options.style = try style(value)
      case .items:
        itemsPath = value == "auto" ? nil : try path(value, of: option.rawValue, root: "the body")
      case .id:
        options.identity = try path(value, of: option.rawValue, root: "the item")
      case .timeout:
        guard let seconds = seconds(value) else { throw unexpected() }
        options.timeout = seconds
      case .watch:
        guard let seconds = seconds(value) else { throw unexpected() }
        options.watchInterval = seconds
      case .cache:
        guard !value.isEmpty else { throw unexpected() }
        options.cacheDirectory = value
      case .authorities:
        options.authoritiesFile = try authoritiesFile(value, files: files)
      case .header:
        try addHeaders(value)
      case .method:
        guard HTTPHeaders.isValidName(value) else { throw unexpected() }
        method = HTTPMethod(rawValue: value.uppercased())
      case .body:
        options.body = try body(value, files: files)
      case .allowOrigin:
        options.allowedOrigins.insert(
          try origin(value, else: UsageError("--allow-origin: expected \(option.expectation)")))
      default:
        throw unexpected()
      }
    }

    private mutating func set(_ option: Option, to number: Int) {
      switch option {
      case .limit: options.limit = number
      case .maximumPages: options.maximumPages = number
      case .maximumEmptyPages: options.maximumEmptyPages = number
      case .maximumBytes: options.maximumBytes = number
      case .concurrency: options.concurrency = number
      case .retries: options.retries = number
      case .refresh: options.refreshes = number
      default: break
      }
    }

    /// Adds the header fields of one `--header`.
    private mutating func addHeaders(_ text: String) throws(UsageError) {
      for field in try HeaderArgument.fields(in: text, files: files) {
        guard options.headers[field.name] == nil || HeaderArgument.mayRepeat(field.name) else {
          throw UsageError("--header: '\(field.name)' is given twice; it may occur once")
        }
        options.headers.append(field.value, for: field.name)
      }
    }

    /// The command that all arguments make.
    var command: Command {
      get throws(UsageError) {
        var options = options
        if let itemsPath { options.style = options.style.items(at: itemsPath) }
        // Such a style needs a body to set the cursor in.
        if case .token(_, .body, _, _) = options.style.form, options.body == nil {
          options.body = .emptyObject
        }
        options.method = method ?? (options.body == nil ? .get : .post)
        if options.body != nil, options.method == .get || options.method == .head {
          throw UsageError("--method: expected POST or another method that has a body")
        }
        guard options.watchInterval == nil || options.refreshes == 0 else {
          throw UsageError("--refresh: expected without --watch, which refreshes forever")
        }
        guard let address else { return isBrowsing ? .browse(nil, options) : .demo(options) }
        if let credentials = address.credentials, options.headers["Authorization"] == nil {
          options.headers["Authorization"] = credentials
        }
        return isBrowsing ? .browse(address, options) : .walk(address, options)
      }
    }
  }
}
