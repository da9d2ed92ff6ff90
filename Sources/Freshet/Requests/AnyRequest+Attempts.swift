import Foundation

/// The attempts of a request, in the order of time: begin, prepare, receive, retry.
extension AnyRequest {
  /// Sends the request and reads its response, in as many attempts as that takes.
  final func carryOut(_ attempt: Exchange.Attempt) {
    guard let exchange else {
      preconditionFailure("AnyRequest.carryOut: a request without an exchange cannot be sent")
    }
    let retries = exchange.settings.value.retries
    let isReady = exchange.isReady(attempt)
    // Before it is prepared too, which may ask a person to sign in.
    if retries.maximumRetries > 0, isReady || attempt.request == nil,
      isPaused(attempt, exchange, mayWait: isReady)
    {
      return
    }
    guard isReady else { return prepare(attempt, exchange) }
    // After the pause: what is not sent allows no retry.
    if retries.maximumRetries > 0, noteFirstSend() {
      scope.retryBudgets.requestBegins(to: exchange.key.url, retries)
    }
    let report = makeReporter()
    run(within: exchange.settings.value.timeout) {
      await exchange.send(attempt, progress: report)
    } completion: {
      $0.receivedUnlessLast($1)
    }
  }

  /// Waits before the request is sent if the server has asked for that by its responses to other requests, or
  /// fails where that is too long.
  ///
  /// As often as it may be retried: then it is sent all the same.
  ///
  /// - Parameter mayWait: whether a wait begins now. A request waits once it is authorized, so that it is of
  ///   the user who was signed in when it began.
  /// - Returns: whether the request waits or fails.
  private func isPaused(
    _ attempt: Exchange.Attempt, _ exchange: Exchange, mayWait: Bool
  ) -> Bool {
    guard !asksAboutPause else { return false }
    let waitsLeft = exchange.settings.value.retries.maximumRetries - attempt.pauses
    let delay: Duration
    switch decideAboutPause(of: exchange) {
    case .wait(let asked) where mayWait && waitsLeft > 0: delay = asked
    case .wait, .send, .ask: return false
    case .fail(let delay, let status):
      // Posted, because the event that is being delivered may be about to report that the request has begun.
      scope.queue.post {
        if !self.isCompleted { self.end(with: .failure(exchange.paused(for: delay, by: status))) }
      }
      return true
    }
    exchange.log(
      .pause, "\(exchange.location) in \(delay), as the server has asked of all requests",
      wait: RequestWait(for: delay, .server, clock: scope.clock))
    pause(for: delay, .server) { request in
      // The request has the credentials of the configuration that it was made with.
      if exchange.settings.version != request.scope.configurationVersion {
        request.end(with: .failure(exchange.outdated()))
      } else {
        request.carryOut(attempt.afterPause)
      }
    }
    return true
  }

  /// Takes a step that may wait for a token, as part of every fetch that waits for this request.
  private func prepare(_ attempt: Exchange.Attempt, _ exchange: Exchange) {
    var fetches = fetches
    let activity: RequestWork.Activity
    if exchange.isDecorated(attempt) {
      activity = .authorizing { $0.prepare(attempt, exchange) }
    } else {
      // Not decorated again for a fetch that begins to wait meanwhile; see ``noteWait(of:)``.
      let step = TokenFetch(isDecoration: true)
      fetches.append(step)
      activity = .decorating(step)
    }
    run(activity) { [fetches] in
      await TokenFetch.$current.withValue(fetches) {
        await exchange.prepare(attempt)
      }
    } completion: {
      // A first send is no retry.
      let isRetry = attempt.request?.isPreparedAgain == true
      if isRetry { $0.receivedUnlessLast($1) } else { $0.received($1) }
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
    noteRetry(after: error)
    notePause(after: error)
    guard let exchange else { return end(with: .failure(error)) }
    let (budgets, url, policy) = (
      scope.retryBudgets, exchange.key.url, exchange.settings.value.retries
    )
    let isCounted = isCounted(after: error)
    // First, so that what is not sent is not the one request which asks whether a pause still holds.
    guard !isCounted || budgets.hasRetry(to: url, policy) else {
      return end(with: .failure(error))
    }
    let asked: Duration
    switch decideAboutPause(of: exchange) {
    case .wait(let delay): asked = delay
    case .send, .ask: asked = .zero
    case .fail: return end(with: .failure(error))
    }
    if isCounted { budgets.spendRetry(to: url, policy) }
    let reason = asked > delay ? .server : RequestWait.Reason(after: error)
    let delay = max(delay, asked)
    exchange.log(
      .retry, "\(exchange.location) in \(delay) after \(error.description)",
      wait: RequestWait(for: delay, reason, clock: scope.clock))
    pause(for: delay, reason) { request in
      // The request holds the credentials of the configuration that it was made with.
      if exchange.settings.version == request.scope.configurationVersion {
        request.carryOut(next)
      } else {
        request.end(with: .failure(error))
      }
    }
  }

  /// Waits before the next attempt, which ``wait`` shows.
  private func pause(
    for delay: Duration, _ reason: RequestWait.Reason,
    then next: @escaping (_ request: AnyRequest) -> Void
  ) {
    let clock = scope.clock
    let purpose = TimerPurpose.retry(of: exchange.map { "\($0.key)" } ?? "a request")
    run {
      // Only a cancellation ends the sleep early, and then nothing follows.
      try? await clock.sleep(for: delay, purpose: purpose)
    } completion: { request, _ in
      let mayRetry = request.mayRetry
      request.setWait(nil)
      guard !request.isCompleted else { return }
      // A hook of that has ended the retries, which cancels a request that waits. One that was never sent may have
      // lost them before the wait: it is sent once.
      guard request.mayRetry == mayRetry else { return request.cancel() }
      next(request)
    }
    setWait(RequestWait(for: delay, reason, clock: clock))
  }
}
