/// Runs the steps of an attempt, which ``Exchange/nextStep(of:)`` names. None of them throws: every failure is an
/// outcome.
extension Exchange {
  /// Makes the request and decorates it.
  @concurrent
  func decorate(_ attempt: Attempt) async -> Step {
    do {
      return .next(Attempt(after: attempt, try await decorated(attempt)))
    } catch {
      return .ended(.failure(error))
    }
  }

  private func decorated(_ attempt: Attempt) async throws(ResourceError) -> PreparedRequest {
    // First: encoding a body may outlast the session too.
    let session = await session
    let plain = try plainRequest(of: attempt)
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
      decorated, decoration: decoration, isUnconditional: attempt.freshness == .unconditional,
      needsAuthorization: isAuthorized)
  }

  /// Authorizes the request, or renews its authorization, so that the next step sends it.
  @concurrent
  func authorize(_ attempt: Attempt) async -> Step {
    do {
      return try await authorized(attempt)
    } catch {
      return .ended(.failure(error))
    }
  }

  private func authorized(_ attempt: Attempt) async throws(ResourceError) -> Step {
    var request = try prepared(attempt, needsAuthorization: isAuthorized).get()
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

  /// Sends a request that is ready, once, and reads the response.
  @concurrent
  func send(
    _ attempt: Attempt, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async -> Step {
    switch prepared(attempt, needsAuthorization: false) {
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
  // Into the step that sends, where nearly all requests are made.
  @inline(__always)
  private func prepared(
    _ attempt: Attempt, needsAuthorization: Bool
  ) -> Result<PreparedRequest, ResourceError> {
    if let request = attempt.request { return .success(request) }
    return Result { () throws(ResourceError) in
      PreparedRequest(
        try plainRequest(of: attempt), isUnconditional: attempt.freshness == .unconditional,
        needsAuthorization: needsAuthorization)
    }
  }
}
