import Freshet

/// How to walk.
struct Options: Equatable {
  var style = PageStyle.auto
  /// The path of an item's identity; nil to print each copy of an item.
  var identity: JSONPath?
  /// How many items are wanted; nil for all.
  var limit: Int?
  var maximumPages = 10_000
  /// How many pages without items there may be in a row.
  var maximumEmptyPages = 100
  /// The most bytes of one response.
  var maximumBytes = HTTPRequest.defaultMaximumResponseSize
  var headers = HTTPHeaders()
  var method = HTTPMethod.get
  var body: JSONText?
  var allowedOrigins: Set<String> = []
  /// The file with the certificate authorities that are trusted; nil for those of the system.
  var authoritiesFile: String?
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

  /// Whether requests may be retried: others than these may have taken effect.
  var allowsRetries: Bool { method == .get || method == .head }
}
