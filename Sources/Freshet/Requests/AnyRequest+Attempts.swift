import Foundation

/// The attempts of a request, in the order of time: begin, decorate, authorize, send, receive, retry.
extension AnyRequest {
  /// Sends the request and reads its response, in as many attempts as that takes.
  final func carryOut(_ attempt: Exchange.Attempt) {
    guard let exchange else {
      preconditionFailure("AnyRequest.carryOut: a request without an exchange cannot be sent")
    }
    let step = exchange.nextStep(of: attempt)
    switch decideAboutPause(before: step, of: attempt, exchange) {
    case .send, .ask: break
    case .wait(let delay):
      exchange.log(
        .pause, "\(exchange.location) in \(delay), as the server has asked of all requests",
        wait: RequestWait(for: delay, .server, clock: scope.clock))
      return carryOut(
        attempt.afterPause, of: exchange, after: delay, .server, ifOutdated: exchange.outdated())
    case .fail(let delay, let status):
      // Posted, because the event that is being delivered may be about to report that the request has begun.
      return scope.queue.post {
        if !self.isCompleted { self.end(with: .failure(exchange.paused(for: delay, by: status))) }
      }
    }
    switch step {
    case .decorating: decorate(attempt, exchange)
    case .authorizing: authorize(attempt, exchange)
    case .sending: send(attempt, exchange)
    }
  }

  /// Decides whether the request waits or fails before a step, because the server has asked for that by its
  /// responses to other requests.
  ///
  /// It may fail before it is made, which may ask a person to sign in. It waits once it is authorized, so that it is
  /// of the user who was signed in when it began; and as often as it may be retried: then it is sent all the same.
  private func decideAboutPause(
    before step: Exchange.NextStep, of attempt: Exchange.Attempt, _ exchange: Exchange
  ) -> OriginPause.Decision {
    let maximumWaits = exchange.settings.value.retryPolicy.maximumRetries
    guard maximumWaits > 0, step == .sending || attempt.request == nil, !asksAboutPause
    else { return .send }
    let decision = decideAboutPause(of: exchange)
    guard case .wait = decision else { return decision }
    return step == .sending && attempt.pauses < maximumWaits ? decision : .send
  }

  /// Decorates the request, as part of every fetch of a token that waits for this request.
  private func decorate(_ attempt: Exchange.Attempt, _ exchange: Exchange) {
    // Not decorated again for a fetch that begins to wait meanwhile; see ``noteWait(of:)``.
    let step = TokenFetch(isDecoration: true)
    run(.decorating(step)) { [fetches = fetches + [step]] in
      await TokenFetch.$current.withValue(fetches) { await exchange.decorate(attempt) }
    } completion: {
      $0.received($1)
    }
  }

  /// Authorizes the request, as part of every fetch of a token that waits for this request.
  private func authorize(_ attempt: Exchange.Attempt, _ exchange: Exchange) {
    run(.authorizing { $0.authorize(attempt, exchange) }) { [fetches] in
      await TokenFetch.$current.withValue(fetches) { await exchange.authorize(attempt) }
    } completion: {
      // A first send is not a retry.
      let isRetry = attempt.request?.isPreparedAgain == true
      if isRetry { $0.receivedUnlessLast($1) } else { $0.received($1) }
    }
  }

  /// Sends the request once, and reads its response.
  private func send(_ attempt: Exchange.Attempt, _ exchange: Exchange) {
    let retries = exchange.settings.value.retryPolicy
    // After the pause: what is not sent allows no retry.
    if retries.maximumRetries > 0, beginSending() {
      scope.originLimits.requestBegins(to: exchange.key.url, retries)
    }
    let report = makeReporter()
    run(within: exchange.settings.value.timeout) {
      await exchange.send(attempt, progress: report)
    } completion: {
      $0.receivedUnlessLast($1)
    }
  }

  /// Continues with what follows, or ends the request if no other attempt may follow.
  private func receivedUnlessLast(_ step: Exchange.Step) {
    guard mayRetry else { return receivedLast(step) }
    received(step)
  }

  /// Ends the request with what has been received, whatever was to follow.
  private func receivedLast(_ step: Exchange.Step) {
    switch step {
    case .ended: received(step)
    case .retry(_, after: _, let error):
      notePause(after: error)
      end(with: .failure(error))
    case .next, .refused, .held: cancel()
    }
  }

  private func received(_ step: Exchange.Step) {
    switch step {
    case .ended(let outcome):
      if case .failure(let error) = outcome { notePause(after: error) } else { liftPause() }
      end(with: outcome)
    case .next(let next): carryOut(next)
    case .refused(let next):
      scope.noteRefusedConditions()
      carryOut(next)
    case .held(let next, let error):
      // The response to the other request may arrive later than this.
      notePause(after: error)
      carryOut(next)
    case .retry(let next, after: let delay, let error): retry(next, after: delay, error)
    }
  }

  /// Whether a retry counts: not at the time that a server with a quota has named, which is not sick, and says
  /// itself how many requests it gets.
  private func isCounted(after error: ResourceError) -> Bool {
    guard error.status == 429, let asked = error.retryAfter else { return true }
    return asked <= .zero
  }

  /// Makes another attempt after a wait, if the budget for retries allows it and the configuration is
  /// the same by then.
  private func retry(
    _ next: Exchange.Attempt, after delay: Duration, _ error: ResourceError
  ) {
    notifyLoad(ofRetryAfter: error)
    notePause(after: error)
    guard let exchange else { return end(with: .failure(error)) }
    let (limits, url, policy) = (
      scope.originLimits, exchange.key.url, exchange.settings.value.retryPolicy
    )
    let isCounted = isCounted(after: error)
    // First, so that what is not sent is not the one request which asks whether a pause still holds.
    guard !isCounted || limits.hasRetry(to: url, policy) else {
      return end(with: .failure(error))
    }
    let asked: Duration
    switch decideAboutPause(of: exchange) {
    case .wait(let delay): asked = delay
    case .send, .ask: asked = .zero
    case .fail: return end(with: .failure(error))
    }
    if isCounted { limits.spendRetry(to: url, policy) }
    let reason = asked > delay ? .server : RequestWait.Reason(after: error)
    let delay = max(delay, asked)
    exchange.log(
      .retry, "\(exchange.location) in \(delay) after \(error.description)",
      wait: RequestWait(for: delay, reason, clock: scope.clock))
    carryOut(next, of: exchange, after: delay, reason, ifOutdated: error)
  }

  /// Carries out an attempt after a wait, which ``wait`` shows.
  ///
  /// - Parameter error: the failure of the request if the configuration has changed by then: the request has the
  ///   credentials of the one that it was made with.
  private func carryOut(
    _ next: Exchange.Attempt, of exchange: Exchange, after delay: Duration,
    _ reason: RequestWait.Reason, ifOutdated error: @escaping @autoclosure () -> ResourceError
  ) {
    let clock = scope.clock
    let purpose = TimerPurpose.retry(of: "\(exchange.key)")
    let end = clock.now + delay
    run {
      // Only a cancellation ends the sleep early, and then nothing follows.
      try? await clock.sleep(until: end, purpose: purpose)
    } completion: { request, _ in
      let mayRetry = request.mayRetry
      request.setWait(nil)
      guard !request.isCompleted else { return }
      // A wait hook may have ended the retries just now: that cancels a request that waits. If they had ended
      // before the wait, the first attempt is still sent.
      guard request.mayRetry == mayRetry else { return request.cancel() }
      if exchange.settings.version == request.scope.configurationVersion {
        request.carryOut(next)
      } else {
        request.end(with: .failure(error()))
      }
    }
    setWait(RequestWait(for: delay, reason, clock: clock))
  }
}
