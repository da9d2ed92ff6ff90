import Freshet

/// The parsed arguments: a pure value.
enum Command: Equatable {
  case help
  case version
  /// Walk the embedded demo.
  case demo(Options)
  case walk(Address, Options)
  /// Show a list in the terminal: that of a URL, or the embedded demo.
  case browse(Address?, Options)
}

/// How to walk.
struct Options: Equatable {
  var style = PageStyle.auto
  /// The path of an item's identity; nil to print each copy of an item.
  var identity: JSONPath?
  /// How many items are wanted; nil for all.
  var limit: Int?
  var maximumPages = 10_000
  var headers = HTTPHeaders()
  var method = HTTPMethod.get
  var body: JSONText?
  var allowedOrigins: Set<String> = []
  var timeout = Duration.seconds(30)
  var retries = 2
  /// The most requests under way at once.
  var concurrency = 1
  /// How often the list is refreshed after the first walk.
  var refreshes = 0
  /// How long to wait between endless refreshes; nil if there are none.
  var watchInterval: Duration?
  /// The directory of the persistent cache; nil for none.
  var cacheDirectory: String?
  var printsEvents = false
  var printsSummary = false
  var isQuiet = false
}

/// The error of invalid arguments: the argument, and what is expected.
///
/// It shows no value that may be a secret.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
