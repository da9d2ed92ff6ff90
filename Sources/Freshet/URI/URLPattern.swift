/// A pattern that paths are matched with, such as `/users/*/repos` or `items/**`.
///
/// `*` stands for any run of characters but `/`, `**` for any run at all, `?` for one character but
/// `/`; everything else stands for itself, compared byte for byte in the percent-encoded form that
/// URLs have. A pattern is relative to the base URL of the service unless it begins with a scheme;
/// query and fragment do not take part.
struct URLPattern: Sendable {
  fileprivate enum Token: Equatable {
    case byte(UInt8)
    case one
    case run
    case anyRun
  }

  /// The text of the pattern before the first wildcard, by which most URLs are distinguished.
  private let prefix: [UInt8]
  private let tokens: [Token]

  /// Creates a pattern.
  ///
  /// - Parameter base: the base URL of the service, ending with `/`.
  init(_ pattern: String, base: String) {
    let isAbsolute = Self.beginsWithScheme(pattern)
    let text = isAbsolute ? Self.normalizingOrigin(pattern)[...] : pattern.drop { $0 == "/" }
    let encoded = Self.encode(text, keepingBrackets: isAbsolute)
    var prefix = isAbsolute ? [] : Array(base.utf8)
    var tokens: [Token] = []
    for byte in encoded.utf8 {
      switch byte {
      case UInt8(ascii: "?"): tokens.append(.one)
      case UInt8(ascii: "*"):
        if tokens.last == .run || tokens.last == .anyRun {
          tokens[tokens.count - 1] = .anyRun
        } else {
          tokens.append(.run)
        }
      default: if tokens.isEmpty { prefix.append(byte) } else { tokens.append(.byte(byte)) }
      }
    }
    self.prefix = prefix
    self.tokens = tokens
  }

  /// Whether the pattern covers the URL.
  ///
  /// - Complexity: O(*p* · *u*) in the lengths of pattern and URL at the worst, whatever the stars;
  ///   O(*u*) if there are none.
  func matches(_ url: String) -> Bool {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard path.starts(with: prefix) else { return false }
    let rest = path.dropFirst(prefix.count)
    if tokens.isEmpty { return rest.isEmpty }
    if tokens == [.anyRun] { return true }
    // reached[t] says whether the tokens before t can cover the bytes seen so far.
    var reached = [Bool](repeating: false, count: tokens.count + 1)
    reached[0] = true
    skipRuns(&reached)
    for byte in rest {
      var isAlive = false
      reached[tokens.count] = false
      // From the end, so that each entry is read before it is written.
      for index in tokens.indices.reversed() {
        let isReached = reached[index]
        let moves = isReached && tokens[index].covers(byte)
        if !tokens[index].isRun {
          reached[index] = false
          if moves { reached[index + 1] = true }
        } else if !moves {
          reached[index] = false
        }
        isAlive = isAlive || moves
      }
      guard isAlive else { return false }
      skipRuns(&reached)
    }
    return reached[tokens.count]
  }

  /// A run may be empty.
  private func skipRuns(_ reached: inout [Bool]) {
    for index in tokens.indices where reached[index] && tokens[index].isRun {
      reached[index + 1] = true
    }
  }

  private static func beginsWithScheme(_ pattern: String) -> Bool {
    let scheme = pattern.utf8.prefix { $0 != UInt8(ascii: ":") }
    return !scheme.isEmpty && pattern.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
      && scheme.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.*".utf8.contains($0) }
  }

  /// An absolute pattern whose origin is in the form that the origins of URLs have.
  private static func normalizingOrigin(_ pattern: String) -> String {
    let scheme = pattern.prefix { $0 != ":" }
    let rest = pattern.dropFirst(scheme.count + "://".count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    if let origin = URIParts.Origin(scheme: String(scheme), authority: String(authority)) {
      return "\(origin.scheme)://\(origin.userInfo)\(origin.hostAndPort)\(path)"
    }
    return "\(scheme.asciiLowercased)://\(authority.asciiLowercased)\(path)"
  }

  /// Encodes what stands encoded in every URL of a service.
  private static func encode(_ pattern: Substring, keepingBrackets: Bool) -> String {
    PercentEncoding.encode(pattern, keepingTriplets: true) { byte in
      PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte)
        || (keepingBrackets && "[]".utf8.contains(byte))
    }
  }
}

extension URLPattern.Token {
  fileprivate var isRun: Bool { self == .run || self == .anyRun }

  /// Whether a byte can be this, or a part of it.
  fileprivate func covers(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let expected): byte == expected
    case .one, .run: byte != UInt8(ascii: "/")
    case .anyRun: true
    }
  }
}
