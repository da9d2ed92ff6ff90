import Foundation
import Testing

@testable import Freshet

@Suite("The steps of an exchange")
struct PreparedRequestTests {
  private typealias Prepared = Exchange.PreparedRequest

  @Test("A request without an authorizer is sent as it is")
  func plain() {
    let request = Self.request(needsAuthorization: false)
    #expect(request.stage.description == "sending")
    #expect(request.sent == Self.get)
  }

  @Test("A request is authorized before it is sent")
  func authorizing() {
    let request = Self.request(needsAuthorization: true)
    #expect(request.stage.description == "authorizing")
    let authorized = request.authorized(Self.get(token: "a"))
    #expect(authorized.sent.headers["Authorization"] == "a")
    #expect(authorized.request == Self.get)
  }

  @Test("A 401 leads to a renewal, and to the same request authorized again")
  func renewing() throws {
    let refused = Self.request(needsAuthorization: true).authorized(Self.get(token: "a"))
    let renewing = try Self.next(refused, Self.response(401))
    guard case .renewing(let sent, let response) = renewing.stage else {
      Issue.record("\(renewing.stage)")
      return
    }
    #expect(sent.headers["Authorization"] == "a")
    #expect(response.status == 401)
    let again = renewing.renewed()
    #expect(again.stage.description == "authorizing")
    #expect(again.request == Self.get)
  }

  @Test("A second 401 stands")
  func renewedOnce() throws {
    let refused = Self.request(needsAuthorization: true).authorized(Self.get(token: "a"))
    let again = try Self.next(refused, Self.response(401)).renewed().authorized(
      Self.get(token: "b"))
    #expect(Self.isRead(again, Self.response(401)))
  }

  @Test("A second 401 stands after a wait and without conditions too")
  func renewedOnceInAttempt() throws {
    let refused = Self.request(needsAuthorization: true).authorized(Self.get(token: "a"))
    let renewed = try Self.next(refused, Self.response(401)).renewed().authorized(
      Self.get(token: "b"))
    let waited = try #require(Exchange.Attempt(after: .init(), renewed).afterPause.request)
    #expect(Self.isRead(waited.authorized(Self.get(token: "c")), Self.response(401)))
    let unconditional = try Self.next(renewed, Self.response(304))
    #expect(Self.isRead(unconditional.authorized(Self.get(token: "c")), Self.response(401)))
  }

  @Test("What is sent without conditions from the start is not sent again after a 304")
  func unconditionalFromStart() {
    var conditional = Self.get
    conditional.headers["If-None-Match"] = "\"1\""
    let request = Prepared(
      conditional, isUnconditional: true, needsAuthorization: false)
    #expect(request.sent.headers["If-None-Match"] == nil)
    #expect(request.sent.headers.values(for: "Cache-Control") == ["no-cache"])
    guard case .contradict = request.received(Self.response(304), about: [:], at: Self.now) else {
      Issue.record("sent again")
      return
    }
  }

  @Test("Without an authorizer a 401 stands")
  func unauthorized() {
    #expect(Self.isRead(Self.request(needsAuthorization: false), Self.response(401)))
  }

  @Test(
    "A 304 confirms the content whose validators were sent", arguments: ["\"1\"", "W/\"1\"", nil])
  func confirmed(etag: String?) {
    var conditional = Self.get
    conditional.headers["If-None-Match"] = "\"1\""
    let request = Prepared(conditional, needsAuthorization: false)
    guard
      case .confirm(let known) = request.received(
        Self.response(304, etag: etag), about: ["ETag": "\"1\""], at: Self.now)
    else {
      Issue.record("not confirmed")
      return
    }
    #expect(known.validators.etag == "\"1\"")
  }

  @Test(
    "A 304 about other content leads to one unconditional request",
    arguments: [["ETag": "\"1\""], [:]] as [HTTPHeaders])
  func unconditional(stored: HTTPHeaders) throws {
    var conditional = Self.get
    conditional.headers["If-None-Match"] = "\"1\""
    let first = Prepared(conditional, needsAuthorization: false)
    let second = try Self.next(first, Self.response(304, etag: "\"2\""), about: stored)
    #expect(second.sent.headers["If-None-Match"] == nil)
    #expect(second.sent.headers["Cache-Control"] == "no-cache")
    // Whatever the second 304 says.
    for etag in ["\"1\"", "\"2\"", nil] {
      guard
        case .contradict = second.received(
          Self.response(304, etag: etag), about: stored, at: Self.now)
      else {
        Issue.record("asked again")
        return
      }
    }
  }

  @Test(
    "A 304 confirms only what the same URL has sent",
    arguments: [("/a", "/a", true), ("/a", "/b", false), ("/b", "/b", true), ("/b", "/a", false)])
  func source(known: String, responding: String, isConfirmed: Bool) throws {
    let base = try #require(URL(string: "https://api.test"))
    let conditional = HTTPRequest(
      url: base.appending(path: "a"), headers: ["If-None-Match": "\"1\""])
    let entity = ResourceEntity(
      "", headers: ["ETag": "\"1\""], timestamp: Self.now, url: base.appending(path: known))
    let response = HTTPResponse(status: 304, url: base.appending(path: responding))
    let reaction = Prepared(conditional, needsAuthorization: false)
      .received(response, about: KnownContent(entity.erased), at: Self.now)
    switch reaction {
    case .confirm: #expect(isConfirmed)
    case .next(let next): #expect(!isConfirmed && next.sent.headers["If-None-Match"] == nil)
    case .read, .refused, .contradict: Issue.record("\(reaction)")
    }
  }

  @Test("A 304 to a condition of the program confirms nothing that is stored")
  func ownCondition() throws {
    var conditional = Self.get
    conditional.headers["If-None-Match"] = "\"program\""
    let first = Prepared(conditional, needsAuthorization: false)
    let second = try Self.next(first, Self.response(304), about: ["ETag": "\"1\""])
    #expect(second.sent.headers["If-None-Match"] == nil)
  }

  @Test(
    "Content from before the known content leads to one request past the caches on the way",
    arguments: [200, 203])
  func older(status: Int) throws {
    var conditional = Self.get
    conditional.headers["If-None-Match"] = "\"1\""
    let first = Prepared(conditional, needsAuthorization: false)
    let stored: HTTPHeaders = ["ETag": "\"1\"", "Date": Self.date(0)]
    let second = try Self.next(first, Self.response(status, date: Self.date(-1)), about: stored)
    #expect(second.sent.headers["If-None-Match"] == nil)
    #expect(second.sent.headers["Cache-Control"] == "no-cache")
    // The clock of the server may have been set back.
    #expect(Self.isRead(second, Self.response(200, date: Self.date(-1)), about: stored))
    // The same content, which another server may state an earlier date for.
    #expect(
      Self.isRead(first, Self.response(status, etag: "\"1\"", date: Self.date(-1)), about: stored))
    for date in [Self.date(0), Self.date(1), "yesterday", nil] {
      #expect(Self.isRead(first, Self.response(200, date: date), about: stored))
    }
    #expect(Self.isRead(first, Self.response(404, date: Self.date(-1)), about: stored))
    let post = Prepared(
      HTTPRequest(method: .post, url: Self.get.url), needsAuthorization: false)
    #expect(Self.isRead(post, Self.response(200, date: Self.date(-1)), about: stored))
  }

  @Test("What may change something is not sent again after a 304; the load of a resource is")
  func unsafe() throws {
    let post = HTTPRequest(method: .post, url: Self.get.url)
    let request = Prepared(post, needsAuthorization: false)
    let other = Self.response(304, etag: "\"2\"")
    guard case .contradict = request.received(other, about: [:], at: Self.now) else {
      Issue.record("sent again")
      return
    }
    _ = try Self.next(request, other, about: ["ETag": "\"1\""])
  }

  @Test("A transient failure is retried as often as the policy says, authorized again")
  func retries() throws {
    let policy = Service.RetryPolicy(maximumRetries: 2, baseDelay: .seconds(1))
    var request = Self.request(needsAuthorization: true)
    for expected in [1, 2] {
      request = request.authorized(Self.get(token: "a"))
      let retry = try #require(
        request.failed(
          ResourceError(.http, "", status: 503), retries: policy, timeout: .seconds(30), random: 1))
      #expect(retry.delay == .seconds(expected))
      #expect(retry.next.stage.description == "authorizing")
      request = retry.next
    }
    #expect(
      request.failed(
        ResourceError(.http, "", status: 503), retries: policy, timeout: .seconds(30), random: 1)
        == nil)
  }

  @Test(
    "Failures that do not pass are not retried",
    arguments: [.cancelled, .timeout, .invalidRequest, .authorization] as [ResourceError.Kind])
  func noRetry(kind: ResourceError.Kind) {
    let request = Self.request(needsAuthorization: false)
    #expect(
      request.failed(
        ResourceError(kind, ""), retries: .standard, timeout: .seconds(30), random: 0) == nil)
  }

  @Test("The response does not show credentials that went into the URL")
  func credentials() throws {
    var authorized = Self.get
    authorized.url = try #require(URL(string: "https://api.test/a?key=secret"))
    let request = Self.request(needsAuthorization: true).authorized(authorized)
    var response = Self.response(200)
    response.url = authorized.url
    #expect(request.response(response).url == Self.get.url)
    response.url = try #require(URL(string: "https://api.test/elsewhere"))
    #expect(request.response(response).url == response.url)
  }

}

extension PreparedRequestTests {
  static var get: HTTPRequest {
    HTTPRequest(method: .get, url: URL(fileURLWithPath: "/a"))
  }

  static func get(token: String) -> HTTPRequest {
    var request = get
    request.headers["Authorization"] = token
    return request
  }

  static func request(needsAuthorization: Bool) -> Exchange.PreparedRequest {
    Exchange.PreparedRequest(get, needsAuthorization: needsAuthorization)
  }

  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// The field value for a time after `now`.
  static func date(_ seconds: Double) -> String {
    HTTPDate.string(from: now + seconds) ?? ""
  }

  static func response(
    _ status: Int, etag: String? = nil, date: String? = nil
  ) -> HTTPResponse {
    var response = HTTPResponse(status: status, url: get.url)
    response.headers["ETag"] = etag
    response.headers["Date"] = date
    return response
  }

  static func next(
    _ request: Exchange.PreparedRequest, _ response: HTTPResponse, about stored: HTTPHeaders = [:]
  ) throws -> Exchange.PreparedRequest {
    var following: Exchange.PreparedRequest?
    if case .next(let next) = request.received(response, about: stored, at: now) {
      following = next
    }
    return try #require(following)
  }

  static func isRead(
    _ request: Exchange.PreparedRequest, _ response: HTTPResponse,
    about stored: HTTPHeaders = [:]
  ) -> Bool {
    if case .read = request.received(response, about: stored, at: now) { true } else { false }
  }
}

extension Exchange.PreparedRequest {
  /// A response arrived, where content with these header fields is known; with none, it is for no load of a
  /// resource.
  func received(
    _ response: HTTPResponse, about stored: HTTPHeaders, at now: Date
  ) -> Reaction {
    let entity = ResourceEntity("", headers: stored, timestamp: now).erased
    return received(
      response, about: stored.fields.isEmpty ? nil : KnownContent(entity), at: now)
  }
}
