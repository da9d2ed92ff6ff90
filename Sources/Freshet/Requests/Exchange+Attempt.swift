import Foundation

extension Exchange {
  /// One try, and what is known from those before.
  struct Attempt: Sendable {
    /// The headers of the content that is there, whose validators make the request conditional; empty
    /// for none.
    let stored: HTTPHeaders
    /// What the steps before have left behind.
    fileprivate var past: Past

    init(stored: HTTPHeaders = [:]) {
      self.stored = stored
      past = .nothing
    }

    fileprivate init(stored: HTTPHeaders, _ preparation: Preparation) {
      self.stored = stored
      past = .preparation(preparation)
    }

    /// Indirect, because nearly every request is made and sent in one step.
    fileprivate indirect enum Past: Sendable {
      case nothing
      case preparation(Preparation)
    }
  }

  /// What is sent, and how it came to that.
  fileprivate struct Preparation: Sendable {
    /// When the first try began; zero where nobody will ask.
    let started: Duration
    /// The request without authorization.
    var request: HTTPRequest
    var authorization = Authorization.none
    /// Whether the authorization was renewed for this try.
    var isRenewed = false
    /// How many tries of this request have failed.
    var failures = 0
    /// Whether the server has answered 304 without having been asked for that.
    var isUnconditional = false

    /// What remains for sending the same again.
    var again: Preparation {
      var next = Preparation(started: started, request: request)
      next.failures = failures
      next.isUnconditional = isUnconditional
      return next
    }
  }

  fileprivate indirect enum Authorization: Sendable {
    case none
    /// The request as it is sent.
    case given(HTTPRequest)
    /// What the server did not accept as authorized, and its answer.
    case refused(HTTPRequest, HTTPResponse)
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
    switch attempt.past {
    case .nothing: return settings.value.decorations.isEmpty && authorizer == nil
    case .preparation(let preparation):
      if case .given = preparation.authorization { return true }
      return authorizer == nil
    }
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
    var preparation: Preparation
    switch attempt.past {
    case .preparation(let known): preparation = known
    case .nothing:
      let started = startOfFirstTry
      preparation = Preparation(
        started: started, request: try await decoratedRequest(confirming: attempt.stored))
    }
    if let authorizer {
      if case .refused(let refused, let answer) = preparation.authorization {
        let isRenewed = try await authorizing { try await authorizer.renew(after: refused) }
        guard isRenewed else { return try answered(attempt, preparation, by: answer) }
        preparation.isRenewed = true
      }
      let request = preparation.request
      preparation.authorization = .given(
        try await authorizing { try await authorizer.authorize(request) })
    }
    return .again(Attempt(stored: attempt.stored, preparation), after: nil)
  }

  private func send(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(ResourceError) -> Step {
    let preparation = try preparation(of: attempt)
    guard case .given(let authorized) = preparation.authorization else {
      return switch await sendOnce(preparation.request, progress: progress) {
      case .success(let response): try answered(attempt, preparation, by: response)
      case .failure(let error): try retry(attempt, preparation, after: error)
      }
    }
    switch await sendOnce(authorized, progress: progress) {
    case .failure(let error): return try retry(attempt, preparation, after: error)
    case .success(let received):
      let response = received.withoutCredentials(of: authorized, for: preparation.request)
      guard response.status == 401, !preparation.isRenewed else {
        return try answered(attempt, preparation, by: response)
      }
      var next = preparation
      next.authorization = .refused(authorized, response)
      return .again(Attempt(stored: attempt.stored, next), after: nil)
    }
  }

  /// What is sent where nothing has to be waited for.
  private func preparation(of attempt: Attempt) throws(ResourceError) -> Preparation {
    switch attempt.past {
    case .preparation(let known): known
    case .nothing:
      Preparation(started: startOfFirstTry, request: try plainRequest(confirming: attempt.stored))
    }
  }

  /// The time at which the first try begins, where the age of an answer will be reckoned from it.
  private var startOfFirstTry: Duration {
    settings.value.usesServerFreshness ? clock.now : .zero
  }

  /// Decides what follows an answer.
  private func answered(
    _ attempt: Attempt, _ preparation: Preparation, by received: HTTPResponse
  ) throws(ResourceError) -> Step {
    let response: HTTPResponse
    do throws(ResourceError) {
      response = try checked(received)
    } catch {
      return try retry(attempt, preparation, after: error)
    }
    let date = clock.date
    guard response.status == 304 else {
      let fetched = try read(response, date: date, after: clock.now - preparation.started)
      return .ended(.newData(fetched, write: write(response, date: date)))
    }
    if !HTTPValidators(attempt.stored).isEmpty {
      let headers = attempt.stored.merging(notModified: response.headers)
      let confirmed = HTTPResponse(status: 200, headers: headers, url: response.url)
      let lifetime = lifetime(
        of: confirmed, date: date, after: clock.now - preparation.started)
      return .ended(
        .notModified(headers, date: date, lifetime: lifetime, write: confirm(headers, date: date)))
    }
    // What may have changed something is not sent a second time.
    guard preparation.request.method.isSafe, !preparation.isUnconditional else {
      throw failure(
        .notModifiedWithoutContent, response,
        "answers \"not modified\" (304) to an unconditional request")
    }
    var next = preparation.again
    next.request = unconditional(preparation.request)
    next.isUnconditional = true
    next.failures = 0
    return .again(Attempt(stored: attempt.stored, next), after: nil)
  }

  /// Decides what follows a try that failed; throws the error if nothing does.
  private func retry(
    _ attempt: Attempt, _ preparation: Preparation, after error: ResourceError
  ) throws(ResourceError) -> Step {
    var next = preparation.again
    next.failures += 1
    let delay = settings.value.retries.delay(
      before: next.failures, after: error, method: preparation.request.method,
      random: settings.value.random())
    guard let delay, !Task.isCancelled else { throw error }
    log(.retry, "\(place) in \(delay) after \(error.description)")
    return .again(Attempt(stored: attempt.stored, next), after: delay)
  }
}
