import Foundation

extension Exchange {
  /// One try, and what is known from those before.
  struct Attempt: Sendable {
    /// The content that is there, whose validators make the request conditional; nil for none.
    fileprivate let known: AnyEntity?
    /// What the steps before have left behind; nil for the first.
    fileprivate let preparation: Preparation?

    /// The first attempt.
    ///
    /// - Parameter entity: the content whose validators are sent; nil for none.
    init(confirming entity: AnyEntity? = nil) {
      known = entity
      preparation = nil
    }

    fileprivate init(after earlier: Attempt, _ preparation: Preparation) {
      known = earlier.known
      self.preparation = preparation
    }

    /// The headers of the content that is there; empty for none.
    var stored: HTTPHeaders { known?.headers ?? [:] }
  }

  /// What is sent, and how it came to that. An object, because it is handed on more than it is used.
  fileprivate final class Preparation: Sendable {
    /// When the first try began; zero where nobody will ask.
    let started: Duration
    /// The request without authorization.
    let request: HTTPRequest
    let authorization: Authorization
    /// Whether the authorization was renewed for this try.
    let isRenewed: Bool
    /// How many tries of this request have failed.
    let failures: Int
    /// Whether the server has answered 304 without anything that it could confirm.
    let isUnconditional: Bool

    init(
      started: Duration, request: HTTPRequest, authorization: Authorization = .none,
      isRenewed: Bool = false, failures: Int = 0, isUnconditional: Bool = false
    ) {
      self.started = started
      self.request = request
      self.authorization = authorization
      self.isRenewed = isRenewed
      self.failures = failures
      self.isUnconditional = isUnconditional
    }

    /// The request as it is sent.
    @inline(never)
    var sent: HTTPRequest {
      if case .given(let authorized) = authorization { authorized } else { request }
    }

    /// The same with another authorization.
    func with(_ authorization: Authorization, isRenewed: Bool) -> Preparation {
      Preparation(
        started: started, request: request, authorization: authorization, isRenewed: isRenewed,
        failures: failures, isUnconditional: isUnconditional)
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
    case ended(LoadOutcome)
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

  @inline(never)
  private func isReady(_ attempt: Attempt) -> Bool {
    guard let preparation = attempt.preparation else {
      return settings.value.decorations.isEmpty && !isAuthorized
    }
    if case .given = preparation.authorization { return true }
    return !isAuthorized
  }

  /// Takes the next step: prepares the request, or sends it once and reads the answer. It never
  /// throws: every failure is an outcome.
  ///
  /// What an asynchronous function holds is in memory of its task, which is little; so this one holds
  /// little, and leaves the work to functions that do not wait.
  @concurrent
  func run(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Step {
    guard isReady(attempt) else { return await prepare(attempt) }
    switch preparation(of: attempt) {
    case .success(let preparation):
      let answer = await sendOnce(preparation.sent, progress: progress)
      return step(attempt, preparation, after: answer)
    case .failure(let error):
      return .ended(.failure(error))
    }
  }

  private func prepare(_ attempt: Attempt) async -> Step {
    do {
      return try await prepared(attempt)
    } catch {
      return .ended(.failure(error))
    }
  }

  private func prepared(_ attempt: Attempt) async throws(ResourceError) -> Step {
    var preparation: Preparation
    if let known = attempt.preparation {
      preparation = known
    } else {
      let started = agingTime
      let request = try await decoratedRequest(confirming: attempt.stored)
      preparation = Preparation(started: started, request: request)
    }
    if let authorizer {
      var isRenewed = preparation.isRenewed
      if case .refused(let refused, let answer) = preparation.authorization {
        isRenewed = try await authorizing { try await authorizer.renew(after: refused) }
        guard isRenewed else { return try answered(attempt, preparation, by: answer) }
      }
      let request = preparation.request
      let authorized = try await authorizing { try await authorizer.authorize(request) }
      preparation = preparation.with(.given(authorized), isRenewed: isRenewed)
    }
    return .again(Attempt(after: attempt, preparation), after: nil)
  }

  /// What is sent where nothing has to be waited for.
  @inline(never)
  private func preparation(of attempt: Attempt) -> Result<Preparation, ResourceError> {
    if let known = attempt.preparation { return .success(known) }
    return Result { () throws(ResourceError) in
      Preparation(
        started: agingTime, request: try plainRequest(confirming: attempt.stored))
    }
  }

  /// Decides what follows a try.
  @inline(never)
  private func step(
    _ attempt: Attempt, _ preparation: Preparation,
    after answer: Result<HTTPResponse, ResourceError>
  ) -> Step {
    do {
      switch answer {
      case .success(let response): return try received(response, attempt, preparation)
      case .failure(let error): return try retry(attempt, preparation, after: error)
      }
    } catch {
      return .ended(.failure(error))
    }
  }

  private func received(
    _ received: HTTPResponse, _ attempt: Attempt, _ preparation: Preparation
  ) throws(ResourceError) -> Step {
    guard case .given(let authorized) = preparation.authorization else {
      return try answered(attempt, preparation, by: received)
    }
    let response = received.withoutCredentials(of: authorized, for: preparation.request)
    guard response.status == 401, !preparation.isRenewed else {
      return try answered(attempt, preparation, by: response)
    }
    let refused = preparation.with(.refused(authorized, response), isRenewed: false)
    return .again(Attempt(after: attempt, refused), after: nil)
  }

  /// The time, where the age of an answer is reckoned from it; zero where nobody asks.
  private var agingTime: Duration {
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
    let (date, arrival) = (clock.date, agingTime)
    let delay = arrival - preparation.started
    guard response.status == 304 else {
      var fetched = try read(response, date: date, after: delay)
      // Its content is a little older by the time that it has been read.
      fetched.age(by: agingTime - arrival)
      fetched.write = write(response, date: date)
      return .ended(.newData(fetched))
    }
    let validators = HTTPValidators(attempt.stored)
    if var entity = attempt.known, !validators.isEmpty, !preparation.isUnconditional,
      validators.areConfirmed(by: response.headers)
    {
      let headers = entity.headers.merging(notModified: response.headers)
      let confirmed = HTTPResponse(status: 200, headers: headers, url: response.url)
      let confirmation = AnyEntity.Confirmation(
        of: validators, headers: headers, date: date, answeredURL: answered(by: response),
        derived: try derived(entity.content, confirmedBy: confirmed, from: entity.headers))
      entity.confirm(confirmation)
      let lifetime = lifetime(of: confirmed, date: date, after: delay)
      let write = confirm(headers, date: date)
      return .ended(
        .notModified(Fetched(entity: entity, lifetime: lifetime, write: write), confirmation))
    }
    // What may have changed something is not sent a second time.
    guard preparation.request.method.isSafe, !preparation.isUnconditional else {
      throw failure(
        .notModifiedWithoutContent, response,
        validators.isEmpty || preparation.isUnconditional
          ? "answers \"not modified\" (304) to an unconditional request"
          : "answers \"not modified\" (304) about other content than it was asked about")
    }
    let next = Preparation(
      started: preparation.started, request: unconditional(preparation.request),
      isUnconditional: true)
    return .again(Attempt(after: attempt, next), after: nil)
  }

  /// Decides what follows a try that failed; throws the error if nothing does.
  private func retry(
    _ attempt: Attempt, _ preparation: Preparation, after error: ResourceError
  ) throws(ResourceError) -> Step {
    let next = Preparation(
      started: preparation.started, request: preparation.request,
      failures: preparation.failures + 1, isUnconditional: preparation.isUnconditional)
    let delay = settings.value.retries.delay(
      before: next.failures, after: error, method: preparation.request.method,
      random: settings.value.random())
    guard let delay, !Task.isCancelled else { throw error }
    log(.retry, "\(place) in \(delay) after \(error.description)")
    return .again(Attempt(after: attempt, next), after: delay)
  }
}
