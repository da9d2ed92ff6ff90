extension URIParts {
  /// Scheme and authority of an HTTP URL in the one form of all that mean the same, RFC 3986 sections
  /// 6.2.2.1 and 6.2.3: in lower case, without a default port.
  struct Origin {
    let scheme: String
    /// The user name and password with the `@`, to the letter; empty for none.
    let userInfo: Substring
    let hostAndPort: String

    /// Nil for another scheme than `http` and `https`, and without a usable host or port.
    init?(scheme: String, authority: String) {
      let defaultPort: UInt16
      self.scheme = scheme.asciiLowercased
      switch self.scheme {
      case "http": defaultPort = 80
      case "https": defaultPort = 443
      default: return nil
      }
      let start = authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
      userInfo = authority[..<start]
      // The colons of an IP literal are inside brackets: only one after them starts a port.
      let searchStart = authority[start...].lastIndex(of: "]") ?? start
      let colon = authority[searchStart...].firstIndex(of: ":") ?? authority.endIndex
      let host = authority[start..<colon].asciiLowercased
      let digits = authority[colon...].dropFirst()
      guard !host.isEmpty, host.hasPrefix("[") == host.hasSuffix("]") else { return nil }
      if digits.isEmpty {
        hostAndPort = host
      } else {
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits) else { return nil }
        hostAndPort = port == defaultPort ? host : "\(host):\(port)"
      }
    }
  }

  /// Nil if there is none, or nothing can be loaded from it.
  var origin: Origin? {
    guard let scheme, let authority else { return nil }
    return Origin(scheme: scheme, authority: authority)
  }

  /// Gives scheme, host and port the one form, if they have it: so that two URLs that mean the same
  /// are one resource. All else stays to the letter.
  mutating func normalizeOrigin() {
    guard let origin else { return }
    scheme = origin.scheme
    authority = origin.userInfo + origin.hostAndPort
  }
}
