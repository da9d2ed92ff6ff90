import Testing

@testable import Freshet

/// The byte append has to come to what RFC 3986 says, and to know origins for certain.
@Suite("URI references resolved as a byte append")
struct URIReferencePlainTests {
  @Test(
    "The usual next links are resolved as one, with the origin known",
    arguments: [
      ("/items?page=2", "https://a.test/items?page=2"), ("/", "https://a.test/"),
      ("?page=2", "https://a.test/v1/items?page=2"), ("?", "https://a.test/v1/items?"),
      ("/items?c=%2f+a,b%3D", "https://a.test/items?c=%2f+a,b%3D"),
      ("https://a.test/items?page=2", "https://a.test/items?page=2"),
    ])
  func usual(reference: String, expected: String) {
    for base in ["https://a.test/v1/items", "https://a.test/v1/items?x=/../y#z"] {
      let target = URIReference.plainTarget(of: reference, against: base)
      #expect(target == .init(url: expected, hasOriginOfBase: true))
    }
  }

  @Test(
    "What only looks like the origin of the base is not taken for it",
    arguments: [
      "https://a.test.evil/x", "https://a.tes/x", "http://a.test/x", "https://a.test:8080/x",
      "https://a.test@evil/x", "//a.test/x", "/\\a.test/x", "https:/a.test/x",
    ])
  func lookalikes(reference: String) {
    for base in ["https://a.test/", "https://a.test", "https://a.test?x"] {
      let target = URIReference.plainTarget(of: reference, against: base)
      #expect(target?.hasOriginOfBase != true, "\(reference) in \(base)")
    }
  }

  @Test(
    "An origin is taken to the letter where parsing leaves it as it is, with a port too",
    arguments: [
      ("http://a.test:8080", true), ("https://a.test:80/x", true), ("http://a.test:443?x", true),
      ("http://127.0.0.1:65535#x", true), ("http://a.test:1", true), ("http://a.test:80/", false),
      ("https://a.test:443/", false), ("http://a.test:080/", false), ("http://a.test:0/", false),
      ("http://a.test:65536/", false), ("http://a.test:123456/", false), ("http://a.test:/", false),
      ("http://a.test:", false), ("http://a.test:80a/", false), ("http://:80/", false),
      ("http://a:b@a.test/", false), ("http://8080:81@a.test/", false),
      ("http://a.test:8080:1/", false),
    ])
  func ports(url: String, isPlain: Bool) {
    let plain = URIReference.plainOrigin(of: url).map(String.init)
    #expect((plain != nil) == isPlain)
    let parsed = URIParts(url).origin.map { "\($0.scheme)://\($0.hostAndPort)" }
    if isPlain { #expect(plain == parsed) }
    #expect(URIReference.origin(of: url) == parsed)
  }

  @Test("Whatever is appended is what resolving comes to", arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let origins = [
      "https://a.test", "https://a.test", "http://a.test", "https://a.test.evil", "https://A.test",
      "https://a.test:8080", "https://me@a.test", "HTTPS://A.test:443", "http://a.test:080",
      "https://a.tes", "x:", "", "http://a.test:8080", "https://a.test:80", "http://a.test:80",
      "https://a.test:", "http://a.test:65536",
    ]
    let pieces = [
      "/", "/", "items", "a", ".", "..", "...", "?", "page=2", "&", "%2f", "%2E", "#", "//", ",",
      "+", ":", "~", "_",
    ]
    let rounds = trialCount(1_500)
    var count = 0
    for round in 0..<rounds {
      func text(_ origin: String) -> String {
        (0..<Int.random(in: 0...6, using: &random)).reduce(into: origin) { text, _ in
          text += random.pick(pieces)
        }
      }
      let base = text(random.pick(origins))
      let reference = text(random.chance(0.4) ? random.pick(origins) : random.pick(["/", "?", ""]))
      let place: Comment = "seed \(seed) round \(round): \(reference) in \(base)"
      let expected = NaiveURI.resolve(reference, against: base)
      #expect(URIReference.resolve(reference, against: base) == expected, place)
      guard let target = URIReference.plainTarget(of: reference, against: base) else { continue }
      count += 1
      #expect(target.url == expected, place)
      if target.hasOriginOfBase {
        #expect(Self.naiveOrigin(target.url) == Self.naiveOrigin(base), place)
      }
    }
    #expect(count > rounds / 30, "only \(count) of the references were plain")
  }

  /// Everything up to the path, the query or the fragment.
  private static func naiveOrigin(_ url: String) -> String {
    let parts = url.split(separator: "://", maxSplits: 1)
    guard parts.count == 2 else { return "none of \(url)" }
    return parts[0] + "://" + parts[1].prefix { !"/?#".contains($0) }
  }

  @Test(
    "The listed references agree with it", .enabled(if: Conformance.isAvailable),
    arguments: ["rfc3986-5.4", "go-resolve-reference"])
  func conformance(file: String) throws {
    struct Resolutions: Decodable {
      struct Case: Decodable {
        let base: String
        let ref: String
        let expected: String
      }
      let cases: [Case]
    }
    for test in try Conformance.load("url/\(file).json", as: Resolutions.self).cases {
      guard let target = URIReference.plainTarget(of: test.ref, against: test.base) else {
        continue
      }
      #expect(target.url == test.expected, "\(test.ref) in \(test.base)")
      if target.hasOriginOfBase {
        #expect(Self.naiveOrigin(target.url) == Self.naiveOrigin(test.base))
      }
    }
  }
}
