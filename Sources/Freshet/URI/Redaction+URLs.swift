extension Redaction {
  /// A URL or reference that can be logged: user name, password, the values of query parameters with
  /// secret names, the fragment, and a query or fragment that is encoded in the path are hidden.
  ///
  /// So is a value that has such a parameter in it: of a server that separates parameters with `;`, or of a URL
  /// with a query of its own.
  package static func url(_ url: String) -> String {
    var parts = publicParts(of: url)
    if let query = parts.query {
      parts.query = URIQuery(url: "?" + query).parameters.map(publicText).joined(separator: "&")
    }
    return parts.text
  }

  /// The value of a header field that can be logged: the URLs in it are as ``url(_:)`` shows them.
  package static func fieldValue(_ value: String) -> String {
    guard value.contains("<") else { return withoutSecrets(value) }
    // A list of links, each in angle brackets.
    let parts = value.split(separator: "<", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      guard index > 0 else { return withoutSecrets(String(part)) }
      let end = part.firstIndex(of: ">") ?? part.endIndex
      return "<" + url(String(part[..<end])) + withoutSecrets(String(part[end...]))
    }.joined()
  }

  private static func withoutSecrets(_ text: String) -> String {
    let mayBeURL =
      text.contains("?") || text.contains("#") || text.contains("://") || text.hasPrefix("/")
    return mayBeURL ? url(text) : text
  }

  private static func publicText(of parameter: URIQuery.Parameter) -> String {
    let decoded = parameter.value.map { parameter.name + "=" + $0 } ?? parameter.name
    let hasSecret = decoded.split { ";?&#".contains($0) }.contains { part in
      part.firstIndex(of: "=").map { isSecretName(String(part[..<$0])) } ?? false
    }
    guard hasSecret else { return parameter.text }
    return parameter.value == nil ? placeholder : parameter.writtenName + "=" + placeholder
  }

  /// A URL as an error message shows it: scheme, host, port and path.
  package static func originAndPath(of url: String) -> String {
    var parts = publicParts(of: url)
    parts.query = nil
    return parts.text
  }

  /// A URL that a server has named as an error message shows it: also without the parameters of its path, such as
  /// `;jsessionid=…`, which may be new credentials.
  package static func serverLocation(_ url: String) -> String {
    let shown = originAndPath(of: url)
    guard shown.contains(";") else { return shown }
    return shown.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.firstIndex(of: ";").map { segment[..<$0] + ";" + placeholder } ?? segment
    }
    .joined(separator: "/")
  }

  /// The parts without a fragment and with user name and password hidden; of a malformed URL everything
  /// that may be a part of these.
  private static func publicParts(of url: String) -> URIParts {
    var parts = URIParts(url)
    parts.fragment = nil
    // A query that a program has passed as a part of a path was encoded with it.
    if let delimiter = parts.path.firstRange(of: /%(3[Ff]|23)/) {
      parts.path = parts.path[..<delimiter.upperBound] + placeholder
    }
    if let authority = parts.authority, let at = authority.lastIndex(of: "@") {
      parts.authority = placeholder + authority[at...]
    }
    guard mayHoldUserInfo(parts) else { return parts }
    let rest = parts.path.lastIndex(of: "@").map { String(parts.path[$0...]) }
    if parts.authority == nil {
      (parts.scheme, parts.path) = (nil, placeholder + (rest ?? ""))
    } else {
      (parts.authority, parts.path) = (placeholder + (rest ?? ""), "")
    }
    parts.query = nil
    return parts
  }

  /// Whether there may be a user name or password where none belongs: before a port that is not a number, as
  /// of a password with `/` in it, or in a path without a host before it.
  private static func mayHoldUserInfo(_ parts: URIParts) -> Bool {
    let authority = parts.authority ?? ""
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let port = (host.first == "[" ? host.drop { $0 != "]" } : host).drop { $0 != ":" }
    guard port.utf8.dropFirst().allSatisfy(\.isASCIIDigit) else { return true }
    guard host.count == port.count, let at = parts.path.lastIndex(of: "@") else { return false }
    return parts.scheme != nil || parts.path[..<at].contains(":")
  }
}
