import Foundation

extension AnyRequest {
  /// The work that is done for a request. It does not keep the request alive.
  final class Work {
    /// A reason to end the work early, besides the end of the request.
    enum Interruption {
      /// The deadline, which ends the request.
      case deadline
      /// The deadline. The closure makes the work end soon.
      case overdue(() -> Void)
      /// A fetch of a token that waits for the request. The closure begins the work again.
      case restart((_ request: AnyRequest) -> Void)
    }

    private weak var request: AnyRequest?
    private let deadlines: Deadlines
    private let timeout: Duration?
    private var deadline: Deadlines.ID?
    let interruption: Interruption
    var task: Task<Void, Never>?

    init(for request: AnyRequest, within timeout: Duration?, _ interruption: Interruption) {
      self.request = request
      deadlines = request.scope.deadlines
      self.timeout = timeout
      self.interruption = interruption
      if timeout != nil { deadlines.expect() }
    }

    /// Sets the deadline, once the work begins: the actor may be busy until then.
    func begin() {
      guard let timeout else { return }
      deadline = deadlines.set(for: current, in: timeout)
    }

    /// The request; nil if it has ended or has begun other work.
    private var current: AnyRequest? {
      if let request, request.work === self { request } else { nil }
    }

    /// Passes the request to the next step, if it still waits for this work.
    func end(_ next: (_ request: AnyRequest) -> Void) {
      liftDeadline()
      if let request = current {
        request.work = nil
        next(request)
      }
      deadlines.endTimerIfIdle()
    }

    /// Cancels the work, without waiting for it.
    func stop() {
      liftDeadline()
      task?.cancel()
    }

    private func liftDeadline() {
      if let deadline = deadline.take() { deadlines.lift(deadline) }
    }

    /// Ends the work early because its deadline has passed.
    ///
    /// - Returns: whether that ends the request.
    func expire() -> Bool {
      deadline = nil
      if case .overdue(let end) = interruption {
        end()
        return false
      }
      task?.cancel()
      return true
    }
  }

  /// Performs an operation off the store's actor, and receives its result on the actor.
  ///
  /// A request may do this several times, one after the other.
  ///
  /// - Parameters:
  ///   - timeout: how long the operation may take; nil for no limit.
  ///   - interruption: what may end the work early.
  ///   - operation: the operation; it is cancelled with the request.
  ///   - completion: receives the result, unless the request has ended or was deallocated, or its
  ///     deadline has passed, by then.
  final func run<Value: Sendable>(
    within timeout: Duration? = nil, _ interruption: Work.Interruption = .deadline,
    _ operation: @escaping @Sendable @concurrent () async -> Value,
    completion: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) {
    let work = Work(for: self, within: timeout, interruption)
    self.work = work
    work.task = scope.isolation.launch(start: work.begin, operation) { value in
      work.end { completion($0, value) }
    }
    // Nothing returns to an actor that is being deallocated. Posted, because the event that is
    // being delivered may be about to report that the request has begun.
    if work.task == nil { scope.queue.post { self.cancel() } }
  }

  /// Sends the request and reads its response, in as many attempts as that takes.
  final func carryOut(_ attempt: Exchange.Attempt) {
    guard let exchange else {
      preconditionFailure("AnyRequest.carryOut: a request without an exchange cannot be sent")
    }
    let retries = exchange.settings.value.retries
    if retries.maximumRetries > 0, attempt.request == nil, attempt.pauses == 0 {
      scope.retryBudgets.requestBegins(to: exchange.key.url, retries)
    }
    let isReady = exchange.isReady(attempt)
    // Before it is prepared too, which may ask a person to sign in.
    if retries.maximumRetries > 0, isReady || attempt.request == nil,
      isPaused(attempt, exchange, mayWait: isReady)
    {
      return
    }
    guard isReady else { return prepare(attempt, exchange) }
    let report = makeReporter()
    run(within: exchange.settings.value.timeout) {
      await exchange.send(attempt, progress: report)
    } completion: {
      $0.received($1)
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
    switch decideAboutPause(exchange) {
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

  /// Decides whether what the server has asked of all requests lets this one be sent.
  private func decideAboutPause(_ exchange: Exchange) -> OriginPause.Decision {
    let settings = exchange.settings.value
    let decision = scope.retryBudgets.decide(
      of: exchange.key.url, at: scope.clock.now, settings.retries, timeout: settings.timeout)
    asksAboutPause = decision == .ask
    return decision
  }

  /// Takes a step that may wait for a token, as part of every fetch that waits for this request.
  private func prepare(_ attempt: Exchange.Attempt, _ exchange: Exchange) {
    let fetches = fetches
    // Not decorated again: what a fetch has to be a part of is the step that follows.
    let restart = Work.Interruption.restart { $0.prepare(attempt, exchange) }
    run(exchange.isDecorated(attempt) ? restart : .deadline) {
      await TokenFetch.$current.withValue(fetches) {
        await exchange.prepare(attempt)
      }
    } completion: {
      $0.received($1)
    }
  }

  private func received(_ step: Exchange.Step) {
    switch step {
    case .ended(let outcome):
      if case .failure(let error) = outcome { notePause(after: error) } else { liftPause() }
      end(with: outcome)
    case .next(let next): carryOut(next)
    case .retry(let next, after: let delay, let error): retry(next, after: delay, error)
    }
  }

  /// Notes that a server has asked for a wait, or has responded without that.
  private func notePause(after error: ResourceError) {
    guard error.kind == .rateLimited else {
      // An attempt without a response says nothing.
      if error.status != nil { liftPause() }
      return
    }
    asksAboutPause = false
    guard let delay = error.retryAfter, let exchange else { return }
    let retries = exchange.settings.value.retries
    guard retries.maximumRetries > 0 else { return }
    let now = scope.clock.now
    scope.retryBudgets.pause(
      error.url ?? exchange.key.url, until: now + delay, at: now, by: error.status, retries)
  }

  /// Notes that a server does not ask for a wait any more, where this request was sent to find that out.
  private func liftPause() {
    guard asksAboutPause, let exchange else { return }
    asksAboutPause = false
    scope.retryBudgets.lift(exchange.key.url, exchange.settings.value.retries)
  }

  /// Whether a request may be retried; then the retry is counted, but for one at the time that a server with a
  /// quota has named: that server is not sick, and says itself how many requests it gets.
  private func isWithinBudget(_ exchange: Exchange, after error: ResourceError) -> Bool {
    if error.status == 429, let asked = error.retryAfter, asked > .zero { return true }
    return scope.retryBudgets.mayRetry(to: exchange.key.url, exchange.settings.value.retries)
  }

  /// Makes another attempt after a wait, if the budget for retries allows it and the configuration is
  /// the same by then.
  private func retry(
    _ next: Exchange.Attempt, after delay: Duration, _ error: ResourceError
  ) {
    notePause(after: error)
    guard let exchange else { return end(with: .failure(error)) }
    let asked: Duration
    switch decideAboutPause(exchange) {
    case .wait(let delay): asked = delay
    case .send, .ask: asked = .zero
    case .fail: return end(with: .failure(error))
    }
    // Last, because it counts the retry.
    guard isWithinBudget(exchange, after: error) else { return end(with: .failure(error)) }
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

  /// Ends the work without waiting for it, because the deadline has passed.
  final func expire() {
    guard let exchange, let work, work.expire() else { return }
    self.work = nil
    end(with: .failure(exchange.timedOut()))
    scope.deadlines.endTimerIfIdle()
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
      request.setWait(nil)
      if !request.isCompleted { next(request) }
    }
    setWait(RequestWait(for: delay, reason, clock: clock))
  }

  /// Ends the request: notifies first the resource and its observers, then the waiters of the
  /// request.
  private func end(with outcome: LoadOutcome) {
    // Together, so that the request has ended by the time that observers are notified of its response.
    scope.queue.together {
      // Still its load, so that an edit which is replayed on the response cannot cancel it.
      load?.received(outcome)
      // Released at last: it may hold a resource, whose end may run code of the program.
      let load = self.load.take()
      complete(outcome)
      withExtendedLifetime(load) {}
    }
  }
}
