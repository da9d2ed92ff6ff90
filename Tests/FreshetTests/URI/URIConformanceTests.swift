import Testing

@testable import Freshet

@Suite("Conformance: URI references", .enabled(if: Conformance.isAvailable))
struct URIConformanceTests {
  private struct Resolutions: Decodable {
    struct Case: Decodable {
      let base: String
      let ref: String
      let expected: String
    }
    let cases: [Case]
  }

  private struct Redirects: Decodable {
    struct Case: Decodable {
      let location: [String]
      let redirect_to: String?
    }
    let cases: [Case]
  }

  @Test("References resolve as listed", arguments: ["rfc3986-5.4", "go-resolve-reference"])
  func referencesResolve(file: String) throws {
    for test in try Conformance.load("url/\(file).json", as: Resolutions.self).cases {
      #expect(
        URIReference.resolve(test.ref, against: test.base) == test.expected,
        "\(test.ref) in \(test.base)")
    }
  }

  /// Chromium takes the bytes of a field as Latin-1 and leaves `^`, `\\` and `]` as they are; here
  /// non-ASCII characters are encoded as UTF-8. Those four locations only have to come out as ASCII.
  @Test("Redirect locations resolve as listed, but for the encoding of what is not ASCII")
  func locationsResolve() throws {
    for test in try Conformance.load("url/chromium-redirect-location.json", as: Redirects.self)
      .cases
    {
      guard let location = test.location.first(where: { !$0.isEmpty }) else { continue }
      let resolved = try #require(URIReference.resolve(location, against: "http://base/"))
      if location.utf8.allSatisfy({ $0 < 0x80 }) {
        #expect(resolved == test.redirect_to)
      } else {
        #expect(
          resolved.utf8.allSatisfy { $0 < 0x80 } && resolved.hasPrefix("http://foo/bar?key=%C2%8")
            || resolved == "http://foo/bar?key=%C3%A4%C3%B6%C3%BC")
      }
    }
  }
}
