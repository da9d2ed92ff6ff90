import Foundation
import Testing

@testable import Freshet

@Suite("Paths of a service")
struct BaseURLTests {
  private let base = BaseURL("https://api.test/v1")

  @Test(
    "A path is below the base, however many slashes it begins with",
    arguments: [
      ("gists", "gists"), ("/gists", "gists"), ("///gists", "gists"), ("", ""), ("/", ""),
      ("a/b/", "a/b/"), ("a//b", "a//b"), ("a.b", "a.b"), ("v1.2/x", "v1.2/x"),
      ("a?q=1&q=2", "a?q=1&q=2"), ("?q=1", "?q=1"), ("a?", "a?"), ("a?b?c", "a?b?c"),
      ("a?q=../x", "a?q=../x"), ("a?next=https://x.test/", "a?next=https://x.test/"),
    ])
  func pathsAreBelowTheBase(path: String, expected: String) throws {
    #expect(try base.resolve(path) == "https://api.test/v1/" + expected)
  }

  @Test(
    "Odd characters are percent-encoded once, and what is encoded is kept to the letter",
    arguments: [
      ("a b", "a%20b"), ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("a%2fb c", "a%2fb%20c"),
      ("100%", "100%25"), ("a\"<>\\^`{|}", "a%22%3C%3E%5C%5E%60%7B%7C%7D"), ("[1]", "%5B1%5D"),
      ("a?q=é|", "a?q=%C3%A9%7C"), ("😀", "%F0%9F%98%80"), ("a\r\nb", "a%0D%0Ab"),
      ("a\u{0}b", "a%00b"), ("~!$&'()*+,;=@", "~!$&'()*+,;=@"),
    ])
  func oddCharacters(path: String, expected: String) throws {
    let url = try base.resolve(path)
    #expect(url == "https://api.test/v1/" + expected)
    #expect(URL(string: url)?.absoluteString == url)
  }

  @Test(
    "A colon in the first segment is no scheme",
    arguments: ["a:b", "urn:isbn:1", "12:30", "mailto:a@b.test", "https:x"])
  func colons(path: String) throws {
    #expect(try base.resolve(path) == "https://api.test/v1/" + path)
  }

  @Test(
    "Dot segments are removed and do not leave the host",
    arguments: [
      (".", "/v1/"), ("./a", "/v1/a"), ("a/../b", "/v1/b"), ("..", "/"), ("../v2/a", "/v2/a"),
      ("../../../../a", "/a"), ("a/..", "/v1/"), ("...", "/v1/..."), (".a", "/v1/.a"),
      ("../../evil.test/a", "/evil.test/a"),
    ])
  func dotSegments(path: String, expected: String) throws {
    #expect(try base.resolve(path) == "https://api.test" + expected)
  }

  @Test("A fragment is no part of a resource", arguments: ["a#b", "a#", "a#?b", "#"])
  func fragments(path: String) throws {
    #expect(try !base.resolve(path).contains("#"))
  }

  @Test(
    "An absolute URL is refused with the way out",
    arguments: [
      "https://other.test/a", "http://api.test/v1/a", "HTTPS://API.test/v1/a", " https://x.test",
    ])
  func absoluteURLs(path: String) {
    let error = #expect(throws: UnusableURL.self) { try base.resolve(path) }
    #expect(error?.error(at: .now).message.contains("resource(absoluteURL:)") == true)
  }

  @Test("What looks like another host is a path", arguments: ["//evil.test/a", "\\\\evil.test\\a"])
  func hostsArePaths(path: String) throws {
    #expect(try base.resolve(path).hasPrefix("https://api.test/v1/"))
  }

  @Test(
    "Query and fragment of the base are left out, and its path gets a slash",
    arguments: [
      ("https://api.test", "https://api.test/"), ("https://api.test/v1", "https://api.test/v1/"),
      ("https://api.test/v1/?a=b#c", "https://api.test/v1/"),
      ("https://api.test?a=b/", "https://api.test/"),
      ("https://a.test:8443/é", "https://a.test:8443/%C3%A9/"),
      ("http://[::1]:80/x", "http://[::1]/x/"), ("HTTPS://A.Test:443/X", "https://a.test/X/"),
    ])
  func bases(url: String, expected: String) {
    #expect(BaseURL(url).text == expected)
  }

  @Test(
    "An unusable base makes every path unusable",
    arguments: [
      "", "api.test", "/v1", "ftp://api.test", "https://", "https://:80", "file:///x", "::",
    ])
  func unusableBases(url: String) {
    #expect(throws: UnusableURL.self) { try BaseURL(url).resolve("a") }
    #expect(throws: UnusableURL.self) { try BaseURL(url).resolve("") }
  }

  @Test("An absolute URL that is meant has the same form")
  func explicitAbsoluteURLs() throws {
    #expect(try base.absolute("https://x.test/é?b=1#c") == "https://x.test/%C3%A9?b=1")
    #expect(try base.absolute("https://x.test/a/../b") == "https://x.test/b")
    #expect(try base.absolute("HTTPS://X.Test:443/B") == "https://x.test/B")
    for url in ["", "a", "//x.test/a", "ftp://x.test/a", "https://", "mailto:a@b.test"] {
      #expect(throws: UnusableURL.self) { try base.absolute(url) }
    }
  }

  @Test(
    "Paths that need no work come out as resolution would have them", arguments: [1, 2] as [UInt64])
  func fastPathAgrees(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<trialCount(5_000) {
      let path = String(
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
          random.pick("ab/.?=&:%2 é")
        })
      let trimmed = path.drop { $0 == "/" }
      let expected = URIReference.resolve("./" + trimmed, against: base.text)
      #expect(try base.resolve(path) == expected, "seed \(seed) round \(round): \(path)")
    }
  }
}
