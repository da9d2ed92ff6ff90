import Foundation

extension Exchange {
  /// One try, and what is known from those before.
  struct Attempt: Sendable {
    /// The headers of the content that is there, whose validators make the request conditional; empty
    /// for none.
    let stored: HTTPHeaders
    /// When the first try began.
    fileprivate var started: Duration?
    /// The request without authorization; nil until the first try has made it.
    fileprivate var request: HTTPRequest?
    /// What is sent, authorization included; nil until that is there.
    fileprivate var authorized: HTTPRequest?
    /// What the server did not accept as authorized, and its answer.
    fileprivate var refused: (request: HTTPRequest, answer: HTTPResponse)?
    /// Whether the authorization was renewed for this try.
    fileprivate var isRenewed = false
    /// How many tries of this request have failed.
    fileprivate var failures = 0
    /// Whether the server has answered 304 without having been asked for that.
    fileprivate var isUnconditional = false

    init(stored: HTTPHeaders = [:]) {
      self.stored = stored
    }

    /// What remains for sending the same again, or another request instead.
    fileprivate func again(_ other: HTTPRequest? = nil) -> Attempt {
      var next = Attempt(stored: stored)
      next.started = started
      next.request = other ?? request
      next.failures = failures
      next.isUnconditional = isUnconditional
      return next
    }
  }

  /// What came of a step.
  enum Step: Sendable {
    case ended(Outcome)
    /// Another step is to follow, after a delay or at once.
    case again(Attempt, after: Duration?)
  }

  /// How long the next step may take; nil for any time.
  ///
  /// Decorating and authorizing may wait for a person, so they are a step of their own, where there
  /// is anything to do.
  func timeout(of attempt: Attempt) -> Duration? {
    isReady(attempt) ? settings.value.timeout : nil
  }

  private func isReady(_ attempt: Attempt) -> Bool {
    attempt.authorized != nil
      || (authorizer == nil && (attempt.request != nil || settings.value.decorations.isEmpty))
  }

  /// Takes the next step: prepares the request, or sends it once and reads the answer. It never
  /// throws: every failure is an outcome.
  @concurrent
  func run(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Step {
    do {
      return isReady(attempt)
        ? try await send(attempt, progress: progress) : try await prepare(attempt)
    } catch {
      return .ended(.failure(error))
    }
  }

  private func prepare(_ attempt: Attempt) async throws(ResourceError) -> Step {
    var attempt = attempt
    let request = try await made(&attempt)
    if let authorizer {
      if let refused = attempt.refused {
        let isRenewed = try await authorizing { try await authorizer.renew(after: refused.request) }
        guard isRenewed else { return try answered(attempt, by: refused.answer) }
        attempt.isRenewed = true
        attempt.refused = nil
      }
      attempt.authorized = try await authorizing { try await authorizer.authorize(request) }
    }
    return .again(attempt, after: nil)
  }

  private func send(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(ResourceError) -> Step {
    var attempt = attempt
    let request = try await made(&attempt)
    var response: HTTPResponse
    do throws(ResourceError) {
      response = try await sendOnce(attempt.authorized ?? request, progress: progress)
    } catch {
      return try retry(attempt, after: error)
    }
    if let authorized = attempt.authorized {
      response = response.withoutCredentials(of: authorized, for: request)
    }
    if response.status == 401, let authorized = attempt.authorized, !attempt.isRenewed {
      attempt.refused = (authorized, response)
      attempt.authorized = nil
      return .again(attempt, after: nil)
    }
    return try answered(attempt, by: response)
  }

  private func made(_ attempt: inout Attempt) async throws(ResourceError) -> HTTPRequest {
    if let request = attempt.request { return request }
    attempt.started = clock.now
    let request = try await makeRequest(validators: HTTPValidators(attempt.stored))
    attempt.request = request
    return request
  }

  /// Decides what follows an answer.
  private func answered(
    _ attempt: Attempt, by received: HTTPResponse
  ) throws(ResourceError) -> Step {
    let response: HTTPResponse
    do throws(ResourceError) {
      response = try checked(received)
    } catch {
      return try retry(attempt, after: error)
    }
    let (date, delay) = (clock.date, clock.now - (attempt.started ?? clock.now))
    guard response.status == 304 else {
      return .ended(.newData(try read(response, date: date, delay: delay)))
    }
    if !HTTPValidators(attempt.stored).isEmpty {
      return .ended(confirmed(attempt.stored, by: response, date: date, delay: delay))
    }
    // What may have changed something is not sent a second time.
    guard let request = attempt.request, request.method.isSafe, !attempt.isUnconditional else {
      throw failure(
        .notModifiedWithoutContent, response,
        "answers \"not modified\" (304) to an unconditional request")
    }
    var next = attempt.again(unconditional(request))
    next.isUnconditional = true
    next.failures = 0
    return .again(next, after: nil)
  }

  /// Decides what follows a try that failed; throws the error if nothing does.
  private func retry(
    _ attempt: Attempt, after error: ResourceError
  ) throws(ResourceError) -> Step {
    var next = attempt.again()
    next.failures += 1
    let delay = configuration.retries.delay(
      before: next.failures, after: error, method: attempt.request?.method ?? key.method,
      random: configuration.random())
    guard let delay, !Task.isCancelled else { throw error }
    log(.retry, "\(place) in \(delay) after \(error.description)")
    return .again(next, after: delay)
  }

  private func confirmed(
    _ stored: HTTPHeaders, by response: HTTPResponse, date: Date, delay: Duration
  ) -> Outcome {
    let headers = stored.merging(notModified: response.headers)
    let confirmed = HTTPResponse(status: 200, headers: headers, url: response.url)
    return .notModified(
      headers, date: date, lifetime: lifetime(of: confirmed, date: date, delay: delay))
  }
}
