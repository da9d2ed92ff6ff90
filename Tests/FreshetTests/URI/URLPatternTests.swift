import Testing

@testable import Freshet

@Suite("URL patterns")
struct URLPatternTests {
  private static let base = "https://api.test/v1/"

  private func matches(_ pattern: String, _ url: String) -> Bool {
    URLPattern(pattern, base: Self.base).matches(url)
  }

  @Test(
    "A pattern is relative to the base URL",
    arguments: [
      ("a", "a", true), ("/a", "a", true), ("a", "a/", false), ("a", "ab", false),
      ("", "", true), ("/", "", true), ("a", "A", false), ("a.b", "axb", false),
      ("a", "a?b=c", true), ("a", "a#b", true), ("a?b", "a?b", false),
    ])
  func relative(pattern: String, path: String, isMatch: Bool) {
    #expect(matches(pattern, Self.base + path) == isMatch)
  }

  @Test(
    "Stars stand for runs, a question mark for one character",
    arguments: [
      ("*", "a", true), ("*", "", true), ("*", "a/b", false), ("a/*", "a/b", true),
      ("a/*", "a", false), ("a/*", "a/", true), ("a/*/c", "a/b/c", true),
      ("a/*/c", "a/b/b/c", false), ("a/**/c", "a/b/b/c", true), ("a/**", "a/", true),
      ("a/**", "a/b/c", true), ("a/**", "a", false), ("**", "", true), ("**", "a/b?c", true),
      ("***", "a/b", true), ("**/c", "a/b/c", true), ("**c", "a/b/c", true), ("a?c", "abc", true),
      ("a?c", "a/c", false), ("a?c", "ac", false), ("*.json", "a.json", true),
      ("*.json", "a/b.json", false), ("**.json", "a/b.json", true), ("a*b*c", "axxbyyc", true),
      ("*a*", "bab", true), ("*a", "aab", false), ("users/*/repos", "users/1/repos", true),
    ])
  func wildcards(pattern: String, path: String, isMatch: Bool) {
    #expect(matches(pattern, Self.base + path) == isMatch)
  }

  @Test("A pattern that begins with a scheme is absolute")
  func absolute() {
    #expect(matches("https://other.test/**", "https://other.test/a/b"))
    #expect(!matches("https://other.test/**", Self.base + "a"))
    #expect(matches("*://api.test/**", Self.base + "a"))
    #expect(matches("http*://*/v1/a", Self.base + "a"))
    #expect(matches("http://[::1]:80/*", "http://[::1]/x"))
    #expect(matches("http://[::1]:8080/*", "http://[::1]:8080/x"))
    #expect(matches("HTTPS://Other.Test:443/**", "https://other.test/a/b"))
    #expect(matches("HTTPS://*.Test/A?", "https://other.test/AB"))
    #expect(!matches("HTTPS://*.Test/a?", "https://other.test/AB"))
    #expect(matches("http*://Other.Test:*/a", "https://other.test:8443/a"))
    #expect(matches("via/http://x", Self.base + "via/http://x"))
    #expect(!matches("a", "https://other.test/v1/a"))
    #expect(!matches("**", "https://other.test/v1/a"))
  }

  @Test("A pattern is compared in the encoded form that URLs have")
  func encoded() throws {
    let url = try BaseURL(Self.base).resolve("caf\u{E9}/a b/[1]")
    #expect(matches("caf\u{E9}/a b/[1]", url))
    #expect(matches("caf%C3%A9/*/%5B1%5D", url))
    #expect(!matches("cafe\u{301}/**", url))
    #expect(!matches("caf?/**", url))
  }

  @Test("Stars in the base URL stand for themselves")
  func starsInBase() {
    let pattern = URLPattern("a", base: "https://api.test/*/")
    #expect(pattern.matches("https://api.test/*/a"))
    #expect(!pattern.matches("https://api.test/x/a"))
  }

  @Test(
    "Random patterns agree with a naive matcher", arguments: [1, 2, 3, 4] as [UInt64])
  func agreesWithNaive(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var matchCount = 0
    for round in 0..<trialCount(10_000) {
      let pattern = random.text("ab/?**", 7)
      let path = random.text("ab/", 7)
      let isMatch = matches(pattern, Self.base + path)
      let trimmed = pattern.drop { $0 == "/" }
      let expected = Self.naive(Array(trimmed), Array(path))
      if isMatch { matchCount += 1 }
      guard isMatch == expected else {
        Issue.record("seed \(seed) round \(round): \(pattern) \(path) \(isMatch)")
        return
      }
    }
    #expect(matchCount > trialCount(300))
  }

  /// Exponential matchers would not return from this.
  @Test(
    "Hostile patterns stay polynomial",
    arguments: [
      String(repeating: "*a", count: 200), String(repeating: "**a", count: 200),
      String(repeating: "*/", count: 200), String(repeating: "**/*", count: 200),
      String(repeating: "?*", count: 200),
    ])
  func hostile(pattern: String) {
    #expect(!matches(pattern + "b", Self.base + String(repeating: "a", count: 2_000) + "c"))
  }

  private static func naive(_ pattern: [Character], _ path: [Character]) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    let rest = Array(pattern.dropFirst())
    if first == "*" {
      if rest.first == "*" {
        // Any number of further stars means the same.
        let others = Array(rest.drop { $0 == "*" })
        return (0...path.count).contains { naive(others, Array(path.dropFirst($0))) }
      }
      let run = path.prefix { $0 != "/" }.count
      return (0...run).contains { naive(rest, Array(path.dropFirst($0))) }
    }
    guard let next = path.first else { return false }
    return (first == "?" ? next != "/" : next == first) && naive(rest, Array(path.dropFirst()))
  }
}

extension SeededGenerator {
  fileprivate mutating func text(_ characters: String, _ most: Int) -> String {
    String((0..<Int.random(in: 0...most, using: &self)).map { _ in pick(characters) })
  }
}
