import Foundation

extension AnyRequest {
  /// Work that is done for a request, which it does not keep alive.
  final class Work {
    private weak var request: AnyRequest?
    private let scope: RequestScope
    private let timeout: Duration?
    private var deadline: Deadlines.ID?
    /// What follows when the deadline comes; nil where that is the end of the request.
    let overdue: ((_ request: AnyRequest) -> Void)?
    var task: Task<Void, Never>?

    init(
      for request: AnyRequest, within timeout: Duration?, overdue: ((AnyRequest) -> Void)?
    ) {
      self.request = request
      scope = request.scope
      self.timeout = timeout
      self.overdue = overdue
      if timeout != nil { scope.deadlines.expect() }
    }

    /// Sets the deadline. When the work begins, because the actor may be busy until then.
    func begin() {
      guard let timeout else { return }
      deadline = scope.deadlines.set(for: current, in: timeout)
    }

    /// The request, unless that is over, or does something else by now.
    private var current: AnyRequest? {
      if let request, request.work === self { request } else { nil }
    }

    /// Hands over the request, if that still waits for this work.
    func end(_ next: (_ request: AnyRequest) -> Void) {
      liftDeadline()
      if let request = current {
        request.work = nil
        next(request)
      }
      scope.deadlines.endTimerIfIdle()
    }

    /// Cancels the work, without waiting for it.
    func stop() {
      liftDeadline()
      task?.cancel()
    }

    private func liftDeadline() {
      if let deadline = deadline.take() { scope.deadlines.lift(deadline) }
    }

    /// Cancels the work because its deadline has come.
    func expire() {
      deadline = nil
      task?.cancel()
    }
  }

  /// Does work for this request away from the store's actor, and takes its result in on it.
  ///
  /// A request may do this several times, one after the other.
  ///
  /// - Parameters:
  ///   - timeout: how long it may take; nil for any time.
  ///   - overdue: called at the deadline, after the work was cancelled; nil to end the request.
  ///   - away: the work; it is cancelled with the request.
  ///   - back: is given the result, unless the request has ended or gone, or its deadline has come, by
  ///     then.
  final func run<Value: Sendable>(
    within timeout: Duration? = nil, overdue: ((_ request: AnyRequest) -> Void)? = nil,
    _ away: @escaping @Sendable @concurrent () async -> Value,
    back: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) {
    let work = Work(for: self, within: timeout, overdue: overdue)
    self.work = work
    work.task = scope.isolation.launch(start: work.begin, away) { value in
      work.end { back($0, value) }
    }
  }

  /// Sends the request and reads its response, in as many attempts as that takes.
  final func carryOut(_ attempt: Exchange.Attempt) {
    guard let exchange else {
      preconditionFailure("AnyRequest.carryOut: a request without an exchange cannot be sent")
    }
    let report = makeReporter()
    run(within: exchange.timeout(of: attempt)) {
      await exchange.run(attempt, progress: report)
    } back: { request, step in
      switch step {
      case .ended(let outcome): request.end(with: outcome)
      case .again(let next, after: nil): request.carryOut(next)
      case .again(let next, after: let delay?):
        request.wait(for: delay, purpose: .retry(of: "\(exchange.key)")) { $0.carryOut(next) }
      }
    }
  }

  /// Called when the deadline has come: the work is cancelled, and not waited for.
  final func expire() {
    guard let exchange, let work = work.take() else { return }
    work.expire()
    if let overdue = work.overdue {
      overdue(self)
    } else {
      end(with: .failure(exchange.timedOut()))
    }
    scope.deadlines.endTimerIfIdle()
  }

  /// Lets time pass before another try, which everybody can see.
  private func wait(
    for delay: Duration, purpose: TimerPurpose,
    then goOn: @escaping (_ request: AnyRequest) -> Void
  ) {
    let clock = scope.clock
    run {
      // Only a cancellation ends it early, and then nobody goes on.
      try? await clock.sleep(for: delay, purpose: purpose)
    } back: { request, _ in
      request.wait(until: nil)
      if !request.isCompleted { goOn(request) }
    }
    wait(until: clock.date + delay / .seconds(1))
  }

  /// Ends the request: first the resource and its observers are notified, then who waits for the
  /// request.
  private func end(with outcome: LoadOutcome) {
    let load = load.take()
    // Together, so that the request has ended by the time that observers are notified of its response.
    scope.queue.together {
      load?.received(outcome)
      complete(outcome)
    }
  }
}
