import Foundation
import Testing

@testable import Freshet

@Suite("PageLink") struct PageLinkTests {
  private let url = "https://api.example.com/v1/items?q=a%2fb&page=1&q=c+d"

  private func key(url: String? = nil, body: String? = nil) -> ResourceKey {
    ResourceKey(
      method: body == nil ? .get : .post, url: url ?? self.url, body: body.map { Data($0.utf8) },
      headers: ["accept": "application/json"])
  }

  @Test(
    "A followed reference is resolved against the URL of the response and replaces everything",
    arguments: [
      ("?page=2", "https://cdn.example.com/v2/items?page=2"),
      ("/other", "https://cdn.example.com/other"),
      ("next?c=%2F+==", "https://cdn.example.com/v2/next?c=%2F+=="),
      ("../x", "https://cdn.example.com/x"), ("//h.org/x#top", "https://h.org/x"),
      ("http://api.example.com:8080/?a=é", "http://api.example.com:8080/?a=%C3%A9"),
    ])
  func follow(reference: String, target: String) throws {
    let own = key(url: "https://cdn.example.com/v1?x=1")
    let next = try PageLink(.follow(reference))
      .applied(to: own, responseURL: "https://cdn.example.com/v2/items?x=1")
    let isOwn = target.hasPrefix("https://cdn.example.com/")
    #expect(next == (isOwn ? key(url: target) : ResourceKey(url: target)))
  }

  @Test(
    "A reference that leads to no HTTP request is refused",
    arguments: [
      ("ftp://example.com/x", .notHTTP(scheme: "ftp")),
      ("mailto:a@b.c", .notHTTP(scheme: "mailto")),
      ("file:///etc/passwd", .notHTTP(scheme: "file")),
      ("javascript:1", .notHTTP(scheme: "javascript")),
      ("https://user:hunter2@example.com/", .hasUserInfo), ("//user@example.com/", .hasUserInfo),
      ("https:///x", .unresolvable("https:///x")), ("http://", .unresolvable("http://")),
      ("http://h:99999/", .unresolvable("http://h:99999/")),
    ] as [(String, PageLinkError)])
  func refused(reference: String, error: PageLinkError) {
    #expect(throws: error) {
      try PageLink(.follow(reference)).applied(to: key(), responseURL: url)
    }
    #expect(!error.description.contains("hunter2"))
  }

  @Test(
    "What is like no URL may be a token, and is shown in part",
    arguments: [
      ("eyJhbGci:hunter2", "scheme 'eyjhbgci'"), (#"ab\cd"#, "'ab"),
      ("eyJhbGciOiJIUzI1NiJ9hunter2:x/y", "scheme 'eyjhbgci…'"),
      (#"abcdefgh\hunter2hunter2"#, "'abcdefgh…'"),
      (#"/a\b/of-a-long-path-without-a-query"#, "of-a-long-path-without-a-query'"),
    ])
  func tokens(reference: String, shown: String) throws {
    let error = #expect(throws: PageLinkError.self) {
      try PageLink(.follow(reference)).applied(to: key(), responseURL: url)
    }
    #expect(error?.description.contains(shown) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test(
    "A token is set in the query to the letter and every other parameter stays",
    arguments: [
      ("page", "2", "https://api.example.com/v1/items?q=a%2fb&page=2&q=c+d"),
      ("token", "%2F", "https://api.example.com/v1/items?q=a%2fb&page=1&q=c+d&token=%252F"),
      ("token", "a+b==", "https://api.example.com/v1/items?q=a%2fb&page=1&q=c+d&token=a%2Bb%3D%3D"),
      ("page", nil, "https://api.example.com/v1/items?q=a%2fb&q=c+d"),
    ])
  func query(name: String, value: String?, result: String) throws {
    let next = try PageLink(.query(name, value)).applied(to: key(), responseURL: "https://x.org/")
    #expect(next == key(url: result))
  }

  @Test("A cursor goes into the body to the letter; the rest of the body stays")
  func body() throws {
    let cursor = try JSONText(
      parsing: #"{"id":{"N":"12345678901234567890"},"n":1e400,"s":"\u002f"}"#)
    let next = try PageLink(.body("variables.after", cursor))
      .applied(to: key(body: #"{"query":"{ a }","variables":{"first":1.0}}"#), responseURL: url)
    #expect(
      next
        == key(
          body: #"{"query":"{ a }","variables":{"first":1.0,"after":\#(cursor)}}"#))
  }

  @Test("A request without a JSON body that can take a cursor is refused with what to do")
  func bodyRefused() throws {
    let link = PageLink(.body("a.b", .null))
    #expect(throws: PageLinkError.bodyMissing("a.b")) {
      try link.applied(to: key(), responseURL: url)
    }
    #expect(throws: PageLinkError.bodyNotJSON("a.b")) {
      try link.applied(to: key(body: "a=b"), responseURL: url)
    }
    #expect(throws: PageLinkError.bodyNotEditable("a.b", .noContainer(.root, .array))) {
      try link.applied(to: key(body: "[]"), responseURL: url)
    }
    #expect(PageLinkError.bodyMissing("a.b").description.contains("'a.b'"))
  }

  @Test("A token in a header joins the headers that identify the request, in order")
  func header() throws {
    let next = try PageLink(.header("X-Token", "a=="), .header("A-First", "1"))
      .applied(to: key(), responseURL: url)
    #expect(next.headers == ["a-first": "1", "accept": "application/json", "x-token": "a=="])
    #expect(throws: PageLinkError.invalidHeader(name: "X-Token")) {
      try PageLink(.header("X-Token", "a\r\nHost: evil")).applied(to: key(), responseURL: url)
    }
    #expect(throws: PageLinkError.invalidHeader(name: "X Token")) {
      try PageLink(.header("X Token", "a")).applied(to: key(), responseURL: url)
    }
  }

  @Test("Differences are made in order")
  func order() throws {
    let next = try PageLink(.follow("/b?x=1"), .query("y", "2")).applied(
      to: key(), responseURL: url)
    #expect(next.url == "https://api.example.com/b?x=1&y=2")
  }

  @Test(
    "A destination is judged by scheme, host and port",
    arguments: [
      ("https://a.org/x", "https://a.org/y?z", .sameOrigin),
      ("https://a.org/", "https://A.org:443/", .sameOrigin),
      ("http://a.org:80/", "http://a.org/", .sameOrigin),
      ("https://a.org/", "https://b.org/", .crossOrigin("https://b.org")),
      ("https://a.org/", "https://a.org:8443/", .crossOrigin("https://a.org:8443")),
      ("https://a.org/", "https://a.org.evil.net/", .crossOrigin("https://a.org.evil.net")),
      ("http://a.org/", "https://a.org/", .crossOrigin("https://a.org")),
      ("https://a.org/", "http://a.org/", .insecure("http://a.org")),
      ("https://a.org/", "http://b.org/", .insecure("http://b.org")),
      ("http://a.org/", "http://b.org/", .crossOrigin("http://b.org")),
    ] as [(String, String, PageLink.Destination)])
  func destination(from: String, to: String, expected: PageLink.Destination) {
    #expect(key(url: to).destination(from: key(url: from), responseURL: from) == expected)
  }

  @Test(
    "Random tokens arrive at the server as they were sent, all else untouched", arguments: 0..<8)
  func randomQueries(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "%2F", "+", "==", "&", "=", "é", "e\u{301}", " ", "?", "#", "%", "/", "𝄞"]
    func text(_ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(pieces) }.joined()
    }
    for _ in 0..<300 {
      var query = URIQuery(url: "https://a.org/x")
      for index in 0..<Int.random(in: 0...4, using: &random) {
        query.set("p\(index)" + text(&random), to: text(&random))
      }
      let token = text(&random)
      let next = try PageLink(.query("token", token))
        .applied(to: key(url: query.url), responseURL: url)
      #expect(
        next.url == query.url + (query.url.contains("?") ? "&" : "?")
          + "token=" + token.utf8.map(percentEncoded).joined(), "seed \(seed)")
      let again = try PageLink(.query("token", nil)).applied(to: next, responseURL: url)
      #expect(again.url == query.url, "seed \(seed)")
    }
  }

  private func percentEncoded(_ byte: UInt8) -> String {
    let isPlain = byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
    let digits = String(byte, radix: 16, uppercase: true)
    return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
  }

  @Test("Random cursors go into random bodies, all else untouched", arguments: 0..<8)
  func randomBodies(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = RandomJSON.value(depth: 3, using: &random)
      let text = "{\"z\":\(value),  \"a\":{\"k\":\(value) } }"
      let cursor = try JSONText(parsing: RandomJSON.value(depth: 3, using: &random))
      let next = try PageLink(.body("a.cursor", cursor))
        .applied(to: key(body: text), responseURL: url)
      let body = String(decoding: try #require(next.body), as: UTF8.self)
      #expect(
        body == "{\"z\":\(value),  \"a\":{\"k\":\(value),\"cursor\":\(cursor) } }", "seed \(seed)")
    }
  }
}
