/// Performs what a ``PreparedRequest`` decides.
extension Exchange {
  /// The result of a step.
  enum Step: Sendable {
    case ended(LoadOutcome)
    /// Another step is to follow at once.
    case next(Attempt)
    /// The server has refused the conditions of the request: the same without them is to follow at once.
    case refused(Attempt)
    /// The request was not sent, because the server has asked for fewer by its response to another one: the
    /// same attempt is to follow.
    case held(Attempt, ResourceError)
    /// Another attempt is to follow after a delay.
    case retry(Attempt, after: Duration, ResourceError)
  }

  /// Whether requests may wait for a token: they are decorated or authorized, or they wait for the persistent
  /// cache, after which another configuration may do that.
  var mayBePartOfFetch: Bool {
    settings.value.authorizer != nil || !settings.value.decorations.isEmpty
      || settings.value.cache != nil
  }

  /// Whether nothing is left to decorate.
  func isDecorated(_ attempt: Attempt) -> Bool {
    attempt.request != nil || settings.value.decorations.isEmpty
  }

  /// The kind of an attempt's next step.
  enum NextStep {
    /// The request is made, which includes decorating or authorizing it.
    case making
    /// The request, which is made, is authorized.
    case authorizing
    /// The request is sent; before the first attempt it is made too, where that waits for nothing.
    case sending
  }

  /// What an attempt does next.
  ///
  /// Decorating and authorizing may wait for a person, so they are steps of their own, without a time
  /// limit, if there is any of that to do.
  func nextStep(of attempt: Attempt) -> NextStep {
    switch attempt.request?.stage {
    case nil: settings.value.decorations.isEmpty && !isAuthorized ? .sending : .making
    case .authorizing, .renewing: .authorizing
    case .sending, .sendingAuthorized: .sending
    }
  }

  /// Sends a request that is ready, once, and reads the response. It never throws: every failure is an
  /// outcome.
  @concurrent
  func send(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Step {
    switch plain(attempt) {
    case .success(let request):
      let sent = agingTime
      var outgoing = request.sent
      outgoing.holding = settings.value.retries.holding(after: attempt.pauses)
      let result = await sendOnce(outgoing, progress: progress)
      // Nearly always there are none, and the response is not held for longer than it is read.
      if request.decoration?.fields.isEmpty == false, let response = try? result.get() {
        await reportVarying(response, to: request)
      }
      return step(after: consume result, attempt, request, sent: sent)
    case .failure(let error):
      return .ended(.failure(error))
    }
  }

  /// The request of an attempt that can be made without waiting.
  private func plain(_ attempt: Attempt) -> Result<PreparedRequest, ResourceError> {
    if let request = attempt.request { return .success(request) }
    return Result { () throws(ResourceError) in
      PreparedRequest(
        try plainRequest(of: attempt), isUnconditional: attempt.freshness == .unconditional,
        needsAuthorization: false)
    }
  }

  /// Prepares a request, so that the next step sends it. It never throws: every failure is an outcome.
  @concurrent
  func prepare(_ attempt: Attempt) async -> Step {
    do {
      return try await prepared(attempt)
    } catch {
      return .ended(.failure(error))
    }
  }

  /// Decorates and authorizes the request, until it can be sent.
  private func prepared(_ attempt: Attempt) async throws(ResourceError) -> Step {
    var request: PreparedRequest
    if let known = attempt.request {
      request = known
    } else {
      request = try await made(attempt)
      // Authorizing, which a fetch may begin again, is a step of its own.
      if !settings.value.decorations.isEmpty { return .next(Attempt(after: attempt, request)) }
    }
    while true {
      switch request.stage {
      case .authorizing(_, let sent):
        request = request.authorized(
          try await authorize(request.request, after: sent, begunIn: request.decoration?.session))
      case .renewing(let refused, let response):
        guard try await renew(after: refused) else {
          // A 401, of which the age does not matter.
          return try step(reading: response, attempt, request, sent: agingTime)
        }
        request = request.renewed()
      case .sending, .sendingAuthorized:
        return .next(Attempt(after: attempt, request))
      }
    }
  }

  private func made(_ attempt: Attempt) async throws(ResourceError) -> PreparedRequest {
    let isUnconditional = attempt.freshness == .unconditional
    // First: encoding a body may outlast the session too.
    let session = await session
    let plain = try plainRequest(of: attempt)
    guard !settings.value.decorations.isEmpty else {
      return PreparedRequest(
        plain, isUnconditional: isUnconditional, needsAuthorization: isAuthorized)
    }
    var decorated = try await decorated(plain)
    let part = unattributedPart(of: decorated, decorating: plain)
    if let part { await reportUnattributed(part) }
    let fields = decorated.headers.selectingNames(since: plain.headers)
    if let known = attempt.known, known.isKnownByDate(toVaryBy: fields),
      known.validators.areConditions(of: decorated)
    {
      decorated.headers["If-Modified-Since"] = nil
    }
    let decoration = PreparedRequest.Decoration(
      undecoratedAddress: decorated.address == plain.address ? nil : plain.address,
      unattributedPart: part, fields: fields, session: session)
    return PreparedRequest(
      decorated, decoration: decoration, isUnconditional: isUnconditional,
      needsAuthorization: isAuthorized)
  }

  /// The time of a message, for the age of a response (RFC 9111 section 4.2.3); zero where no age is needed.
  private var agingTime: Duration {
    settings.value.responseFreshness != nil ? clock.now : .zero
  }

  /// What follows the result of sending a request, as ``PreparedRequest`` decides.
  ///
  /// - Parameter sent: when that was, by ``agingTime``.
  private func step(
    after result: consuming Result<HTTPResponse, ResourceError>, _ attempt: Attempt,
    _ request: PreparedRequest, sent: Duration
  ) -> Step {
    do throws(ResourceError) {
      let response: HTTPResponse
      switch consume result {
      case .success(let received): response = request.response(received)
      case .failure(let error):
        if let held = error.underlying as? HeldRequest {
          return step(heldBy: held.response, Attempt(after: attempt, request))
        }
        return try step(retryingAfter: error, attempt, request)
      }
      switch request.received(response, about: attempt.known, at: clock.date) {
      case .next(let next): return .next(Attempt(after: attempt, next))
      case .refused(let next): return .refused(Attempt(after: attempt, next))
      case .read: return try step(reading: response, attempt, request, sent: sent)
      case .confirm(let known):
        return try step(confirming: known, by: response, attempt, request, sent: sent)
      case .contradict(let what):
        throw failure(.notModifiedWithoutContent, response, what)
      }
    } catch {
      return .ended(.failure(error))
    }
  }

  /// What follows where a response to another request holds this one: one that names no time does so only as often as
  /// one that does.
  private func step(heldBy response: HTTPResponse, _ attempt: Attempt) -> Step {
    let error = refusal(response)
    let namesTime = error.retryAfter.map { $0 > .zero } ?? false
    return .held(namesTime ? attempt : attempt.afterPause, error)
  }

  /// What follows a response that brings content, or is an error.
  private func step(
    reading response: HTTPResponse, _ attempt: Attempt, _ request: PreparedRequest, sent: Duration
  ) throws(ResourceError) -> Step {
    do throws(ResourceError) {
      try check(response)
    } catch {
      return try step(retryingAfter: error, attempt, request)
    }
    let (date, arrival) = (clock.date, agingTime)
    let (entity, stated) = try read(response, date: date, after: arrival - sent)
    let lifetime = usableLifetime(stated, of: entity.headers, to: request)
    // The content is a little older by the time it has been read.
    let age = agingTime - arrival
    let isCached = settings.value.cache != nil
    let fetched = Fetched(
      entity: entity, lifetime: lifetime.map { max($0 - age, .zero) },
      cacheChange: isCached
        ? cacheChange(storing: response, requestedBy: request, date: date) : nil,
      by: isCached ? self : nil)
    return .ended(.newData(fetched))
  }

  /// What follows a response that confirms the known content: the same request without conditions, where its new
  /// header fields may change the content, and only a body shows how.
  private func step(
    confirming known: KnownContent, by response: HTTPResponse, _ attempt: Attempt,
    _ request: PreparedRequest, sent: Duration
  ) throws(ResourceError) -> Step {
    var entity = known.entity
    let (date, arrival) = (clock.date, agingTime)
    let (headers, received) = updated(entity, by: response.headers)
    let confirmed = HTTPResponse(status: 200, headers: headers, address: response.address)
    let derived: AnyContent?
    do {
      derived = try self.derived(entity.content, confirmedBy: confirmed, from: entity.headers)
    } catch let error as ResourceError {
      throw error
    } catch {
      return .next(Attempt(after: attempt, request.unconditional))
    }
    let confirmation = AnyEntity.Confirmation(
      of: entity.content, known.validators, headers: headers, date: date,
      responseURL: responseURL(of: response), derived: derived, variant: variant(of: headers),
      received: received)
    let cacheChange =
      settings.value.cache != nil
      ? cacheChange(confirming: entity, by: confirmation, requestedBy: request) : nil
    entity.confirm(confirmation)
    let stated = lifetime(
      of: confirmed, isRedirected: response.isRedirected, date: date, after: arrival - sent)
    let lifetime = usableLifetime(stated, of: headers, to: request)
    return .ended(
      .notModified(
        Fetched(entity: entity, lifetime: lifetime, cacheChange: cacheChange), confirmation))
  }

  /// The header fields of content after a 304; and those of its response, where transforms have changed them.
  private func updated(
    _ entity: AnyEntity, by notModified: HTTPHeaders
  ) -> (headers: HTTPHeaders, received: AnyEntity.Received?) {
    guard let received = entity.received else {
      return (entity.headers.merging(notModified: notModified), nil)
    }
    let changes = notModified.changes(since: received.headers)
    let headers = received.headers.merging(notModified: notModified)
    return (
      entity.headers.merging(notModified: changes),
      AnyEntity.Received(headers, variant: variant(of: headers))
    )
  }

  /// The freshness lifetime that a response states; zero where it is not to be reused.
  private func usableLifetime(
    _ stated: Duration?, of response: HTTPHeaders, to request: PreparedRequest
  ) -> Duration? {
    settings.value.responseFreshness != nil && request.isVaryingResponse(response) ? .zero : stated
  }

  /// What follows a failed attempt; throws the error if nothing does.
  private func step(
    retryingAfter error: ResourceError, _ attempt: Attempt, _ request: PreparedRequest
  ) throws(ResourceError) -> Step {
    let retry = request.failed(
      error, retries: settings.value.retries, timeout: settings.value.timeout,
      random: settings.value.random())
    guard let retry, !Task.isCancelled else { throw error }
    return .retry(Attempt(after: attempt, retry.next), after: retry.delay, error)
  }
}
