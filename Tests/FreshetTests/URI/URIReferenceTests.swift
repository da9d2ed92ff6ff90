import Foundation
import Testing

@testable import Freshet

@Suite("URI references")
struct URIReferenceTests {
  @Test(
    "A reference resolves as RFC 3986 says",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("#s", "http://a/b/c/d;p?q#s"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("../..", "http://a/"),
      ("../../../g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("http:g/./h", "http:g/h"), ("http:../g", "http:g"), ("http:g/../h", "http:/h"),
    ])
  func referenceResolves(reference: String, expected: String) {
    #expect(URIReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test(
    "Scheme, host and port have one form, and all else stays to the letter",
    arguments: [
      ("HTTP://HOST:80/a", "http://host/a"),
      ("HTTPS://H.Test:443/A/%2f?B#C", "https://h.test/A/%2f?B#C"),
      ("http://h:443/", "http://h:443/"), ("//H.Test:443/x", "https://h.test/x"),
      ("//H:80", "https://h:80"), ("http://h:/", "http://h/"), ("http://h:0080/", "http://h/"),
      ("HTTP://h:08080/", "http://h:8080/"), ("HTTP://[::FFFF]:80/", "http://[::ffff]/"),
      ("HTTP://Me:Pw@H:80/", "http://Me:Pw@h/"), ("FTP://H:21/", "FTP://H:21/"),
      ("", "https://base.test/B"), ("?C", "https://base.test/B?C"), ("/C", "https://base.test/C"),
      ("HTTP://H:x/", "HTTP://H:x/"), ("HTTP://H:65536/", "HTTP://H:65536/"),
    ])
  func originHasOneForm(reference: String, expected: String) {
    #expect(URIReference.resolve(reference, against: "HTTPS://BASE.Test:443/B") == expected)
  }

  @Test("A relative reference has no meaning without an absolute base")
  func relativeBaseIsRefused() {
    #expect(URIReference.resolve("g", against: "/b/c") == nil)
    #expect(URIReference.resolve("https://a/g", against: "/b/c") == "https://a/g")
  }

  @Test(
    "What may not stand in a URI is encoded and what is encoded stays",
    arguments: [
      ("a%2fb c", "https://h/a%2fb%20c"), ("ä?ö#ü", "https://h/%C3%A4?%C3%B6#%C3%BC"),
      ("100%", "https://h/100%25"), ("%zz%2", "https://h/%25zz%252"), ("%%41", "https://h/%25%41"),
      ("?page[size]=\"2\"", "https://h/?page%5Bsize%5D=%222%22"),
      ("a\u{0}\r\nb", "https://h/a%00%0D%0Ab"),
      ("#a#b", "https://h/#a%23b"), (" \t/x \n", "https://h/x"),
      ("//[::1]:80/", "https://[::1]:80/"),
      ("https://good.example\\@evil.example/", "https://good.example%5C@evil.example/"),
    ])
  func invalidBytesAreEncoded(reference: String, expected: String) throws {
    let resolved = try #require(URIReference.resolve(reference, against: "https://h/"))
    #expect(resolved == expected)
    #expect(URL(string: resolved)?.absoluteString == expected, "Foundation must keep it")
  }

  @Test("A path never turns into an authority")
  func pathStaysPath() {
    #expect(URIReference.resolve("x:/..//h", against: "https://a/") == "x:/.//h")
  }

  @Test("A long run of dot segments resolves", .standardTimeLimit)
  func manyDotSegments() {
    let reference = String(repeating: "a/../", count: 200_000) + "b"
    #expect(URIReference.resolve(reference, against: "https://h/v1/items") == "https://h/v1/b")
  }

  @Test("A fragment can be dropped")
  func fragmentIsDropped() {
    #expect(URIReference.removingFragment("https://a/b?c#d#e") == "https://a/b?c")
    #expect(URIReference.removingFragment("https://a/b?c") == "https://a/b?c")
  }

  @Test(
    "Equal origins are equal strings",
    arguments: [
      ("HTTPS://API.Example.com:443/x?y", "https://api.example.com"), ("http://a:80", "http://a"),
      ("http://a:443/", "http://a:443"), ("https://a:/x", "https://a"),
      ("http://a:0080/", "http://a"),
      ("https://user:pass@a:8443/", "https://a:8443"), ("https://[::1]/", "https://[::1]"),
      ("https://[::1]:8443/", "https://[::1]:8443"), ("https://good\\@evil/", "https://evil"),
      ("https://a@b@c/", "https://c"),
    ])
  func originIsNormalized(url: String, expected: String) {
    #expect(URIReference.origin(of: url) == expected)
  }

  @Test(
    "What no HTTP server serves has no origin",
    arguments: [
      "ftp://a/", "mailto:a@b", "/a", "", "https:///a", "https://:443/", "https://a:b/", "http:a",
      "https://a:65536/", "https://a:-1/",
    ])
  func originIsRefused(url: String) {
    #expect(URIReference.origin(of: url) == nil)
  }

  @Test(
    "Random references resolve as the RFC's own pseudocode does", arguments: [1, 2, 3] as [UInt64])
  func randomReferencesMatchModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "b;c", "..", ".", "/", "/", "//", "%2e", "?", "q=1", "#", "...", ":", "s:", "h",
    ]
    for round in 0..<1_000 {
      let make: (Int, inout SeededGenerator) -> String = { count, random in
        (0..<count).map { _ in random.pick(pieces) }.joined()
      }
      let base = "https:" + make(Int.random(in: 0...7, using: &random), &random)
      let reference = make(Int.random(in: 0...7, using: &random), &random)
      #expect(
        URIReference.resolve(reference, against: base)
          == NaiveURI.resolve(reference, against: base),
        "seed \(seed) round \(round): \(reference) in \(base)")
    }
  }
}
