import Freshet
import FreshetTesting
import Testing

@testable import pagewalk

@Suite("How a walk ended", .standardTimeLimit)
struct OutcomeTests {
  private func outcome(
    _ state: PagedCollectionState, items: Int = 4, limit: Int? = nil, method: HTTPMethod = .get
  ) -> Outcome {
    var options = Options()
    options.limit = limit
    options.method = method
    return Outcome(of: state, itemCount: items, options: options)
  }

  @Test("A limit that cut nothing off is none")
  func limits() {
    #expect(outcome(.ended).status == .complete)
    #expect(outcome(.ended, items: 4, limit: 5).status == .complete)
    #expect(outcome(.ended, items: 4, limit: 4).status == .complete)
    #expect(outcome(.ended, items: 5, limit: 4).status == .limit)
    #expect(outcome(.idle, items: 4, limit: 4).status == .limit)
    #expect(outcome(.idle, items: 0, limit: 0).status == .limit)
  }

  @Test("Every kind of error has its reason", arguments: ResourceError.Kind.allCases)
  func reasons(kind: ResourceError.Kind) {
    let expected: Outcome.Reason =
      switch kind {
      case .cancelled: .cancelled
      case .timeout: .timeout
      case .redirect: .redirect
      case .tooLarge: .tooLarge
      case .rateLimited: .rateLimited
      case .http, .notModifiedWithoutContent, .authorization: .http
      case .contentType, .decoding: .decoding
      case .invalidRequest, .unreachable, .connectionLost, .insecureConnection, .badResponse:
        .transport
      }
    let outcome = outcome(.failed(ResourceError(kind, "What happened."), page: 2))
    #expect(outcome.status == .incomplete(expected))
    #expect(outcome.explanation?.hasPrefix("page 3: ") == true)
    #expect(!outcome.allowsRefresh)
  }

  @Test(
    "A server that asks for a longer wait than the timeout limits the rate",
    arguments: [408, 500, 504])
  func longWait(status: Int) {
    func reason(_ wait: Duration?) -> Outcome.Status {
      let error = ResourceError(.http, "What happened.", status: status, retryAfter: wait)
      return outcome(.failed(error, page: 0)).status
    }
    #expect(reason(.seconds(31)) == .incomplete(.rateLimited))
    #expect(reason(.seconds(30)) == .incomplete(.http))
    #expect(reason(nil) == .incomplete(.http))
  }

  @Test("Retries are advised only where a request is retried")
  func retries() {
    let errors = [
      ResourceError(.http, "What happened.", status: 503),
      ResourceError(.rateLimited, "What happened.", status: 429),
      ResourceError(.rateLimited, "What happened.", status: 429, retryAfter: .seconds(20)),
    ]
    for error in errors {
      let state = PagedCollectionState.failed(error, page: 0)
      #expect(outcome(state).explanation?.contains("--retries") == true)
      #expect(outcome(state, method: .post).explanation?.contains("--retries") == false)
      #expect(outcome(state, method: .post).explanation?.contains("Run it again") == true)
    }
  }

  @Test("An error that an option mends names the option")
  func optionsForErrors() {
    let options: [(ResourceError.Kind, Int?, String)] = [
      (.insecureConnection, nil, "--cacert"), (.tooLarge, nil, "--max-bytes"),
      (.timeout, nil, "--timeout"), (.http, 401, "--header"), (.http, 405, "--method"),
      (.http, 407, "the URL of the proxy, in the environment"),
    ]
    for (kind, status, option) in options {
      let error = ResourceError(kind, "What happened.", status: status)
      let text = outcome(.failed(error, page: 0)).explanation ?? ""
      #expect(text.contains(option), "\(text)")
    }
  }

  @Test("A method that only a later page refuses may be that of the first request alone")
  func methodOfLink() {
    let error = ResourceError(.http, "What happened.", status: 405)
    let text = { outcome(.failed(error, page: $0), method: $1).explanation ?? "" }
    #expect(text(1, .post).contains("walk the rest from that link"))
    #expect(text(0, .post).contains("--method") && text(1, .get).contains("--method"))
  }

  @Test(
    "What may pass is to be run again, and a network that asks for a sign-in gets one",
    arguments: [
      (408, "Run it again later"), (425, "Run it again later, or raise --retries"),
      (500, "Run it again later"),
      (511, "The network demands a sign-in"), (404, "Check the URL and the options"),
    ])
  func statuses(status: Int, advice: String) {
    let error = ResourceError(.http, "What happened.", status: status)
    let text = outcome(.failed(error, page: 0)).explanation ?? ""
    #expect(text.contains("What happened. \(advice)"), "\(text)")
  }

  @Test("Only a certificate that is not trusted names --cacert", arguments: TLSFailure.allCases)
  func certificateAuthorities(failure: TLSFailure) {
    let error = ResourceError(.insecureConnection, failure.description, underlying: failure)
    let text = outcome(.failed(error, page: 0)).explanation ?? ""
    #expect(text.contains("--cacert") == [.untrustedCertificate, .other].contains(failure))
    #expect(text.contains(withoutPeriod(failure.description)))
  }

  @Test("Only a redirect that leads somewhere advises to give the URL")
  func redirects() {
    let refused = ResourceError(.redirect, "What happened.")
    let nowhere = ResourceError(.redirect, "What happened.", status: 302)
    #expect(outcome(.failed(refused, page: 0)).explanation?.contains("Give the URL") == true)
    #expect(outcome(.failed(nowhere, page: 0)).explanation?.contains("Check the URL") == true)
  }

  @Test(
    "Of the options that have a wait waited for, those are named that are too low",
    arguments: [
      (5, 4, 2, ", or raise --timeout to"), (5, 4, 0, ", or raise --timeout and --retries to"),
      (5, 30, 0, ", or raise --retries to"), (5, 30, 2, ", or raise --retries to"),
      (0, 30, 0, " later, or raise --retries"),
    ])
  func waits(wait: Int, timeout: Int, retries: Int, advice: String) {
    var options = Options()
    options.timeout = .seconds(timeout)
    options.retries = retries
    let error = ResourceError(
      .rateLimited, "What happened.", status: 429, retryAfter: .seconds(wait))
    let outcome = Outcome(of: .failed(error, page: 0), itemCount: 0, options: options)
    #expect(outcome.explanation?.contains(advice) == true, "\(outcome.explanation ?? "")")
  }

  @Test(
    "What the server does not have is not said to be there later", arguments: [501, 505, 500, 507])
  func missingFeatures(status: Int) {
    let error = ResourceError(.http, "It failed.", status: status)
    let text = outcome(.failed(error, page: 0)).explanation
    let isLasting = status == 501 || status == 505
    #expect(text?.contains("Run it again later") == !isLasting, "\(text ?? "")")
    #expect(text?.contains("Check the URL and the options") == isLasting)
  }

  @Test(
    "A wait is not said to be waited for where the status is not retried",
    arguments: [400, 413, 423])
  func waitsOfFinalStatuses(status: Int) {
    var options = Options()
    options.timeout = .seconds(3)
    let error = ResourceError(.http, "What happened.", status: status, retryAfter: .seconds(5))
    let outcome = Outcome(of: .failed(error, page: 0), itemCount: 0, options: options)
    #expect(outcome.status == .incomplete(.rateLimited))
    #expect(outcome.explanation?.hasSuffix("What happened. Run it again then") == true)
  }

  @Test("A wait of more than a day is named by its end, without the advice to raise --timeout")
  func distantRetry() {
    func text(_ seconds: Int) -> String {
      let wait = Duration.seconds(seconds)
      let error = ResourceError(
        .rateLimited, "It asks for fewer requests (429); retry in \(wait).", status: 429,
        retryAfter: wait)
      return outcome(.failed(error, page: 0)).explanation ?? ""
    }
    #expect(
      text(31_536_000).contains(
        /; retry after [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}\. Run it again then$/),
      "\(text(31_536_000))")
    #expect(text(86_400).contains("; retry in 86400 s. Run it again then, or raise --timeout"))
  }

  @Test("A timeout is not said to be final while the list is watched")
  func watchedTimeout() {
    let error = ResourceError(.timeout, "http://a.test/ did not respond within 1 s.")
    for interval in [nil, Duration.seconds(1)] {
      var options = Options()
      options.watchInterval = interval
      let outcome = Outcome(of: .failed(error, page: 0), itemCount: 0, options: options)
      let text = outcome.explanation ?? ""
      #expect(text.contains("raise --timeout"))
      #expect(text.contains("not retried") == (interval == nil), "\(text)")
    }
  }

  @Test("A 304 about what the user has asked about says to remove that header")
  func notModified() {
    var options = Options()
    let error = ResourceError(
      .notModifiedWithoutContent,
      "http://a.test/ responds \"not modified\" (304) to an unconditional request.", status: 304)
    func text() -> String {
      Outcome(of: .failed(error, page: 0), itemCount: 0, options: options).explanation ?? ""
    }
    #expect(text().hasSuffix("to an unconditional request. That is a fault of the server"))
    options.headers["if-none-match"] = "\"a\""
    #expect(
      text().hasSuffix("(304). Remove the header If-None-Match; --cache sends its own"),
      "\(text())")
    #expect(!text().contains("unconditional"))
  }

  @Test("A part of a response is not a page")
  func partialContent() {
    let error = ResourceError(.badResponse, "What happened.", status: 206)
    #expect(outcome(.failed(error, page: 0)).status == .incomplete(.decoding))
  }

  @Test(
    "A response that is no page names the option that mends it",
    arguments: [
      (#"{"a": [{"id": 1}], "b": [{"id": 2}]}"#, "with --items PATH"),
      (#"{"a": 1}"#, "with --items PATH"),
      (
        #"{"object": "list", "url": "/v1/x", "has_more": true, "data": [{"key": 1}]}"#,
        "choose --style last=PATH,starting_after,has_more with"
      ),
      (
        #"{"items": [{"id": 1}], "next_cursor": "x"}"#,
        "or --style single if this is the whole list"
      ),
      ("", "the response (status 200) has no page in it"),
      (String(repeating: "[", count: 600), "nested too deep: expected no more than 512"),
    ])
  @MainActor
  func options(body: String, option: String) async {
    let session = Session()
    let stub = StubTransport()
    stub.on(where: { _ in true }, .json(body))
    #expect(await session.run(address, "--quiet", transport: stub) == .incomplete)
    #expect(session.errorText.contains(option), "\(session.errorText)")
    #expect(!session.errorText.contains("PageStyle"))
  }

  @Test("What the server says is shown as it says it")
  @MainActor
  func serverText() async {
    let session = Session()
    let text =
      "Use PageStyle.single or another PageStyle; where no content is expected, decode NoContent"
    let stub = StubTransport(numbered: { _ in
      .json(#"{"errors": [{"message": "\#(text)"}]}"#)
    })
    #expect(await session.run(address, "--quiet", transport: stub) == .incomplete)
    #expect(session.errorText.contains(text), "\(session.errorText)")
  }

  @Test("The summary has the members that scripts depend on, in their order")
  func summary() {
    let summary = Summary(
      outcome: outcome(.failed(ResourceError(.timeout, ""), page: 1)), pages: 2, items: 4,
      duplicates: 5,
      counts: Meter.Counts(requests: 7, notModified: 3, retries: 1), elapsed: .milliseconds(1250))
    #expect(
      summary.json == """
        {"status":"incomplete","reason":"timeout","pages":2,"items":4,"duplicates":5,\
        "requests":7,"notModified":3,"retries":1,"seconds":1.25}
        """)
  }
}
