extension Exchange {
  /// One try, and what is known from those before.
  struct Attempt: Sendable {
    /// The headers of the content that is there, whose validators make the request conditional; empty
    /// for none.
    let stored: HTTPHeaders
    /// What to send; nil until the first try has made it.
    fileprivate var request: HTTPRequest?
    /// When the first try began.
    fileprivate var started: Duration?
    /// How many tries of this request have failed.
    fileprivate var failures = 0
    /// Whether the server has answered 304 without having been asked for that.
    fileprivate var isUnconditional = false

    init(stored: HTTPHeaders = [:]) {
      self.stored = stored
    }
  }

  /// What came of a try.
  enum Step: Sendable {
    case ended(Outcome)
    /// Another try is to follow, after a delay or at once.
    case again(Attempt, after: Duration?)
  }

  /// Sends the request once and reads the answer. It never throws: every failure is an outcome.
  @concurrent
  func run(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Step {
    var attempt = attempt
    do throws(ResourceError) {
      let started = attempt.started ?? clock.now
      let validators = HTTPValidators(attempt.stored)
      let request = try await request(for: attempt, validators: validators)
      (attempt.started, attempt.request) = (started, request)
      let response: HTTPResponse
      do throws(ResourceError) {
        response = try await sendAuthorized(request, progress: progress)
      } catch {
        return try retry(attempt, of: request, after: error)
      }
      guard response.status == 304 else {
        return .ended(
          .newData(try read(response, date: clock.date, delay: clock.now - started)))
      }
      if !validators.isEmpty {
        return .ended(confirmed(attempt.stored, by: response, delay: clock.now - started))
      }
      // What may have changed something is not sent a second time.
      guard request.method.isSafe, !attempt.isUnconditional else {
        throw failure(
          .notModifiedWithoutContent, response,
          "answers \"not modified\" (304) to an unconditional request")
      }
      attempt.request = unconditional(request)
      attempt.isUnconditional = true
      attempt.failures = 0
      return .again(attempt, after: nil)
    } catch {
      return .ended(.failure(error))
    }
  }

  private func request(
    for attempt: Attempt, validators: HTTPValidators
  ) async throws(ResourceError) -> HTTPRequest {
    if let made = attempt.request { return made }
    return try await makeRequest(validators: validators)
  }

  /// Decides what follows a try that failed; throws the error if nothing does.
  private func retry(
    _ attempt: Attempt, of request: HTTPRequest, after error: ResourceError
  ) throws(ResourceError) -> Step {
    var next = attempt
    next.failures += 1
    let delay = configuration.retries.delay(
      before: next.failures, after: error, method: request.method, random: configuration.random())
    guard let delay, !Task.isCancelled else { throw error }
    log(.retry, "\(place) in \(delay) after \(error.description)")
    return .again(next, after: delay)
  }

  private func confirmed(
    _ stored: HTTPHeaders, by response: HTTPResponse, delay: Duration
  ) -> Outcome {
    let headers = stored.merging(notModified: response.headers)
    let date = clock.date
    let confirmed = HTTPResponse(status: 200, headers: headers, url: response.url)
    return .notModified(
      headers, date: date, lifetime: lifetime(of: confirmed, date: date, delay: delay))
  }
}
