import Freshet

/// What the arguments ask for: a pure value.
enum Command: Equatable {
  case help
  case version
  /// Walk the embedded demo.
  case demo(Options)
  case walk(Address, Options)
}

/// How to walk.
struct Options: Equatable {
  var style = PageStyle.auto
  /// Where an item's identity is; nil to show each item as often as it comes.
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
  /// How long to wait between refreshes without an end; nil for no such.
  var watchInterval: Duration?
  var printsEvents = false
  var printsSummary = false
  var isQuiet = false
}

/// Why the arguments make no sense: the argument, and what is expected.
///
/// It shows no value that may be a secret.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
