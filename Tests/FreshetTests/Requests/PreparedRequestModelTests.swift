import Foundation
import Testing

@testable import Freshet

@Suite("The steps of an exchange, compared with a naive list of rules")
struct PreparedRequestModelTests {
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
