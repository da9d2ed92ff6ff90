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
      .received(response, about: Exchange.KnownContent(entity.erased), at: Self.now)
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

  @Test(
    "Random exchanges go the way of a naive list of rules", arguments: 1...20 as ClosedRange<UInt64>
  )
  func agreesWithModel(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for number in 0..<500 {
      let script = Script(using: &random)
      let (steps, expected) = (script.steps(), script.expectedSteps())
      guard steps == expected else {
        Issue.record("seed \(seed) number \(number): \(steps), not \(expected), in \(script)")
        return
      }
    }
  }
}

extension PreparedRequestTests {
  fileprivate static var get: HTTPRequest {
    HTTPRequest(method: .get, url: URL(fileURLWithPath: "/a"))
  }

  fileprivate static func get(token: String) -> HTTPRequest {
    var request = get
    request.headers["Authorization"] = token
    return request
  }

  fileprivate static func request(needsAuthorization: Bool) -> Exchange.PreparedRequest {
    Exchange.PreparedRequest(get, needsAuthorization: needsAuthorization)
  }

  fileprivate static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// The field value for a time after `now`.
  fileprivate static func date(_ seconds: Double) -> String {
    HTTPDate.string(from: now + seconds) ?? ""
  }

  fileprivate static func response(
    _ status: Int, etag: String? = nil, date: String? = nil
  ) -> HTTPResponse {
    var response = HTTPResponse(status: status, url: get.url)
    response.headers["ETag"] = etag
    response.headers["Date"] = date
    return response
  }

  fileprivate static func next(
    _ request: Exchange.PreparedRequest, _ response: HTTPResponse, about stored: HTTPHeaders = [:]
  ) throws -> Exchange.PreparedRequest {
    var following: Exchange.PreparedRequest?
    if case .next(let next) = request.received(response, about: stored, at: now) {
      following = next
    }
    return try #require(following)
  }

  fileprivate static func isRead(
    _ request: Exchange.PreparedRequest, _ response: HTTPResponse,
    about stored: HTTPHeaders = [:]
  ) -> Bool {
    if case .read = request.received(response, about: stored, at: now) { true } else { false }
  }
}

/// One exchange: the content of the client, and the script of server and authorizer.
private struct Script {
  enum Event: CaseIterable {
    case ok, older, same, other, condition, refused, unavailable, notFound, cancelled
  }

  let isAuthorized: Bool
  let isSafe: Bool
  let hasContent: Bool
  let retries: Int
  let renews: Bool
  let events: [Event]
  /// Whether each of the events is waited for before, because the server has asked all requests to wait.
  let pauses: [Bool]

  init(using random: inout SeededGenerator) {
    isAuthorized = random.chance(0.5)
    isSafe = random.chance(0.8)
    hasContent = random.chance(0.5)
    retries = Int.random(in: 0...3, using: &random)
    renews = random.chance(0.8)
    events = (0..<20).map { _ in random.pick(Event.allCases) }
    pauses = events.map { _ in random.chance(0.2) }
  }

  /// What the steps do.
  func steps() -> [String] {
    let stored: HTTPHeaders =
      hasContent ? ["ETag": "\"1\"", "Date": PreparedRequestTests.date(1)] : [:]
    var made = HTTPRequest(
      method: isSafe ? .get : .post, url: PreparedRequestTests.get.url)
    if hasContent { made.headers["If-None-Match"] = "\"1\"" }
    var request = Exchange.PreparedRequest(
      made, needsAuthorization: isAuthorized)
    var (events, pauses, steps) = (events[...], pauses, [String]())
    let policy = Service.RetryPolicy(maximumRetries: retries)

    func read(_ response: HTTPResponse) -> Exchange.PreparedRequest? {
      guard response.status >= 400 else {
        steps.append("content")
        return nil
      }
      return retry(ResourceError(.http, "", status: response.status))
    }
    func retry(_ error: ResourceError) -> Exchange.PreparedRequest? {
      let retry = request.failed(
        error, retries: policy, timeout: .seconds(30), random: 0.5)
      guard let retry else {
        steps.append("failed")
        return nil
      }
      steps.append("wait")
      return retry.next
    }
    func send() -> Exchange.PreparedRequest? {
      let isConditional = request.sent.headers["If-None-Match"] != nil
      steps.append(isConditional ? "send conditional" : "send")
      let event = events.removeFirst()
      guard let response = event.response else {
        return retry(ResourceError(.cancelled, ""))
      }
      switch request.received(response, about: stored, at: PreparedRequestTests.now) {
      case .next(let next), .refused(let next): return next
      case .read: return read(response)
      case .confirm: steps.append("confirmed")
      case .contradict: steps.append("contradiction")
      }
      return nil
    }

    while true {
      let next: Exchange.PreparedRequest?
      switch request.stage {
      case .authorizing:
        steps.append("authorize")
        next = request.authorized(request.request)
      case .renewing(_, let response):
        steps.append("renew")
        next = renews ? request.renewed() : read(response)
      case .sending, .sendingAuthorized:
        if pauses[events.startIndex] {
          pauses[events.startIndex] = false
          steps.append("pause")
          next = Exchange.Attempt(after: .init(), request).afterPause.request
        } else {
          next = send()
        }
      }
      guard let next else { return steps }
      request = next
    }
  }

  /// The expected steps, by rules that look at what was done before.
  func expectedSteps() -> [String] {
    var steps: [String] = []
    var (isConditional, isFinal) = (hasContent, false)
    // Of the whole request: asking without conditions gives it no more attempts.
    var failures = 0
    /// Whether the authorization was renewed for this attempt.
    var isRenewed = false
    var isToBeAuthorized = isAuthorized
    for (event, isPaused) in zip(events, pauses) {
      if isToBeAuthorized { steps.append("authorize") }
      isToBeAuthorized = false
      if isPaused { steps += isAuthorized ? ["pause", "authorize"] : ["pause"] }
      steps.append(isConditional ? "send conditional" : "send")
      switch event {
      case .ok: return steps + ["content"]
      case .older:
        guard hasContent, isSafe, !isFinal else { return steps + ["content"] }
        (isConditional, isFinal, isToBeAuthorized) = (false, true, isAuthorized)
      case .condition where hasContent && !isSafe && !isFinal:
        (isConditional, isFinal, isToBeAuthorized) = (false, true, isAuthorized)
      case .condition, .notFound, .cancelled: return steps + ["failed"]
      case .refused where isAuthorized && !isRenewed:
        steps.append("renew")
        guard renews else { return steps + ["failed"] }
        (isRenewed, isToBeAuthorized) = (true, true)
      case .refused: return steps + ["failed"]
      case .same where hasContent && !isFinal: return steps + ["confirmed"]
      case .same, .other:
        if isFinal || !(isSafe || hasContent) { return steps + ["contradiction"] }
        (isConditional, isFinal, isToBeAuthorized) = (false, true, isAuthorized)
      case .unavailable:
        failures += 1
        guard failures <= retries, isSafe else { return steps + ["failed"] }
        steps.append("wait")
        (isRenewed, isToBeAuthorized) = (false, isAuthorized)
      }
    }
    return steps
  }
}

extension Script.Event {
  /// The response; nil for none.
  var response: HTTPResponse? {
    switch self {
    case .ok: PreparedRequestTests.response(200)
    case .older: PreparedRequestTests.response(200, date: PreparedRequestTests.date(0))
    case .same: PreparedRequestTests.response(304, etag: "\"1\"")
    case .other: PreparedRequestTests.response(304, etag: "\"2\"")
    case .condition: PreparedRequestTests.response(412)
    case .refused: PreparedRequestTests.response(401)
    case .unavailable: PreparedRequestTests.response(503)
    case .notFound: PreparedRequestTests.response(404)
    case .cancelled: nil
    }
  }
}

extension Exchange.PreparedRequest {
  /// A response arrived, where content with these header fields is known; with none, it is for no load of a
  /// resource.
  fileprivate func received(
    _ response: HTTPResponse, about stored: HTTPHeaders, at now: Date
  ) -> Reaction {
    let entity = ResourceEntity("", headers: stored, timestamp: now).erased
    return received(
      response, about: stored.fields.isEmpty ? nil : Exchange.KnownContent(entity), at: now)
  }
}
