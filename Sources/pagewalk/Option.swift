extension Command {
  /// The names of the options.
  enum Option: String {
    case style, items, id, limit, header, method, body, timeout, retries, refresh, watch, cache
    case concurrency
    case maximumPages = "max-pages"
    case maximumEmptyPages = "max-empty-pages"
    case maximumBytes = "max-bytes"
    case allowOrigin = "allow-origin"
    case authorities = "cacert"
    case events, summary, quiet, help, version
    /// Redirects are followed with and without it.
    case location

    /// The option of a letter, as curl has it.
    init?(_ letter: Character) {
      switch letter {
      case "H": self = .header
      case "X": self = .method
      case "d": self = .body
      case "s": self = .quiet
      case "L": self = .location
      case "h": self = .help
      default: return nil
      }
    }

    /// Whether it has no value.
    var isFlag: Bool {
      switch self {
      case .events, .summary, .quiet, .help, .version, .location: true
      default: false
      }
    }

    /// Whether `pagewalk browse` has it: those about output are for the walk.
    var isForBrowsing: Bool {
      switch self {
      case .limit, .refresh, .watch, .events, .summary, .quiet: false
      default: true
      }
    }

    /// The range of the whole number that the option takes; nil if it takes something else.
    var range: ClosedRange<Int>? {
      switch self {
      case .limit, .retries, .refresh: 0...Int.max
      case .maximumPages, .maximumEmptyPages, .maximumBytes: 1...Int.max
      case .concurrency: 1...64
      default: nil
      }
    }

    /// The kind of value that the option takes.
    var expectation: String {
      switch self {
      case .style: "a style such as auto, link or header=NAME"
      case .items: "the dotted path of the item array"
      case .id: "the dotted path of an item's identity"
      case .limit, .retries, .refresh: "a whole number from 0"
      case .maximumPages, .maximumEmptyPages, .maximumBytes: "a whole number from 1"
      case .concurrency: "a whole number from 1 to 64"
      case .header: "'Name: value' or @FILE"
      case .method: "a method such as POST"
      case .body: "JSON or @FILE"
      case .allowOrigin: "an origin such as https://api.example.com"
      case .timeout, .watch: "seconds from 0.001 to 1000000000"
      case .cache: "a directory"
      case .authorities: "a file with certificates in PEM format"
      default: "a value"
      }
    }
  }
}
