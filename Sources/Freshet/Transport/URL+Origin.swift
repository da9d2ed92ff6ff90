import Foundation

extension URL {
  /// Whether the other URL has the same scheme, host and port, RFC 6454 section 5.
  func hasSameOrigin(as other: URL) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased()
      && host?.lowercased() == other.host?.lowercased()
      && effectivePort == other.effectivePort
  }

  /// The port that is connected to: the one given, or the default of the scheme.
  var effectivePort: Int? {
    if let port { return port }
    switch scheme?.lowercased() {
    case "http": return 80
    case "https": return 443
    default: return nil
    }
  }

  /// `scheme://host:port/path`, what messages may show of a URL.
  ///
  /// User names, passwords, queries and fragments hold tokens; they are left out.
  var originAndPath: String {
    var shown = URLComponents()
    shown.scheme = scheme
    shown.host = host
    shown.port = port
    return (shown.string ?? "") + path(percentEncoded: true)
  }
}
