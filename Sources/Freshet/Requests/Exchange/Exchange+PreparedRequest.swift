import Foundation

extension Exchange {
  /// A request and its next stage, in pure steps: each input returns what comes next, and has no
  /// side effect.
  ///
  /// A request is authorized, if there is an authorizer, and sent. The response ends that, or leads
  /// back: to a renewal of the authorization (once in an attempt), to the same request without conditions
  /// (once), or to another attempt. An input in a stage that does not wait for it is a programming
  /// error.
  ///
  /// A class, because it is passed around more often than it is read.
  final class PreparedRequest: Sendable {
    /// The request without authorization.
    let request: HTTPRequest
    /// What decorations have changed; nil if there are none.
    let decoration: Decoration?
    let needsAuthorization: Bool
    let stage: Stage
    /// How many attempts have failed.
    let failures: Int
    /// Whether it is sent without conditions, from the start or after a 304 that confirmed nothing, a 412, or a
    /// response older than the known content.
    let isUnconditional: Bool

    /// What decorations have changed in a request.
    final class Decoration: Sendable {
      /// The URL before decorations; nil if they have left it as it was.
      let undecoratedAddress: URLText?
      /// The part of the request with which decorations may say who asks, such as `the URL`, where nothing else
      /// says who that is; nil for none.
      let unattributedPart: String?
      /// The header fields that decorations have changed, in lower case, except those of credentials, whose user
      /// is known otherwise.
      let fields: Set<String>
      /// The ``Exchange/session`` in which they began.
      let session: Int?

      init(
        undecoratedAddress: URLText?, unattributedPart: String?, fields: Set<String>, session: Int?
      ) {
        self.undecoratedAddress = undecoratedAddress
        self.unattributedPart = unattributedPart
        self.fields = fields
        self.session = session
      }
    }

    /// The next step of an attempt.
    indirect enum Stage: Sendable {
      /// The request is to be sent as it is.
      case sending
      /// The request is to be authorized, for the first time or after a renewal.
      ///
      /// If it was sent before with an authorization, that is for the same user only.
      case authorizing(isRenewed: Bool, sent: HTTPRequest? = nil)
      /// The request is to be sent as it was authorized.
      case sendingAuthorized(HTTPRequest, isRenewed: Bool)
      /// The server has refused the authorized request, with this response: the authorization is to be
      /// renewed.
      case renewing(HTTPRequest, HTTPResponse)
    }

    /// The step that follows a response.
    enum Reaction: Sendable {
      /// Another step.
      case next(PreparedRequest)
      /// The server does not process the request with the conditions that it has (412): it is sent without.
      case refused(PreparedRequest)
      /// The response brings content, or is an error.
      case read
      /// The response confirms this content.
      case confirm(KnownContent)
      /// The response is a 304 about nothing, for this reason.
      case contradict(String)
    }

    /// Creates the first step of a request.
    ///
    /// - Parameters:
    ///   - request: the request with all its decorations.
    ///   - decoration: what they have changed; nil if there are none.
    ///   - isUnconditional: whether it is to be sent without conditions.
    ///   - needsAuthorization: whether it is to be authorized.
    init(
      _ request: consuming HTTPRequest, decoration: Decoration? = nil,
      isUnconditional: Bool = false, needsAuthorization: Bool
    ) {
      self.request = isUnconditional ? request.unconditional : request
      self.decoration = decoration
      self.isUnconditional = isUnconditional
      self.needsAuthorization = needsAuthorization
      stage = needsAuthorization ? .authorizing(isRenewed: false) : .sending
      failures = 0
    }

    private init(
      _ earlier: PreparedRequest, sending request: HTTPRequest? = nil, stage: Stage?,
      failures: Int, isUnconditional: Bool
    ) {
      self.request = request ?? earlier.request
      decoration = earlier.decoration
      needsAuthorization = earlier.needsAuthorization
      self.stage =
        stage ?? (earlier.needsAuthorization ? .authorizing(isRenewed: false) : .sending)
      self.failures = failures
      self.isUnconditional = isUnconditional
    }

    private func with(_ stage: Stage) -> PreparedRequest {
      PreparedRequest(
        self, stage: stage, failures: failures, isUnconditional: isUnconditional)
    }
  }
}

// MARK: - Inputs

extension Exchange.PreparedRequest {
  /// The request was authorized.
  ///
  /// - Parameter authorized: the request as it is to be sent.
  func authorized(_ authorized: HTTPRequest) -> Exchange.PreparedRequest {
    guard case .authorizing(let isRenewed, _) = stage else { unexpected("authorized") }
    return with(.sendingAuthorized(authorized, isRenewed: isRenewed))
  }

  /// The authorization was renewed: the request is worth sending once more.
  func renewed() -> Exchange.PreparedRequest {
    guard case .renewing(let sent, _) = stage else { unexpected("renewed") }
    return with(.authorizing(isRenewed: true, sent: sent))
  }

  /// A response arrived; as a response to this request it is ``response(_:)``.
  ///
  /// A 401 from another origin, where a redirect led, says nothing of an authorization that it has not received.
  ///
  /// - Parameters:
  ///   - known: the content whose validators the request may have; nil for none.
  ///   - now: when it arrived.
  func received(
    _ response: HTTPResponse, about known: KnownContent?, at now: Date
  ) -> Reaction {
    switch stage {
    case .sendingAuthorized(let sent, isRenewed: false)
    where response.status == 401
      && (!response.isRedirected || response.address.isOfOrigin(of: sent.address)):
      return .next(with(.renewing(sent, response)))
    case .sending, .sendingAuthorized:
      if response.status == 304 { return notModified(response, known) }
      if response.status == 412, let known, isRefusal(of: known.validators) {
        return .refused(unconditional)
      }
      guard let known, isOlder(response, than: known.entity.receivedHeaders, now: now) else {
        return .read
      }
      return .next(unconditional)
    case .authorizing, .renewing:
      unexpected("received")
    }
  }

  /// Whether a 412 is about these validators: to a method other than GET and HEAD it is what a 304 is to those,
  /// RFC 9110 section 13.1.2, unless a decoration has added a condition that fails otherwise.
  private func isRefusal(of validators: HTTPValidators) -> Bool {
    !request.method.isRead && !isUnconditional && validators.areConditions(of: request)
      && !request.headers.contains(HTTPValidators.preconditions)
  }

  private func notModified(_ response: HTTPResponse, _ known: KnownContent?) -> Reaction {
    let validators = known?.validators ?? HTTPValidators([:])
    if let known, !isUnconditional, validators.areConditions(of: request),
      known.isConfirmed(by: response.headers), isSource(response, of: known)
    {
      return .confirm(known)
    }
    // A request that may have changed something is not sent a second time; the load of a resource changes nothing,
    // whatever its method.
    guard request.method.isSafe || known != nil, !isUnconditional else {
      return .contradict(
        validators.isEmpty || isUnconditional
          ? "responds \"not modified\" (304) to an unconditional request"
          : "responds \"not modified\" (304) about other content than it was asked about")
    }
    return .next(unconditional)
  }

  /// Whether a URL that responds has sent the content, and receives the conditions: validators are of one URL, and
  /// if a redirect leads to another origin they are not sent.
  private func isSource(_ response: HTTPResponse, of known: KnownContent) -> Bool {
    if let url = known.entity.responseURL, !URIReference.isSameURL(response.urlString, as: url) {
      return false
    }
    return !response.isRedirected || response.address.isOfOrigin(of: request.address)
  }

  /// Whether the server made a response before the known content: a cache on the way has kept it (RFC 9111
  /// section 4), unless it is the same content. The server is asked once more; what it responds then counts,
  /// because its clock may have been set back.
  private func isOlder(_ response: HTTPResponse, than stored: HTTPHeaders, now: Date) -> Bool {
    guard !isUnconditional, request.method.isSafe, (200..<300).contains(response.status),
      let known = stored.firstDate("Date", now: now),
      let received = response.headers.firstDate("Date", now: now)
    else { return false }
    let tag = stored.first("ETag")
    let isSame = tag != nil && HTTPValidators.areSame(tag, response.headers.first("ETag"))
    return received < known && !isSame
  }

  /// The same request once more, without conditions, and so that caches on the way do not respond.
  var unconditional: Exchange.PreparedRequest {
    Exchange.PreparedRequest(
      self, sending: request.unconditional, stage: stageOfSameAttempt, failures: failures,
      isUnconditional: true)
  }

  /// The same request, to be sent later than it was prepared for.
  var again: Exchange.PreparedRequest {
    stageOfSameAttempt.map(with) ?? self
  }

  /// The attempt failed.
  ///
  /// - Parameters:
  ///   - timeout: how long one attempt may take.
  ///   - random: a random number in 0..<1.
  /// - Returns: another attempt and how long to wait for it; nil if the failure stands.
  func failed(
    _ error: ResourceError, retries: Service.RetryPolicy, timeout: Duration, random: Double
  ) -> (next: Exchange.PreparedRequest, delay: Duration)? {
    let delay = retries.delay(
      before: failures + 1, after: error, of: request, timeout: timeout, random: random)
    guard let delay else { return nil }
    let next = Exchange.PreparedRequest(
      self, stage: stageOfNextAttempt, failures: failures + 1, isUnconditional: isUnconditional)
    return (next, delay)
  }

  /// The stage with which the same request begins again in this attempt, whose authorization is renewed once;
  /// nil for the one with which it began.
  private var stageOfSameAttempt: Stage? {
    guard case .sendingAuthorized(let sent, let isRenewed) = stage else { return nil }
    return .authorizing(isRenewed: isRenewed, sent: sent)
  }

  /// The stage with which another attempt begins; nil for the one with which the first began.
  private var stageOfNextAttempt: Stage? {
    guard case .sendingAuthorized(let sent, _) = stage else { return nil }
    return .authorizing(isRenewed: false, sent: sent)
  }

  private func unexpected(_ input: String) -> Never {
    preconditionFailure("Exchange.PreparedRequest.\(input): unexpected in the stage \(stage)")
  }
}

// MARK: - Questions

extension Exchange.PreparedRequest {
  /// Whether it is being prepared although it was ready to be sent before: its authorization was refused, or its
  /// last attempt failed.
  var isPreparedAgain: Bool {
    switch stage {
    case .renewing, .authorizing(_, sent: .some): true
    case .authorizing, .sending, .sendingAuthorized: failures > 0
    }
  }

  /// The request as it is sent.
  var sent: HTTPRequest {
    switch stage {
    case .sending: request
    case .sendingAuthorized(let authorized, _): authorized
    case .authorizing, .renewing: unexpected("sent")
    }
  }
}

extension Exchange.PreparedRequest.Stage: CustomStringConvertible {
  /// Only the name; requests may hold secrets.
  var description: String {
    switch self {
    case .sending, .sendingAuthorized: "sending"
    case .authorizing: "authorizing"
    case .renewing: "renewing"
    }
  }
}

extension HTTPRequest {
  /// The same request, asking caches on the way not to respond with another 304.
  fileprivate var unconditional: HTTPRequest {
    var request = self
    request.headers = headers.removing(["If-None-Match", "If-Modified-Since"])
    // What else the program asks of caches, as with `no-store`, stays.
    request.headers.append("no-cache", for: "Cache-Control")
    return request
  }
}

extension URLText {
  fileprivate func isOfOrigin(of other: URLText) -> Bool {
    self == other || URIReference.isSameOrigin(text, as: other.text)
  }
}
