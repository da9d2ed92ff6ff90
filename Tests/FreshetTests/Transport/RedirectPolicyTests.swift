import Foundation
import Testing

@testable import Freshet

@Suite("The redirect policy")
struct RedirectPolicyTests {
  let policy = RedirectPolicy(limit: 20)

  static let secrets: HTTPHeaders = [
    "Accept": "application/json", "User-Agent": "test", "Authorization": "Bearer s",
    "Cookie": "c=1", "X-Api-Key": "k", "If-None-Match": "\"e\"", "Content-Type": "text/plain",
  ]

  func request(
    _ url: String, _ method: HTTPMethod = .get, body: String? = nil
  ) throws -> HTTPRequest {
    HTTPRequest(
      method: method, url: try #require(URL(string: url)), headers: Self.secrets,
      body: body.map { Data($0.utf8) })
  }

  func decision(
    _ status: Int = 302, to location: String?, from request: HTTPRequest, followed: Int = 0
  ) -> RedirectPolicy.Decision {
    var headers: HTTPHeaders = [:]
    headers["Location"] = location
    let response = HTTPResponse(status: status, headers: headers, url: request.url)
    return policy.decision(for: response, to: request, followed: followed)
  }

  func next(
    _ status: Int = 302, to location: String, from request: HTTPRequest
  ) throws -> HTTPRequest {
    guard case .follow(let next) = decision(status, to: location, from: request) else {
      throw TestFailure("not followed")
    }
    return next
  }

  func refusal(
    _ status: Int = 302, to location: String, from request: HTTPRequest, followed: Int = 0
  ) throws -> TransportError {
    guard
      case .refuse(let error) = decision(status, to: location, from: request, followed: followed)
    else { throw TestFailure("not refused") }
    return error
  }

  struct TestFailure: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  @Test(
    "sends the next request whatever the responses to others say: a part of it was sent already",
    arguments: [(Holding.none, Holding.none), (.others, .others), (.all, .others)])
  func holding(before: Holding, after: Holding) throws {
    var request = try request("http://a.test/")
    request.holding = before
    #expect(try next(to: "/b", from: request).holding == after)
  }

  @Test(
    "follows a location that is repeated, and delivers a response with several, or with a garbled one",
    arguments: [
      (["/a", "/a"], true), (["/a", "/b"], false), (["", "/b"], false), (["/a\u{B}b"], false),
    ])
  func repeated(locations: [String], isFollowed: Bool) throws {
    let request = try request("http://a.test/")
    let fields = locations.map { HTTPHeaders.Field(name: "Location", value: $0) }
    let response = HTTPResponse(status: 302, headers: HTTPHeaders(fields), url: request.url)
    if case .follow = policy.decision(for: response, to: request, followed: 0) {
      #expect(isFollowed)
    } else {
      #expect(!isFollowed)
    }
  }

  @Test(
    "resolves the location against the URL of the response (F27)",
    arguments: [
      ("sibling", "http://a.test/dir/sibling"), ("?page=2", "http://a.test/dir/x?page=2"),
      ("/root", "http://a.test/root"), ("../up", "http://a.test/up"),
      ("//b.test/y", "http://b.test/y"), ("https://b.test/", "https://b.test/"),
    ])
  func resolution(location: String, target: String) throws {
    let next = try next(to: location, from: request("http://a.test/dir/x?q=1"))
    #expect(next.url.absoluteString == target)
  }

  @Test(
    "changes the method as RFC 9110 section 15.4 says",
    arguments: [
      (301, HTTPMethod.post, HTTPMethod.get), (302, .post, .get), (303, .post, .get),
      (307, .post, .post), (308, .post, .post), (301, .put, .put), (302, .delete, .delete),
      (303, .put, .get), (303, .head, .head), (302, .head, .head), (307, .get, .get),
    ])
  func methods(status: Int, sent: HTTPMethod, followed: HTTPMethod) throws {
    let next = try next(status, to: "/y", from: request("http://a.test/x", sent))
    #expect(next.method == followed)
  }

  @Test("drops the body and what describes it with the method")
  func bodyDropped() throws {
    let next = try next(303, to: "/y", from: request("http://a.test/x", .post, body: "b"))
    #expect(next.body == nil)
    #expect(next.headers["Content-Type"] == nil)
    #expect(next.headers["Authorization"] == "Bearer s")
  }

  @Test(
    "drops conditions, ranges and digests where the method becomes GET, and only there",
    arguments: [
      (303, HTTPMethod.put, true), (303, .post, true), (302, .post, true), (303, .get, false),
      (303, .head, false), (302, .put, false), (308, .post, false), (302, .get, false),
    ])
  func conditionsDropped(status: Int, method: HTTPMethod, areDropped: Bool) throws {
    let conditions = [
      "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
    ]
    let digests = ["Digest", "Content-Digest", "Repr-Digest", "Content-MD5", "Last-Modified"]
    var sent = try request("http://a.test/x", method)
    sent.headers = ["Accept": "a/b"]
    for name in method == .get ? conditions : conditions + digests { sent.headers[name] = "1" }
    let next = try next(status, to: "/y", from: sent)
    #expect(next.headers == (areDropped ? ["Accept": "a/b"] : sent.headers))
  }

  @Test("keeps body and headers within the origin", arguments: [307, 308])
  func sameOrigin(status: Int) throws {
    let sent = try request("http://a.test:80/x", .post, body: "b")
    let next = try next(status, to: "http://A.test/y", from: sent)
    #expect(next.body == sent.body)
    #expect(next.headers == sent.headers)
  }

  @Test(
    "takes only non-credential headers to another origin (F24)",
    arguments: [
      "http://b.test/", "http://a.test:8080/", "https://a.test:8443/", "//b.test/",
      "https://a.test:80/",
    ])
  func otherOrigin(location: String) throws {
    let next = try next(to: location, from: request("http://a.test/x"))
    #expect(next.headers == ["Accept": "application/json", "User-Agent": "test"])
  }

  @Test("takes no body to another origin (F24)", arguments: [307, 308])
  func bodyToOtherOrigin(status: Int) throws {
    let sent = try request("http://a.test/x?token=t", .post, body: "b")
    let error = try refusal(status, to: "http://b.test/y?token=u", from: sent)
    #expect(error.kind == .redirectRefused)
    #expect(error.message.contains("http://b.test/y"))
    #expect(!error.message.contains("token"))
  }

  @Test("counts the step from http to https on one host as the same origin")
  func upgrade() throws {
    let sent = try request("http://a.test/x", .post, body: "b")
    let next = try next(308, to: "https://a.test/x", from: sent)
    #expect(next.headers == sent.headers)
    #expect(next.body == sent.body)
  }

  @Test("takes nothing along from http to https where a port is named")
  func upgradeWithPort() throws {
    let next = try next(to: "https://a.test:8080/x", from: request("http://a.test:8080/x"))
    #expect(next.headers == ["Accept": "application/json", "User-Agent": "test"])
    let post = try request("http://a.test:8080/x", .post, body: "b")
    #expect(try refusal(308, to: "https://a.test:8080/x", from: post).kind == .redirectRefused)
  }

  @Test("what was left at another origin does not come back")
  func thereAndBack() throws {
    let there = try next(to: "http://b.test/", from: request("http://a.test/x"))
    let back = try next(to: "http://a.test/y", from: there)
    #expect(back.headers == ["Accept": "application/json", "User-Agent": "test"])
  }

  @Test(
    "keeps to the rule whatever the origins, methods and statuses", arguments: 1...4 as ClosedRange)
  func random(seed: UInt64) throws {
    typealias Origin = LinkOriginRandomTests.Origin
    var random = SeededGenerator(seed: seed)
    for round in 0..<500 {
      let (source, target) = (Origin.random(&random), Origin.random(&random))
      let sent = try request(
        source.spelled(&random) + "/x", random.pick([.get, .post, .put]),
        body: random.chance(0.5) ? "b" : nil)
      let status = random.pick(RedirectPolicy.statuses.sorted())
      let isUpgrade =
        !source.isSecure && target.isSecure && source.host == target.host && source.hasDefaultPort
        && target.hasDefaultPort
      let keepsBody =
        sent.body != nil && status != 303 && !(sent.method == .post && [301, 302].contains(status))
      let staysWithin = source == target || isUpgrade
      let place: Comment = "seed \(seed) round \(round): \(source.text) to \(target.text)"
      switch decision(status, to: target.spelled(&random) + "/y", from: sent) {
      case .deliver: Issue.record("delivered, \(place)")
      case .refuse:
        #expect(
          source.isSecure && !target.isSecure || keepsBody && !staysWithin, place)
      case .follow(let next):
        #expect(target.isSecure || !source.isSecure, place)
        #expect((next.body != nil) == keepsBody && (staysWithin || next.body == nil), place)
        #expect((next.headers["Authorization"] != nil) == staysWithin, place)
        #expect((next.headers["X-Api-Key"] != nil) == staysWithin, place)
        #expect(next.headers["User-Agent"] == "test", place)
      }
    }
  }

  @Test("refuses to go from https to http (F25)")
  func downgrade() throws {
    let error = try refusal(to: "http://a.test/y", from: request("https://a.test/x"))
    #expect(error.kind == .redirectRefused)
  }

  @Test(
    "refuses every scheme but http and https (F26)",
    arguments: ["file:///etc/passwd", "data:,x", "ftp://a.test/", "javascript:alert(1)"])
  func schemes(location: String) throws {
    let error = try refusal(to: location, from: request("http://a.test/x"))
    #expect(error.kind == .redirectRefused)
  }

  @Test("refuses a location with a user name or password, and does not repeat it")
  func userinfo() throws {
    let error = try refusal(to: "http://me:secret@a.test/", from: request("http://a.test/x"))
    #expect(error.kind == .redirectRefused)
    #expect(!error.message.contains("secret"))
  }

  @Test("follows as many redirects as the limit and no more (F23)")
  func limit() throws {
    let request = try request("http://a.test/x")
    guard case .follow = decision(to: "/x", from: request, followed: 19) else {
      Issue.record("the twentieth is not followed")
      return
    }
    #expect(try refusal(to: "/x", from: request, followed: 20).kind == .tooManyRedirects)
  }

  @Test(
    "delivers what is no redirect",
    arguments: [
      (200, "/y"), (300, "/y"), (304, "/y"), (305, "/y"), (302, nil), (302, "http://"),
      (302, "http:///y"), (302, "http://[::1"),
    ] as [(Int, String?)])
  func delivered(status: Int, location: String?) throws {
    guard case .deliver = decision(status, to: location, from: try request("http://a.test/x"))
    else {
      Issue.record("not delivered")
      return
    }
  }
}
