/// A pattern that paths are matched with, such as `/users/*/repos` or `items/**`.
///
/// `*` stands for any run of characters but `/`, `**` for any run at all, `?` for one character but
/// `/`; everything else stands for itself, compared byte for byte. A pattern is relative to the base
/// URL of the service unless it begins with a scheme; query and fragment do not take part.
struct URLPattern: Sendable {
  private enum Token: Equatable {
    case byte(UInt8)
    case one
    case run
    case anyRun
  }

  private let tokens: [Token]

  /// Makes a pattern.
  ///
  /// - Parameter base: the base URL of the service, ending with `/`.
  init(_ pattern: String, base: String) {
    let isAbsolute = pattern.contains("://")
    let relative = pattern.drop { $0 == "/" }
    let absolute = isAbsolute ? pattern : base + relative
    var tokens: [Token] = isAbsolute ? [] : base.utf8.map { .byte($0) }
    for byte in isAbsolute ? Array(absolute.utf8) : Array(relative.utf8) {
      switch byte {
      case UInt8(ascii: "?"): tokens.append(.one)
      case UInt8(ascii: "*"):
        if tokens.last == .run || tokens.last == .anyRun {
          tokens[tokens.count - 1] = .anyRun
        } else {
          tokens.append(.run)
        }
      default: tokens.append(.byte(byte))
      }
    }
    self.tokens = tokens
  }

  /// Whether the pattern covers the URL.
  ///
  /// - Complexity: O(*p* · *u*) in the lengths of pattern and URL at the worst, whatever the stars.
  func matches(_ url: String) -> Bool {
    let path = Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    // reached[t] says whether the tokens before t can cover the bytes seen so far.
    var reached = [Bool](repeating: false, count: tokens.count + 1)
    reached[0] = true
    skipRuns(&reached)
    for byte in path {
      var next = [Bool](repeating: false, count: tokens.count + 1)
      var isAlive = false
      for (index, token) in tokens.enumerated() where reached[index] {
        switch token {
        case .byte(let expected): if byte == expected { next[index + 1] = true } else { continue }
        case .one: if byte != UInt8(ascii: "/") { next[index + 1] = true } else { continue }
        case .run: if byte != UInt8(ascii: "/") { next[index] = true } else { continue }
        case .anyRun: next[index] = true
        }
        isAlive = true
      }
      guard isAlive else { return false }
      skipRuns(&next)
      reached = next
    }
    return reached[tokens.count]
  }

  /// A run may be empty.
  private func skipRuns(_ reached: inout [Bool]) {
    for (index, token) in tokens.enumerated()
    where reached[index] && (token == .run || token == .anyRun) {
      reached[index + 1] = true
    }
  }
}
