import Foundation

extension AnyRequest {
  /// The load that a request is for.
  struct Load {
    private(set) weak var resource: AnyResource?
    let id: ResourceState.LoadID
    /// The content whose validators are sent.
    var known: AnyEntity?

    /// Tells the resource what the load has brought.
    func received(_ answer: ResourceState.Answer, writing write: CacheWrites.Write? = nil) {
      resource?.received(answer, load: id, writing: write)
    }

    /// Tells the resource that the load will bring nothing.
    func giveUp() {
      resource?.giveUp(id)
    }
  }

  /// Does work for this request away from the store's actor, and takes its result in on it.
  ///
  /// A request may do this several times, one after the other.
  ///
  /// - Parameters:
  ///   - timeout: how long it may take; nil for any time.
  ///   - away: the work; it is given where to report progress, and cancelled with the request.
  ///   - back: takes in the result, unless the request has ended or gone by then.
  func run<Value: Sendable>(
    within timeout: Duration? = nil,
    _ away:
      @escaping @Sendable @concurrent (
        _ report: @escaping @Sendable (TransferProgress) -> Void
      ) async -> Value,
    back: @escaping (_ request: AnyRequest, _ value: Value) -> Void
  ) {
    let reporter = reporter ?? makeReporter()
    let scope = scope
    if timeout != nil { scope.running?.expectDeadline() }
    // Set when the work begins: the actor may be busy until then.
    let start = timeout.map { timeout in
      { [weak self] in
        let request = self?.isCompleted == false ? self : nil
        scope.running?.setDeadline(of: request, in: timeout)
      }
    }
    task = scope.isolation.launch(start: start) {
      await away { reporter.yield($0) }
    } back: { [weak self] value in
      if let self, !isCompleted {
        // It is just ending, so there is nothing left to cancel.
        task = nil
        scope.running?.liftDeadline(of: self)
        back(self, value)
      }
      scope.running?.letSleeperGo()
    }
  }

  /// Sends the request and reads its answer, in as many tries as that takes.
  final func carryOut(_ exchange: Exchange, _ attempt: Exchange.Attempt) {
    run(within: exchange.timeout(of: attempt)) { report in
      await exchange.run(attempt, progress: report)
    } back: { request, step in
      switch step {
      case .ended(let outcome): request.end(with: outcome, of: exchange)
      case .again(let next, after: nil): request.carryOut(exchange, next)
      case .again(let next, after: let delay?):
        request.wait(for: delay) { $0.carryOut(exchange, next) }
      }
    }
  }

  /// Ends the request because its deadline has come. Its work is told to stop, and not waited for.
  final func expire() {
    guard let exchange, !isCompleted else { return }
    end(with: .failure(exchange.timedOut()), of: exchange)
    scope.running?.letSleeperGo()
  }

  /// Lets time pass before another try, which everybody can see.
  private func wait(for delay: Duration, then goOn: @escaping (_ request: AnyRequest) -> Void) {
    let clock = scope.clock
    run { _ in
      // Only a cancellation ends it early, and then nobody goes on.
      try? await clock.sleep(for: delay)
    } back: { request, _ in
      request.wait(until: nil)
      if !request.isCompleted { goOn(request) }
    }
    wait(until: clock.date + delay / .seconds(1))
  }

  /// Ends the request: first the resource and its observers hear of it, then who waits for the
  /// request.
  private func end(with outcome: Exchange.Outcome, of exchange: Exchange) {
    // Together, so that the request has ended by the time that observers hear of its answer.
    scope.queue.together {
      let load = load.take()
      switch outcome {
      case .newData(let fetched):
        load?.received(
          .newData(fetched.entity, lifetime: fetched.lifetime),
          writing: exchange.write(fetched.entry))
        complete(.newData(fetched.entity))
      case .notModified(let headers, let date, let lifetime):
        guard var entity = load?.known else {
          preconditionFailure("Exchange.run: 304 for a request without validators passed through")
        }
        load?.received(
          .notModified(entity, headers, date: date, lifetime: lifetime),
          writing: exchange.confirm(headers, date: date))
        entity.confirm(headers, date: date)
        complete(.notModified(entity))
      case .failure(let error):
        load?.received(.failure(error))
        complete(.failure(error))
      }
    }
  }
}
